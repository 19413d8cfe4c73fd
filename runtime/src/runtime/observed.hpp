#pragma once

#include "observe/observer.hpp"
#include "runtime/direct_launch.hpp"
#include "runtime/operation.hpp"
#include "runtime/point_task.hpp"

#include <optional>
#include <utility>

namespace refrain::runtime {

[[nodiscard]] inline observe::ObservedOperation observed(const Operation& operation) {
    return {operation.number.value(), operation.point_count, operation.site, operation.is_fence};
}

[[nodiscard]] inline observe::ObservedOperation observed(const DirectLaunch& launch) {
    return {launch.number().value(), launch.points(), launch.launch().site};
}

/// The tile that a single task is launched on: of the first region that it changes, or else of the
/// first that has one.
[[nodiscard]] std::optional<observe::Tile> tile_of(const LaunchDescription& launch);

/// A dependence on operation `source`, point by point if its pairs are not too many.
[[nodiscard]] observe::DependenceLog::Edge logged(std::uint64_t source, const graph::EdgeSet& edges,
                                                  bool carries_data);

/// What of a failed operation threw, and what was skipped. `log` has noted what threw.
[[nodiscard]] observe::ObservedFailure observed_failure(const Operation& operation,
                                                        const regions::FailureLog& log);

/// Times the tasks of an operation that has been built, if it is sampled.
inline void time_tasks_if_sampled(observe::Observer& observer, Operation& operation) {
    if (!observer.times_launch() || operation.is_fence) return;
    operation.run = &run_logged_points;
    operation.site_number = observer.site_number(operation.site);
}

/// The same of a launch that runs inside of its call, and tells the observer of it.
inline void tell_launched(observe::Observer& observer, DirectLaunch& launch) {
    if (observe::TaskLog* const log = observer.log_of_launch())
        launch.time_points(log, observer.site_number(launch.launch().site));
    observer.launched_in_loop(launch.number().value());
}

/// Tells the observer of an operation that has been built. `token()` as for Observer::launched.
template <class Token>
void tell_launched(observe::Observer& observer, Operation& operation, Token&& token) {
    time_tasks_if_sampled(observer, operation);
    observer.launched(observed(operation), std::forward<Token>(token));
}

}  // namespace refrain::runtime
