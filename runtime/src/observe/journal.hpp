#pragma once

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "observe/dependence_log.hpp"
#include "observe/sampling_rate.hpp"
#include "observe/task_log.hpp"
#include "page/loop_book.hpp"
#include "page/run_curve.hpp"
#include "page/trace_book.hpp"

#include <array>
#include <cstdint>
#include <thread>
#include <vector>

namespace refrain::observe {

/// Records the times and the repetitions of a run for a report or a timeline, in bounded memory.
///
///   TaskLog             written by its worker
///   mined               any thread
///   everything else     the launching thread
///
/// Only sampled operations are timed (sampling_rate.hpp); totals are estimates from them. The stages of
/// the launching thread do not overlap: a launch excludes the time of what is issued or mined inside it,
/// and each is measured by a clock that stands still while the thread waits or runs tasks (own_ticks).
///
/// Hot path: an operation that is not sampled costs two comparisons and a few tests of their results, and
/// nothing in a quiet stretch of a loop (quiet_loop.hpp); measured by `tools/bench report`.
class Journal {
  public:
    /// Sampling counts from operation `first` on; earlier ones are never reported.
    explicit Journal(unsigned workers, std::uint64_t first = 0);

    [[nodiscard]] TaskLogs& task_logs() { return task_logs_; }
    [[nodiscard]] const TaskLogs& task_logs() const { return task_logs_; }
    page::TraceBook traces;
    page::LoopBook loops;
    page::RunCurve curve;
    DependenceLog dependences;

    /// The operation is built between launch_begins and launched, and matched between launched and
    /// launch_ended; others may be issued there, too.
    void launch_begins(std::uint64_t operation) {
        times_launch_ = launches_.includes(operation - first_, rate_);
        if (times_launch_) [[unlikely]]
            begin_launch(operation);
    }
    /// The operation that is being launched is not of interest.
    void ignores_launch() { times_launch_ = false; }
    /// Whether the operation that is being launched is sampled.
    [[nodiscard]] bool times_launch() const { return times_launch_; }
    void launched() {
        if (times_launch_) [[unlikely]]
            launched_at_ = now();
    }
    void launch_ended(const char* name) {
        if (times_launch_) [[unlikely]]
            end_launch(name);
    }

    void issue_begins(std::uint64_t operation) {
        ++told_;
        times_issue_ = issues_.includes(operation - first_, rate_) || times_launch_;
        if (times_issue_) [[unlikely]]
            issue_begin_ = now();
    }
    /// So many operations were quiet (quiet_loop.hpp).
    void passed(std::uint64_t operations) { told_ += operations; }
    /// The first sampled operation that is not before this one.
    [[nodiscard]] std::uint64_t next_sampled(std::uint64_t operation) const {
        return first_ + rate_.next_sampled(operation - first_);
    }
    /// The operation that is being issued is not of interest.
    void ignores_issue() { times_issue_ = false; }
    /// Whether the operation that is being issued is sampled, or the launch that issues it.
    [[nodiscard]] bool times_issue() const { return times_issue_; }
    /// Whether an operation is sampled.
    [[nodiscard]] bool samples(std::uint64_t operation) const {
        return rate_.includes(operation - first_);
    }
    [[nodiscard]] std::uint64_t first() const { return first_; }
    [[nodiscard]] const SamplingRate& rate() const { return rate_; }
    /// The operation's sources are known. Time between `served` and `linking_begins` counts for no
    /// stage: observers use it.
    void served(std::uint64_t operation, const char* name, page::Served::How how);
    void linking_begins() {
        if (times_issue_) [[unlikely]]
            linking_begin_ = now();
    }
    void linked(std::uint64_t operation, const char* name) {
        if (times_issue_) [[unlikely]]
            end_linking(operation, name);
    }

    /// The launching thread waits, and runs tasks meanwhile. Not inside of a wait. Only what is of interest counts.
    void wait_begins();
    void wait_ended(std::uint64_t next_operation, bool is_of_interest);

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
    /// Operations that were sampled and served.
    [[nodiscard]] std::uint64_t timed() const { return timed_; }
    /// Operations that it was told of, quiet ones included.
    [[nodiscard]] std::uint64_t told() const { return told_; }

  private:
    static constexpr std::size_t mining_spans_max = 4096;

    /// A moment, by the clock, and by the clock that stands still while the launching thread waits or runs tasks.
    struct Moment {
        std::uint64_t ticks = 0;
        std::uint64_t own_ticks = 0;
    };
    [[nodiscard]] Moment now() const {
        const std::uint64_t ticks = base::ticks();
        return {ticks, ticks - waited_ - task_logs_[0]->in_launches};
    }
    void begin_launch(std::uint64_t operation);
    void end_launch(const char* name);
    void end_linking(std::uint64_t operation, const char* name);
    void note(SpanKind kind, const Moment& begin, const Moment& end, std::uint64_t operation,
              const char* name, std::uint64_t not_its_own = 0);

    std::uint64_t first_;  // operation
    SamplingRate rate_;    // counted from there
    TaskLogs task_logs_;
    SpanLog spans_;
    std::array<double, span_kinds> totals_{};  // ticks
    std::uint64_t began_;
    std::uint64_t timed_ = 0;
    std::uint64_t told_ = 0;

    SamplingCursor launches_;
    SamplingCursor issues_;
    // The launch that is being timed:
    bool times_launch_ = false;
    std::uint64_t launching_ = 0;
    Moment launch_begin_;
    Moment launched_at_;
    std::uint64_t elsewhere_ = 0;  // own ticks inside it that belong to other stages
    // The operation that is being issued:
    bool times_issue_ = false;
    Moment issue_begin_;
    Moment linking_begin_;
    std::uint64_t wait_begin_ = 0;
    std::uint64_t waited_ = 0;  // ticks

    struct MiningTotal {
        std::thread::id thread;
        double ticks = 0;
    };
    std::thread::id launching_thread_ = std::this_thread::get_id();
    mutable base::Mutex mutex_;
    std::vector<Mining> mining_ REFRAIN_GUARDED_BY(mutex_);
    std::vector<MiningTotal> mining_totals_ REFRAIN_GUARDED_BY(mutex_);
};

}  // namespace refrain::observe
