#pragma once

#include "base/clock.hpp"
#include "observe/sampling_rate.hpp"
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
    const SamplingRate& rate;   // counted from there
    SpanLog spans;
    SiteClock sites;
    double ticks = 0;  // estimated total of all tasks, from the sampled ones
    std::thread::id thread;
    // The launching thread also runs tasks while it launches: in that of worker 0
    bool is_waiting = false;        // it waits, and runs tasks meanwhile
    double ticks_outside = 0;       // estimated total of the tasks that it ran while it did not
    std::uint64_t in_launches = 0;  // ticks in which it ran tasks inside of timed launches

    TaskLog(std::uint64_t first_operation, const SamplingRate& sampling_rate)
        : first(first_operation),
          rate(sampling_rate),
          spans(SpanLog::default_capacity, first_operation) {}

    void ran(const Span& span) {
        if (span.operation < first) return;  // launched before what is of interest
        if (thread == std::thread::id()) thread = std::this_thread::get_id();
        const std::uint64_t took = span.end - span.begin;
        const double weight = rate.weight(span.operation - first);
        ticks += static_cast<double>(took) * weight;
        if (!is_waiting) ticks_outside += static_cast<double>(took) * weight;
        sites.ran(span.site, took, weight);
        spans.add(span);
    }
    /// Of the launching thread, which has waited for so many ticks: an estimate of what its tasks took meanwhile,
    [[nodiscard]] double ticks_in_waits(double waits) const {
        return std::min(ticks - ticks_outside, waits);
    }
    /// and of what they took otherwise, where that is known to be so much at most.
    [[nodiscard]] double ticks_beside_waits(double most) const {
        return std::min(ticks_outside, std::max(0.0, most));
    }

    /// As long as it lives, the launching thread runs tasks inside of a timed launch, whether they are timed or not. It
    /// does not wait meanwhile. Null: the launch is not timed.
    class [[nodiscard]] InLaunch {
      public:
        explicit InLaunch(TaskLog* log) : log_(log), begin_(log == nullptr ? 0 : base::ticks()) {}
        ~InLaunch() {
            if (log_ != nullptr) log_->in_launches += base::ticks() - begin_;
        }
        InLaunch(const InLaunch&) = delete;
        InLaunch& operator=(const InLaunch&) = delete;
        InLaunch(InLaunch&&) = delete;
        InLaunch& operator=(InLaunch&&) = delete;

      private:
        TaskLog* log_;
        std::uint64_t begin_;
    };
};

using TaskLogs = std::vector<std::unique_ptr<TaskLog>>;  // by worker

}  // namespace refrain::observe
