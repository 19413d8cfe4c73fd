#include "data/message.hpp"
#include "refrain/detail/partition_factories.hpp"
#include "refrain/error.hpp"

#include <algorithm>
#include <utility>

namespace refrain::data {
namespace {

struct Interval {
    std::int64_t lo, hi;
};

/// The parts of a space that a grown interval covers along one dimension; they may overlap.
struct Intervals {
    std::array<Interval, 3> at;
    std::size_t count = 0;

    void add(std::int64_t lo, std::int64_t hi) {
        if (lo < hi) at[count++] = {lo, hi};
    }
};

/// Grows `at`, which lies in `space`, by `low` and `high`. Points beyond the space are dropped or,
/// if periodic, wrapped around to the other edge. Cannot overflow.
Intervals grow(Interval at, Interval space, std::int64_t low, std::int64_t high, bool periodic) {
    const std::int64_t before = at.lo - space.lo;
    const std::int64_t after = space.hi - at.hi;
    const std::int64_t extent = space.hi - space.lo;
    Intervals pieces;
    pieces.add(at.lo - std::min(low, before), at.hi + std::min(high, after));
    if (periodic && low > before) pieces.add(space.hi - std::min(low - before, extent), space.hi);
    if (periodic && high > after) pieces.add(space.lo, space.lo + std::min(high - after, extent));
    return pieces;
}

void add_grown(const Box& box, const Box& space, const HaloShape& shape, std::vector<Box>& out) {
    std::array<Intervals, rank_max> pieces;
    for (int d = 0; d < rank_max; ++d) {
        pieces[d] = grow({box.lo[d], box.hi[d]}, {space.lo[d], space.hi[d]}, shape.low[d],
                         shape.high[d], shape.periodic[d]);
    }
    for (std::size_t i = 0; i < pieces[0].count; ++i)
        for (std::size_t j = 0; j < pieces[1].count; ++j)
            for (std::size_t k = 0; k < pieces[2].count; ++k)
                out.push_back({{pieces[0].at[i].lo, pieces[1].at[j].lo, pieces[2].at[k].lo},
                               {pieces[0].at[i].hi, pieces[1].at[j].hi, pieces[2].at[k].hi}});
}

void check_halo(const PartitionData& interior, const HaloShape& shape, std::string_view operation) {
    const auto check_widths = [&](const Coordinates& widths, std::string_view argument) {
        for (int d = 0; d < interior.rank; ++d) {
            if (widths[d] >= 0) continue;
            throw UsageError(message(operation, ": ", argument, " is ",
                                     point_text(widths.data(), interior.rank), ", and dimension ",
                                     d, " cannot grow by ", widths[d],
                                     "; widths must not be negative"));
        }
    };
    check_widths(shape.low, "low");
    check_widths(shape.high, "high");
    for (int d = 0; d < interior.rank; ++d) {
        if (!shape.periodic[d] || interior.space.is_box()) continue;
        throw UsageError(message(operation, ": dimension ", d, " is periodic, but the space ",
                                 short_text(interior.space, interior.rank),
                                 " is not a rectangle; use Boundary::clipped"));
    }
}

}  // namespace

PartitionHandle make_halo(const PartitionData& interior, const HaloShape& shape) {
    check_halo(interior, shape, shape.with_interior ? "halo" : "ghost");
    std::vector<BoxSet> subsets;
    subsets.reserve(interior.subsets.size());
    std::vector<Box> grown;
    for (const BoxSet& subset : interior.subsets) {
        grown.clear();
        for (const Box& box : subset.boxes()) {
            add_grown(box, interior.space.bounds(), shape, grown);
        }
        BoxSet halo = BoxSet::of_boxes(grown).intersect(interior.space);
        subsets.push_back(shape.with_interior ? std::move(halo) : halo.subtract(subset));
    }
    return std::make_shared<PartitionData>(interior.space, interior.rank, interior.colours,
                                           interior.colour_rank, std::move(subsets));
}

}  // namespace refrain::data
