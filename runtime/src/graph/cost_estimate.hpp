#pragma once

#include <algorithm>
#include <cstdint>

namespace refrain::graph {

/// The estimated cost of a point, in ticks, after some measurements.
///
///     CostEstimate()         .after(800)      800      the first measurement is taken as it is
///     800                    .after(900)      800      within a quarter: unchanged, so its line is
///                                                      not written
///     800                    .after(500)      650      else half-way
///     800                    .after(5'000)    1'600    and at most doubled,
///     800                    .after(90'000)   90'000   unless it is far above: believed at once,
///                                                      in doubt: the next measurement decides
///     90'000, in doubt       .after(80'000)   90'000   the task has grown
///     90'000, in doubt       .after(820)      800      it was an interrupt
///
/// The estimate must fall as fast as it rises: a task's first run has a cold cache. A task that has
/// grown from nanoseconds to milliseconds must not run serially until eight doublings have found
/// out; an interrupt costs one measurement.
class CostEstimate {
  public:
    static constexpr std::uint64_t surprise_factor = 8;  // far above: more than so many times

    constexpr CostEstimate() = default;
    /// One that is not in doubt.
    constexpr explicit CostEstimate(std::uint32_t ticks) : ticks_(ticks) {}

    /// 0: unknown.
    [[nodiscard]] constexpr std::uint32_t ticks() const { return ticks_; }
    /// The last measurement was far above all before. Measure again soon.
    [[nodiscard]] constexpr bool is_in_doubt() const { return before_ != 0; }

    /// Known and not in doubt.
    [[nodiscard]] constexpr bool is_settled() const { return ticks_ != 0 && before_ == 0; }

    /// The estimate after one more measurement.
    [[nodiscard]] constexpr CostEstimate after(std::uint64_t measured_ticks) const {
        const auto seen = static_cast<std::uint32_t>(
            std::clamp<std::uint64_t>(measured_ticks, 1, std::uint64_t{1} << 31));
        if (ticks_ == 0) return CostEstimate(seen);
        if (is_in_doubt())
            return CostEstimate(is_surprise(before_, seen) ? ticks_ : before_).moved_to(seen);
        if (is_surprise(ticks_, seen)) return {seen, ticks_};
        return moved_to(seen);
    }

    /// Both halves in one word, for an atomic.
    [[nodiscard]] constexpr std::uint64_t word() const {
        return std::uint64_t{before_} << 32 | ticks_;
    }
    [[nodiscard]] static constexpr CostEstimate of_word(std::uint64_t word) {
        return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
    }

    friend constexpr bool operator==(const CostEstimate&, const CostEstimate&) = default;

  private:
    constexpr CostEstimate(std::uint32_t ticks, std::uint32_t before)
        : ticks_(ticks), before_(before) {}
    [[nodiscard]] static constexpr bool is_surprise(std::uint64_t known, std::uint64_t seen) {
        return seen > surprise_factor * known;
    }
    [[nodiscard]] constexpr CostEstimate moved_to(std::uint64_t seen) const {
        constexpr std::uint64_t ticks_max = std::uint64_t{1} << 31;
        const std::uint64_t old = ticks_;
        if (std::max(seen, old) - std::min(seen, old) <= old / 4) return *this;
        return CostEstimate(
            static_cast<std::uint32_t>(std::min({(old + seen) / 2, 2 * old, ticks_max})));
    }

    std::uint32_t ticks_ = 0;
    std::uint32_t before_ = 0;  // the estimate before the measurement that is doubted; 0: none
};

}  // namespace refrain::graph
