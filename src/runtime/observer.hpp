#pragma once

#include "refrain/autotrace.hpp"
#include "refrain/options.hpp"
#include "refrain/why_not_traced.hpp"
#include "report/site_table.hpp"
#include "report/stream_log.hpp"
#include "runtime/operation.hpp"
#include "trace/tracer.hpp"

#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

namespace refrain::runtime {

/// Listens to the stages on behalf of report/, if an option asks for that. The stages hold a
/// pointer, null otherwise: then an operation costs them a compare each.
///
///     Core       launched..., waits, handed_on
///     AutoHost   launched, begins_trace
///     Pipeline   issued
///
/// Threads:  the launching thread only.
class Observer {
  public:
    /// Null if no option asks for one.
    /// Errors: UsageError if a file cannot be written.
    [[nodiscard]] static std::unique_ptr<Observer> make(const Options& options);

    /// The tracer whose decisions are to be told of.
    void follow(const autotrace::AutoTracer& tracer) { tracer_ = &tracer; }

    /// An operation that automatic tracing sees, or would if it were on.
    void launched(const Operation& operation, const base::Hash128& token) {
        newest_ = operation.number;
        if (stream_) stream_->operation(token, operation.site);
    }
    /// One in a trace of the program's own.
    void launched_in_manual_trace(const Operation& operation) {
        newest_ = operation.number;
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
    /// The tracer has served the operation.
    void issued(const Operation& operation, const trace::Tracer& tracer) {
        if (sites_) count(operation, tracer);
    }

    /// Errors: UsageError if nothing was counted.
    [[nodiscard]] std::vector<LaunchSiteReport> why_not_traced() const;
    [[noreturn]] static void refuse_to_explain();

  private:
    explicit Observer(const Options& options);

    void note_trace(trace::TraceId trace, const trace::Tracer& tracer);
    void count(const Operation& operation, const trace::Tracer& tracer);
    [[nodiscard]] NotReplayed reason_for(std::uint64_t number, const trace::Tracer& tracer) const;
    [[nodiscard]] std::string detail(report::SiteId id, const LaunchSiteReport& site) const;
    [[nodiscard]] std::string detail_without_match(report::SiteId id) const;

    /// The program's own traces that are remembered as begun.
    static constexpr std::size_t manual_traces_max = std::size_t{1} << 16;

    const Options& options_;
    const autotrace::AutoTracer* tracer_ = nullptr;
    std::optional<report::StreamLog> stream_;
    std::optional<report::SiteTable> sites_;

    std::uint64_t newest_ = 0;  // launched
    bool interrupted_ = false;
    // Of the trace that is executed:
    bool is_first_execution_ = false;
    std::uint64_t mismatches_before_ = 0;
    trace::TraceId newest_automatic_ = 0;
    std::unordered_set<trace::TraceId> manual_traces_;
};

}  // namespace refrain::runtime
