/// Rank-erased partition factories; `refrain/partition.hpp` is their typed interface and documents
/// them.
///
/// Errors: UsageError naming the function, the argument and the offending values.
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

/// `count` points of `rank` coordinates each: the values of the elements of a space, in row-major
/// order. Either of the two pointers is used.
struct PointValues {
    const std::int64_t* coordinates;
    std::size_t count;
    int rank;
    const std::int32_t* short_coordinates = nullptr;  ///< used if `coordinates` is null

    [[nodiscard]] std::int64_t operator[](std::size_t i) const noexcept {
        return coordinates != nullptr ? coordinates[i] : short_coordinates[i];
    }
};

/// The widths of a halo, and the dimensions in which it wraps around.
struct HaloShape {
    Coordinates low, high;
    std::array<bool, rank_max> periodic;
    bool with_interior;
};

PartitionHandle make_tiles(const Box& space, int rank, const Coordinates& counts);
PartitionHandle make_tiles_of_extent(const Box& space, int rank, const Coordinates& extents);
/// Cuts a two-dimensional space along one dimension; the colours are one-dimensional.
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
