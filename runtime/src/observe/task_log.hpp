#pragma once

#include "observe/span_log.hpp"

#include <memory>
#include <thread>
#include <vector>

namespace refrain::observe {

/// What one worker writes down of the tasks that it runs for operations that are sampled.
///
/// Threads:  its worker only; read when all its tasks have finished.
struct alignas(64) TaskLog {
    SpanLog spans;
    double ticks = 0;  // estimate for all tasks: those sampled, weighted
    std::thread::id thread;

    void ran(const Span& span) {
        if (thread == std::thread::id()) thread = std::this_thread::get_id();
        ticks += static_cast<double>(span.end - span.begin) * Sampling::weight(span.operation);
        spans.add(span);
    }
};

using TaskLogs = std::vector<std::unique_ptr<TaskLog>>;  // by worker

}  // namespace refrain::observe
