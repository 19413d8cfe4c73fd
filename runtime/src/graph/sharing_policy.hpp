#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace refrain::graph {

/// What the measured latency of a steal says about sharing, in ticks. The factors count cache lines
/// that cross, one steal's latency each; runtime/docs/sharing.md says which.
///
///     a steal takes 200 ns  ->  a launch of 3.2 µs is worth sharing whatever else is known, one of
///                               200 ns if others wait beside it, and a group of points is split
///                               from 2 µs on
struct SharingLimits {
    std::uint64_t line;     // what a steal costs its victim
    std::uint64_t there;    // what crosses until work that waits elsewhere begins here
    std::uint64_t worth;    // a launch that takes as long is shared whatever else is known
    std::uint64_t split;    // a group of points that takes longer is split
    std::uint64_t publish;  // as much unpublished work is worth a look at its lines
    std::uint64_t tiny;     // a shorter launch may stay unpublished for a while
    std::uint64_t away;     // a thread that takes longer from one item to the next computes

    [[nodiscard]] static constexpr SharingLimits of(std::uint64_t steal) {
        return {.line = steal,
                .there = 4 * steal,
                .worth = 16 * steal,
                .split = 10 * steal,
                .publish = 12 * steal,
                .tiny = 6 * steal,
                .away = 6 * steal};
    }
};

/// What a worker sees of the launching thread.
struct LauncherSeen {
    std::uint64_t items;  // launches plus groups of points run so far
    bool helps;           // it waits, and runs points meanwhile
};

/// Decides, for one worker, which work it hands to others or takes from them. A state machine:
/// events go in, decisions come out. The clock, queues and threads are the caller's (workers.cpp),
/// or those of a simulation (bench/sharing).
///
///   launching thread   publishes, published        after a launch; when it has published
///                      helps                       when it begins to wait, and runs points meanwhile
///                      recalls                     when a launch is ready
///   any worker         measures, measured          before it runs a group of points
///                      is_long                     whether it splits that group
///                      stole, missed               after a steal
///                      steals                      how many more it takes from the launches
///                      next_search_pauses, found_work   when it has found nothing, or something
///   workers but 0      before_item, backing_off, next_wait, nobody_took_it
///
/// A worker has a *credit*. The points that it runs add the time that they take and subtract what sharing
/// them costs; a steal that fails on short work subtracts, too. While the credit is negative the worker
/// rests: others run its work, above all the launching thread, alone and from its own cache. It
/// does not rest while the launching thread is away.
///
///     item                                       credit
///     cost unknown, or worth sharing anyway      full
///     a launch, and others waited beside it      + its time - a line
///     of a worker that is busy                   + its time - what crosses until it begins here
///     nothing waited beside it                   + its time - worth: alone is faster
///
/// Rests double, up to a bound that grows with the number of workers that rest: all together look
/// at the work as often as one would. A full credit ends the growth.
///
/// Reasons: runtime/docs/sharing.md.
/// Threads: its worker only.
class SharingPolicy {
  public:
    static constexpr std::uint32_t unpublished_launches_max = 16;
    static constexpr std::uint32_t held_share = 16;
    static constexpr std::uint32_t measure_interval_max = 31;  // groups; 16 in the mean
    static constexpr std::uint32_t search_pauses_max = 16;

    [[nodiscard]] static constexpr bool is_tiny(std::uint64_t launch_ticks,
                                                const SharingLimits& limits) {
        return launch_ticks != 0 && launch_ticks < limits.tiny;
    }

    /// Whether the points that are ready are published after a launch of `launch_ticks` (0:
    /// unknown). `lacks_searchers`: a worker sleeps and none searches. Not if few launches are held
    /// back beside those since the launching thread last helped: publishing costs it a line or a
    /// wake, and others start later by a sixteenth of the time of launching at most.
    [[nodiscard]] bool publishes(std::uint64_t launch_ticks, bool lacks_searchers,
                                 std::uint32_t launches_max, const SharingLimits& limits) {
        ++unpublished_launches_;
        ++launches_since_help_;
        unpublished_ticks_ += launch_ticks;
        if (unpublished_launches_ >= launches_max || launch_ticks == 0 || lacks_searchers)
            return true;
        return unpublished_ticks_ >= limits.publish &&
               unpublished_launches_ > launches_since_help_ / held_share;
    }
    void helps() { launches_since_help_ = 0; }
    void published() {
        unpublished_launches_ = 0;
        unpublished_ticks_ = 0;
    }

    /// Whether the next group of points is measured. Intervals are random: if each 16th group were
    /// measured, then of a loop of two launches always the same one. The other would keep what its
    /// first run took, with a cold cache.
    [[nodiscard]] bool measures() { return --items_until_measured_ == 0; }
    void measured() {
        random_ = random_ * 6364136223846793005U + 1442695040888963407U;  // Knuth's MMIX
        items_until_measured_ =
            1 + static_cast<std::uint32_t>((random_ >> 32) % measure_interval_max);
    }

    /// As many of the points of a group as each would have if this worker and its part of the `idle`
    /// others shared them: the launches that were left in the queue have the other parts. All, if
    /// there are fewer than two others: one takes the half that it finds.
    [[nodiscard]] std::uint32_t share_of(std::uint32_t points, std::uint32_t idle) const {
        idle /= 1 + launches_left_;
        return idle < 2 ? points : (points + idle) / (idle + 1);
    }
    /// Whether `points` of `point_ticks` each (0: unknown) are split where others may want some.
    /// `is_wanted`: they are a whole group, or more than a share of it. Other parts of a group are
    /// split later, and all later if the launching thread has more for others anyway.
    [[nodiscard]] bool is_long(std::uint32_t points, std::uint64_t point_ticks, bool is_wanted,
                               const SharingLimits& limits) const {
        if (points <= 1) return false;
        const std::uint64_t limit = has_launches_ ? 8 * limits.worth
                                    : is_wanted   ? limits.split
                                                  : 2 * limits.worth;
        return point_ticks == 0 || point_ticks * points > limit;
    }

