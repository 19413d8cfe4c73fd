#pragma once

#include "autotrace/candidate_trie.hpp"
#include "autotrace/found_repeat.hpp"
#include "autotrace/history.hpp"
#include "autotrace/plan.hpp"
#include "autotrace/score.hpp"
#include "base/hash.hpp"
#include "refrain/autotrace.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace refrain::autotrace {

/// The repeats that may become traces: the visits of each, and the automaton that matches them.
///
/// C1  Candidates have distinct keys, so the rotations of one loop, which every slice finds again,
///     are one candidate.
/// C2  bytes() never exceeds candidate_bytes_max: before it would, the candidates matched least
///     recently are evicted until a quarter is free, and the automaton is rebuilt.
/// C3  A candidate that is planned or executing is not evicted.
class Candidates {
  public:
    Candidates(const Options& options, TraceHost& host, Statistics& statistics);

    /// Adds the new ones of these repeats. Returns whether the automaton changed, which invalidates
    /// all nodes that the caller holds.
    bool adopt(std::span<const FoundRepeat> repeats, const History& history, const Plan& plan);

    [[nodiscard]] CandidateTrie& trie() { return trie_; }

    [[nodiscard]] std::uint32_t length(CandidateIndex candidate) const {
        return records_[candidate].length;
    }

    /// Records an occurrence that ends at `end`; see ScoreRule for which ones count.
    void visit(CandidateIndex candidate, Position end) {
        Record& record = records_[candidate];
        rule_.visit(record.visits, record.length, end);
    }

    /// The score of an occurrence that ends at `end`, which may be in the future.
    [[nodiscard]] Score score(CandidateIndex candidate, Position end) const {
        const Record& record = records_[candidate];
        return rule_.score(record.visits, record.length, end);
    }

    struct Execution {
        TraceId trace;
        bool first;
    };
    /// The trace to execute for a candidate; the first execution assigns its id.
    Execution execute(CandidateIndex candidate);
    /// Protects the candidate from eviction (C3); no_candidate ends that.
    void set_executing(CandidateIndex candidate) { executing_ = candidate; }
    /// The candidate's trace; none before its first execution.
    [[nodiscard]] TraceId recorded_trace(CandidateIndex candidate) const {
        return records_[candidate].trace;
    }

    [[nodiscard]] std::size_t bytes() const;

    /// Whether a candidate contains the token. Slow: copies the tokens of all candidates.
    [[nodiscard]] bool contains(const Token& token) const;

  private:
    struct Record {
        Visits visits;
        base::Hash128 key;
        TraceId trace;   ///< assigned at the first execution
        NodeIndex node;  ///< the last one
        std::uint32_t length;
        bool used;  ///< false: free for the next candidate
        bool after_break;
    };
    using Known = std::unordered_map<base::Hash128, CandidateIndex, base::Hash128Hash>;

    /// Memory per entry of the map: key and value, link, bucket.
    static constexpr std::size_t bytes_per_known = sizeof(Known::value_type) + 3 * sizeof(void*);

    bool add(const FoundRepeat& repeat, const History& history, const Plan& plan);
    [[nodiscard]] bool is_wanted(const FoundRepeat& repeat) const;
    [[nodiscard]] std::size_t bytes_with(std::size_t length) const;
    bool make_room(std::size_t length, const Plan& plan);
    [[nodiscard]] bool is_needed(CandidateIndex candidate, const Plan& plan) const {  // C3
        return candidate == executing_ || plan.contains(candidate);
    }
    void evict(CandidateIndex candidate);
    void rebuild();
    CandidateIndex free_record();
    void publish();

    ScoreRule rule_;
    CandidateTrie trie_;
    std::vector<Record> records_;
    std::vector<CandidateIndex> free_;
    Known known_;
    std::size_t bytes_max_;
    CandidateIndex executing_ = no_candidate;
    std::uint64_t traces_ = 0;  // ids assigned
    TraceHost& host_;
    Statistics& statistics_;
};

}  // namespace refrain::autotrace
