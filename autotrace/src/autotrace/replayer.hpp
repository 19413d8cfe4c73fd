#pragma once

#include "autotrace/candidates.hpp"
#include "autotrace/held_operations.hpp"
#include "autotrace/plan.hpp"
#include "refrain/autotrace.hpp"

#include <cstdint>

namespace refrain::autotrace {

/// Decides which operations are handed on inside traces.
///
///       positions     base               match_begin              end
///       held            | ...[ planned )... |  match under way      |
///                         completed match     longest one; all others end it
///
/// For each token
///   1. the matches under way are advanced, those that cannot go on end;
///   2. each completed match is counted as a visit of its candidate and offered to the plan;
///   3. matches under way that could not beat what is planned in their place are given up;
///   4. what lies before the first match that is left is settled: planned matches that end there
///      are executed, the operations around them issued.
///
/// A match under way promises the score of the longest or the shortest candidate it may still
/// become, whichever is more. Held back is at most what one planned match and one match under way
/// span: two trace lengths.
///
/// R1  match_ is the longest match under way of operations that are held, given-up ones excepted;
///     its fallbacks are all the others. It goes on, or is the root.
/// R2  stream_ is the longest match of the stream since the last break, operations handed on
///     included: match_ is among its fallbacks. It serves counting visits.
/// R3  Between calls, unless a trace runs ahead, no planned match ends before match_ begins, and held.base() is the smaller of
///     where match_ and where the first planned match begins.
///
/// With hand_on_at_once, the longest match under way that may become a trace that was recorded is
/// not waited for: its trace begins, and operations are handed on while they match (Ahead). Where
/// they no longer do, the trace is left. Only what was not recorded yet is planned and held back.
///
/// R4  While a trace runs ahead nothing is held between calls, nothing is planned, and match_ is the
///     node of what was handed on in it.
///
/// Hot path: while a match goes on as expected and completes nothing, an operation costs two steps
///     of the automaton, one where both matches are the same. In a loop the stream completes a
///     candidate with every iteration; while nothing is planned that costs its visit. Guarded by
///     autotrace_launch_ns of tools/bench overhead.
///
/// Source: Yadav et al., ASPLOS 2025, Algorithm 1 and Section 4.3. There matches are pointers into
///     the trie that are advanced one by one, and completed matches are compared by score alone.
class Replayer {
  public:
    /// Of the candidates that end at one operation, so many of the longest are considered.
    static constexpr int completions_max = 16;

    Replayer(const Options& options, Candidates& candidates, HeldOperations& held,
             Statistics& statistics);

    /// A traceable operation was appended to history and pushed onto what is held.
    void advance(const Token& token) {
        CandidateTrie& trie = candidates_.trie();
        const NodeIndex before = match_;
        match_ = trie.step(before, token);
        stream_ = stream_ == before ? match_ : trie.step(stream_, token);
        if (ahead_.trace != 0) return go_on_ahead();
        if (hand_on_at_once_ && may_run_ahead()) return run_ahead();
        if (trie.output(stream_) != CandidateTrie::root) {
            visit_completed();
            if (!plan_.empty() || trie.output(match_) != CandidateTrie::root) return decide();
        }
        if (trie.depth(match_) == trie.depth(before) + 1 && may_wait(before)) return;
        if (match_ == CandidateTrie::root && plan_.empty()) return issue_until(held_.end());
        decide();
    }

    /// Where a trace that runs ahead goes on with this token; the root if none does, or if this is
    /// its last operation.
    [[nodiscard]] NodeIndex next_ahead(const Token& token) const {
        if (ahead_.trace == 0) return CandidateTrie::root;
        const CandidateTrie& trie = candidates_.trie();
        const NodeIndex next = trie.expected(match_, token);
        const bool goes_on = next != CandidateTrie::root && trie.goes_on(next) &&
                             trie.longest_below(next) == ahead_.candidate;
        return goes_on ? next : CandidateTrie::root;
    }
    /// Instead of `advance`: the operation, which was not pushed onto what is held, is handed on.
    void hand_on_ahead(NodeIndex next, const Token& token, OperationHandle operation);

    /// Nothing can match: no candidate is known and nothing is held.
    [[nodiscard]] bool is_idle() const {
        return candidates_.trie().empty() && held_.empty() && ahead_.trace == 0;
    }
    /// While idle, a traceable operation was handed on without being looked at.
    void passed(Position end) { uncovered_end_ = end; }

    /// A trace that runs ahead is left.
    void interrupt() {
        if (ahead_.trace != 0) flush();
    }
    /// Everything held is handed on now, planned matches as traces; no match survives.
    void flush();

    /// The automaton was changed: finds the matches under way again, of tokens from `begin` on,
    /// where the longest one began before the change.
    void restart(const History& history, Position begin);

    [[nodiscard]] Position match_begin() const {
        return held_.end() - candidates_.trie().depth(match_);
    }

    /// Behind the newest operation that was handed on outside of traces, or in one shorter than
    /// loop_length: what was handed on since needs no further candidates.
    [[nodiscard]] Position uncovered_end() const { return uncovered_end_; }

    [[nodiscard]] const Plan& plan() const { return plan_; }

  private:
    /// A match that went on by one token to no other end decides nothing new.
    [[nodiscard]] bool may_wait(NodeIndex before) const {
        const CandidateTrie& trie = candidates_.trie();
        if (!trie.goes_on(match_)) return false;
        if (plan_.empty()) return true;
        return trie.longest_below(match_) == trie.longest_below(before) &&
               trie.shortest_below(match_) == trie.shortest_below(before);
    }

    /// The execution that is under way while its operations are launched.
    struct Ahead {
        TraceId trace = 0;  ///< 0: none
        CandidateIndex candidate = no_candidate;
        Position begin = 0;
    };

    /// Whether what is held is the beginning of a trace that was recorded. Sure enough is what
    /// begins where a complete execution ended, and else a match of trace_length_min operations.
    [[nodiscard]] bool may_run_ahead() const {
        const CandidateTrie& trie = candidates_.trie();
        if (match_ == CandidateTrie::root || !trie.goes_on(match_) || !plan_.empty()) return false;
        if (match_begin() != held_.base()) return false;
        if (trie.depth(match_) < trace_length_min_ && held_.base() != last_end_) return false;
        return candidates_.recorded_trace(trie.longest_below(match_)) != 0;
    }
    void run_ahead();
    void go_on_ahead();
    void issue_ahead();
    void leave_ahead();

    void visit_completed();
    void decide();
    void plan_completed();
    void give_up_matches();
    [[nodiscard]] bool is_hopeful(NodeIndex node) const;
    [[nodiscard]] Score promise(CandidateIndex candidate, Position begin) const;
    void settle_until(Position position);
    void execute_first_planned();
    void issue_until(Position position);
    void count_execution(bool first, std::uint64_t length);
    void count_replay();
    void note_held_back(Position begin, Position end);

    Candidates& candidates_;
    HeldOperations& held_;
    Statistics& statistics_;
    std::size_t loop_length_;
    std::size_t trace_length_min_;
    bool hand_on_at_once_;
    Plan plan_;
    Ahead ahead_;
    Position last_end_ = ~Position{0};  ///< of the last complete execution
    NodeIndex match_ = CandidateTrie::root;
    NodeIndex stream_ = CandidateTrie::root;
    Position uncovered_end_ = 0;
};

}  // namespace refrain::autotrace