    /// Has taken an item from the launches, or from a worker that rests, or (`from_busy_worker`)
    /// from one that runs something else. `left`: others that wait in the same queue; `idle`: other
    /// workers that are idle.
    void stole(std::uint64_t left, std::uint32_t idle, bool from_busy_worker) {
        has_slack_ = left != 0 || from_busy_worker;
        is_from_busy_worker_ = from_busy_worker;
        launches_left_ = from_busy_worker ? 0 : static_cast<std::uint32_t>(left);
        has_launches_ = launches_left_ != 0 && 2 * launches_left_ >= idle;
    }
    /// How many launches a thief takes at once where `waiting` wait in the queue of launches and the
    /// first takes `launch_ticks`: as many as are worth a steal together, but no more than its share
    /// if all `workers` shared them, and no more than `steals_max`. Those of unknown cost one by one.
    [[nodiscard]] static constexpr std::uint64_t steals(std::uint64_t waiting,
                                                        std::uint64_t launch_ticks,
                                                        std::uint64_t workers,
                                                        const SharingLimits& limits) {
        if (launch_ticks == 0) return 1;
        return std::max<std::uint64_t>(
            1, std::min({limits.worth / launch_ticks, waiting / workers, steals_max}));
    }
    static constexpr std::uint64_t steals_max =
        SharingLimits::of(1).worth;  // worth a steal at a line each
    /// Whether a launch of `launch_ticks` that becomes ready ends the rests of all workers.
    [[nodiscard]] static constexpr bool recalls(std::uint64_t launch_ticks,
                                                const SharingLimits& limits) {
        return launch_ticks >= limits.worth;
    }
    /// Others were faster. Items shorter than a few lines are gone before a thief has them.
    void missed(const SharingLimits& limits) {
        if (item_ticks_ != 0 && item_ticks_ < limits.there) credit_ -= signed_of(limits.line);
    }

    /// How long a worker that has found nothing pauses before it looks again.
    [[nodiscard]] std::uint32_t next_search_pauses() {
        const std::uint32_t pauses = search_pauses_;
        if (search_pauses_ < search_pauses_max) search_pauses_ *= 2;
        return pauses;
    }
    void found_work() { search_pauses_ = 1; }

    /// The worker is about to run points that take `item_ticks` in all (0: unknown). Returns whether
    /// that ends a time of rests: others should look at the work, too.
    [[nodiscard]] bool before_item(std::uint64_t item_ticks, const SharingLimits& limits) {
        const std::int64_t full = signed_of(limits.worth);
        item_ticks_ = item_ticks;
        if (item_ticks == 0 || item_ticks >= limits.worth)
            credit_ = full;
        else
            credit_ = std::min(full, credit_ + signed_of(item_ticks) - signed_of(price(limits)));
        if (credit_ != full || rest_ == 0) [[likely]]
            return false;
        rest_ = 0;
        return true;
    }
    [[nodiscard]] bool backing_off() const { return credit_ < 0; }
    /// The worker has rested, and its credit has not been full since.
    [[nodiscard]] bool is_resting() const { return rest_ != 0; }
    /// What the worker left when it went to rest is still there.
    void nobody_took_it() {
        if (launcher_helped_) has_slack_ = true;
    }

    /// How long the worker rests now, in ticks, given that it is backing off; 0 if it is needed:
    /// the launching thread is away, or launches work that outweighs its lines. `resters`: other
    /// workers that rest.
    [[nodiscard]] std::uint64_t next_wait(std::uint64_t now, const LauncherSeen& launcher,
                                          std::size_t resters, const SharingLimits& limits) {
        const bool is_away = (launcher.items - launcher_items_) * limits.away < now - asked_at_;
        const bool is_needed = !launcher.helps && (is_away || item_ticks_ >= 5 * limits.line);
        asked_at_ = now;
        launcher_items_ = launcher.items;
        launcher_helped_ = launcher.helps;
        credit_ = is_needed ? signed_of(limits.worth) : 0;
        if (is_needed)
            rest_ = 0;
        else
            rest_ =
                rest_ == 0 ? limits.worth : std::min(2 * rest_, 8 * limits.worth * (1 + resters));
        return rest_;
    }

  private:
    /// What sharing the item costs.
    [[nodiscard]] std::uint64_t price(const SharingLimits& limits) const {
        if (!has_slack_) return limits.worth;
        return is_from_busy_worker_ ? limits.there : limits.line;
    }
    [[nodiscard]] static constexpr std::int64_t signed_of(std::uint64_t ticks) {
        return static_cast<std::int64_t>(ticks);
    }

    std::uint32_t unpublished_launches_ = 0;
    std::uint64_t launches_since_help_ = 0;
    std::uint32_t items_until_measured_ = 1;
    std::uint64_t random_ = 0;
    std::uint64_t unpublished_ticks_ = 0;
    std::uint32_t search_pauses_ = 1;
    bool has_slack_ = false;  // others waited beside the item stolen last, or its worker is busy
    bool is_from_busy_worker_ = false;
    std::uint32_t launches_left_ = 0;  // as far as those were launches
    bool has_launches_ = false;        // halves of them are enough for all idle workers
    bool launcher_helped_ = false;
    std::int64_t credit_ = 0;
    std::uint64_t rest_ = 0;  // ticks
    std::uint64_t item_ticks_ = 0;
    std::uint64_t asked_at_ = 0;
    std::uint64_t launcher_items_ = 0;
};

}  // namespace refrain::graph
