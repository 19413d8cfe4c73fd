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

/// The repeats that may become traces: what was seen of each, and the automaton that finds them.
///
/// C1  A repeat is known by its key as long as it is a candidate, so that rotations of one loop,
///     found again in every slice, make one candidate.
/// C2  bytes() never exceeds candidate_bytes_max: before it would, the candidates matched least
///     recently are evicted until a quarter is free, and the automaton is built anew.
/// C3  A candidate that is planned to be replayed, or of which an execution is under way, is not
///     evicted.
class Candidates {
  public:
    Candidates(const Options& options, TraceHost& host, Statistics& statistics);

    /// Adds the repeats that are not known. Returns whether there were any; then nodes of the
    /// automaton that the caller holds are void.
    bool take_in(std::span<const FoundRepeat> repeats, const History& history, const Plan& plan);

    [[nodiscard]] CandidateTrie& trie() { return trie_; }

    [[nodiscard]] std::uint32_t length(CandidateIndex candidate) const {
        return records_[candidate].length;
    }

    /// An occurrence ends at `end`; counted if the last one lies far enough back.
    void visit(CandidateIndex candidate, Position end) {
        Record& record = records_[candidate];
        rule_.visit(record.visits, record.length, end);
    }

    /// The score of an occurrence that ends at `end`, now or later.
    [[nodiscard]] Score score(CandidateIndex candidate, Position end) const {
        const Record& record = records_[candidate];
        return rule_.score(record.visits, record.length, end);
    }

    /// The name of a candidate that is about to be executed; new for its first execution.
    struct Execution {
        TraceId trace;
        bool first;
    };
    Execution execute(CandidateIndex candidate);
    /// An execution of it is under way from now on; no_candidate: of none.
    void set_under_way(CandidateIndex candidate) { under_way_ = candidate; }
    /// The name it got at its first execution; 0 before that.
    [[nodiscard]] TraceId recorded_trace(CandidateIndex candidate) const {
        return records_[candidate].trace;
    }

    [[nodiscard]] std::size_t bytes() const;

    /// Whether some candidate contains the token. Spells all of them.
    [[nodiscard]] bool contain(const Token& token) const;

  private:
    struct Record {
        Visits visits;
        base::Hash128 key;
        TraceId trace;  ///< given at the first execution
        NodeIndex node;
        std::uint32_t length;
        bool used;  ///< or free for the next candidate
        bool after_break;
    };
    using Known = std::unordered_map<base::Hash128, CandidateIndex, base::Hash128Hash>;

    /// What the map of known keys takes for one: key and value, link, bucket.
    static constexpr std::size_t bytes_per_known = sizeof(Known::value_type) + 3 * sizeof(void*);

    bool add(const FoundRepeat& repeat, const History& history, const Plan& plan);
    [[nodiscard]] bool is_wanted(const FoundRepeat& repeat) const;
    [[nodiscard]] std::size_t bytes_with(std::size_t length) const;
    bool make_room(std::size_t length, const Plan& plan);
    [[nodiscard]] bool is_needed(CandidateIndex candidate, const Plan& plan) const {  // C3
        return candidate == under_way_ || plan.contains(candidate);
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
    CandidateIndex under_way_ = no_candidate;
    TraceId next_trace_ = 1;
    TraceHost& host_;
    Statistics& statistics_;
};

}  // namespace refrain::autotrace
