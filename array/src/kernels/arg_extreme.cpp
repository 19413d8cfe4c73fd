// Where the least or the greatest element of a run lies.
#include "kernels/complex_numbers.hpp"
#include "kernels/loops.hpp"

namespace refrain::array::kernels {
inline namespace REFRAIN_ARRAY_VARIANT {

namespace {

template <class T>
bool is_nan(T value) noexcept {
    if constexpr (is_complex_type<T>)
        return has_nan(value);
    else if constexpr (is_real<T>)
        return std::isnan(value);
    else
        return false;
}
template <class T>
bool precedes(T a, T b) noexcept {
    if constexpr (is_complex_type<T>)
        return is_less(a, b);
    else
        return a < b;
}

template <class T>
inline constexpr std::int64_t block_elements = 4 * register_bytes / std::int64_t{sizeof(T)};

/// Whether no lane is beyond the limit, or NaN.
template <class T, bool Greatest, class Register>
bool is_within(const Register (&block)[4], Register limit) noexcept {
#if defined(__AVX512F__)
    if constexpr (std::is_same_v<T, double>) {
        constexpr int beyond = Greatest ? _CMP_NLE_UQ : _CMP_NGE_UQ;
        unsigned found = 0;
        for (const Register& lanes : block)
            found |= _mm512_cmp_pd_mask(reinterpret_cast<__m512d>(lanes),
                                        reinterpret_cast<__m512d>(limit), beyond);
        return found == 0;
    }
#endif
    auto within = Greatest ? block[0] <= limit : block[0] >= limit;
    for (std::int64_t k = 1; k < 4; ++k) within &= Greatest ? block[k] <= limit : block[k] >= limit;
    std::uint64_t parts[register_bytes / 8];
    __builtin_memcpy(parts, &within, sizeof parts);
    std::uint64_t all = ~std::uint64_t{0};
    for (const std::uint64_t part : parts) all &= part;
    return ~all == 0;
}

/// How many elements lie before the first block, of elements side by side, that holds one beyond `best`
/// or a NaN; blocks of less than full length are not looked at.
template <class T, bool Greatest>
std::int64_t count_within(const std::byte* elements, std::int64_t count, T best) noexcept {
    using Register = typename RegisterOf<T>::type;
    constexpr std::int64_t width = register_bytes / std::int64_t{sizeof(T)};
    Register limit;
    for (std::int64_t k = 0; k < width; ++k) limit[k] = best;
    std::int64_t i = 0;
    for (; i + block_elements<T> <= count; i += block_elements<T>) {
        Register block[4];
        __builtin_memcpy(block, elements + i * std::int64_t{sizeof(T)}, sizeof block);
        if (!is_within<T, Greatest>(block, limit)) break;
    }
    return i;
}

/// The most extreme element of a block; nothing if one is NaN.
template <class T, bool Greatest>
bool find_in_block(const std::byte* elements, T& best) noexcept {
    using Register = typename RegisterOf<T>::type;
    constexpr std::int64_t width = register_bytes / std::int64_t{sizeof(T)};
    Register block[4];
    __builtin_memcpy(block, elements, sizeof block);
    auto unordered = block[0] != block[0];
    Register most = block[0];
    for (std::int64_t k = 1; k < 4; ++k) {
        unordered |= block[k] != block[k];
        most = (Greatest ? block[k] > most : block[k] < most) ? block[k] : most;
    }
    std::uint64_t parts[register_bytes / 8];
    __builtin_memcpy(parts, &unordered, sizeof parts);
    for (const std::uint64_t part : parts)
        if (part != 0) return false;
    for (std::int64_t k = 0; k < width; ++k)
        if (Greatest ? most[k] > best : most[k] < best) best = most[k];
    return true;
}

/// Of elements side by side: how many were looked at, in blocks. `where`: the first that is as extreme as `best`
/// becomes, or the first NaN, if `best` is one.
template <class T, bool Greatest>
std::int64_t find_in_blocks(const std::byte* elements, std::int64_t count, T& best,
                            std::int64_t& where) noexcept {
    constexpr std::int64_t block = block_elements<T>;
    constexpr std::int64_t bytes = sizeof(T);
    std::int64_t found_in = -1;
    std::int64_t i = 0;
    for (;;) {
        i += count_within<T, Greatest>(elements + i * bytes, count - i, best);
        if (i + block > count) break;
        if (!find_in_block<T, Greatest>(elements + i * bytes, best)) return i;
        found_in = i;
        i += block;
    }
    if (found_in < 0) return i;
    const T* at = reinterpret_cast<const T*>(elements);
    where = found_in;
    while (at[where] != best) ++where;
    return i;
}

template <class T, bool Greatest>
std::int64_t find_extreme(const std::byte* elements, Extent step, std::int64_t count) {
    const auto at = [&](std::int64_t i) {
        return *reinterpret_cast<const T*>(elements + i * step);
    };
    T best = at(0);
    std::int64_t where = 0;
    std::int64_t i = 1;
    if (is_nan(best)) return 0;
    if constexpr (is_real<T> || is_integer<T>) {
        if (step == sizeof(T)) i = find_in_blocks<T, Greatest>(elements, count, best, where);
    }
    for (; i < count; ++i) {
        const T value = at(i);
        if (Greatest ? precedes(best, value) : precedes(value, best)) {
            best = value;
            where = i;
        } else if (is_nan(value)) {
            return i;
        }
    }
    return where;
}

template <bool Greatest, int... I>
FindExtreme find_loop(DType type, std::integer_sequence<int, I...> /*types*/) noexcept {
    static constexpr std::array<FindExtreme, dtype_count> loops{
        {find_extreme<element<I>, Greatest>...}};
    return loops[static_cast<std::size_t>(type)];
}

}  // namespace

FindExtreme find_extreme_of(Extreme extreme, DType type) noexcept {
    constexpr auto types = std::make_integer_sequence<int, dtype_count>();
    return extreme == Extreme::greatest ? find_loop<true>(type, types)
                                        : find_loop<false>(type, types);
}

}  // namespace REFRAIN_ARRAY_VARIANT
}  // namespace refrain::array::kernels
