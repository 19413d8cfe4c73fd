#include <vector>

#include "kernels/complex_numbers.hpp"
#include "kernels/loops.hpp"

namespace refrain::array::kernels {

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

template <class T, bool Greatest>
std::int64_t find(const std::byte* elements, Extent step, std::int64_t count) {
    const auto at = [&](std::int64_t i) {
        return *reinterpret_cast<const T*>(elements + i * step);
    };
    T best = at(0);
    std::int64_t where = 0;
    if (is_nan(best)) return 0;
    for (std::int64_t i = 1; i < count; ++i) {
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

using Find = std::int64_t (*)(const std::byte* elements, Extent step, std::int64_t count);
template <bool Greatest, int... I>
Find find_loop(DType type, std::integer_sequence<int, I...> /*types*/) {
    static constexpr std::array<Find, dtype_count> loops{{find<element<I>, Greatest>...}};
    return loops[static_cast<std::size_t>(type)];
}

}  // namespace

void run_arg_extreme(Extreme extreme, std::span<const Extent> shape, int axis, const Operand& input,
                     const Operand& output) {
    constexpr auto types = std::make_integer_sequence<int, dtype_count>();
    const Find loop = extreme == Extreme::greatest ? find_loop<true>(input.dtype, types)
                                                   : find_loop<false>(input.dtype, types);
    const auto along = static_cast<std::size_t>(axis);
    const Extent count = shape[along];
    const Extent step = input.byte_strides[along];
    std::vector<Extent> index(shape.size(), 0);
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (i != along && shape[i] == 0) return;
    const std::byte* from = input.address;
    std::byte* to = output.address;
    for (;;) {
        *as<std::int64_t>(to) = loop(from, step, count);
        std::size_t i = shape.size();
        for (;;) {
            if (i == 0) return;
            --i;
            if (i == along) continue;
            if (++index[i] < shape[i]) {
                from += input.byte_strides[i];
                to += output.byte_strides[i];
                break;
            }
            from -= input.byte_strides[i] * (shape[i] - 1);
            to -= output.byte_strides[i] * (shape[i] - 1);
            index[i] = 0;
        }
    }
}

}  // namespace refrain::array::kernels
