/// What a source counts outside of wrappers.

#include "interposer/boundary.h"

#include "interposer/teams.h"

#include <algorithm>

namespace refrain::proxy {

void Boundary::stop() {
    process->source->read(counts_);
    process->source->rest_models(true);
    for (std::size_t i = 0; i < metric_count; ++i) {
        const std::uint64_t since = counts_[i] - counts_resumed[i];
        counts_[i] = since > process->counts_empty[i] ? since - process->counts_empty[i] : 0;
    }
    if (process->counts_teams) [[unlikely]]
        stop_team();
}

/// What the program waited for in regions is no work. What this thread did in one that is not over counts as done alone: nobody
/// knows yet what others do there.
void Boundary::stop_team() {
    working_ = team_watch.state() == TeamWatch::State::working;
    if (working_) {
        watch_team(TeamWatch::State::outside);
        (void)team_watch.take_worked();
    }
    counts_ = without(counts_, team_watch.take_waited());
    team_counts_ = team_ledger.take();
    for (std::size_t thread = 1; thread < team_counts_.size(); ++thread)
        add(counts_, team_counts_[thread]);
}

void Boundary::resume() {
    process->source->rest_models(false);
    process->source->read(counts_resumed);
    if (working_) team_watch.go_to(TeamWatch::State::working, counts_resumed);
}

/// What is counted between two wrappers that follow each other at once: the way into one and out of it. A call
/// that says nothing to others and is not recorded.
void measure_boundary() {
    int from = 1, to = 1;
    process->counts_least.fill(~std::uint64_t{0});
    process->source->read(counts_resumed);
    process->measuring = true;
    for (int i = 0; i < 8; ++i) MPI_Reduce_local(&from, &to, 1, MPI_INT, MPI_SUM);
    process->measuring = false;
    process->counts_empty = process->counts_least;
}

}  // namespace refrain::proxy
