#pragma once

#include <cstdint>
#include <utility>

namespace refrain::autotrace::detail {

/// Decides when operations are skipped instead of searched for, so that a program without repeats
/// does not pay for a search at each operation.
///
/// A round is 1024 operations. A round is *fruitless* if fewer than one in eight of its operations
/// had a context that had occurred before. After `patience` operations in fruitless rounds, only
/// one in 16 rounds is searched, until a round is not fruitless:
///
///     no repeats:  |--------- 65,536 searched ----------|-- 15,360 skipped --|- 1024 -|-- ...
///
/// A loop that begins during a backoff is found up to 16 times later than otherwise. Earlier, after
/// four fruitless rounds, the caller only *samples*: it searches for one operation in eight.
///
/// Threads:  one; a function of the stream alone.
class Backoff {
  public:
    static constexpr std::uint64_t round = 1024;
    static constexpr std::uint64_t rounds_skipped = 15;
    static constexpr std::uint64_t rounds_before_sampling = 4;
    static constexpr std::uint32_t context_min = 5;  // a shorter context is no repeat
    static constexpr std::uint64_t operations_per_repeat_max = 8;

    explicit Backoff(std::uint64_t patience) : patience_(patience) {}

    /// An operation was searched for; its context, itself included, that had occurred before has
    /// this length.
    void record(std::uint32_t context) {
        if (context >= context_min) ++repeats_;
        if (++seen_ == round) [[unlikely]]
            end_round();
    }
    /// Whether to search for only one operation in eight: a loop is then found at most eight
    /// operations late.
    [[nodiscard]] bool is_sampling() const { return fruitless_ >= rounds_before_sampling * round; }
    /// Operations in fruitless rounds up to now, and in the present one if it is so far.
    [[nodiscard]] std::uint64_t fruitless() const {
        const bool is_fruitful = seen_ != 0 && repeats_ * operations_per_repeat_max >= seen_;
        return is_fruitful ? 0 : fruitless_ + seen_;
    }
    /// Whether operations should be skipped from now on.
    [[nodiscard]] bool is_due() const { return to_skip_ != 0; }
    /// The number of operations to skip; is_due() is false afterwards.
    std::uint64_t start() { return std::exchange(to_skip_, 0); }

  private:
    void end_round() {
        fruitless_ = repeats_ * operations_per_repeat_max < round ? fruitless_ + round : 0;
        if (fruitless_ >= patience_) to_skip_ = round * rounds_skipped;
        seen_ = repeats_ = 0;
    }

    std::uint64_t patience_;
    std::uint64_t seen_ = 0;     // in this round
    std::uint64_t repeats_ = 0;  // in this round
    std::uint64_t fruitless_ = 0;
    std::uint64_t to_skip_ = 0;
};

}  // namespace refrain::autotrace::detail
