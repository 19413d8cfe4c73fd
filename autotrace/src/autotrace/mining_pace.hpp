#pragma once

#include "base/assertion.hpp"
#include "refrain/autotrace.hpp"

#include <algorithm>
#include <cstdint>

namespace refrain::autotrace {

/// Decides when mining pauses. Without pauses, the history of a program with irregular parts, which
/// are never replayed, would be mined forever although everything worth tracing is known.
///
/// A round is history_tokens operations. A round is fruitless if slices were searched in it but no
/// new candidate was found. After three fruitless rounds in succession mining pauses for four
/// rounds, and after each further fruitless round for twice as many, at most sixteen. A pause ends
/// early when more operations than before are outside of traces: then the program has entered
/// another phase. A new candidate resets the length of the pause.
///
/// Threads:     launching thread; a function of the stream alone, like its inputs.
class MiningPace {
  public:
    static constexpr std::uint64_t fruitless_rounds_max = 3;
    static constexpr std::uint64_t pause_rounds_min = 4;
    static constexpr std::uint64_t pause_rounds_max = 16;

    /// Counts since the beginning of the stream.
    struct Counts {
        std::uint64_t candidates_taken = 0;
        std::uint64_t slices_searched = 0;  ///< slices that the filter did not exclude
        std::uint64_t uncovered = 0;        ///< operations issued outside of traces
    };

    explicit MiningPace(const Options& options)
        : steps_per_round_(
              std::max<std::uint64_t>(1, options.history_tokens / options.multi_scale_factor)),
          uncovered_allowance_(options.multi_scale_factor) {}

    /// Whether to mine at this step. Steps count from 1, without gaps.
    [[nodiscard]] bool should_mine(std::uint64_t step, const Counts& counts) {
        REFRAIN_ASSERT(step > 0, "steps must count from 1");
        const std::uint64_t round = (step - 1) / steps_per_round_;
        if (round != round_) begin_round(round, counts);
        if (round < paused_until_ &&
            counts.uncovered - at_begin_.uncovered > usual_uncovered_ + uncovered_allowance_) {
            fruitless_ = 0;
            pause_rounds_ = pause_rounds_min;
            paused_until_ = round;
        }
        return round >= paused_until_;
    }

  private:
    void begin_round(std::uint64_t round, const Counts& counts) {
        REFRAIN_ASSERT(round > round_, "a round begins again");
        REFRAIN_ASSERT(counts.slices_searched >= at_begin_.slices_searched,
                       "the count of searched slices decreased");
        if (round_ >= paused_until_) judge(round, counts);
        round_ = round;
        at_begin_ = counts;
    }

    void judge(std::uint64_t round, const Counts& counts) {
        const bool searched = counts.slices_searched != at_begin_.slices_searched;
        const bool found = counts.candidates_taken != at_begin_.candidates_taken;
        fruitless_ = searched && !found ? fruitless_ + 1 : 0;
        usual_uncovered_ = counts.uncovered - at_begin_.uncovered;
        if (found) pause_rounds_ = pause_rounds_min;
        if (fruitless_ < fruitless_rounds_max) return;
        paused_until_ = round + pause_rounds_;
        pause_rounds_ = std::min(2 * pause_rounds_, pause_rounds_max);
    }

    std::uint64_t steps_per_round_;
    std::uint64_t uncovered_allowance_;
    std::uint64_t round_ = 0;
    std::uint64_t paused_until_ = 0;
    std::uint64_t fruitless_ = 0;
    std::uint64_t pause_rounds_ = pause_rounds_min;
    std::uint64_t usual_uncovered_ = 0;
    Counts at_begin_;
};

}  // namespace refrain::autotrace
