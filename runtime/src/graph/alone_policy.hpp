#pragma once

#include "graph/lane_policy.hpp"
#include "graph/sharing_policy.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace refrain::graph {

/// Decides whether the launching thread runs the launches of a loop alone, or shares them with other workers.
/// A loop repeats, so both can be tried, and the clock says which is faster: nothing is assumed about cores,
/// caches, or what the program does between its launches. Launches outside of lasting loops are tried in the same way, with
/// the settings of irregular(): their stretches hold different launches, so an answer may be chance.
///
///     shared, rest 1   trial   the faster, rest 32   trial   rest 64   ...
///
///     a trial   this way   other way   other way   this way   this way   other way   other way
///               timed                  timed                  timed                  timed
///
/// Time comes in *stretches*. A trial begins with the way taken until now, for one stretch. Then each way is tried for two.
/// In the first, data moves to the cores that use it, and rows and lanes begin. The second is timed, from when nothing is in
/// flight to when nothing is. Timed stretches are of whole turns of the loop, all of a trial of as many launches; the others
/// are as long, or shorter. Interrupts only add, so the shortest of a way counts. While the answer
/// stays the same, rests double, up to `rest_max`: trials then cost nothing that can be measured, and a program that
/// changes is noticed after as long as it has run. A way that turns out slower is given up early (is_hopeless),
/// so a trial costs little also where one way is far better. bench/sharing/trials.cpp has the curves.
///
/// A state machine: events go in, decisions come out; the clock and the launches are the caller's.
/// Threads: the launching thread.
class AlonePolicy {
  public:
    static constexpr std::uint64_t rest_min = 32;  // stretches
    static constexpr std::uint64_t rest_max = 2048;
    /// What the simulation of trials varies.
    struct Settings {
        std::uint64_t rest_min = AlonePolicy::rest_min;
        std::uint64_t rest_max = AlonePolicy::rest_max;
        double slower = 1.25;      // than the other way, before a way is given up,
        double allowed = 1.0 / 4;  // and so much of a stretch
        std::uint64_t rest_first = 1;
    };
    /// Of launches that no lasting loop has. Before the first trial they have lasted as long as a trial, and an answer that
    /// was chance lasts no longer than 256 stretches.
    [[nodiscard]] static constexpr Settings irregular() {
        return {.rest_max = 256, .rest_first = 8};
    }

    AlonePolicy() = default;
    explicit AlonePolicy(const Settings& settings)
        : settings_(settings), rest_(settings.rest_first) {}

    /// What it takes until all that the private cache of a core holds has come to another. Assumed are 2 MiB, so
    /// 32,768 lines, of which eight come at a time: 4,096 trips, and a steal takes two (`worth` is 16 steals).
    [[nodiscard]] static constexpr std::uint64_t fetch_ticks(const SharingLimits& limits) {
        return 128 * limits.worth;
    }
    /// Whether a launch that takes so long (0: unknown) might be faster alone. Alone, all its data may lie in the private
    /// cache of one core. Shared, it may first have to come from another core: at most what such a cache holds. A launch
    /// that takes longer than that is faster shared.
    [[nodiscard]] static constexpr bool is_short(std::uint64_t launch_ticks,
                                                 const SharingLimits& limits) {
        return launch_ticks != 0 && launch_ticks <= fetch_ticks(limits);
    }
    /// How many launches a stretch of a trial has at least. They take as long as data needs to move to another core, and are twice as
    /// many as lanes ask for in a row, so that half of them run in lanes; at most a window. `launch_ticks`: what
    /// one took between trials.
    [[nodiscard]] static constexpr std::uint64_t launches_to_try(std::uint64_t launch_ticks,
                                                                 std::uint64_t window,
                                                                 const SharingLimits& limits) {
        const std::uint64_t least = 2 * LanePolicy::Limits().least;
        const std::uint64_t many = fetch_ticks(limits) / std::max<std::uint64_t>(launch_ticks, 1);
        return std::min(std::max(many, least), window);
    }

