#include "observe/journal.hpp"

#include <algorithm>

namespace refrain::observe {

Journal::Journal(unsigned workers, std::uint64_t first)
    : dependences(first),
      first_(first),
      spans_(SpanLog::default_capacity, first),
      began_(base::ticks()) {
    for (unsigned i = 0; i < workers; ++i)
        task_logs_.push_back(std::make_unique<TaskLog>(first, rate_));
    task_logs_[0]->thread = launching_thread_;
}

void Journal::note(SpanKind kind, const Moment& begin, const Moment& end, std::uint64_t operation,
                   const char* name, std::uint64_t not_its_own) {
    const double own =
        static_cast<double>(end.own_ticks - begin.own_ticks) - static_cast<double>(not_its_own);
    totals_[static_cast<std::size_t>(kind)] +=
        rate_.weight(operation - first_) * std::max(own, 0.0);
    spans_.add({begin.ticks, end.ticks, name, operation, 0, kind});
}

void Journal::begin_launch(std::uint64_t operation) {
    launching_ = operation;
    elsewhere_ = 0;
    launch_begin_ = now();
    launched_at_ = launch_begin_;
    rate_.sampled(operation - first_, launch_begin_.ticks);
}

void Journal::end_launch(const char* name) {
    times_launch_ = false;
    const Moment end = now();
    note(SpanKind::launch, launch_begin_, launched_at_, launching_, name);
    note(SpanKind::match, launched_at_, end, launching_, name, elsewhere_);
}

void Journal::served(std::uint64_t operation, const char* name, page::Served::How how) {
    if (!samples(operation)) return;
    ++timed_;
    const SpanKind kind = how == page::Served::How::replayed   ? SpanKind::replay
                          : how == page::Served::How::recorded ? SpanKind::recording
                                                               : SpanKind::analysis;
    note(kind, issue_begin_, now(), operation, name);
}

void Journal::end_linking(std::uint64_t operation, const char* name) {
    const Moment end = now();
    if (times_launch_) elsewhere_ += end.own_ticks - issue_begin_.own_ticks;
    if (samples(operation)) note(SpanKind::linking, linking_begin_, end, operation, name);
}

void Journal::wait_begins() {
    wait_begin_ = base::ticks();
    task_logs_[0]->is_waiting = true;
}

/// Every wait is timed, because reading the clock costs little in comparison.
void Journal::wait_ended(std::uint64_t next_operation, bool is_of_interest) {
    const std::uint64_t end = base::ticks();
    task_logs_[0]->is_waiting = false;
    waited_ += end - wait_begin_;
    if (!is_of_interest) return;
    totals_[static_cast<std::size_t>(SpanKind::wait)] += static_cast<double>(end - wait_begin_);
    // The next to be issued may have been held back since before `first_`.
    spans_.add({wait_begin_, end, "", std::max(next_operation, first_), 0, SpanKind::wait});
}

void Journal::mined(std::uint64_t begin, std::uint64_t end, std::uint64_t operation) {
    const std::thread::id thread = std::this_thread::get_id();
    if (thread == launching_thread_ && times_launch_ && !task_logs_[0]->is_waiting)
        elsewhere_ += end - begin;
    const base::LockGuard lock(mutex_);
    const auto total = std::find_if(mining_totals_.begin(), mining_totals_.end(),
                                    [&](const MiningTotal& t) { return t.thread == thread; });
    if (total == mining_totals_.end())
        mining_totals_.push_back({thread, static_cast<double>(end - begin)});
    else
        total->ticks += static_cast<double>(end - begin);
    if (mining_.size() < mining_spans_max)
        mining_.push_back({{begin, end, "", operation, 0, SpanKind::mining}, thread});
}

std::vector<Journal::Mining> Journal::mining() const {
    const base::LockGuard lock(mutex_);
    return mining_;
}

double Journal::mining_ticks(std::thread::id thread) const {
    const base::LockGuard lock(mutex_);
    for (const MiningTotal& total : mining_totals_)
        if (total.thread == thread) return total.ticks;
    return 0;
}

}  // namespace refrain::observe
