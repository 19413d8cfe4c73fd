#pragma once

#include "base/assertion.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace refrain::strings {

/// The exponent of 2 in `step`: 0 1 0 2 0 1 0 3 ... for step = 1, 2, 3, ...
///
/// Shapes:  step >= 1.
[[nodiscard]] constexpr unsigned ruler(std::uint64_t step) {
    REFRAIN_ASSERT(step >= 1, "steps count from one");
    return static_cast<unsigned>(std::countr_zero(step));
}

/// The range of slice lengths.
struct SliceScales {
    std::size_t multi_scale_factor;  ///< tokens between two steps; length of the shortest slice
    std::size_t history_max;         ///< tokens kept; length of the longest slice
};

/// The length of the slice to mine at a step, that is after step * multi_scale_factor tokens: the
/// newest tokens of the history.
///
/// factor 1, history 8: 1 2 1 4 1 2 1 8, 1 2 1 4 1 2 1 8, ...: short repeats are found soon, long
/// ones eventually, and each token is in O(log history) slices.
///
/// Shapes:      step >= 1, factor >= 1 -> factor * 2^ruler(step), at most history_max.
/// Complexity:  O(1); never overflows.
/// Source:      Yadav et al., ASPLOS 2025, Figure 5.
[[nodiscard]] constexpr std::size_t slice_length(std::uint64_t step, const SliceScales& scales) {
    REFRAIN_ASSERT(scales.multi_scale_factor >= 1, "the shortest slice has a token");
    const unsigned doublings = ruler(step);
    const std::size_t factor_max = doublings < 64 ? scales.history_max >> doublings : 0;
    return scales.multi_scale_factor <= factor_max ? scales.multi_scale_factor << doublings
                                                   : scales.history_max;
}

}  // namespace refrain::strings
