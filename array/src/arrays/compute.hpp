/// Computes one operation, or a tile of it, on memory: from the words of records to those of kernels.
///
/// Threads: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "stores/record.hpp"

namespace refrain::array {

/// An operand in memory; `layout` has the shape of the domain (of a reduction's output: of that).
struct Placed {
    std::byte* root = nullptr;  // the store's first element; null: a value
    const Layout* layout = nullptr;
    DType dtype = DType::float64;
};

/// `places[0]` is the output; values[i] stands for places[i + 1] where its root is null. `first` is the
/// number of the tile's first element along the axis that is cut, `tile_axis`. Returns the value flags raised.
unsigned compute(const Signature& what, std::span<const Placed> places, const Values& values,
                 Extent first = 0, int tile_axis = -1);

}  // namespace refrain::array
