#include "cli/stream_report.hpp"

#include "autotrace/prospect.hpp"
#include "report/run_curve.hpp"
#include "report/site_table.hpp"
#include "report/trace_book.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <deque>
#include <unordered_map>

#include "cli/operation_reader.hpp"

namespace refrain::cli {
namespace {

using autotrace::OperationHandle;
using autotrace::Token;
using report::SiteId;

/// The launch sites of a stream, by token.
class Sites {
  public:
    /// "# 0x12ab 'saxpy' (main.cpp:41)"; other comments are passed over.
    void comment(std::string_view text) {
        const std::size_t digits = text.find("0x");
        const std::size_t name = text.find(" '");
        const std::size_t where = text.rfind("' (");
        const std::size_t colon = text.rfind(':');
        const bool is_name =
            digits == 2 && name != std::string_view::npos && where != std::string_view::npos &&
            where > name && colon != std::string_view::npos && colon > where && text.ends_with(')');
        if (!is_name) return;
        std::uint32_t line = 0;
        std::from_chars(text.data() + colon + 1, text.data() + text.size() - 1, line);
        const std::string_view token = text.substr(4, name - 4);
        if (token.size() > 32 || ids_.size() >= tokens_max) return;
        const std::size_t low = token.size() > 16 ? token.size() - 16 : 0;
        ids_[{number(token.substr(0, low)), number(token.substr(low))}] =
            find(text.substr(name + 2, where - name - 2), text.substr(where + 3, colon - where - 3),
                 line);
    }

    SiteId of(const Token& token) {
        if (const auto known = ids_.find(token); known != ids_.end()) return known->second;
        std::array<char, 40> text;
        std::snprintf(text.data(), text.size(), token.high == 0 ? "0x%llx" : "0x%llx%016llx",
                      static_cast<unsigned long long>(token.high == 0 ? token.low : token.high),
                      static_cast<unsigned long long>(token.low));
        const bool room = ids_.size() < tokens_max;
        const SiteId id = find(room ? text.data() : "all further tokens", "", 0);
        if (room) ids_.emplace(token, id);
        return id;
    }

    /// What the sites point to, for as long as somebody shows them.
    std::deque<std::string> take_texts() { return std::move(texts_); }

    report::SiteTable table;

  private:
    static constexpr std::size_t tokens_max = std::size_t{1} << 20;

    static std::uint64_t number(std::string_view digits) {
        std::uint64_t value = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
        return value;
    }
    SiteId find(std::string_view name, std::string_view file, std::uint32_t line) {
        return table.find({keep(name), keep(file), line});
    }
    /// A copy that stays; the table compares texts.
    const char* keep(std::string_view text) {
        const auto [place, is_new] = by_text_.try_emplace(std::string(text), nullptr);
        if (is_new) place->second = texts_.emplace_back(text).c_str();
        return place->second;
    }

    std::unordered_map<Token, SiteId> ids_;
    std::unordered_map<std::string, const char*> by_text_;
    std::deque<std::string> texts_;
};

/// Counts what it is handed, as the observer of a runtime would.
class ReportingHost final : public autotrace::TraceHost {
  public:
    explicit ReportingHost(Sites& sites) : sites_(sites) {}

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
        report::Served served;
        served.number = ++operations;
        served.launched_behind = pending_.size();
        served.how = traces.is_open()
                         ? first_ ? report::Served::How::recorded : report::Served::How::replayed
                         : report::Served::How::analysed;
        served.reason = reason(served);
        if (served.reason == NotReplayed::no_match)
            sites_.table.note_token(operation.site, {operation.token.low, operation.token.high});
        sites_.table.count(operation.site, served);
        replayed += served.how == report::Served::How::replayed ? 1 : 0;
        recorded += served.how == report::Served::How::recorded ? 1 : 0;
        if (traces.is_open())
            traces.operation(served, operation.site,
                             [] { return std::span<const report::TraceBook::Source>(); });
        if (curve.is_due(operations)) curve.add(sample());
    }
    void begin_trace(autotrace::TraceId trace, std::size_t) override {
        first_ = trace > newest_;
        newest_ = std::max(newest_, trace);
        traces.begin(trace, true, operations + 1);
    }
    void end_trace(autotrace::TraceId) override { traces.end(); }

    [[nodiscard]] report::RunSample sample() const {
        report::RunSample now;
        now.operations = operations;
        now.replayed = replayed;
        now.recorded = recorded;
        return now;
    }

    std::uint64_t operations = 0, replayed = 0, recorded = 0, without_token = 0;
    report::TraceBook traces;
    report::RunCurve curve;

  private:
    struct Pending {
        SiteId site;
        Token token;
        bool has_token;
    };
    [[nodiscard]] NotReplayed reason(const report::Served& served) const {
        if (traces.is_open()) return NotReplayed::recording;
        if (served.launched_behind != 0)
            return interrupted_ ? NotReplayed::interrupted : NotReplayed::broken_off;
        return tracer_->statistics().results_taken == 0 ? NotReplayed::before_first_mining
                                                        : NotReplayed::no_match;
    }

    Sites& sites_;
    const autotrace::AutoTracer* tracer_ = nullptr;
    std::deque<Pending> pending_;
    autotrace::TraceId newest_ = 0;
    bool first_ = false;
    bool interrupted_ = false;
};

void launch(const StreamLine& line, autotrace::AutoTracer& tracer, ReportingHost& host,
            Sites& sites, OperationHandle& handle) {
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

void add_sites(report::RunData& run, const Sites& sites, const autotrace::AutoTracer& tracer,
               const autotrace::Options& options) {
    for (SiteId id = 0; id < sites.table.size(); ++id) {
        LaunchSiteReport site = sites.table.report(id);
        const base::Hash128& token = sites.table.token(id);
        if (site.latest != 0 && site.latest_reason == NotReplayed::no_match)
            site.detail = autotrace::explain(tracer.prospect({token.high, token.low}),
                                             options.trace_length_min, options.multi_scale_factor);
        if (site.latest != 0 && site.latest_reason == NotReplayed::before_first_mining)
            site.detail = "A batch is mined every " + std::to_string(options.multi_scale_factor) +
                          " operations (multi-scale-factor).";
        run.sites.push_back(std::move(site));
    }
}

}  // namespace

StreamReport report_on_stream(std::istream& input, const std::string& name,
                              const autotrace::Options& options) {
    Sites sites;
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
    report::RunData& run = result.run;
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
    for (const report::RunSample& sample : host.curve.samples()) run.curve.push_back({sample, 0});
    run.traces = host.traces.traces();
    run.other_traces = host.traces.others();
    run.other_trace_count = host.traces.other_count();
    add_sites(run, sites, tracer, options);
    result.texts = sites.take_texts();
    return result;
}

}  // namespace refrain::cli
