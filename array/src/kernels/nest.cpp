#include "kernels/nest.hpp"

#include <cstdlib>
#include <utility>

namespace refrain::array::kernels {

Nest::Nest(std::span<const Extent> extents, std::span<const Operand* const> all,
           int kept_axis) noexcept
    : operands(static_cast<int>(all.size())) {
    for (std::size_t i = 0; i < all.size(); ++i) addresses[i] = all[i]->address;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
        if (extents[axis] == 0) empty = true;
        if (extents[axis] == 1 && static_cast<int>(axis) != kept_axis) continue;
        const auto to = static_cast<std::size_t>(rank++);
        shape[to] = extents[axis];
        for (std::size_t i = 0; i < all.size(); ++i) strides[to][i] = all[i]->byte_strides[axis];
    }
    if (rank == 0) {
        rank = 1;
        shape[0] = 1;
        strides[0].fill(0);
    }
}

void Nest::swap_axes(int a, int b) noexcept {
    const auto one = static_cast<std::size_t>(a);
    const auto other = static_cast<std::size_t>(b);
    std::swap(shape[one], shape[other]);
    std::swap(strides[one], strides[other]);
}

void Nest::arrange_by(int operand) noexcept {
    const auto key = static_cast<std::size_t>(operand);
    const auto count = static_cast<std::size_t>(operands);
    for (int axis = 0; axis < rank; ++axis) {
        const auto at = static_cast<std::size_t>(axis);
        if (strides[at][key] >= 0) continue;
        for (std::size_t i = 0; i < count; ++i) {
            addresses[i] += strides[at][i] * (shape[at] - 1);
            strides[at][i] = -strides[at][i];
        }
    }
    for (int axis = 1; axis < rank; ++axis)
        for (int i = axis; i > 0 && strides[static_cast<std::size_t>(i)][key] >
                                        strides[static_cast<std::size_t>(i - 1)][key];
             --i)
            swap_axes(i, i - 1);
    merge();
}

void Nest::merge() noexcept {
    const auto count = static_cast<std::size_t>(operands);
    int kept = 0;
    for (int axis = 1; axis < rank; ++axis) {
        const auto outer = static_cast<std::size_t>(kept);
        const auto inner = static_cast<std::size_t>(axis);
        bool one = true;
        for (std::size_t i = 0; i < count; ++i)
            one = one && strides[outer][i] == strides[inner][i] * shape[inner];
        if (one) {
            shape[outer] *= shape[inner];
            strides[outer] = strides[inner];
        } else {
            ++kept;
            shape[static_cast<std::size_t>(kept)] = shape[inner];
            strides[static_cast<std::size_t>(kept)] = strides[inner];
        }
    }
    rank = kept + 1;
}

}  // namespace refrain::array::kernels
