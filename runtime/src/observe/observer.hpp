#pragma once

#include "observe/interest.hpp"
#include "observe/journal.hpp"
#include "observe/limits.hpp"
#include "observe/memory_meter.hpp"
#include "observe/passed_launches.hpp"
#include "observe/precedent_notes.hpp"
#include "observe/quiet_loop.hpp"
#include "observe/state_notes.hpp"
#include "observe/stream_log.hpp"
#include "observe/tile_notes.hpp"
#include "page/run_data.hpp"
#include "page/site_table.hpp"
#include "refrain/autotrace.hpp"
#include "refrain/inline_recogniser.hpp"
#include "refrain/statistics.hpp"
#include "refrain/why_not_traced.hpp"
#include "trace/tracer.hpp"

#include <chrono>
#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace refrain::observe {

/// An operation, as an Observer sees it.
struct ObservedOperation {
    std::uint64_t number;
    std::uint32_t points;
    const LaunchSite& site;
    bool is_fence = false;
};

/// An operation some of whose points threw, or were skipped because operation `cause` failed; 0: not known.
struct ObservedFailure {
    ObservedOperation operation;
    std::uint32_t threw = 0;
    std::uint32_t first_point = 0;  // that threw,
    std::string message;            // and what
    std::uint32_t skipped = 0;
    std::uint64_t cause = 0;
};

/// The sink of everything that a run shows of itself. Each stage holds a pointer to it, which is null
/// if no option asks for it, and reports what it does. An observed run takes the same path as any
/// other run. In a loop that goes on, most launches are only counted (quiet_loop.hpp).
///
///     Core       launch_begins, launching, launched, launched_in_loop, launch_ended, passed,
///                wait_begins_in_program, handed_on, begin_interest, end_interest, ends
///     AutoHost   launched, timed
///     InlineHost launched
///     Pipeline   begins_trace, issue_begins, served, served_in_loop, waits_for, linked, help_begins, help_ended,
///                failed
///
/// If the program declares what is of interest, nothing else is counted or timed.
///
/// Threads:  the launching thread only; jobs that `timed` returns run on any.
class Observer {
  public:
    struct Options {
        // Files to write; none if empty:
        std::string log_stream;
        std::string report;
        std::string timeline;
        bool force = false;      // they may replace files of others
        bool explain = false;    // counts why operations were not replayed
        bool asks_each = false;  // somebody else wants to know of each operation
        unsigned workers = 1;
        Limits limits;
    };

    /// Null if no option asks for an observer.
    /// Errors: UsageError if log_stream cannot be written, or a file of somebody else would be
    ///     replaced.
    [[nodiscard]] static std::unique_ptr<Observer> make(const Options& options);

    /// Sets the tracer that serves the operations, and who measures memory. Before the first
    /// operation.
    void follow(const trace::Tracer& tracer, const MemoryMeter& memory) {
        tracer_ = &tracer;
        memory_ = &memory;
    }
    /// Sets the recogniser that mines traces.
    void follow(const autotrace::AutoTracer& miner) { miner_ = &miner; }
    /// Sets the recogniser that finds precedents. Again when that has forgotten everything.
    void follow(const autotrace::InlineRecogniser& recogniser);
    /// Listens to the states of regions, by which dependences are found from now on; null: by walks.
    void follow(states::RegionStates* states, StateNotes::NameOf name_of);
    /// The log of each worker; null if tasks are not timed.
    [[nodiscard]] TaskLogs* task_logs() { return journal_ ? &journal_->task_logs() : nullptr; }

    /// From operation `next` on, what the program launches is of interest, until it is not.
    void begin_interest(std::uint64_t next);
    void end_interest(std::uint64_t next);

    /// Whether each operation is written down, here or elsewhere, so that none may run without one
    /// (runtime/direct_launch.hpp).
    [[nodiscard]] bool asks_each() const { return stream_.has_value() || options_.asks_each; }
    /// Whether operation `number` is only to be counted (passed), if it is the expected one of its loop and a memo
    /// serves it. Else it is told, from launch_begins on.
    [[nodiscard]] bool only_counts(std::uint64_t number) {
        return quiet_.holds(number) || (quiet_.pauses_before(number) && pause_quiet(number));
    }
    /// The next operation was launched, and was the expected one of its loop, with `points()` points. Means nothing if it
    /// was told after all.
    template <std::invocable Points>
    void passed(const LaunchSite& site, Points&& points) {
        if (!quiet_.goes_on()) return;
        quiet_.passed();
        if (!counts_) return;
        if (!passed_.expects(site)) [[unlikely]]
            note_passing(site, points());
        passed_.passed();
    }

