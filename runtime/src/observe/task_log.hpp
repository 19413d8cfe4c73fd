#pragma once

#include "observe/site_clock.hpp"
#include "observe/span_log.hpp"

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

    explicit TaskLog(std::uint64_t first_operation)
        : first(first_operation), spans(SpanLog::default_capacity, first_operation) {}

    void ran(const Span& span) {
        if (span.operation < first) return;  // launched before what is of interest
        if (thread == std::thread::id()) thread = std::this_thread::get_id();
        const std::uint64_t took = span.end - span.begin;
        const double weight = Sampling::weight(span.operation - first);
        ticks += static_cast<double>(took) * weight;
        sites.ran(span.site, took, weight);
        spans.add(span);
    }
};

using TaskLogs = std::vector<std::unique_ptr<TaskLog>>;  // by worker

}  // namespace refrain::observe
