#pragma once

#include "autotrace/history.hpp"
#include "refrain/autotrace.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace refrain::autotrace {

/// In units of 1/1024; an integer, so that sums do not depend on the order of addition.
using Score = std::int64_t;
inline constexpr double score_one = 1024;
inline constexpr double score_max = 1e15;

/// The visits of a candidate, on which its score depends.
struct Visits {
    double count = 0;       ///< decayed, as of `last`
    Position last = 0;      ///< where the last counted visit ended
    double in_a_row = 0;    ///< decayed number of visits that began where the previous one ended
    bool replayed = false;  ///< executed before
};

/// The value of a trace: its length times its recent visits.
///
///     score = length * min(count, visits_max)
///             * replay_bonus                          if executed before
///             * clamp(in_a_row, 1, back_to_back_max)
///
/// A visit counts if it ends at least one trace length after the last counted one: ABCABC is
/// visited once per six operations, not at every repetition of ABC. Per trace length, the counts
/// decay by visit_decay. The cap lets new traces beat old ones; the bonus keeps equal traces from
/// alternating; the last factor prefers the body of a loop to one and a half bodies.
///
/// Source:  Yadav et al., ASPLOS 2025, Section 4.3; the last factor is that of Legion.
class ScoreRule {
  public:
    explicit ScoreRule(const Options& options)
        : visits_max_(options.visits_max),
          decay_(options.visit_decay),
          bonus_(options.replay_bonus),
          back_to_back_max_(options.back_to_back_max) {}

    void visit(Visits& visits, std::size_t length, Position end) const {
        if (!counts(visits, length, end)) return;
        visits.count = count_at(visits, length, end);
        visits.in_a_row *= power(decay_, (end - visits.last) / length);
        if (end == visits.last + length) visits.in_a_row += 1;
        visits.last = end;
    }

    /// The score of an occurrence that ends at `end`, which may be in the future.
    [[nodiscard]] Score score(const Visits& visits, std::size_t length, Position end) const {
        const double count =
            counts(visits, length, end) ? count_at(visits, length, end) : visits.count;
        const double score = static_cast<double>(length) * std::min(count, visits_max_) *
                             (visits.replayed ? bonus_ : 1) *
                             std::clamp(visits.in_a_row, 1.0, back_to_back_max_);
        return static_cast<Score>(std::min(score * score_one, score_max));
    }

  private:
    static bool counts(const Visits& visits, std::size_t length, Position end) {
        return end >= visits.last + length;
    }

    [[nodiscard]] double count_at(const Visits& visits, std::size_t length, Position end) const {
        return visits.count * power(decay_, (end - visits.last) / length) + 1;
    }

    /// Uses multiplications only, so that the result is the same on every machine.
    static double power(double base, std::uint64_t exponent) {
        double result = 1;
        for (; exponent != 0; exponent >>= 1, base *= base) {
            if ((exponent & 1) != 0) result *= base;
        }
        return result;
    }

    double visits_max_;
    double decay_;
    double bonus_;
    double back_to_back_max_;
};

}  // namespace refrain::autotrace
