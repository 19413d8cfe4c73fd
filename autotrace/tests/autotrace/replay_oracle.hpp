#pragma once

#include "autotrace/replayer.hpp"
#include "autotrace/score.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "recording_host.hpp"

namespace refrain::autotrace::testing {

/// The replayer in its plainest form: a set of partial matches, each compared with every candidate
/// at every operation. Only traceable operations, no eviction, no eager replay.
class ReplayOracle {
  public:
    explicit ReplayOracle(const Options& options) : rule_(options) {}

    std::vector<Event> events;

    /// Adds a candidate with these tokens and this number of visits.
    void add_candidate(std::vector<Token> tokens, double occurrences) {
        for (const Candidate& candidate : candidates_) {
            if (candidate.tokens == tokens) return;
        }
        Candidate candidate{std::move(tokens), {}, TraceId::none};
        candidate.visits.count = occurrences;
        candidate.visits.last = end();
        candidates_.push_back(candidate);
    }

    /// Call after adding candidates.
    void restart() {
        stream_begin_ = floor_;
        matches_.clear();
        for (Position begin = floor_; begin < end(); ++begin) matches_.insert(begin);
        keep_matches();
        give_up();
        settle(floor_);
    }

    void operation(const Token& token, OperationHandle handle) {
        stream_.push_back(token);
        handles_.push_back(handle);
        matches_.insert(end() - 1);
        keep_matches();
        complete();
        give_up();
        settle(floor_);
    }

    void flush() {
        matches_.clear();
        floor_ = end();
        settle(end());
        stream_begin_ = end();
    }

    /// The break after a flush takes a position.
    void append_break() {
        stream_.push_back({});
        handles_.push_back(0);
        base_ = floor_ = stream_begin_ = end();
    }

  private:
    struct Candidate {
        std::vector<Token> tokens;
        Visits visits;
        TraceId trace;
    };

    [[nodiscard]] Position end() const { return Position::at(stream_.size()); }

    /// Whether the stream from `begin` on is the first part of the candidate.
    [[nodiscard]] bool begins(const Candidate& candidate, Position begin) const {
        const std::size_t length = end() - begin;
        return length <= candidate.tokens.size() &&
               std::equal(stream_.begin() + static_cast<std::ptrdiff_t>(begin.value()),
                          stream_.end(), candidate.tokens.begin());
    }

    void keep_matches() {
        std::erase_if(matches_, [&](Position begin) {
            return std::none_of(candidates_.begin(), candidates_.end(),
                                [&](const Candidate& c) { return begins(c, begin); });
        });
    }

    /// Candidates that end the stream and begin at `first` or later, the longest first.
    std::vector<std::size_t> completed(Position first) {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            const std::size_t length = candidates_[i].tokens.size();
            if (end() >= first + length && begins(candidates_[i], end() - length)) {
                found.push_back(i);
            }
        }
        std::sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) {
            return candidates_[a].tokens.size() > candidates_[b].tokens.size();
        });
        if (found.size() > Replayer::completions_max) found.resize(Replayer::completions_max);
        return found;
    }

    void complete() {
        for (const std::size_t i : completed(stream_begin_)) {
            rule_.visit(candidates_[i].visits, candidates_[i].tokens.size(), end());
        }
        for (const std::size_t i : completed(floor_)) {
            const Candidate& candidate = candidates_[i];
            const std::size_t length = candidate.tokens.size();
            const Score score = rule_.score(candidate.visits, length, end());
            const Position begin = end() - length;
            if (!beats(begin, score)) continue;
            std::erase_if(plan_, [&](const PlannedMatch& planned) { return planned.end > begin; });
            plan_.push_back({begin, end(), static_cast<CandidateIndex>(i), score});
        }
    }

    [[nodiscard]] bool beats(Position begin, Score score) const {
        Score sum = 0;
        Score largest = -1;
        bool cut = false;
        for (const PlannedMatch& planned : plan_) {
            if (planned.end <= begin) continue;
            sum += planned.score;
            largest = std::max(largest, planned.score);
            cut |= planned.begin < begin;
        }
        return score > (cut ? sum : largest);
    }

    [[nodiscard]] bool may_beat_plan(Position begin) const {
        const Candidate* longest = nullptr;
        const Candidate* shortest = nullptr;
        for (const Candidate& candidate : candidates_) {
            const std::size_t length = candidate.tokens.size();
            if (length == end() - begin || !begins(candidate, begin)) continue;
            if (longest == nullptr || length > longest->tokens.size()) longest = &candidate;
            if (shortest == nullptr || length < shortest->tokens.size()) shortest = &candidate;
        }
        if (longest == nullptr) return false;
        const auto potential_score = [&](const Candidate& candidate) {
            const std::size_t length = candidate.tokens.size();
            return rule_.score(candidate.visits, length, begin + length);
        };
        const bool overlaps = !plan_.empty() && plan_.back().end > begin;
        return !overlaps ||
               beats(begin, std::max(potential_score(*longest), potential_score(*shortest)));
    }

    void give_up() {
        while (!matches_.empty() && !may_beat_plan(*matches_.begin())) {
            matches_.erase(matches_.begin());
        }
        floor_ = matches_.empty() ? end() : *matches_.begin();
    }

    void settle(Position position) {
        while (!plan_.empty() && plan_.front().end <= position) {
            const PlannedMatch match = plan_.front();
            plan_.erase(plan_.begin());
            issue_until(match.begin);
            Candidate& candidate = candidates_[match.candidate];
            if (candidate.trace == TraceId::none) candidate.trace = TraceId{++traces_};
            candidate.visits.replayed = true;
            events.push_back(
                {Event::Kind::begin, number_of(candidate.trace), candidate.tokens.size()});
            issue_until(match.end);
            events.push_back({Event::Kind::end, number_of(candidate.trace)});
        }
        issue_until(plan_.empty() ? position : std::min(position, plan_.front().begin));
    }

    void issue_until(Position position) {
        for (; base_ < position; ++base_)
            events.push_back({Event::Kind::issue, handles_[base_.value()]});
    }

    ScoreRule rule_;
    std::vector<Candidate> candidates_;
    std::vector<Token> stream_;
    std::vector<OperationHandle> handles_;
    std::set<Position> matches_;      ///< the beginnings of the partial matches
    std::vector<PlannedMatch> plan_;  ///< ascending
    Position base_ = 0;
    Position floor_ = 0;
    Position stream_begin_ = 0;
    std::uint64_t traces_ = 0;
};

}  // namespace refrain::autotrace::testing
