#pragma once

#include "observe/observer.hpp"
#include "runtime/operation.hpp"
#include "runtime/point_task.hpp"

#include <utility>

namespace refrain::runtime {

[[nodiscard]] inline observe::ObservedOperation observed(const Operation& operation) {
    return {operation.number.value(), operation.point_count, operation.site};
}

/// Times the tasks of an operation that has been built, if it is sampled.
inline void time_tasks_if_sampled(const observe::Observer& observer, Operation& operation) {
    if (observer.times_launch() && !operation.is_fence) operation.run = &run_logged_point;
}

/// Tells the observer of an operation that has been built. `token()` as for Observer::launched.
template <class Token>
void tell_launched(observe::Observer& observer, Operation& operation, Token&& token) {
    time_tasks_if_sampled(observer, operation);
    observer.launched(observed(operation), std::forward<Token>(token));
}

}  // namespace refrain::runtime
