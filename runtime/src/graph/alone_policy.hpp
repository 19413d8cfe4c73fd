#pragma once

#include "graph/sharing_policy.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace refrain::graph {

/// Decides whether the launching thread runs the short launches of a loop alone, or shares them with other workers.
/// A loop repeats, so both can be tried, and the clock says which is faster: nothing is assumed about cores,
/// caches, or what the program does between its launches.
///
///     shared   rest 1   shared  alone  shared  alone   the faster   rest 16   trial   rest 32   ...
///                       \________ a trial _________/
///
/// Time comes in *stretches*, of as many launches as the caller likes, but always of whole turns of the loop. Those
/// of a trial are timed from when nothing is in flight to when nothing is. Interrupts only add, so the shorter
/// of two counts. While the answer stays the same, rests double, up to `rest_max`: trials then cost nothing that
/// can be measured, and a program that changes is noticed after as long as it has run.
/// A stretch alone is given up when it is slower by a quarter, and a sixteenth of a stretch, since data comes back to
/// this core first. So a trial costs little also where work is shared well: with launches of 8 points of 1 µs on two
/// workers about an eighth of a stretch in each of its two tries.
///
/// A state machine: events go in, decisions come out; the clock and the launches are the caller's.
/// Threads: the launching thread.
class AlonePolicy {
  public:
    static constexpr std::uint64_t rest_min = 16;  // stretches
    static constexpr std::uint64_t rest_max = 1024;

    /// Whether a launch that takes so long (0: unknown) might be faster alone. Of longer ones stealing costs little
    /// (as for lanes, lane_policy.hpp). Much longer than what a launch costs here, since where data crosses between
    /// cores, tasks take longer than they would alone.
    [[nodiscard]] static constexpr bool is_short(std::uint64_t launch_ticks,
                                                 const SharingLimits& limits) {
        return launch_ticks != 0 && launch_ticks <= 8 * limits.worth;
    }

    /// Whether the launching thread runs alone in the stretch that comes, or goes on.
    [[nodiscard]] bool is_alone() const { return is_trying() ? step_ % 2 == 1 : decision_; }
    /// Whether that stretch is of a trial: it is timed.
    [[nodiscard]] bool is_trying() const { return rest_ == 0; }
    /// Whether to give up a stretch of a trial: `done` of its `all` launches have taken `ticks`.
    [[nodiscard]] bool is_hopeless(std::uint64_t ticks, std::uint64_t done,
                                   std::uint64_t all) const {
        const auto allowed = 1.25 * static_cast<double>(done) / static_cast<double>(all) + 1.0 / 16;
        return is_alone() &&
               static_cast<double>(ticks) > allowed * static_cast<double>(shortest_[0]);
    }

    /// A stretch between trials is over. `is_short`: at least half of its launches were so short that the launching
    /// thread might run them alone. Else there is nothing to be tried, and what was found before counts no more.
    void rested(bool is_short) {
        if (!is_short) {
            decision_ = false;
            rests_ = rest_min;
            rest_ = std::min(rest_, rest_min);
            return;
        }
        if (--rest_ == 0) begin_trial();
    }
    /// A stretch of a trial has ended and took `ticks`.
    void tried(std::uint64_t ticks) {
        std::uint64_t& shortest = shortest_[step_ % 2];
        shortest = std::min(shortest, ticks);
        if (++step_ == steps) decide(shortest_[1] < shortest_[0]);
    }
    /// It was given up: it would have taken longer than any.
    void gave_up() { tried(~std::uint64_t{0}); }
    /// It was not of the loop alone, so its time says nothing: the trial is left undecided.
    void left() {
        if (is_trying()) rest_ = 1;
    }

  private:
    static constexpr std::uint32_t steps = 4;

    void begin_trial() {
        step_ = 0;
        shortest_ = {~std::uint64_t{0}, ~std::uint64_t{0}};
    }
    void decide(bool alone) {
        rests_ = alone == decision_ ? std::min(2 * rests_, rest_max) : rest_min;
        decision_ = alone;
        rest_ = rests_;
    }

    bool decision_ = false;
    std::uint64_t rest_ = 1;  // stretches until the next trial; 0: it goes on
    std::uint64_t rests_ = rest_min / 2;
    std::uint32_t step_ = 0;                   // of a trial
    std::array<std::uint64_t, 2> shortest_{};  // stretches of the trial, shared and alone
};

/// What is known of the latest few loops, which are told apart by their length.
class LatestLoops {
  public:
    static constexpr std::size_t loops_max = 8;
    struct Loop {
        std::uint64_t length = 0;  // 0: none
        AlonePolicy policy;
    };

    /// Of the loop that goes on now, until the next call.
    [[nodiscard]] Loop& of(std::uint64_t length) {
        auto found = std::ranges::find(loops_, length, &Loop::length);
        if (found == loops_.end()) *--found = {length, {}};
        std::rotate(loops_.begin(), found, found + 1);
        return loops_.front();
    }

  private:
    std::array<Loop, loops_max> loops_;  // the latest first
};

}  // namespace refrain::graph
