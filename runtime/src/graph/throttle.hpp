#pragma once

#include "base/assertion.hpp"

#include <algorithm>
#include <cstdint>

namespace refrain::graph {

/// Makes a worker back off from items that are not worth stealing (steal_cost.hpp), so that the
/// launching thread runs them: alone it is faster than two threads that pass cache lines back and
/// forth.
///
/// After eight unprofitable items in a row the worker publishes what it holds and waits for 2 µs;
/// after each further unprofitable item it waits twice as long, up to 64 µs. It stops backing off
///
///   - when it has run an item that is profitable or whose cost is unknown;
///   - when the launching thread launches and runs fewer than one item per `min_profitable_ticks`:
///     that thread computes or sleeps, and the worker is needed.
///
/// A wait ends early only at shutdown. A long item that becomes ready meanwhile waits for the rest
/// of it, at most 64 µs, unless the launching thread takes the item.
///
///   all members    its worker only
class Throttle {
  public:
    static constexpr std::uint32_t unprofitable_items_max = 8;  // in a row
    static constexpr std::uint64_t wait_min_ns = 2'000;
    static constexpr std::uint64_t wait_max_ns = 64'000;

    /// The worker is about to run points of a launch that takes `launch_ticks` in all (0: unknown).
    void before_item(std::uint64_t launch_ticks, std::uint64_t min_profitable_ticks) {
        const bool is_profitable = launch_ticks == 0 || launch_ticks >= min_profitable_ticks;
        unprofitable_items_ = is_profitable ? 0 : unprofitable_items_ + 1;
        if (is_profitable) wait_ns_ = 0;
    }
    [[nodiscard]] bool backing_off() const { return unprofitable_items_ >= unprofitable_items_max; }

    /// How long the worker waits now, given that it is backing off; 0 if it is needed.
    /// `launcher_items`: launches plus items run by the launching thread so far. `now`: ticks.
    [[nodiscard]] std::uint64_t next_wait_ns(std::uint64_t now, std::uint64_t launcher_items,
                                             std::uint64_t min_profitable_ticks) {
        const bool launcher_is_busy =
            (launcher_items - launcher_items_) * min_profitable_ticks >= now - asked_at_;
        asked_at_ = now;
        launcher_items_ = launcher_items;
        if (!launcher_is_busy) {
            unprofitable_items_ = 0;
            wait_ns_ = 0;
            return 0;
        }
        wait_ns_ = wait_ns_ == 0 ? wait_min_ns : std::min(2 * wait_ns_, wait_max_ns);
        return wait_ns_;
    }

  private:
    std::uint32_t unprofitable_items_ = 0;  // in a row
    std::uint64_t wait_ns_ = 0;
    std::uint64_t asked_at_ = 0;  // ticks
    std::uint64_t launcher_items_ = 0;
};

}  // namespace refrain::graph
