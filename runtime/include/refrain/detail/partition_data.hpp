/// A partition, shared by its handles: one subset of a space per colour.
///
///     tiles(extents(10), 4):  space [0,10), colours [0,4),
///                             subsets [0,3) [3,6) [6,8) [8,10), disjoint, complete
///
/// Invariants: immutable; every subset lies in the space; disjoint and complete are computed from
///     the subsets.
/// Threads: any; several runtimes may share a partition.
#pragma once

#include "refrain/detail/box_set.hpp"

#include <cstdint>
#include <vector>

namespace refrain::data {

struct PartitionData {
    /// Computes `disjoint` and `complete`. `subsets`: one per colour, each within the space.
    PartitionData(BoxSet space, int rank, const Box& colours, int colour_rank,
                  std::vector<BoxSet> subsets);

    std::uint64_t id =
        0;  ///< interning id: equal ids imply equal content; the converse usually holds
    BoxSet space;
    Box colours;
    std::vector<BoxSet> subsets;  ///< row-major by colour
    int rank;
    int colour_rank;
    bool disjoint;  ///< no point is in two subsets
    bool complete;  ///< every point of the space is in a subset

    /// Errors: UsageError naming the colour and the valid colours, if it is none of them.
    [[nodiscard]] const BoxSet& subset(const Coordinates& colour) const {
        if (!colours.contains(colour)) refuse_colour(colour);
        return subsets[static_cast<std::size_t>(linear_index(colours, colour))];
    }

  private:
    [[noreturn]] void refuse_colour(const Coordinates& colour) const;
};

}  // namespace refrain::data
