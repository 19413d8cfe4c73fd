#pragma once

#include "graph/sharing_policy.hpp"

#include <algorithm>
#include <cstdint>

namespace refrain::graph {

/// Decides whether launches go into lanes (lanes.hpp): when so many in a row could, and until one
/// cannot. Lanes are opened and closed when nothing is in flight, which costs about a barrier: so the
/// number asked for doubles while phases end early. Shorter launches than `tiny` are faster on one
/// worker; of longer ones than 8 `worth`, stealing costs little. Once in lanes, half of `tiny` is
/// enough: costs that waver about the limit must not open and close them.
///
/// A state machine: events go in, decisions come out.
/// Threads: the launching thread.
class LanePolicy {
  public:
    static constexpr std::uint64_t in_a_row_min = 64;
    static constexpr std::uint64_t in_a_row_max = 4096;

    /// The next launch takes `launch_ticks`; 0: it cannot go into lanes, or its cost is not known.
    [[nodiscard]] bool wants(std::uint64_t launch_ticks, const SharingLimits& limits) {
        const bool is_in_lanes = in_a_row_ > asked_;
        if (launch_ticks < (is_in_lanes ? limits.tiny / 2 : limits.tiny) ||
            launch_ticks > 8 * limits.worth) {
            in_a_row_ = 0;
            return false;
        }
        return ++in_a_row_ > asked_;
    }
    /// The lanes were closed after so many launches; 0: because a worker kept others waiting.
    void left(std::uint64_t launches) {
        in_a_row_ = 0;
        asked_ = launches < 8 * asked_ ? std::min(2 * asked_, in_a_row_max) : in_a_row_min;
    }

  private:
    std::uint64_t in_a_row_ = 0;
    std::uint64_t asked_ = in_a_row_min;
};

}  // namespace refrain::graph
