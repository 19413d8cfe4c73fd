/// The makers of partitions with ranks as numbers; `refrain/partition.hpp` gives them types.
///
/// Threads: pure.
#pragma once

#include "refrain/detail/partition_data.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace refrain::data {

using PartitionHandle = std::shared_ptr<const PartitionData>;

/// Points as a row of integers, `rank` per point, laid out row-major over the bounds of a space.
struct PointValues {
    const std::int64_t* coordinates;
    std::size_t count;
    int rank;
};

/// How far, and across which edges, a halo reaches.
struct HaloShape {
    Coordinates low, high;
    std::array<bool, rank_max> periodic;
    bool with_interior;
};

PartitionHandle make_tiles(const Box& space, int rank, const Coordinates& counts);
PartitionHandle make_tiles_of_extent(const Box& space, int rank, const Coordinates& extents);
/// Cuts the space along one dimension; the colours are one-dimensional.
PartitionHandle make_strips(const Box& space, int dimension, std::int64_t count);
PartitionHandle make_whole(const Box& space, int rank, const Box& colours, int colour_rank);
PartitionHandle make_subsets(const Box& space, int rank, const Box& colours, int colour_rank,
                             std::vector<BoxSet> list);
PartitionHandle make_rectangles(const Box& space, int rank, const Box& colours, int colour_rank,
                                std::span<const Box> list);
PartitionHandle make_halo(const PartitionData& interior, const HaloShape& shape);
PartitionHandle make_image(const Box& target_space, const PartitionData& source,
                           const PointValues& values, bool ignore_negative);
PartitionHandle make_preimage(const Box& source_space, int rank, const PointValues& values,
                              const PartitionData& target);

}  // namespace refrain::data
