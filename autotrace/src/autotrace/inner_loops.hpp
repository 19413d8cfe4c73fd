#pragma once

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
/// An outer loop that ends because its inner loop goes on says nothing: of a loop that was folded, only the operations
/// of a few turns have positions, and those of more turns each time, until the outer loop lasts.
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

    [[nodiscard]] bool are_preferred() const { return left_ != 0; }
    /// One was folded since they are preferred.
    void found() {
        --left_;
        is_found_ = true;
        ignore_ = 0;
    }
    /// A match has lasted for more than a context, or an outer loop for a turn, and none was folded.
    /// Nothing changes unless they are preferred.
    void missed() {
        if (left_ == 0 || std::exchange(is_found_, false)) return;
        left_ = 0;
        turns_ = turns_min;
        ignore_ = std::min(2 * ignore_ + 1, turns_max);
        ignored_ = 0;
    }
    /// The outer loop, folded, ended within its first turn.
    void outer_ended() {
        if (ignored_ < ignore_) {
            ++ignored_;
            return;
        }
        left_ = turns_;
        turns_ = std::min(2 * turns_, turns_max);
        is_found_ = false;
    }
    /// It lasted for a turn.
    void outer_lasted() {
        left_ = 0;
        turns_ = turns_min;
    }

  private:
    std::uint64_t left_ = 0;  // inner loops to fold
    std::uint64_t turns_ = turns_min;
    std::uint64_t ignore_ = 0;   // so many ends of outer loops,
    std::uint64_t ignored_ = 0;  // of these
    bool is_found_ = false;      // one was folded since the latest was missed
};

}  // namespace refrain::autotrace::detail
