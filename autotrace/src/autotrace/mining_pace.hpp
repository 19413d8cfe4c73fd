#pragma once

#include "base/assertion.hpp"
#include "refrain/autotrace.hpp"

#include <algorithm>
#include <cstdint>

namespace refrain::autotrace {

/// Decides when the finder rests: a program with irregular parts is never replayed as a whole, so
/// its history would be mined forever although everything worth tracing in it is known.
///
/// A round is history_tokens operations. After three rounds in a row that were searched and brought no
/// new candidate, mining rests for four rounds, then for twice as many after each further round
/// that brings nothing, sixteen at most: until one brings a candidate, or until more operations
/// than before stay outside of traces, since the program has entered another phase.
///
/// Threads:     launching thread; a function of the stream alone, as everything it is told is.
class MiningPace {
  public:
    static constexpr std::uint64_t fruitless_rounds_max = 3;
    static constexpr std::uint64_t rest_rounds_min = 4;
    static constexpr std::uint64_t rest_rounds_max = 16;

    /// Counts since the beginning of the stream.
    struct Counts {
        std::uint64_t candidates_taken = 0;
        std::uint64_t slices_searched = 0;  ///< in which tokens did repeat
        std::uint64_t uncovered = 0;        ///< operations handed on outside of traces
    };

    explicit MiningPace(const Options& options)
        : steps_per_round_(
              std::max<std::uint64_t>(1, options.history_tokens / options.multi_scale_factor)),
          uncovered_allowance_(options.multi_scale_factor) {}

    /// Whether to mine at this chance. Steps count from 1, without gaps.
    [[nodiscard]] bool wants(std::uint64_t step, const Counts& counts) {
        REFRAIN_ASSERT(step > 0, "steps must be counted from 1");
        const std::uint64_t round = (step - 1) / steps_per_round_;
        if (round != round_) begin_round(round, counts);
        if (round < resting_until_ &&
            counts.uncovered - at_begin_.uncovered > usually_uncovered_ + uncovered_allowance_) {
            fruitless_ = 0;
            rest_rounds_ = rest_rounds_min;
            resting_until_ = round;
        }
        return round >= resting_until_;
    }

  private:
    void begin_round(std::uint64_t round, const Counts& counts) {
        REFRAIN_ASSERT(round > round_, "a round begins again");
        REFRAIN_ASSERT(counts.slices_searched >= at_begin_.slices_searched,
                       "searched slices are taken back");
        if (round_ >= resting_until_) judge(round, counts);
        round_ = round;
        at_begin_ = counts;
    }

    void judge(std::uint64_t round, const Counts& counts) {
        const bool searched = counts.slices_searched != at_begin_.slices_searched;
        const bool found = counts.candidates_taken != at_begin_.candidates_taken;
        fruitless_ = searched && !found ? fruitless_ + 1 : 0;
        usually_uncovered_ = counts.uncovered - at_begin_.uncovered;
        if (found) rest_rounds_ = rest_rounds_min;
        if (fruitless_ < fruitless_rounds_max) return;
        resting_until_ = round + rest_rounds_;
        rest_rounds_ = std::min(2 * rest_rounds_, rest_rounds_max);
    }

    std::uint64_t steps_per_round_;
    std::uint64_t uncovered_allowance_;
    std::uint64_t round_ = 0;
    std::uint64_t resting_until_ = 0;
    std::uint64_t fruitless_ = 0;
    std::uint64_t rest_rounds_ = rest_rounds_min;
    std::uint64_t usually_uncovered_ = 0;
    Counts at_begin_;
};

}  // namespace refrain::autotrace
