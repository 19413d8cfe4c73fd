#include "commands/stream_report.hpp"

#include "commands/operation_reader.hpp"
#include "commands/stream_sites.hpp"
#include "page/run_curve.hpp"
#include "page/trace_book.hpp"

#include <deque>

namespace refrain::commands {
namespace {

using autotrace::OperationHandle;
using autotrace::Token;
using page::SiteId;

/// Counts the issued operations, like the observer of a runtime.
class ReportingHost final : public autotrace::TraceHost {
  public:
    explicit ReportingHost(StreamSites& sites) : sites_(sites) {}

    void follow(const autotrace::AutoTracer& tracer) { tracer_ = &tracer; }
    void launched(SiteId site, const Token& token) { pending_.push_back({site, token, true}); }
    void launched_without_token() { pending_.push_back({0, {}, false}); }
    void interrupted(bool value) { interrupted_ = value; }

    void issue(OperationHandle) override {
        const Pending operation = pending_.front();
        pending_.pop_front();
        if (!operation.has_token) {
            ++without_token;
            return;
        }
        page::Served served;
        served.number = ++operations;
        served.launched_behind = pending_.size();
        served.how = traces.is_open()
                         ? first_ ? page::Served::How::recorded : page::Served::How::replayed
                         : page::Served::How::analysed;
        served.reason = reason(served);
        if (served.reason == NotReplayed::no_match)
            sites_.table.note_token(operation.site, {operation.token.low, operation.token.high});
        sites_.table.count(operation.site, served);
        replayed += served.how == page::Served::How::replayed ? 1 : 0;
        recorded += served.how == page::Served::How::recorded ? 1 : 0;
        if (traces.is_open())
            traces.operation(served, operation.site,
                             [] { return std::span<const page::TraceBook::Source>(); });
        if (curve.is_due(operations)) curve.add(sample());
    }
    void begin_trace(autotrace::TraceId trace, std::size_t) override {
        first_ = trace > newest_;
        newest_ = std::max(newest_, trace);
        traces.begin(number_of(trace), true, operations + 1);
    }
    void end_trace(autotrace::TraceId) override { traces.end(); }

    [[nodiscard]] page::RunSample sample() const {
        page::RunSample now;
        now.operations = operations;
        now.replayed = replayed;
        now.recorded = recorded;
        return now;
    }

    std::uint64_t operations = 0, replayed = 0, recorded = 0, without_token = 0;
    page::TraceBook traces;
    page::RunCurve curve;

  private:
    struct Pending {
        SiteId site;
        Token token;
        bool has_token;
    };
    [[nodiscard]] NotReplayed reason(const page::Served& served) const {
        if (traces.is_open()) return NotReplayed::recording;
        if (served.launched_behind != 0)
            return interrupted_ ? NotReplayed::interrupted : NotReplayed::broken_off;
        return tracer_->statistics().results_taken == 0 ? NotReplayed::before_first_mining
                                                        : NotReplayed::no_match;
    }

    StreamSites& sites_;
    const autotrace::AutoTracer* tracer_ = nullptr;
    std::deque<Pending> pending_;
    autotrace::TraceId newest_ = autotrace::TraceId::none;
    bool first_ = false;
    bool interrupted_ = false;
};

void launch(const StreamLine& line, autotrace::AutoTracer& tracer, ReportingHost& host,
            StreamSites& sites, OperationHandle& handle) {
    using Kind = StreamLine::Kind;
    host.interrupted(line.kind == Kind::wait || line.kind == Kind::untraceable);
    if (line.kind == Kind::wait) return tracer.flush();
    if (line.kind == Kind::operation) {
        host.launched(sites.of(line.token), line.token);
        return tracer.operation(line.token, ++handle);
    }
    host.launched_without_token();
    ++handle;
    return line.kind == Kind::ignorable ? tracer.ignorable(handle) : tracer.untraceable(handle);
}

void add_sites(page::RunData& run, const StreamSites& sites, const autotrace::AutoTracer& tracer,
               const autotrace::Options& options) {
    for (SiteId id = 0; id < sites.table.size(); ++id) {
        LaunchSiteReport site = sites.table.report(id);
        const base::Hash128& token = sites.table.token(id);
        if (site.latest != 0 && site.latest_reason == NotReplayed::no_match)
            site.detail = autotrace::explain(tracer.prospect({token.high, token.low}),
                                             options.trace_length_min, options.multi_scale_factor);
        if (site.latest != 0 && site.latest_reason == NotReplayed::before_first_mining)
            site.detail = "A slice is mined every " + std::to_string(options.multi_scale_factor) +
                          " operations (multi-scale-factor).";
        run.sites.push_back(std::move(site));
    }
}

}  // namespace

StreamReport report_on_stream(std::istream& input, const std::string& name,
                              const autotrace::Options& options) {
    StreamSites sites;
    ReportingHost host(sites);
    autotrace::AutoTracer tracer(options, host);
    host.follow(tracer);
    OperationReader reader(input, name, [&](std::string_view text) { sites.comment(text); });
    StreamLine line{};
    OperationHandle handle = 0;
    while (reader.next(line)) launch(line, tracer, host, sites, handle);
    host.interrupted(true);
    tracer.flush();
    host.curve.end(host.sample());

    StreamReport result;
    page::RunData& run = result.run;
    run.title = name.substr(name.find_last_of('/') + 1);
    run.from_stream = true;
    run.automatic = true;
    run.operations = host.operations;
    run.replayed = host.replayed;
    run.recorded = host.recorded;
    run.analysed = host.operations - host.replayed - host.recorded;
    run.without_token = host.without_token;
    run.held_back_mean = tracer.statistics().held_back_mean();
    const std::uint64_t first = tracer.statistics().first_replay;
    run.first_replay = first == autotrace::Statistics::never ? 0 : first + 1;
    for (const page::RunSample& sample : host.curve.samples()) run.curve.push_back({sample, 0});
    run.traces = host.traces.traces();
    run.other_traces = host.traces.others();
    run.other_trace_count = host.traces.other_count();
    add_sites(run, sites, tracer, options);
    result.texts = sites.take_texts();
    return result;
}

}  // namespace refrain::commands
