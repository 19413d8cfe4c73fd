// numpy.where: one of two elements by a condition of 1 byte. Branches of one value repeat.
#include "kernels/loops.hpp"

namespace refrain::array::kernels {
inline namespace REFRAIN_ARRAY_VARIANT {

namespace {

/// Reads one of the branches: an element per index, or the same one always.
template <class T, bool repeats>
struct Branch {
    const T* elements;
    T value;
    explicit Branch(std::byte* at) noexcept : elements(as<T>(at)), value(*elements) {}
    T operator[](std::int64_t i) const noexcept {
        if constexpr (repeats)
            return value;
        else
            return elements[i];
    }
};

template <class T, bool yes_repeats, bool no_repeats>
void select_side_by_side(std::byte* const* operands, std::int64_t count) noexcept {
    const auto* condition = reinterpret_cast<const std::uint8_t*>(operands[0]);
    const Branch<T, yes_repeats> yes(operands[1]);
    const Branch<T, no_repeats> no(operands[2]);
    T* out = as<T>(operands[3]);
    REFRAIN_ARRAY_INDEPENDENT
    for (std::int64_t i = 0; i < count; ++i) {
        const T a = yes[i];
        const T b = no[i];
        out[i] = condition[i] != 0 ? a : b;
    }
}

template <class T>
void select(std::byte* const* operands, const std::int64_t* steps, std::int64_t count) {
    constexpr std::int64_t bytes = sizeof(T);
    const auto is_simple = [](std::int64_t step) { return step == bytes || step == 0; };
    if (count == 0) return;
    if (steps[0] == 1 && is_simple(steps[1]) && is_simple(steps[2]) && steps[3] == bytes) {
        if (steps[1] != 0 && steps[2] != 0)
            select_side_by_side<T, false, false>(operands, count);
        else if (steps[1] != 0)
            select_side_by_side<T, false, true>(operands, count);
        else if (steps[2] != 0)
            select_side_by_side<T, true, false>(operands, count);
        else
            select_side_by_side<T, true, true>(operands, count);
        return;
    }
    const std::byte* condition = operands[0];
    std::byte* yes = operands[1];
    std::byte* no = operands[2];
    std::byte* out = operands[3];
    for (std::int64_t i = 0; i < count; ++i) {
        *as<T>(out) = *condition != std::byte{0} ? *as<T>(yes) : *as<T>(no);
        condition += steps[0];
        yes += steps[1];
        no += steps[2];
        out += steps[3];
    }
}

struct Pair {
    std::uint64_t parts[2];
};

}  // namespace

// Elements are bits here: types of equal size share a loop.
Loop select_loop_of(DType type) noexcept {
    switch (bytes_of(type)) {
        case 1:
            return select<std::uint8_t>;
        case 2:
            return select<std::uint16_t>;
        case 4:
            return select<std::uint32_t>;
        case 8:
            return select<std::uint64_t>;
        default:
            return select<Pair>;
    }
}

}  // namespace REFRAIN_ARRAY_VARIANT
}  // namespace refrain::array::kernels
