#include "observe/observer.hpp"

#include "base/assertion.hpp"
#include "base/clock.hpp"
#include "observe/timeline.hpp"
#include "observe/wording.hpp"
#include "page/run_data.hpp"
#include "refrain/error.hpp"

#include <algorithm>

namespace refrain::observe {
namespace {

using How = page::Served::How;

}  // namespace

std::unique_ptr<Observer> Observer::make(const Options& options) {
    const bool wanted = !options.log_stream.empty() || options.explain || !options.report.empty() ||
                        !options.timeline.empty();
    if (!wanted) return nullptr;
    return std::unique_ptr<Observer>(new Observer(options));
}

Observer::Observer(const Options& options) : options_(options) {
    // Before the program computes for hours.
    if (!options.report.empty())
        page::check_file(options.report, "report", {page::page_mark, options.force});
    if (!options.timeline.empty())
        page::check_file(options.timeline, "timeline", {timeline_mark, options.force});
    if (!options.log_stream.empty()) stream_.emplace(options.log_stream, options.force);
    keeps_books_ = !options.report.empty();
    counts_ = options.explain || keeps_books_;
    if (keeps_books_ || !options.timeline.empty())
        journal_ = std::make_unique<Journal>(options.workers, 1);
    if (counts_ || journal_) sites_.emplace();
}

void Observer::follow(const autotrace::InlineRecogniser& recogniser) {
    end_quiet();
    passed_.forget();
    recogniser_ = &recogniser;
    precedents_.follow(recogniser);
}

/// Until an operation is sampled. Where the curve is, it pauses.
void Observer::prepare_quiet(std::uint64_t number, trace::Position position, std::uint64_t loop) {
    if (asks_each() || loop > PassedLaunches::places_max) return;
    std::uint64_t end = ~std::uint64_t{0};
    std::uint64_t pause = end;
    if (interest_.is_open()) {
        if (keeps_books_) {
            if (!journal_->loops.has_listed(loop)) return;
            pause = number + 1 + (journal_->curve.next() - counted_.operations);
        }
        if (journal_) end = journal_->next_sampled(number + 1);
    }
    quiet_.prepare(end, pause);
    if (!counts_) return;
    // A folded loop goes round in the latest positions.
    const std::uint64_t first = recogniser_->end() - loop;
    const std::uint64_t next = position.value() + 1 - first;
    REFRAIN_ASSERT(next <= loop, "an operation of a loop stands outside of the loop's positions");
    passed_.follow(first, loop, next == loop ? 0 : next);
}

void Observer::note_passing(const LaunchSite& site, std::uint32_t points) {
    settle_passed();
    passed_.expect({site, points, sites_->find(site)});
}

void Observer::settle_passed() {
    const bool is_of_interest = interest_.is_open();
    passed_.settle(
        [&](const PassedLaunches::Place& place, std::uint64_t launches) {
            if (is_of_interest) sites_->count_replayed(place.id, place.points, launches);
        },
        [&](page::SiteId id, std::uint64_t position) {
            precedents_.launched_at(id, trace::Position::at(position));
        });
}

void Observer::end_quiet() {
    settle_passed();
    count_passed(quiet_.end());
}

bool Observer::pause_quiet(std::uint64_t number) {
    settle_passed();
    count_passed(quiet_.pause());
    sample_curve();
    quiet_.go_on(number + (journal_->curve.next() - counted_.operations));
    return quiet_.holds(number);
}

void Observer::count_passed(std::uint64_t passed) {
    newest_ += passed;
    newest_issued_ += passed;
    if (!interest_.is_open()) return;
    counted_.operations += passed;
    counted_.replayed += passed;
    if (journal_) journal_->passed(passed);
    if (keeps_books_) journal_->loops.passed(passed);
}

void Observer::hear_late(std::uint64_t number) {
    end_quiet();
    newest_ = number;
}

void Observer::begin_interest(std::uint64_t next) {
    end_quiet();
    if (!interest_.is_declared()) count_anew(next);
    interest_.begin(next, newest_issued_);
    mismatches_outside_ += tracer_->counters().mismatches - mismatches_at_end_;
}

void Observer::end_interest(std::uint64_t next) {
    end_quiet();
    interest_.end(next);
    mismatches_at_end_ = tracer_->counters().mismatches;
}

std::uint64_t Observer::mismatches_of_interest() const {
    const std::uint64_t until =
        interest_.is_open() ? tracer_->counters().mismatches : mismatches_at_end_;
    return until - mismatches_outside_;
}

/// What was counted and timed until now was not of interest.
void Observer::count_anew(std::uint64_t first) {
    counted_ = {};
    fullest_ = {};
    fullest_bytes_ = fullest_ticks_ = fullest_cost_ = 0;
    if (counts_) sites_->forget_counts();
    if (!journal_) return;
    before_interest_ = std::move(journal_);
    journal_ = std::make_unique<Journal>(options_.workers, first);
}

void Observer::overlook(const ObservedOperation& operation, const trace::Position* position) {
    const page::SiteId site = sites_->find(operation.site);
    if (position != nullptr) precedents_.launched_at(site, *position);
    if (!tracer_->active() && keeps_books_) journal_->traces.end();
}

void Observer::follow(states::RegionStates* states, StateNotes::NameOf name_of) {
    if (states != nullptr && counts_) states->tell(&states_.emplace(*states, name_of));
}

page::Served::How Observer::how_served() const {
    switch (tracer_->last_served()) {
        case trace::Tracer::Served::analysed:
            return How::analysed;
        case trace::Tracer::Served::recorded:
            return How::recorded;
        case trace::Tracer::Served::replayed:
            break;
    }
    return How::replayed;
}

void Observer::note_trace(trace::TraceId trace) {
    mismatches_before_ = tracer_->counters().mismatches;
    if (keeps_books_ && interest_.holds(newest_issued_ + 1))
        journal_->traces.begin(number_of(trace), is_automatic(trace), newest_issued_ + 1);
    if (is_automatic(trace)) {
        is_first_execution_ = trace > newest_automatic_;
        newest_automatic_ = std::max(newest_automatic_, trace);
    } else {
        const bool room = manual_traces_.size() < manual_traces_max;
        is_first_execution_ =
            room ? manual_traces_.insert(trace).second : !manual_traces_.contains(trace);
    }
}

std::optional<page::SiteId> Observer::count(const ObservedOperation& operation,
                                            std::span<const analysis::Source> sources,
                                            const trace::StreamPosition* where) {
    page::Served served;
    served.how = how_served();
    served.number = operation.number;
    served.points = operation.points;
    served.launched_behind = newest_ - operation.number;
    const page::SiteId site = sites_->find(operation.site);
    if (where != nullptr) precedents_.launched_at(site, where->position);
    if (served.how != How::replayed) {
        served.reason = reason_for(operation.number, site, where);
        if (served.reason == NotReplayed::mismatch)
            sites_->note_mismatch(site, tracer_->counters().last_mismatch);
    }
    sites_->count(site, served);
    ++counted_.operations;
    counted_.replayed += served.how == How::replayed ? 1U : 0U;
    counted_.recorded += served.how == How::recorded ? 1U : 0U;
    if (keeps_books_) {
        if (!tracer_->active()) journal_->traces.end();
        if (journal_->traces.is_open())
            journal_->traces.operation(served, site,
                                       [&] { return listed(operation.number, sources); });
        sample_curve();
    }
    const bool is_unmatched = served.how != How::replayed && served.reason == NotReplayed::no_match;
    return is_unmatched ? std::optional(site) : std::nullopt;
}

void Observer::count_from_precedent(const ObservedOperation& operation,
                                    std::span<const analysis::Source> sources,
                                    trace::Position position, std::uint64_t distance) {
    const page::SiteId site = sites_->find(operation.site);
    sites_->count_replayed(site, operation.points);
    precedents_.launched_at(site, position);
    ++counted_.operations;
    ++counted_.replayed;
    if (!keeps_books_) return;
    journal_->traces.end();
    journal_->loops.operation(distance, operation.number, operation.points, site,
                              [&] { return listed(operation.number, sources); });
    sample_curve();
}

page::Listed Observer::listed(std::uint64_t number, std::span<const analysis::Source> sources) {
    sources_.clear();
    for (const analysis::Source& source : sources)
        sources_.push_back({source.distance, source.carries_data});
    return {sources_, tiles_.text(number)};
}

void Observer::failed(const ObservedFailure& failure) {
    if (!keeps_books_) return;
    const ObservedOperation& operation = failure.operation;
    const page::SiteId site = sites_->find(operation.site);
    if (failure.threw != 0)
        failures_.threw({.site = site,
                         .operation = operation.number,
                         .points = operation.points,
                         .threw = failure.threw,
                         .first_point = failure.first_point,
                         .message = failure.message,
                         .skipped = {}});
    if (failure.skipped != 0) failures_.skipped(failure.cause, site, failure.skipped);
}

autotrace::MiningExecutor::Job Observer::timed(autotrace::MiningExecutor::Job job) {
    if (!journal_ || !interest_.is_open()) return job;
    struct Timed {
        autotrace::MiningExecutor::Job job;
        Journal* journal;
        std::uint64_t operation;
    };
    const auto run = [](void* context) {
        const std::unique_ptr<Timed> timed(static_cast<Timed*>(context));
        const std::uint64_t begin = base::ticks();
        Journal* journal = timed->journal;
        timed->job.run(timed->job.context);
        journal->mined(begin, base::ticks(), timed->operation);
    };
    return {run, std::make_unique<Timed>(Timed{job, journal_.get(), newest_}).release()};
}

NotReplayed Observer::reason_for(std::uint64_t number, page::SiteId site,
                                 const trace::StreamPosition* where) {
    if (tracer_->active()) {
        if (tracer_->counters().mismatches != mismatches_before_) return NotReplayed::mismatch;
        return is_first_execution_ ? NotReplayed::recording : NotReplayed::recorded_again;
    }
    // The tracer ends a strict trace at a mismatch, before the program calls end_trace.
    if (in_manual_trace_ && number == newest_) return NotReplayed::mismatch;
    if (recogniser_ != nullptr) return precedents_.reason(site, where, *tracer_->memos());
    if (miner_ == nullptr) return NotReplayed::automatic_tracing_off;
    if (number != newest_) return interrupted_ ? NotReplayed::interrupted : NotReplayed::broken_off;
    return miner_->statistics().results_taken == 0 ? NotReplayed::before_first_mining
                                                   : NotReplayed::no_match;
}

void Observer::refuse_to_explain() {
    throw UsageError(
        "why_not_traced(): nothing was counted; set options.observe.explain before the runtime is "
        "made, or run the program with --refrain:explain");
}

std::vector<LaunchSiteReport> Observer::why_not_traced() {
    if (!counts_) refuse_to_explain();
    end_quiet();
    std::vector<LaunchSiteReport> sites = reports();
    std::erase_if(sites, [](const LaunchSiteReport& site) { return site.operations == 0; });
    return sites;
}

/// By site, those that launched nothing of interest included.
std::vector<LaunchSiteReport> Observer::reports() const {
    std::vector<LaunchSiteReport> sites;
    for (page::SiteId id = 0; id < sites_->size(); ++id) {
        sites.push_back(sites_->report(id));
        sites.back().detail = detail(id, sites.back());
    }
    return sites;
}

std::string Observer::detail(page::SiteId id, const LaunchSiteReport& site) const {
    if (site.latest == 0) return {};
    const auto describe = [&](page::SiteId which) { return sites_->site(which).describe(); };
    switch (site.latest_reason) {
        case NotReplayed::automatic_tracing_off:
            return detail_untraced(id);
        case NotReplayed::before_first_mining:
            return "A slice is mined every " + operations(options_.limits.multi_scale_factor) +
                   " (multi-scale-factor).";
        case NotReplayed::no_match:
            return detail_without_match(id);
        case NotReplayed::mismatch:
            return "The latest: " + sites_->mismatch(id) + ".";
        case NotReplayed::recorded_again:
            return "Recordings may take " + std::to_string(options_.limits.trace_bytes >> 10) +
                   " KiB (trace-bytes), and what the analysis learns " +
                   std::to_string(options_.limits.analysis_bytes >> 10) + " KiB (analysis-bytes).";
        case NotReplayed::interrupted:
        case NotReplayed::broken_off:
        case NotReplayed::recording:
            return {};
        default:
            return precedents_.detail(id, site.latest_reason, describe);
    }
    return {};
}

std::string Observer::detail_untraced(page::SiteId id) const {
    std::string text = "Automatic tracing is switched on with --refrain:auto-trace=on.";
    if (!states_) return text;
    const std::string by_states =
        states_->detail(id, [&](page::SiteId site) { return sites_->site(site).describe(); });
    return by_states.empty() ? text : by_states + " " + text;
}

std::string Observer::detail_without_match(page::SiteId id) const {
    const base::Hash128& token = sites_->token(id);
    return autotrace::explain(miner_->prospect({token.high, token.low}),
                              options_.limits.trace_min_length, options_.limits.multi_scale_factor);
}

}  // namespace refrain::observe
