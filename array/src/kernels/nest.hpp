/// The loops around an inner loop: axes of a shape with the byte strides of up to five operands,
/// ordered, merged where they are one, walked row by row.
///
// room: kernels
#pragma once

#include <array>

#include "kernels/kernels.hpp"

namespace refrain::array::kernels {

inline constexpr int operands_max = 5;

struct Nest {
    int operands = 0;
    int rank = 0;  // at least 1; the last axis is the inner loop
    bool empty = false;
    std::array<std::byte*, operands_max> addresses{};
    // Not initialised: only the first `rank` count.
    std::array<Extent, rank_max + 1> shape;
    std::array<std::array<Extent, operands_max>, rank_max + 1> strides;  // by axis

    /// In the order of the shape, axes of one element left out, but for `kept_axis`.
    Nest(std::span<const Extent> shape, std::span<const Operand* const> operands,
         int kept_axis = -1) noexcept;
    /// Orders axes by the strides of an operand, the longest outside, none negative, and merges.
    void arrange_by(int operand) noexcept;
    /// Merges neighbours that are one axis for all operands.
    void merge() noexcept;
    void swap_axes(int a, int b) noexcept;

    /// Calls row(addresses, steps, count) for each run of the inner axis.
    template <class Row>
    void for_each_row(const Row& row) const {
        if (empty) return;
        const auto inner = static_cast<std::size_t>(rank - 1);
        std::array<std::byte*, operands_max> at = addresses;
        if (rank == 1) {
            row(at.data(), strides[inner].data(), shape[inner]);
            return;
        }
        std::array<Extent, rank_max + 1> index;
        for (std::size_t i = 0; i < inner; ++i) index[i] = 0;
        const auto count = static_cast<std::size_t>(operands);
        for (;;) {
            // The operands move on in a copy, since rows may change their addresses.
            std::array<std::byte*, operands_max> row_at = at;
            row(row_at.data(), strides[inner].data(), shape[inner]);
            std::size_t axis = inner;
            for (;;) {
                if (axis == 0) return;
                --axis;
                if (++index[axis] < shape[axis]) {
                    for (std::size_t i = 0; i < count; ++i) at[i] += strides[axis][i];
                    break;
                }
                for (std::size_t i = 0; i < count; ++i)
                    at[i] -= strides[axis][i] * (shape[axis] - 1);
                index[axis] = 0;
            }
        }
    }
};

}  // namespace refrain::array::kernels
