#pragma once

#include "observe/site_clock.hpp"
#include "observe/span_log.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace refrain::observe {

/// The times of the tasks that one worker runs for sampled operations, from `first` on.
///
/// Threads:  written by its worker; read after all its tasks have finished.
struct alignas(64) TaskLog {
    const std::uint64_t first;  // operation
    SpanLog spans;
    SiteClock sites;
    double ticks = 0;  // estimated total of all tasks, from the sampled ones
    std::thread::id thread;
    // The launching thread also runs tasks while it launches: in that of worker 0
    bool is_waiting = false;             // it waits, and runs tasks meanwhile
    std::uint64_t outside_of_waits = 0;  // ticks of its timed tasks while it did not,
    double ticks_outside = 0;            // and estimated of all such tasks

    explicit TaskLog(std::uint64_t first_operation)
        : first(first_operation), spans(SpanLog::default_capacity, first_operation) {}

    void ran(const Span& span) {
        if (span.operation < first) return;  // launched before what is of interest
        if (thread == std::thread::id()) thread = std::this_thread::get_id();
        const std::uint64_t took = span.end - span.begin;
        const double weight = Sampling::weight(span.operation - first);
        ticks += static_cast<double>(took) * weight;
        if (!is_waiting) {
            outside_of_waits += took;
            ticks_outside += static_cast<double>(took) * weight;
        }
        sites.ran(span.site, took, weight);
        spans.add(span);
    }
    /// Of the launching thread, which has waited for so many ticks: an estimate of what its tasks took.
    [[nodiscard]] double ticks_beside(double waits) const {
        return ticks_outside + std::min(ticks - ticks_outside, waits);
    }
};

using TaskLogs = std::vector<std::unique_ptr<TaskLog>>;  // by worker

}  // namespace refrain::observe
