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
        auto within = Greatest ? block[0] <= limit : block[0] >= limit;
        for (std::int64_t k = 1; k < 4; ++k)
            within &= Greatest ? block[k] <= limit : block[k] >= limit;
        std::uint64_t parts[register_bytes / 8];
        __builtin_memcpy(parts, &within, sizeof parts);
        std::uint64_t all = ~std::uint64_t{0};
        for (const std::uint64_t part : parts) all &= part;
        if (~all != 0) break;
    }
    return i;
}

template <class T, bool Greatest>
std::int64_t find_extreme(const std::byte* elements, Extent step, std::int64_t count) {
    const auto at = [&](std::int64_t i) {
        return *reinterpret_cast<const T*>(elements + i * step);
    };
    T best = at(0);
    std::int64_t where = 0;
    std::int64_t look_from = 1;
    if (is_nan(best)) return 0;
    for (std::int64_t i = 1; i < count; ++i) {
        if constexpr (is_real<T> || is_integer<T>) {
            if (step == sizeof(T) && i >= look_from) {
                i += count_within<T, Greatest>(elements + i * step, count - i, best);
                if (i >= count) break;
                look_from = i + block_elements<T>;
            }
        }
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
