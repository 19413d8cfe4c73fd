#pragma once

#include "autotrace/candidate_trie.hpp"
#include "autotrace/history.hpp"
#include "autotrace/score.hpp"
#include "base/assertion.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace refrain::autotrace {

/// A completed match: the operations [begin, end) equal a candidate.
struct PlannedMatch {
    Position begin;
    Position end;
    CandidateIndex candidate;
    Score score;
};

/// The completed matches of held operations that will be executed as traces: disjoint, ascending.
///
///     held         |..[ first )...[ second )[ third )....|
///     new match                       [ fourth           )   replaces second and third, or is
///     dropped
///
/// A new match ends at the newest operation, so it overlaps the last few planned matches. It
/// replaces them
///   - if it covers all of them and has a larger score than each: no covered operation is lost, and
///     one long trace is better than several short ones;
///   - if it cuts into the first of them and has a larger score than their sum.
///
/// P1  peaks_ has, ascending, the planned matches with a larger score than all after them: the
///     largest score from i on is that of the first peak at or after i.
/// P2  score_sums_[i] is the sum of the scores before the i-th.
///
/// Entries before front_ were executed; they are erased once they are at least half of all.
///
/// Complexity:  O(log n) per query, amortised O(log n) per new match.
class Plan {
  public:
    [[nodiscard]] bool empty() const { return front_ == matches_.size(); }
    [[nodiscard]] const PlannedMatch& front() const { return matches_[front_]; }
    [[nodiscard]] Position end() const { return empty() ? 0 : matches_.back().end; }

    /// Whether a match with this score, from `begin` to the newest operation or later, would
    /// replace the planned matches that it overlaps.
    [[nodiscard]] bool is_beaten_by(Position begin, Score score) const {
        const std::size_t first = first_overlapped(begin);
        if (first == matches_.size()) return true;
        if (matches_[first].begin >= begin) return score > largest_score_from(first);
        return score > total_ - score_sums_[first];
    }

    /// Plans the match if it beats what it overlaps.
    void consider(const PlannedMatch& match) {
        REFRAIN_ASSERT(match.begin < match.end, "a match has no operations");
        if (!is_beaten_by(match.begin, match.score)) return;
        drop_from(first_overlapped(match.begin));
        REFRAIN_ASSERT(end() <= match.begin, "planned matches overlap");
        while (!peaks_.empty() && matches_[peaks_.back()].score <= match.score) peaks_.pop_back();
        peaks_.push_back(matches_.size());
        score_sums_.push_back(total_);
        matches_.push_back(match);
        total_ += match.score;
    }

    void pop_front() {
        REFRAIN_ASSERT(!empty(), "a match is taken out of an empty plan");
        ++front_;
        if (2 * front_ >= matches_.size()) forget_replayed();
    }

    void clear() {
        matches_.clear();
        score_sums_.clear();
        peaks_.clear();
        front_ = 0;
        total_ = 0;
    }

    [[nodiscard]] bool contains(CandidateIndex candidate) const {
        return std::any_of(matches_.begin() + static_cast<std::ptrdiff_t>(front_), matches_.end(),
                           [&](const PlannedMatch& match) { return match.candidate == candidate; });
    }

    void reserve(std::size_t count) {
        matches_.reserve(count);
        score_sums_.reserve(count);
        peaks_.reserve(count);
    }

  private:
    void forget_replayed() {
        const auto count = static_cast<std::ptrdiff_t>(front_);
        const Score replayed = empty() ? total_ : score_sums_[front_];
        matches_.erase(matches_.begin(), matches_.begin() + count);
        score_sums_.erase(score_sums_.begin(), score_sums_.begin() + count);
        for (Score& sum : score_sums_) sum -= replayed;
        total_ -= replayed;
        peaks_.erase(peaks_.begin(), std::lower_bound(peaks_.begin(), peaks_.end(), front_));
        for (std::size_t& peak : peaks_) peak -= front_;
        front_ = 0;
    }

    [[nodiscard]] std::size_t first_overlapped(Position begin) const {
        const auto from = matches_.begin() + static_cast<std::ptrdiff_t>(front_);
        const auto found = std::partition_point(
            from, matches_.end(), [&](const PlannedMatch& match) { return match.end <= begin; });
        return static_cast<std::size_t>(found - matches_.begin());
    }

    [[nodiscard]] Score largest_score_from(std::size_t first) const {
        const auto peak = std::lower_bound(peaks_.begin(), peaks_.end(), first);  // P1
        REFRAIN_ASSERT(peak != peaks_.end(), "the last planned match is a peak");
        return matches_[*peak].score;
    }

    void drop_from(std::size_t first) {
        if (first == matches_.size()) return;
        total_ = score_sums_[first];  // P2
        matches_.resize(first);
        score_sums_.resize(first);
        while (!peaks_.empty() && peaks_.back() >= first) peaks_.pop_back();
        // Matches that dropped peaks had hidden stay hidden: the new match has a larger score.
    }

    std::vector<PlannedMatch> matches_;
    std::vector<Score> score_sums_;
    std::vector<std::size_t> peaks_;
    std::size_t front_ = 0;
    Score total_ = 0;
};

}  // namespace refrain::autotrace