    void launch_begins(std::uint64_t number) {
        if (quiet_.goes_on()) end_quiet();
        quiet_.forget();
        if (!journal_) return;
        if (interest_.holds(number))
            journal_->launch_begins(number);
        else
            journal_->ignores_launch();
    }
    /// As long as the answer lives, the operation is being launched.
    TileNotes::Launching launching(std::uint64_t number, const void* launch,
                                   TileNotes::TileOf tile_of) {
        return {tiles_, number, launch, tile_of};
    }
    void launch_ended(const LaunchSite& site) {
        if (journal_) journal_->launch_ended(site.name);
        quiet_.begin();
    }
    /// The operation is built, and a recogniser looks at it next. `token()` returns the hash that
    /// names it for automatic tracing; called only if the stream is logged.
    template <std::invocable Token>
    void launched(const ObservedOperation& operation, Token&& token) {
        note_newest(operation.number, false);
        if (stream_) stream_->operation(token(), operation.site);
    }
    /// The same of a launch that a loop led to expect and that runs inside of its call.
    void launched_in_loop(std::uint64_t number) { note_newest(number, false); }
    /// The operation is built, inside a trace of the program's own.
    void launched_in_manual_trace(const ObservedOperation& operation) {
        note_newest(operation.number, true);
        if (stream_) stream_->manually_traced();
    }
    /// Whether the operation that is being launched is sampled: its tasks should be timed, too.
    [[nodiscard]] bool times_launch() const { return journal_ && journal_->times_launch(); }
    /// The log of the tasks that the launching thread runs inside of that launch; null: it is not sampled.
    [[nodiscard]] TaskLog* log_of_launch() {
        return times_launch() ? journal_->task_logs()[0].get() : nullptr;
    }
    /// The number of a launch site whose tasks are timed.
    [[nodiscard]] page::SiteId site_number(const LaunchSite& site) { return sites_->find(site); }

    /// The program waits; until `handed_on`, operations that a recogniser has held back are issued.
    void wait_begins_in_program() {
        interrupted_ = true;
        if (stream_) stream_->wait();
    }
    void handed_on() { interrupted_ = false; }

