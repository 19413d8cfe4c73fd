/// What every handle of one partition shares: a subset of a space per colour.
///
///     tiles(extents(10), 4):  space [0,10), colours [0,4),
///                             subsets [0,3) [3,6) [6,8) [8,10), disjoint, complete
///
/// Invariants: never changes once made, except for `footprints`; every subset lies in the space;
///     disjoint and complete are computed from the subsets.
/// Threads: concurrent reads are safe; `footprints` belongs to the launching thread alone.
#pragma once

#include "refrain/detail/box_set.hpp"

#include <cstdint>
#include <vector>

namespace refrain::data {

/// What the launching thread remembers about one way of using a partition: the number under which
/// the dependence analysis knows the subsets that a launch domain selects through a projection.
struct FootprintCacheEntry {
    std::uint64_t epoch;
    Box domain;
    const void* projection;
    std::uint32_t footprint;
};

struct FootprintCache {
    std::vector<FootprintCacheEntry> entries;
    std::vector<std::uint32_t> single;  ///< by colour, for launches of one task
    std::uint64_t single_epoch = 0;
};

struct PartitionData {
    /// Computes `disjoint` and `complete`. There is one subset per colour, each within the space.
    PartitionData(BoxSet space, int rank, const Box& colours, int colour_rank,
                  std::vector<BoxSet> subsets);

    std::uint64_t number = 0;  ///< of equal partitions only; often of all of them (data/)
    BoxSet space;
    Box colours;
    std::vector<BoxSet> subsets;  ///< row-major by colour
    int rank;
    int colour_rank;
    bool disjoint;  ///< no point has two colours
    bool complete;  ///< every point of the space has a colour
    mutable FootprintCache footprints;

    /// Errors: UsageError naming the colour and the colours there are.
    [[nodiscard]] const BoxSet& subset(const Coordinates& colour) const {
        if (!colours.contains(colour)) refuse_colour(colour);
        return subsets[static_cast<std::size_t>(linear_index(colours, colour))];
    }

  private:
    [[noreturn]] void refuse_colour(const Coordinates& colour) const;
};

}  // namespace refrain::data
