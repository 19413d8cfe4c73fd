#include "base/assertion.hpp"
#include "data/message.hpp"
#include "data/partition_checks.hpp"
#include "refrain/detail/partition_factories.hpp"
#include "refrain/error.hpp"

#include <array>
#include <utility>

namespace refrain::data {
namespace {

/// The cuts of a space along one dimension: piece k is [at[k], at[k + 1]).
using Cuts = std::vector<std::int64_t>;

Cuts uncut(const Box& space, int d) {
    return {space.lo[d], space.hi[d]};
}

/// Pieces whose extents differ by at most one, larger ones first.
Cuts even_cuts(const Box& space, int d, std::int64_t count) {
    const std::int64_t extent = space.extent(d);
    Cuts at;
    at.reserve(static_cast<std::size_t>(count) + 1);
    for (std::int64_t k = 0; k <= count; ++k) {
        at.push_back(space.lo[d] + k * (extent / count) + std::min(k, extent % count));
    }
    REFRAIN_ASSERT(at.back() - at.front() == extent, "pieces do not fill their dimension");
    return at;
}

Cuts cuts_of_extent(const Box& space, int d, std::int64_t extent) {
    REFRAIN_ASSERT(extent > 0, "pieces without an extent never fill a dimension");
    Cuts at{space.lo[d]};
    while (at.back() < space.hi[d]) {
        at.push_back(at.back() + std::min(extent, space.hi[d] - at.back()));
    }
    return at;
}

Box grid_of(const Coordinates& counts) {
    return {{}, counts};
}

PartitionHandle make_grid(const Box& space, int rank, const Box& colours, int colour_rank,
                          const std::array<Cuts, rank_max>& cuts) {
    std::vector<BoxSet> tiles;
    tiles.reserve(static_cast<std::size_t>(colours.volume()));
    for (std::size_t i = 0; i + 1 < cuts[0].size(); ++i)
        for (std::size_t j = 0; j + 1 < cuts[1].size(); ++j)
            for (std::size_t k = 0; k + 1 < cuts[2].size(); ++k)
                tiles.emplace_back(Box{{cuts[0][i], cuts[1][j], cuts[2][k]},
                                       {cuts[0][i + 1], cuts[1][j + 1], cuts[2][k + 1]}});
    return std::make_shared<PartitionData>(space, rank, colours, colour_rank, std::move(tiles));
}

/// Counts or extents, one per dimension: each at least 1.
void check_positive(const Coordinates& numbers, const Box& space, int rank,
                    std::string_view operation, std::string_view argument,
                    std::string_view way_out) {
    checked_volume(space, rank, operation, "space");
    for (int d = 0; d < rank; ++d) {
        if (numbers[d] >= 1) continue;
        throw UsageError(message(
            operation, ": ", argument, " is ", point_text(numbers.data(), rank), ", and dimension ",
            d, " of ", to_string(space, rank), " cannot be cut by ", numbers[d], "; ", way_out));
    }
}

/// Numbers with 1 in the dimensions beyond the rank.
Coordinates padded(Coordinates numbers, int rank) {
    for (int d = rank; d < rank_max; ++d) numbers[d] = 1;
    return numbers;
}

}  // namespace

PartitionHandle make_tiles(const Box& space, int rank, const Coordinates& counts) {
    check_positive(counts, space, rank, "tiles", "counts",
                   "every count must be at least 1 (1 does not cut the dimension)");
    const Box colours = grid_of(padded(counts, rank));
    check_counts(colours.hi, counts, rank, "tiles", "counts");
    std::array<Cuts, rank_max> cuts;
    for (int d = 0; d < rank_max; ++d) cuts[d] = even_cuts(space, d, colours.hi[d]);
    return make_grid(space, rank, colours, rank, cuts);
}

PartitionHandle make_tiles_of_extent(const Box& space, int rank, const Coordinates& extents) {
    check_positive(extents, space, rank, "tiles_of_extent", "extents",
                   "every extent must be at least 1");
    if (space.empty()) {
        throw UsageError(
            "tiles_of_extent: space is empty, so there is no tile; use tiles, which makes empty "
            "ones");
    }
    Coordinates counts = padded({}, rank);
    for (int d = 0; d < rank; ++d) counts[d] = (space.extent(d) - 1) / extents[d] + 1;
    check_counts(counts, extents, rank, "tiles_of_extent", "extents");
    std::array<Cuts, rank_max> cuts;
    for (int d = 0; d < rank_max; ++d) {
        cuts[d] = d < rank ? cuts_of_extent(space, d, extents[d]) : uncut(space, d);
    }
    return make_grid(space, rank, grid_of(counts), rank, cuts);
}

PartitionHandle make_strips(const Box& space, int dimension, std::int64_t count) {
    const std::string_view operation = dimension == 0 ? "rows" : "columns";
    checked_volume(space, 2, operation, "space");
    if (count < 1) {
        throw UsageError(message(operation, ": count is ", count, ", and ", to_string(space, 2),
                                 " cannot be cut into that many bands; use at least 1"));
    }
    const Box colours = grid_of({count, 1, 1});
    check_counts(colours.hi, colours.hi, 1, operation, "count");
    std::array<Cuts, rank_max> cuts{uncut(space, 0), uncut(space, 1), uncut(space, 2)};
    cuts[dimension] = even_cuts(space, dimension, count);
    return make_grid(space, 2, colours, 1, cuts);
}

}  // namespace refrain::data
