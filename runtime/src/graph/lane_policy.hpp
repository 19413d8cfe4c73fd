#pragma once

#include "graph/sharing_policy.hpp"

#include <cstdint>

namespace refrain::graph {

/// Decides whether launches go into lanes (lanes.hpp): when so many in a row could, and until one
/// cannot. Shorter launches than three lines are faster on one worker, or than two if no point waits for
/// another lane; of longer ones than 32 `worth`, stealing costs little. Once in lanes, half of the least is
/// enough: costs that waver about the limit must not open and close them.
///
/// Lanes are opened and closed when nothing is in flight, which costs about a barrier. So if a phase had
/// fewer launches in lanes than before them, or a worker in it kept the others waiting, the next must have
/// twice as many in a row; after any other phase, as few as at first. That number needs no upper limit: before
/// it doubles, as many launches have come, so a loop that goes on goes into lanes in the end. `bench_lanes`
/// has the curves.
///
/// A state machine: events go in, decisions come out.
/// Threads: the launching thread.
class LanePolicy {
  public:
    struct Limits {
        std::uint64_t least = 64;  // launches in a row that are asked for at first
    };

    LanePolicy() : LanePolicy(Limits()) {}
    explicit LanePolicy(Limits in_a_row) : limits_(in_a_row), asked_(in_a_row.least) {}

    /// What launches take at least, in ticks. `waits`: some of their points wait for other lanes.
    [[nodiscard]] static constexpr std::uint64_t shortest(bool waits, const SharingLimits& limits) {
        return (waits ? 3 : 2) * limits.line;
    }
    /// The next launch takes `launch_ticks`; 0: it cannot go into lanes, or its cost is not known. `waits`:
    /// some of its points wait for other lanes.
    [[nodiscard]] bool wants(std::uint64_t launch_ticks, bool waits, const SharingLimits& limits) {
        const bool is_in_lanes = in_a_row_ > asked_;
        const std::uint64_t least = shortest(waits, limits);
        if (launch_ticks == 0 || launch_ticks < (is_in_lanes ? least / 2 : least) ||
            launch_ticks > 32 * limits.worth) {
            in_a_row_ = 0;
            return false;
        }
        return ++in_a_row_ > asked_;
    }
    /// A launch came that `wants` is not asked about: it cannot go into lanes.
    void interrupted() { in_a_row_ = 0; }
    /// A worker keeps others waiting; the lanes are about to be closed. However long the phase was, the
    /// next must be twice as long in a row.
    void stalled() { has_stalled_ = true; }
    /// The lanes were closed after so many launches. Told once for each time that they were open.
    void left(std::uint64_t launches) {
        in_a_row_ = 0;
        const bool has_paid = launches >= asked_ && !has_stalled_;
        asked_ = has_paid ? limits_.least : 2 * asked_;
        has_stalled_ = false;
    }

  private:
    Limits limits_;
    std::uint64_t asked_;
    std::uint64_t in_a_row_ = 0;
    bool has_stalled_ = false;
};

}  // namespace refrain::graph
