// Launches in lanes (graph/lanes.hpp): which go there, and what they wait for.

#include "runtime/pipeline.hpp"

#include <cstddef>

namespace refrain::runtime {

bool Pipeline::goes_into_lanes(const Operation& operation,
                               std::span<const analysis::Source> sources, std::uint64_t loop) {
    // Here, since it may settle failed launches: then this one does not go into lanes.
    if (lanes_open_ && workers_.lanes().unsettled() >= lanes_ahead_max &&
        !wait_for_lanes(lanes_ahead_max / 2,
                        lanes_ahead_max * operation.cost->ticks() * operation.point_count)) {
        lane_policy_.stalled();
        close_lanes();
    }
    const bool is_able = !sources.empty() && (!lanes_open_ || !lane_plans_.is_full()) &&
                         operation.point_count >= workers_.count() &&
                         operation.point_count <= graph::Lanes::points_max &&
                         !operation.is_general && operation.future_count == 0 &&
                         operation.result == nullptr && last_fence_ < oldest_ && !taints_.any() &&
                         !workers_.lanes().has_failures();
    if (!is_able) lane_policy_.interrupted();
    const bool wanted = is_able && (takes_all_ || suits_lanes(operation, sources, loop));
    if (wanted == lanes_open_) return wanted;
    if (!wanted) {
        close_lanes();
        return false;
    }
    help_until([&] { return oldest_ == next_issue_; });
    if (taints_.any()) return false;
    lanes_open_ = true;
    first_in_lanes_ = operation.number;
    if (lane_plans_.begin_loop(loop)) row_.interrupt(operation.number);  // it named them
    workers_.open_lanes();
    return true;
}

/// Whether a launch waits matters only if it is too short to wait: only then it has a plan before lanes open.
bool Pipeline::suits_lanes(const Operation& operation, std::span<const analysis::Source> sources,
                           std::uint64_t loop) {
    const graph::SharingLimits limits = workers_.steal_cost().limits();
    const std::uint64_t ticks = operation.cost->ticks() * operation.point_count;
    const bool is_short = ticks != 0 && ticks < graph::LanePolicy::shortest(true, limits);
    if (is_short && !lanes_open_ && lane_plans_.begin_loop(loop)) [[unlikely]]
        row_.interrupt(next_issue_);  // it named them
    const bool waits = !is_short || lane_plans_.of(sources, operation.point_count).waits();
    return lane_policy_.wants(ticks, waits, limits);
}

void Pipeline::close_lanes() {
    help_until([&] { return oldest_ == next_issue_; });
    lanes_open_ = false;
    workers_.lanes().forget_failures();
    workers_.close_lanes();
    lane_policy_.left(next_issue_ - first_in_lanes_);
}

/// Until fewer than `ahead` launches are published that some lane has not run. False if that takes
/// several times as long as one thread takes for all of them, `ticks`: a worker does not get its core.
bool Pipeline::wait_for_lanes(std::uint64_t ahead, std::uint64_t ticks) {
    graph::Lanes& lanes = workers_.lanes();
    tell_wait_begins();
    const std::uint64_t begin = base::ticks();
    const auto is_done = [&] {
        if (!row_.is_open()) {
            lanes.settle();
            return lanes.unsettled() < ahead;
        }
        lanes.settle_unmarked_from(row_first_in_lanes());
        return lanes.unsettled() < ahead || lanes.has_failures();
    };
    bool has_waited_long = false;
    while (!has_waited_long && !is_done())
        has_waited_long = !workers_.help_lanes() && base::ticks() - begin > 4 * ticks;
    tell_wait_ended();
    return !has_waited_long;
}

const graph::LanePlan& Pipeline::tie_into_lanes(Operation& operation,
                                                std::span<const analysis::Source> sources) {
    if (operation.is_kept) ++kept_;
    if (operation.was_in_lanes && operation.causes != nullptr) {
        graph::rearm_bundles(operation);
    } else {
        prepare(operation);
        operation.was_in_lanes = operation.is_kept;
    }
    const graph::LanePlan& plan = lane_plans_.of(sources, operation.point_count);
    workers_.publish_in_lanes(operation, plan, record_bytes_of(operation));
    const observe::TaskLog::InLaunch in_launch(log_of_launch());
    run_own_lane();
    return plan;
}

}  // namespace refrain::runtime
