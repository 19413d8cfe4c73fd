#pragma once

#include <cstdint>
#include <utility>

namespace refrain::autotrace::detail {

/// Decides when operations are passed over without a look: a program in which nothing repeats should
/// not pay for looking at each of its operations.
///
/// When fewer than one in eight of as many operations as are remembered, or more, stood in a context
/// that had occurred before, one in 16 rounds is looked at, a round being 1024 operations, until
/// one of these says otherwise.
///
///     nothing repeats:  |--------- 65,536 looked at ---------|-- 15,360 passed over --|- 1024 -|-- ...
///
/// A loop that begins in such a time is seen 16 times as late as else. Before it comes to that, after
/// four such rounds, looks are to be seldom.
///
/// Threads:  one; a function of the stream alone.
class Resting {
  public:
    static constexpr std::uint64_t round = 1024;
    static constexpr std::uint64_t rounds_passed = 15;
    static constexpr std::uint64_t rounds_before_seldom = 4;
    static constexpr std::uint32_t context_min = 5;  // what counts as a repetition
    static constexpr std::uint64_t worth = 8;        // one in so many operations

    /// `patience`: operations that are looked at in vain before.
    explicit Resting(std::uint64_t patience) : patience_(patience) {}

    /// An operation was looked at, with so much of its context, itself included, seen before.
    void saw(std::uint32_t context) {
        if (context >= context_min) ++repeated_;
        if (++seen_ == round) [[unlikely]]
            end_round();
    }
    /// Whether little has repeated for some rounds: one look in eight will do, and finds a loop eight
    /// operations late at most.
    [[nodiscard]] bool looks_seldom() const { return in_vain_ >= rounds_before_seldom * round; }
    /// Whether a rest is due.
    [[nodiscard]] bool rests() const { return to_pass_ != 0; }
    /// It begins: how many operations are to be passed over.
    std::uint64_t rest() { return std::exchange(to_pass_, 0); }

  private:
    void end_round() {
        in_vain_ = repeated_ * worth < round ? in_vain_ + round : 0;
        if (in_vain_ >= patience_) to_pass_ = round * rounds_passed;
        seen_ = repeated_ = 0;
    }

    std::uint64_t patience_;
    std::uint64_t seen_ = 0;  // in this round
    std::uint64_t repeated_ = 0;
    std::uint64_t in_vain_ = 0;
    std::uint64_t to_pass_ = 0;
};

}  // namespace refrain::autotrace::detail