    /// Until a trial of this loop has come to its end, it is run as launches of no loop are: alone, or not.
    void follow(bool alone) {
        if (!is_decided_ && !is_trying()) decision_ = alone;
    }
    /// Whether the launching thread runs alone between trials.
    [[nodiscard]] bool decision() const { return decision_; }
    /// Whether the launching thread runs alone in the stretch that comes, or goes on.
    [[nodiscard]] bool is_alone() const {
        const bool is_other = is_trying() && (step_ + 1) / 2 % 2 == 1;
        return decision_ != is_other;
    }
    /// Whether that stretch is of a trial: it begins and ends with nothing in flight.
    [[nodiscard]] bool is_trying() const { return rest_ == 0; }
    /// Whether its time counts. Precondition: it is of a trial.
    [[nodiscard]] bool is_timed() const { return step_ % 2 == 0; }
    /// How far a stretch of a trial has come.
    struct Progress {
        std::uint64_t ticks;
        std::uint64_t done;  // launches
        std::uint64_t turn;  // of the loop
        std::uint64_t all;   // of a timed stretch
    };
    /// Whether to give it up: it is slower by a quarter than the other way was, and by a quarter of a stretch, which
    /// data that moves and interrupts may take. Within its first turn that is not known, since some
    /// launches may take longer than others: there it must have taken longer than a whole one may.
    [[nodiscard]] bool is_hopeless(const Progress& so_far) const {
        const double share = so_far.done < so_far.turn ? 1
                                                       : static_cast<double>(so_far.done) /
                                                             static_cast<double>(so_far.all);
        const double most = settings_.slower * share + settings_.allowed;
        return static_cast<double>(so_far.ticks) >
               most * static_cast<double>(shortest(!is_alone()));
    }

    /// A stretch between trials is over.
    void rested() {
        if (--rest_ == 0) begin_trial();
    }
    /// A stretch of a trial has ended and took `ticks`.
    void tried(std::uint64_t ticks) {
        if (is_timed()) {
            std::uint64_t& shortest = shortest_[is_alone() ? 1 : 0];
            shortest = std::min(shortest, ticks);
        }
        go_to(step_ + 1);
    }
    /// It was given up: this way would have taken longer than the other.
    void gave_up() { go_to(step_ + 1 + step_ % 2); }
    /// A stretch of a trial has ended that was to be alone, but most of its launches were too long for that. So both
    /// ways are the same now, and which took longer is chance: it would be the answer once launches are shorter.
    void was_shared_anyway() { decide(false); }
    /// The program left the loop within the stretch, so its time says nothing: the trial is left undecided. The next one
    /// begins later each time, since loops that always end so soon would only pay for trials.
    void left() {
        if (!is_trying()) return;
        rest_ = rest_if_left_;
        rest_if_left_ = std::min(2 * rest_if_left_, settings_.rest_max);
    }

  private:
    static constexpr std::uint32_t steps =
        7;  // even ones are timed; 1, 2, 5, 6 are of the other way

    void begin_trial() {
        step_ = 0;
        shortest_ = {~std::uint64_t{0}, ~std::uint64_t{0}};
    }
    void go_to(std::uint32_t step) {
        step_ = step;
        if (step == steps) decide(shortest(true) < shortest(false));
    }
    [[nodiscard]] std::uint64_t shortest(bool alone) const { return shortest_[alone ? 1 : 0]; }
    void decide(bool alone) {
        rests_ = alone == decision_ ? std::min(2 * rests_, settings_.rest_max) : settings_.rest_min;
        decision_ = alone;
        is_decided_ = true;
        rest_ = rests_;
        rest_if_left_ = 1;
    }

    Settings settings_;
    bool decision_ = false;
    bool is_decided_ = false;  // by a trial
    std::uint64_t rest_ = 1;   // stretches until the next trial; 0: it goes on
    std::uint64_t rests_ = settings_.rest_min / 2;
    std::uint64_t rest_if_left_ = 1;
    std::uint32_t step_ = 0;                   // of a trial
    std::array<std::uint64_t, 2> shortest_{};  // timed stretches of the trial, shared and alone
};

/// What is known of the latest few loops, which are told apart by their length.
class LatestLoops {
  public:
    static constexpr std::size_t loops_max = 8;
    struct Loop {
        std::uint64_t length = 0;  // 0: none
        AlonePolicy policy;
    };

    /// Of the loop that goes on now, until the next call. `alone`: how a loop is run that no trial has decided.
    [[nodiscard]] Loop& of(std::uint64_t length, bool alone = false) {
        auto found = std::ranges::find(loops_, length, &Loop::length);
        if (found == loops_.end()) *--found = {length, AlonePolicy()};
        found->policy.follow(alone);
        std::rotate(loops_.begin(), found, found + 1);
        return loops_.front();
    }

  private:
    std::array<Loop, loops_max> loops_;  // the latest first
};

}  // namespace refrain::graph
