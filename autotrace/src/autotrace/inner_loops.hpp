#pragma once

#include "base/assertion.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace refrain::autotrace::detail {

/// Decides which loop to fold where one goes round inside of another, for longer than any context:
///
///     x x x ... x y   x x x ... x y   x x x ... x y       such a stream matches its past at two distances:
///     inner: 1 ago                    outer: a turn with its y ago
///
/// If the inner loop has as many turns each time, the outer loop never ends, so it is folded first. If it has other
/// numbers, the outer loop ends within its first turn, each time, and nothing that a host keeps for a folded loop is
/// used again. Then the inner loop is folded the next 64 times, and twice as often each time the outer one was tried
/// in vain.
///
/// Where the outer loop ends because its inner loop goes on, nothing is concluded: most turns of a folded inner loop have
/// no positions, so the outer one is remembered shorter than it was, and longer each time, until it lasts.
///
/// Streams without loops have outer loops that end, too. While an inner one is looked for, an outer one is folded only
/// once it has lasted for a turn. So if none is found twice in a row, none is looked for when an outer loop ends the
/// next time, then the next 3 times, 7 times and so on.
///
/// Threads:  one; a function of the stream alone.
class InnerLoops {
  public:
    static constexpr std::uint64_t turns_min = 64;
    static constexpr std::uint64_t turns_max = 65'536;

    [[nodiscard]] bool are_preferred() const { return to_fold_ != 0; }
    /// An inner loop is folded. Precondition: they are preferred.
    void found() {
        REFRAIN_ASSERT(to_fold_ != 0, "no inner loop was looked for");
        --to_fold_;
        is_found_ = true;
        ends_to_pass_ = 0;
    }
    /// A match has lasted for more than a context, or an outer loop for a turn, and none was folded.
    /// Nothing changes unless they are preferred.
    void missed() {
        if (to_fold_ == 0 || std::exchange(is_found_, false)) return;
        to_fold_ = 0;
        turns_ = turns_min;
        ends_to_pass_ = std::min(2 * ends_to_pass_ + 1, turns_max);
        ends_passed_ = 0;
    }
    /// The outer loop, folded, ended within its first turn.
    void outer_ended() {
        if (ends_passed_ < ends_to_pass_) {
            ++ends_passed_;
            return;
        }
        to_fold_ = turns_;
        turns_ = std::min(2 * turns_, turns_max);
        is_found_ = false;
    }
    /// It lasted for a turn.
    void outer_lasted() {
        to_fold_ = 0;
        turns_ = turns_min;
    }

  private:
    std::uint64_t to_fold_ = 0;  // inner loops to fold
    std::uint64_t turns_ = turns_min;
    std::uint64_t ends_to_pass_ = 0;  // outer loops that end before one is looked for
    std::uint64_t ends_passed_ = 0;   // how many of them have ended
    bool is_found_ = false;           // one was folded since the latest was missed
};

}  // namespace refrain::autotrace::detail
