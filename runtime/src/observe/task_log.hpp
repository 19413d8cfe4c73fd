#pragma once

#include "observe/span_log.hpp"

#include <memory>
#include <thread>
#include <vector>

namespace refrain::observe {

/// The times of the tasks that one worker runs for sampled operations.
///
/// Threads:  written by its worker; read after all its tasks have finished.
struct alignas(64) TaskLog {
    SpanLog spans;
    double ticks = 0;  // estimated total of all tasks, from the sampled ones
    std::thread::id thread;

    void ran(const Span& span) {
        if (thread == std::thread::id()) thread = std::this_thread::get_id();
        ticks += static_cast<double>(span.end - span.begin) * Sampling::weight(span.operation);
        spans.add(span);
    }
};

using TaskLogs = std::vector<std::unique_ptr<TaskLog>>;  // by worker

}  // namespace refrain::observe
