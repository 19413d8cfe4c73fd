/// What threads of OpenMP did between two calls.
#pragma once

#include "interposer/process.h"
#include "recorder/team_watch.hpp"

#include <cstdint>
#include <span>
#include <utility>

namespace refrain::proxy {

/// What OpenMP threads did since the latest call of this one.
class TeamClock {
  public:
    [[nodiscard]] bool is_open() const { return open_; }
    void open() {
        open_ = true;
        began_ = SystemClock::wall();
    }
    void close(std::uint32_t threads) {
        work_.add({SystemClock::wall() - began_, threads});
        open_ = false;
    }
    /// A call begins: what came before it. Within a region nobody knows yet how many threads that has.
    [[nodiscard]] TeamWork take() { return std::exchange(work_, {}); }
    [[nodiscard]] bool has_work() const { return work_.seconds != 0; }
    /// It is over.
    void go_on() {
        if (open_) [[unlikely]]
            began_ = SystemClock::wall();
    }

  private:
    bool open_ = false;
    double began_ = 0;
    TeamWork work_;
};
inline constinit thread_local TeamClock team_work;

/// What each thread of those teams counted, if that is known. Apart from the clock, which each call reads: this has to be made
/// when a thread first asks for it.
class TeamLedger {
  public:
    void add_region(std::span<const Counts> counts) {
        if (taken_) counts_.clear();
        taken_ = false;
        if (counts.size() > 1) add(counts_, counts);
    }
    /// A call begins: what came before it. Valid until the next region ends.
    [[nodiscard]] std::span<const Counts> take() {
        if (std::exchange(taken_, true)) return {};
        return counts_.all();
    }

  private:
    TeamCounts counts_;
    bool taken_ = true;
};
inline thread_local TeamLedger team_ledger;

/// Of each thread, if the source counts each: what it does in regions of OpenMP.
inline constinit thread_local TeamWatch team_watch;
/// The models do not follow what the library does to wait, nor this: how long it spins there is chance.
inline void watch_team(TeamWatch::State next) {
    Counts now{};
    process->source->rest_models(true);
    process->source->read(now);
    team_watch.go_to(next, now, process->team_cost);
    if (next != TeamWatch::State::waiting) process->source->rest_models(false);
}

/// Learns what watching a region costs, and a thread's part in it.
void measure_teams();

}  // namespace refrain::proxy
