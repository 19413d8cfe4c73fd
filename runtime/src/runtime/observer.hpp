#pragma once

#include "refrain/autotrace.hpp"
#include "refrain/inline_recogniser.hpp"
#include "refrain/options.hpp"
#include "refrain/why_not_traced.hpp"
#include "runtime/operation.hpp"
#include "runtime/precedent_notes.hpp"
#include "trace/tracer.hpp"

#include <chrono>
#include <concepts>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "observe/journal.hpp"
#include "observe/stream_log.hpp"
#include "page/run_data.hpp"
#include "page/site_table.hpp"

namespace refrain::data {
class StoragePool;
}

namespace refrain::runtime {

class Pipeline;

/// Listens to the stages on behalf of report/, if an option asks for that. The stages hold a
/// pointer, null otherwise: then an operation costs them a compare each.
///
///     Core       launch_begins, launched..., launch_ended, waits, handed_on, ends
///     AutoHost   launched, mined
///     InlineHost launched
///     Pipeline   begins_trace, issue_begins, issued, linked, wait_begins, wait_ended
///
/// Threads:  the launching thread only; mined any.
class Observer {
  public:
    /// Null if no option asks for one.
    /// Errors: UsageError if a file cannot be written.
    [[nodiscard]] static std::unique_ptr<Observer> make(const Options& options);

    /// The tracer whose decisions are to be told of.
    void follow(const autotrace::AutoTracer& tracer) { tracer_ = &tracer; }
    /// The recogniser that finds precedents.
    void follow(const autotrace::InlineRecogniser& recogniser) {
        recogniser_ = &recogniser;
        precedents_.follow(recogniser);
    }
    /// Whose memory is to be told of.
    void follow(const Pipeline& pipeline, const data::StoragePool& pool) {
        pipeline_ = &pipeline;
        pool_ = &pool;
    }
    /// Where workers write down what they run; null if nobody wants to know.
    [[nodiscard]] observe::TaskLogs* task_logs() {
        return journal_ ? &journal_->task_logs() : nullptr;
    }

    void launch_begins(std::uint64_t number) {
        if (journal_) journal_->launch_begins(number);
    }
    void launch_ended(const LaunchSite& site) {
        if (journal_) journal_->launch_ended(site.name);
    }

    /// An operation was built; it may still be changed. `token()` names it for automatic tracing, and
    /// is called if somebody wants that.
    template <std::invocable Token>
    void launched(Operation& operation, Token&& token) {
        note_newest(operation, false);
        if (stream_) stream_->operation(token(), operation.site);
    }
    /// The same in a trace of the program's own.
    void launched_in_manual_trace(Operation& operation) {
        note_newest(operation, true);
        if (stream_) stream_->manually_traced();
    }

    /// The program waits: what is held back is handed on, until `handed_on`.
    void waits() {
        interrupted_ = true;
        if (stream_) stream_->wait();
    }
    void handed_on() { interrupted_ = false; }

    /// A trace begins; the tracer has not heard of it.
    void begins_trace(trace::TraceId trace, const trace::Tracer& tracer) {
        if (sites_) note_trace(trace, tracer);
    }
    void issue_begins(std::uint64_t number) {
        if (journal_) journal_->issue_begins(number);
    }
    /// The tracer has served the operation, and this is what it waits for. `standing`: null if no
    /// precedent was looked for.
    void issued(const Operation& operation, const trace::Tracer& tracer,
                std::span<const analysis::Source> sources, const trace::Standing* standing) {
        newest_issued_ = operation.number;
        if (journal_ && journal_->times_issue()) [[unlikely]]
            journal_->issued(operation.number, operation.site.name, how_served(tracer));
        if (sites_) {
            if (standing != nullptr && tracer.last_served() == trace::Tracer::Served::replayed)
                count_served(operation, sources, *standing);
            else
                count(operation, tracer, sources, standing);
        }
        if (journal_) journal_->linking_begins();
    }
    void linked(const Operation& operation) {
        if (journal_) journal_->linked(operation.number, operation.site.name);
    }
    void wait_begins() {
        if (journal_) journal_->wait_begins();
    }
    void wait_ended(std::uint64_t next_operation) {
        if (journal_) journal_->wait_ended(next_operation);
    }
    /// Wraps a mining job so that it is timed.
    [[nodiscard]] autotrace::MiningExecutor::Job timed(autotrace::MiningExecutor::Job job);

