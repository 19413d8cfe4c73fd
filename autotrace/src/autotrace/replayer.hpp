#pragma once

#include "autotrace/candidates.hpp"
#include "autotrace/held_operations.hpp"
#include "autotrace/plan.hpp"
#include "refrain/autotrace.hpp"

#include <cstdint>

namespace refrain::autotrace {

/// Decides which operations are issued inside traces.
///
///       positions     base               match_begin              end
///       held            | ...[ planned )... |  partial match        |
///                         completed match     the longest; all others are suffixes of it
///
/// A *partial match* is a suffix of the stream that is a proper prefix of a candidate. For each
/// token
///   1. the partial matches advance; those that no candidate continues end;
///   2. each completed match counts as a visit of its candidate and is offered to the plan;
///   3. partial matches that could not beat the plan are dropped;
///   4. everything before the first remaining partial match is issued: planned matches that end
///      there as traces, the other operations plainly.
///
/// The potential score of a partial match is that of the longest or of the shortest candidate it
/// may become, whichever is larger. At most one planned match and one partial match are held back:
/// two trace lengths.
///
/// R1  match_ is the longest partial match of held operations that was not dropped; its fallbacks
///     are all the others. It has children, or is the root.
/// R2  stream_ is the longest match of the stream since the last break, issued operations included;
///     match_ is among its fallbacks. It serves to count visits.
/// R3  Between calls, without an eager replay, no planned match ends before match_ begins, and
///     held.base() is the smaller of the beginnings of match_ and of the first planned match.
///
/// With hand_on_at_once, recorded traces are replayed *eagerly*: once the longest partial match may
/// become a recorded trace, the trace begins, and operations are issued as long as they match
/// (EagerReplay). At the first one that does not, the trace is left. Only traces that are not yet
/// recorded are planned and held back.
///
/// R4  During an eager replay nothing is held between calls, nothing is planned, and match_ is the
///     node of the operations issued in the trace.
///
/// Hot path: while a match advances as expected and completes nothing, an operation costs two steps
///     of the automaton, or one if match_ and stream_ are equal. In a loop the stream completes a
///     candidate in every iteration; while nothing is planned that costs only the visit. Guarded
///     by autotrace_launch_ns of tools/bench overhead.
///
/// Source: Yadav et al., ASPLOS 2025, Algorithm 1 and Section 4.3. There matches are pointers into
///     the trie that are advanced one by one, and completed matches are compared by score alone.
class Replayer {
  public:
    /// Of the candidates that end at one operation, at most this many are considered, longest
    /// first.
    static constexpr int completions_max = 16;

    Replayer(const Options& options, Candidates& candidates, HeldOperations& held,
             Statistics& statistics);

    /// Call after a traceable operation was appended to the history and pushed onto the held ones.
    void advance(const Token& token) {
        CandidateTrie& trie = candidates_.trie();
        const NodeIndex before = match_;
        match_ = trie.step(before, token);
        stream_ = stream_ == before ? match_ : trie.step(stream_, token);
        if (eager_.trace != TraceId::none) return continue_eager();
        if (hand_on_at_once_ && may_replay_eagerly()) return begin_eager();
        if (trie.output(stream_) != CandidateTrie::root) {
            visit_completed();
            if (!plan_.empty() || trie.output(match_) != CandidateTrie::root) return decide();
        }
        if (trie.depth(match_) == trie.depth(before) + 1 && can_defer(before)) return;
        if (match_ == CandidateTrie::root && plan_.empty()) return issue_until(held_.end());
        decide();
    }

    /// The next node of an eager replay if this token continues it; root otherwise, and for the
    /// last operation of the trace.
    [[nodiscard]] NodeIndex next_eager(const Token& token) const {
        if (eager_.trace == TraceId::none) return CandidateTrie::root;
        const CandidateTrie& trie = candidates_.trie();
        const NodeIndex next = trie.expected(match_, token);
        const bool can_continue = next != CandidateTrie::root && trie.has_children(next) &&
                                  trie.longest_below(next) == eager_.candidate;
        return can_continue ? next : CandidateTrie::root;
    }
    /// Instead of `advance`: issues an operation that was not pushed.
    void issue_eager(NodeIndex next, const Token& token, OperationHandle operation);

    /// Whether nothing can match: there is no candidate, and nothing is held.
    [[nodiscard]] bool is_idle() const {
        return candidates_.trie().empty() && held_.empty() && eager_.trace == TraceId::none;
    }
    /// Instead of `advance`, while idle: an operation was issued outside of traces.
    void note_untraced(Position end) { uncovered_end_ = end; }

    /// Leaves a trace that is replayed eagerly.
    void interrupt() {
        if (eager_.trace != TraceId::none) flush();
    }
    /// Issues all held operations, planned matches as traces; ends all matches.
    void flush();

    /// Call after the automaton changed: finds the partial matches again. `begin` is where the
    /// longest one began before the change.
    void restart(const History& history, Position begin);

    [[nodiscard]] Position match_begin() const {
        return held_.end() - candidates_.trie().depth(match_);
    }

    /// The position after the newest operation that was issued outside of traces or in a trace
    /// shorter than loop_length. Operations issued since need no further candidates.
    [[nodiscard]] Position uncovered_end() const { return uncovered_end_; }

    [[nodiscard]] const Plan& plan() const { return plan_; }

  private:
    /// Whether the decision stays the same: the match advanced by one token and may become the same
    /// candidates as before.
    [[nodiscard]] bool can_defer(NodeIndex before) const {
        const CandidateTrie& trie = candidates_.trie();
        if (!trie.has_children(match_)) return false;
        if (plan_.empty()) return true;
        return trie.longest_below(match_) == trie.longest_below(before) &&
               trie.shortest_below(match_) == trie.shortest_below(before);
    }

    /// An execution whose operations are issued as they are launched.
    struct EagerReplay {
        TraceId trace = TraceId::none;
        CandidateIndex candidate = no_candidate;
        Position begin = 0;
    };

    /// Whether the held operations are the beginning of a recorded trace, with enough evidence:
    /// they follow a complete execution directly, or are at least trace_length_min.
    [[nodiscard]] bool may_replay_eagerly() const {
        const CandidateTrie& trie = candidates_.trie();
        if (match_ == CandidateTrie::root || !trie.has_children(match_) || !plan_.empty())
            return false;
        if (match_begin() != held_.base()) return false;
        if (trie.depth(match_) < trace_length_min_ && held_.base() != last_end_) return false;
        return candidates_.recorded_trace(trie.longest_below(match_)) != TraceId::none;
    }
    void begin_eager();
    void continue_eager();
    void issue_held_eagerly();
    void leave_eager();

    void visit_completed();
    void decide();
    void plan_completed();
    void drop_hopeless_matches();
    [[nodiscard]] bool may_beat_plan(NodeIndex node) const;
    [[nodiscard]] Score potential_score(CandidateIndex candidate, Position begin) const;
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
    EagerReplay eager_;
    Position last_end_ = Position::greatest();  ///< the end of the last complete execution
    NodeIndex match_ = CandidateTrie::root;
    NodeIndex stream_ = CandidateTrie::root;
    Position uncovered_end_ = 0;
};

}  // namespace refrain::autotrace
