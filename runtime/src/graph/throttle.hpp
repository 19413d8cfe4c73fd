#pragma once

#include "base/assertion.hpp"

#include <algorithm>
#include <cstdint>

namespace refrain::graph {

/// Holds a worker back from work that is not worth taking over (hand_over.hpp), so that the
/// launching thread does it: alone it is faster than two that pass each other lines. After some
/// such items in a row the worker puts away what it has, where others may take it, and waits; after
/// one more such item it waits twice as long. It stops waiting
///
///   - once it has run something that is worth it, or whose cost is not known;
///   - once the launching thread launches and runs fewer things than one per `worth`: it computes
///     something itself, or sleeps, and these items are the worker's after all.
///
/// A single wait takes `wait_max_ns` at most, and nothing ends it but the end of all work: what is
/// long and comes in the meantime waits for so long, or for the launching thread to look for work.
///
///   all members    its worker only
class Throttle {
  public:
    static constexpr std::uint32_t patience = 8;  // items in a row
    static constexpr std::uint64_t wait_min_ns = 2'000;
    static constexpr std::uint64_t wait_max_ns = 64'000;

    /// The worker is about to run points of a launch that takes `cost` ticks in all (0: not known),
    /// while it takes `worth` to make up for a hand-over (0: anything does).
    void about_to_run(std::uint64_t cost, std::uint64_t worth) {
        const bool is_worth_it = cost == 0 || cost >= worth;
        in_a_row_ = is_worth_it ? 0 : in_a_row_ + 1;
        if (is_worth_it) wait_ns_ = 0;
    }
    [[nodiscard]] bool is_due() const { return in_a_row_ >= patience; }

    /// How long the worker is to wait now that it is due; 0 if it is needed. `launcher_did` counts
    /// what the launching thread has launched and run so far, `now` is in ticks.
    [[nodiscard]] std::uint64_t next_wait_ns(std::uint64_t now, std::uint64_t launcher_did,
                                             std::uint64_t worth) {
        REFRAIN_ASSERT(launcher_did >= launcher_did_,
                       "the launching thread takes back what it did");
        const bool launcher_works = (launcher_did - launcher_did_) * worth >= now - asked_;
        asked_ = now;
        launcher_did_ = launcher_did;
        if (!launcher_works) {
            in_a_row_ = 0;
            wait_ns_ = 0;
            return 0;
        }
        wait_ns_ = wait_ns_ == 0 ? wait_min_ns : std::min(2 * wait_ns_, wait_max_ns);
        return wait_ns_;
    }

  private:
    std::uint32_t in_a_row_ = 0;
    std::uint64_t wait_ns_ = 0;
    std::uint64_t asked_ = 0;  // ticks
    std::uint64_t launcher_did_ = 0;
};

}  // namespace refrain::graph
