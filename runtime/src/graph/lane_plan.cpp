#include "graph/lane_plan.hpp"

#include <algorithm>
#include <bit>

namespace refrain::graph {

LanePlan::LanePlan(std::span<const LaneSource> sources, unsigned lanes, std::uint32_t points)
    : points_(points), parts_(lanes), sources_(sources.begin(), sources.end()) {
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const std::uint32_t first = first_point(lane, lanes, points);
        const std::uint32_t count = first_point(lane + 1, lanes, points) - first;
        if (count != 0) parts_[lane].points = (~std::uint64_t{0} >> (64 - count)) << first;
    }
    for (const LaneSource& source : sources) {
        const EdgeSet& edges = source.pattern->edges();
        for (const std::uint32_t target : edges.after_all())
            for (unsigned lane = 0; lane < lanes; ++lane) wait(target, lane, source.distance);
        for (const PointPair& pair : edges.others())
            wait(pair.target, lane_of(pair.source, lanes, edges.source_points()), source.distance);
    }
    for (Part& part : parts_) {
        std::uint64_t others = part.points & ~part.waiting;
        for (int left = std::popcount(others) / 2; left != 0; --left) others &= others - 1;
        part.early = part.points & ~part.waiting & ~others;
        waits_ = waits_ || part.waiting != 0;
    }
}

/// Point `target` waits for the launch `distance` ago in `lane`.
void LanePlan::wait(std::uint32_t target, unsigned lane, std::uint32_t distance) {
    const unsigned own = lane_of(target, static_cast<unsigned>(parts_.size()), points_);
    if (own == lane) return;
    Part& part = parts_[own];
    part.waiting |= std::uint64_t{1} << target;
    const auto known = std::find_if(part.waits.begin(), part.waits.end(),
                                    [&](const Wait& other) { return other.lane == lane; });
    if (known == part.waits.end())
        part.waits.push_back({lane, distance});
    else
        known->distance = std::min(known->distance, distance);
}

}  // namespace refrain::graph
