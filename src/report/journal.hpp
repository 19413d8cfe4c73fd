#pragma once

#include "base/mutex.hpp"
#include "report/loop_book.hpp"
#include "report/run_curve.hpp"
#include "report/task_log.hpp"
#include "report/trace_book.hpp"

#include <array>
#include <cstdint>
#include <thread>
#include <vector>

namespace refrain::report {

/// What a run writes down of itself for a report or a timeline, in bounded memory.
///
///   run by a worker     its TaskLog
///   mined               any thread
///   all others          the launching thread
///
/// Times are those of operations that are sampled; totals are estimates from them. The launching
/// thread's stages do not overlap: what is issued, mined or waited for inside a launch is not part
/// of it.
class Journal {
  public:
    explicit Journal(unsigned workers);

    [[nodiscard]] TaskLogs& task_logs() { return task_logs_; }
    [[nodiscard]] const TaskLogs& task_logs() const { return task_logs_; }
    TraceBook traces;
    LoopBook loops;
    RunCurve curve;

    /// From launch_begins to launched the operation is built, from there to launch_ended it is
    /// matched and others are issued.
    void launch_begins(std::uint64_t operation);
    void launched();
    void launch_ended(const char* name);

    void issue_begins(std::uint64_t operation);
    /// What it waits for is known; now it is linked.
    void issued(std::uint64_t operation, const char* name, Served::How how);
    void linked(std::uint64_t operation, const char* name);

    void wait_begins();
    void wait_ended(std::uint64_t next_operation);

    void mined(std::uint64_t begin, std::uint64_t end, std::uint64_t operation);

    struct Mining {
        Span span;
        std::thread::id thread;
    };
    [[nodiscard]] const SpanLog& launching_spans() const { return spans_; }
    [[nodiscard]] std::vector<Mining> mining() const;
    [[nodiscard]] double mining_ticks(std::thread::id thread) const;
    [[nodiscard]] double ticks(SpanKind kind) const {
        return totals_[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] std::uint64_t began() const { return began_; }

  private:
    static constexpr std::size_t mining_spans_max = 4096;

    void note(SpanKind kind, std::uint64_t begin, std::uint64_t end, std::uint64_t operation,
              const char* name, std::uint64_t not_its_own = 0);

    TaskLogs task_logs_;
    SpanLog spans_;
    std::array<double, span_kinds> totals_{};  // ticks
    std::uint64_t began_;

    // The launch that is sampled, if any:
    bool times_launch_ = false;
    std::uint64_t launching_ = 0;
    std::uint64_t launch_begin_ = 0;
    std::uint64_t launched_at_ = 0;
    std::uint64_t elsewhere_ = 0;  // ticks inside it that belong to other stages
    // The operation that is issued:
    bool times_issue_ = false;
    std::uint64_t issue_begin_ = 0;
    std::uint64_t issued_at_ = 0;
    std::uint64_t wait_begin_ = 0;

    struct MiningTotal {
        std::thread::id thread;
        double ticks = 0;
    };
    std::thread::id launching_thread_ = std::this_thread::get_id();
    mutable base::Mutex mutex_;
    std::vector<Mining> mining_ REFRAIN_GUARDED_BY(mutex_);
    std::vector<MiningTotal> mining_totals_ REFRAIN_GUARDED_BY(mutex_);
};

}  // namespace refrain::report