    /// A trace begins; the tracer does not know it yet.
    void begins_trace(trace::TraceId trace) {
        if (quiet_.goes_on()) end_quiet();
        if (counts_) note_trace(trace);
    }
    void issue_begins(std::uint64_t number) {
        if (quiet_.goes_on()) [[unlikely]]
            hear_late(number);
        if (!journal_) return;
        if (interest_.holds(number))
            journal_->issue_begins(number);
        else
            journal_->ignores_issue();
    }
    /// The tracer has found the operation's sources. `where`: null if no recogniser looked at the
    /// operation. `token()`: as for `launched`; called only if a miner found no match.
    template <std::invocable Token>
    void served(const ObservedOperation& operation, std::span<const analysis::Source> sources,
                const trace::StreamPosition* where, Token&& token) {
        const bool is_from_precedent = where != nullptr && is_replayed();
        if (is_from_precedent && where->loop != 0)
            return served_in_loop(operation, sources, where->position, where->loop);
        newest_issued_ = operation.number;
        if (journal_ && journal_->times_issue()) [[unlikely]]
            journal_->served(operation.number, operation.site.name, how_served());
        if (counts_) {
            if (!interest_.holds(operation.number)) [[unlikely]]
                overlook(operation, where != nullptr ? &where->position : nullptr);
            else if (is_from_precedent)
                count_from_precedent(operation, sources, where->position,
                                     PrecedentNotes::distance(*where));
            else if (const auto site = count(operation, sources, where))
                sites_->note_token(*site, token());
            if (states_) states_->operation(operation.number, sites_->find(operation.site));
        }
        if (journal_) journal_->linking_begins();
    }
    /// A memo serves the operation, where a folded loop of that length goes round.
    void served_in_loop(const ObservedOperation& operation,
                        std::span<const analysis::Source> sources, trace::Position position,
                        std::uint64_t loop) {
        newest_issued_ = operation.number;
        if (journal_ && journal_->times_issue()) [[unlikely]]
            journal_->served(operation.number, operation.site.name, page::Served::How::replayed);
        if (counts_) {
            if (!interest_.holds(operation.number)) [[unlikely]]
                overlook(operation, &position);
            else
                count_from_precedent(operation, sources, position, loop);
            if (states_) states_->operation(operation.number, sites_->find(operation.site));
        }
        prepare_quiet(operation.number, position, loop);
        if (journal_) journal_->linking_begins();
    }
    /// Whether the dependences of an operation are asked for,
    [[nodiscard]] bool asks_dependences(std::uint64_t number) const {
        return journal_ && interest_.holds(number) && journal_->samples(number);
    }
    /// and whether those of an earlier one were, perhaps in an earlier stretch: then those on it are.
    [[nodiscard]] bool knows_dependences(std::uint64_t number) const {
        return journal_->dependences.holds(number);
    }
    void waits_for(const ObservedOperation& operation, std::vector<DependenceLog::Edge> edges) {
        journal_->dependences.add({operation.number, operation.is_fence, std::move(edges)});
        journal_->linking_begins();  // what came before is the observer's own time
    }
    void linked(const ObservedOperation& operation) {
        if (journal_) journal_->linked(operation.number, operation.site.name);
    }
    /// The launching thread waits, and runs tasks meanwhile.
    void help_begins() {
        if (journal_) journal_->wait_begins();
    }
    void help_ended(std::uint64_t next_operation) {
        if (journal_) journal_->wait_ended(next_operation, interest_.is_open());
    }
    /// The recogniser has assigned positions late.
    void repeated(const trace::Turn& turn) {
        if (quiet_.goes_on()) end_quiet();
        if (counts_) precedents_.repeat(turn);
    }
    void failed(const ObservedFailure& failure);
    /// Returns a job that runs `job` and logs the time it takes.
    [[nodiscard]] autotrace::MiningExecutor::Job timed(autotrace::MiningExecutor::Job job);

    /// All operations have finished: writes the files. Prints errors to standard error.
    void ends(const Statistics& statistics);

    /// Errors: UsageError if nothing was counted.
    [[nodiscard]] std::vector<LaunchSiteReport> why_not_traced();
    [[noreturn]] static void refuse_to_explain();

  private:
    explicit Observer(const Options& options);

    /// An operation that is not of interest was served. `position`: null if no recogniser looked at it.
    void overlook(const ObservedOperation& operation, const trace::Position* position);
    /// Operation `number`, at that position of a loop of that length, is told; later ones may be quiet.
    void prepare_quiet(std::uint64_t number, trace::Position position, std::uint64_t loop);
    [[gnu::noinline]] void end_quiet();
    /// Samples the curve. Returns whether operation `number` is quiet, too.
    [[gnu::noinline]] bool pause_quiet(std::uint64_t number);
    void count_passed(std::uint64_t passed);
    void settle_passed();
    [[gnu::cold]] void note_passing(const LaunchSite& site, std::uint32_t points);
    /// Operation `number` was launched as a quiet one, but is told.
    [[gnu::noinline]] void hear_late(std::uint64_t number);
    void count_anew(std::uint64_t first);
    [[nodiscard]] std::uint64_t mismatches_of_interest() const;
    [[nodiscard]] bool is_replayed() const {
        return tracer_->last_served() == trace::Tracer::Served::replayed;
    }
    [[nodiscard]] page::Served::How how_served() const;
    void note_newest(std::uint64_t number, bool in_manual_trace) {
        if (quiet_.goes_on()) [[unlikely]]
            end_quiet();  // by a fence
        if (miner_ != nullptr && keeps_books_) tiles_.keep(number);
        newest_ = number;
        in_manual_trace_ = in_manual_trace;
        if (journal_) journal_->launched();
    }
    void note_trace(trace::TraceId trace);
    /// Returns the operation's site if a miner found no match.
    std::optional<page::SiteId> count(const ObservedOperation& operation,
                                      std::span<const analysis::Source> sources,
                                      const trace::StreamPosition* where);
    void count_from_precedent(const ObservedOperation& operation,
                              std::span<const analysis::Source> sources, trace::Position position,
                              std::uint64_t distance);
    [[nodiscard]] page::Listed listed(std::uint64_t number,
                                      std::span<const analysis::Source> sources);
    void sample_curve() {
        if (journal_->curve.is_due(counted_.operations)) [[unlikely]]
            journal_->curve.add(sample());
    }
    [[nodiscard]] page::RunSample sample();
    void note_memory(const page::RunSample& now);
    [[nodiscard]] std::vector<LaunchSiteReport> reports() const;
    [[nodiscard]] page::RunData run_data(const Statistics& statistics);
    void add_totals(page::RunData& run, const Statistics& statistics) const;
    void add_interest(page::RunData& run, const Statistics& statistics) const;
    void add_curve(page::RunData& run);
    void add_books(page::RunData& run) const;
    [[nodiscard]] double seconds(double ticks) const { return ticks * ns_per_tick_ * 1e-9; }
    [[nodiscard]] page::RunData::Worker worker(unsigned index, std::uint64_t elapsed) const;
    [[nodiscard]] NotReplayed reason_for(std::uint64_t number, page::SiteId site,
                                         const trace::StreamPosition* where);
    [[nodiscard]] std::string detail(page::SiteId id, const LaunchSiteReport& site) const;
    [[nodiscard]] std::string detail_without_match(page::SiteId id) const;
    [[nodiscard]] std::string detail_untraced(page::SiteId id) const;