    /// All work is done: writes the files that were asked for. What goes wrong is said on standard
    /// error.
    void ends();

    /// Errors: UsageError if nothing was counted.
    [[nodiscard]] std::vector<LaunchSiteReport> why_not_traced() const;
    [[noreturn]] static void refuse_to_explain();

  private:
    explicit Observer(const Options& options);

    void note_newest(Operation& operation, bool in_manual_trace) {
        newest_ = operation.number;
        in_manual_trace_ = in_manual_trace;
        if (journal_ && journal_->times_launch()) [[unlikely]]
            built_for_journal(operation);
    }
    [[nodiscard]] static page::Served::How how_served(const trace::Tracer& tracer);
    void note_trace(trace::TraceId trace, const trace::Tracer& tracer);
    void count(const Operation& operation, const trace::Tracer& tracer,
               std::span<const analysis::Source> sources, const trace::Standing* standing);
    void count_served(const Operation& operation, std::span<const analysis::Source> sources,
                      const trace::Standing& standing);
    [[nodiscard]] std::span<const page::WaitsFor> waits_for(
        std::span<const analysis::Source> sources);
    void sample_curve(std::uint64_t operations) {
        if (journal_->curve.is_due(operations)) [[unlikely]]
            journal_->curve.add(sample(operations));
    }
    void built_for_journal(Operation& operation);
    [[nodiscard]] page::RunSample sample(std::uint64_t operations);
    [[nodiscard]] page::RunData run_data();
    [[nodiscard]] double seconds(double ticks) const { return ticks * ns_per_tick_ * 1e-9; }
    [[nodiscard]] page::RunData::Worker worker(unsigned index, std::uint64_t ended) const;
    [[nodiscard]] NotReplayed reason_for(std::uint64_t number, page::SiteId site,
                                         const trace::Tracer& tracer,
                                         const trace::Standing* standing);
    [[nodiscard]] std::string detail(page::SiteId id, const LaunchSiteReport& site) const;
    [[nodiscard]] std::string detail_without_match(page::SiteId id) const;

    /// The program's own traces that are remembered as begun.
    static constexpr std::size_t manual_traces_max = std::size_t{1} << 16;

    const Options& options_;
    const autotrace::AutoTracer* tracer_ = nullptr;
    const autotrace::InlineRecogniser* recogniser_ = nullptr;
    std::optional<observe::StreamLog> stream_;
    std::optional<page::SiteTable> sites_;
    std::optional<observe::Journal> journal_;
    bool keeps_books_ = false;  // traces, loops, a curve: for a report
    PrecedentNotes precedents_;
    const Pipeline* pipeline_ = nullptr;
    const data::StoragePool* pool_ = nullptr;

    std::uint64_t newest_ = 0;      // launched
    bool in_manual_trace_ = false;  // the newest
    std::uint64_t newest_issued_ = 0;
    bool interrupted_ = false;
    std::uint64_t resident_bytes_ = 0;                       // as last read,
    std::chrono::steady_clock::time_point resident_read_{};  // then
    double ns_per_tick_ = 0;                                 // known at the end
    std::vector<page::WaitsFor> sources_;
    std::uint64_t first_served_ = 0;  // from a precedent; 0: none
    // Of the trace that is executed:
    bool is_first_execution_ = false;
    std::uint64_t mismatches_before_ = 0;
    trace::TraceId newest_automatic_ = 0;
    std::unordered_set<trace::TraceId> manual_traces_;
};

}  // namespace refrain::runtime