    /// The number of manual traces whose ids are remembered.
    static constexpr std::size_t manual_traces_max = std::size_t{1} << 16;

    const Options options_;
    const trace::Tracer* tracer_ = nullptr;
    const MemoryMeter* memory_ = nullptr;
    const autotrace::AutoTracer* miner_ = nullptr;             // null unless traces are mined
    const autotrace::InlineRecogniser* recogniser_ = nullptr;  // null unless precedents are found
    std::optional<StreamLog> stream_;
    std::optional<page::SiteTable> sites_;      // if they are counted, or tasks are timed
    std::unique_ptr<Journal> journal_;          // null unless something is timed
    std::unique_ptr<Journal> before_interest_;  // workers and mining jobs may still write to it
    bool counts_ = false;                       // how the operations of each site are served
    bool keeps_books_ = false;                  // records traces, loops and a curve for a report
    PrecedentNotes precedents_{options_.limits};
    std::optional<StateNotes> states_;  // if dependences are, or were at first, found by states

    QuietLoop quiet_;
    PassedLaunches passed_;  // in it, if they are counted by site
    Interest interest_;
    std::uint64_t mismatches_outside_ = 0;  // before the newest stretch, and of no interest
    std::uint64_t mismatches_at_end_ = 0;   // all, when the newest stretch ended
    /// Of what is of interest.
    struct Counted {
        std::uint64_t operations = 0;
        std::uint64_t replayed = 0;
        std::uint64_t recorded = 0;
    };
    Counted counted_;
    TileNotes tiles_{options_.report.empty() ? 0 : options_.limits.window};
    page::FailureBook failures_;
    page::MemoryHeld fullest_;  // the memory when most was held, or nearly
    std::uint64_t fullest_bytes_ = 0;
    std::uint64_t fullest_ticks_ = 0;
    std::uint64_t fullest_cost_ = 0;  // ticks that it took to find out

    std::uint64_t newest_ = 0;      // operation launched
    bool in_manual_trace_ = false;  // the newest operation
    std::uint64_t newest_issued_ = 0;
    bool interrupted_ = false;
    std::uint64_t resident_bytes_ = 0;                       // latest reading,
    std::chrono::steady_clock::time_point resident_read_{};  // and its time
    double ns_per_tick_ = 0;                                 // measured at the end
    std::vector<page::WaitsFor> sources_;
    // Of the trace that is executed:
    bool is_first_execution_ = false;
    std::uint64_t mismatches_before_ = 0;
    trace::TraceId newest_automatic_{};
    std::unordered_set<trace::TraceId> manual_traces_;
};

}  // namespace refrain::observe
