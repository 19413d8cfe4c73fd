#include "autotrace/replayer.hpp"

#include "base/assertion.hpp"

#include <algorithm>
#include <utility>

namespace refrain::autotrace {

Replayer::Replayer(const Options& options, Candidates& candidates, HeldOperations& held,
                   Statistics& statistics)
    : candidates_(candidates),
      held_(held),
      statistics_(statistics),
      loop_length_(options.loop_length),
      trace_length_min_(options.trace_length_min),
      hand_on_at_once_(options.hand_on_at_once) {
    plan_.reserve(2 * options.trace_length_max / options.trace_length_min + 2);
}

void Replayer::begin_eager() {
    REFRAIN_ASSERT(eager_.trace == TraceId::none, "a trace begins inside a trace");
    const CandidateIndex candidate = candidates_.trie().longest_below(match_);
    REFRAIN_ASSERT(candidate != no_candidate, "no candidate goes on with what matches");
    const Candidates::Execution execution = candidates_.execute(candidate);
    count_replay();
    held_.begin_trace(execution.trace, candidates_.length(candidate));
    eager_ = {.trace = execution.trace, .candidate = candidate, .begin = held_.base()};
    candidates_.set_executing(candidate);
    continue_eager();
}

void Replayer::continue_eager() {
    const CandidateTrie& trie = candidates_.trie();
    if (trie.output(stream_) != CandidateTrie::root) visit_completed();
    REFRAIN_ASSERT(eager_.trace != TraceId::none, "no trace has begun");
    const bool matches = trie.depth(match_) == held_.end() - eager_.begin;
    const bool is_whole = matches && trie.candidate_at(match_) == eager_.candidate;
    if (!is_whole && (!matches || !trie.has_children(match_) ||
                      trie.longest_below(match_) != eager_.candidate)) {
        leave_eager();
        while (trie.depth(match_) > held_.end() - held_.base()) match_ = trie.fallback(match_);
        return decide();
    }
    issue_held_eagerly();
    if (!is_whole) return;
    const TraceId trace = std::exchange(eager_.trace, TraceId::none);
    candidates_.set_executing(no_candidate);
    match_ = CandidateTrie::root;
    last_end_ = held_.end();
    ++statistics_.replays;
    if (last_end_ - eager_.begin < loop_length_) uncovered_end_ = last_end_;
    held_.end_trace(trace);
}

void Replayer::issue_eager(NodeIndex next, const Token& token, OperationHandle operation) {
    CandidateTrie& trie = candidates_.trie();
    const NodeIndex before = match_;
    match_ = next;
    stream_ = stream_ == before ? match_ : trie.step(stream_, token);
    ++statistics_.replayed;
    try {
        held_.issue_directly(operation);
    } catch (...) {
        leave_eager();
        match_ = CandidateTrie::root;
        throw;
    }
    if (trie.output(stream_) != CandidateTrie::root) visit_completed();
}

void Replayer::issue_held_eagerly() {
    statistics_.replayed += held_.end() - held_.base();
    note_held_back(held_.base(), held_.end());
    try {
        held_.issue_until(held_.end());
    } catch (...) {
        leave_eager();
        match_ = CandidateTrie::root;
        throw;
    }
}

/// Ends an eager replay early. The operations from here on count as uncovered: mining may find the
/// repeat that the program continues with.
void Replayer::leave_eager() {
    if (eager_.trace == TraceId::none) return;
    ++statistics_.traces_left;
    uncovered_end_ = held_.base();
    candidates_.set_executing(no_candidate);
    held_.leave_trace(std::exchange(eager_.trace, TraceId::none));
}

/// Precedes planning, so that the score of a completed match includes its own visit.
void Replayer::visit_completed() {
    const CandidateTrie& trie = candidates_.trie();
    const Position end = held_.end();
    int left = completions_max;
    for (NodeIndex node = trie.output(stream_); node != CandidateTrie::root && left > 0;
         node = trie.next_output(node), --left) {
        candidates_.visit(trie.candidate_at(node), end);
    }
    while (stream_ != CandidateTrie::root && !trie.has_children(stream_)) {
        stream_ = trie.fallback(stream_);
    }
}

void Replayer::decide() {
    plan_completed();
    drop_hopeless_matches();
    settle_until(match_begin());
    if (held_.full()) flush();
}

void Replayer::plan_completed() {
    const CandidateTrie& trie = candidates_.trie();
    const Position end = held_.end();
    int left = completions_max;
    for (NodeIndex node = trie.output(match_); node != CandidateTrie::root && left > 0;
         node = trie.next_output(node), --left) {
        const CandidateIndex candidate = trie.candidate_at(node);
        plan_.consider({end - trie.depth(node), end, candidate, candidates_.score(candidate, end)});
    }
}

void Replayer::drop_hopeless_matches() {
    const CandidateTrie& trie = candidates_.trie();
    while (match_ != CandidateTrie::root && !may_beat_plan(match_)) match_ = trie.fallback(match_);
}

bool Replayer::may_beat_plan(NodeIndex node) const {
    const CandidateTrie& trie = candidates_.trie();
    if (!trie.has_children(node)) return false;
    const Position begin = held_.end() - trie.depth(node);
    if (plan_.empty() || plan_.end() <= begin) return true;
    const CandidateIndex longest = trie.longest_below(node);
    const CandidateIndex shortest = trie.shortest_below(node);
    Score hope = potential_score(longest, begin);
    if (shortest != longest) hope = std::max(hope, potential_score(shortest, begin));
    return plan_.is_beaten_by(begin, hope);
}

Score Replayer::potential_score(CandidateIndex candidate, Position begin) const {
    return candidates_.score(candidate, begin + candidates_.length(candidate));
}

void Replayer::settle_until(Position position) {
    while (!plan_.empty() && plan_.front().end <= position) execute_first_planned();
    issue_until(plan_.empty() ? position : std::min(position, plan_.front().begin));
}

void Replayer::execute_first_planned() {
    REFRAIN_ASSERT(!plan_.empty(), "a match is executed that was not planned");
    const PlannedMatch match = plan_.front();
    REFRAIN_ASSERT(match.begin >= held_.base(), "a planned match begins before what is held");
    REFRAIN_ASSERT(match.end <= held_.end(), "a planned match ends beyond what is held");
    plan_.pop_front();
    issue_until(match.begin);
    const Candidates::Execution execution = candidates_.execute(match.candidate);
    const std::uint64_t length = match.end - match.begin;
    count_execution(execution.first, length);
    if (length < loop_length_) uncovered_end_ = match.end;
    note_held_back(match.begin, match.end);
    last_end_ = match.end;
    held_.issue_trace(execution.trace, match.end);
}

void Replayer::count_execution(bool first, std::uint64_t length) {
    if (first) {
        ++statistics_.traces;
        statistics_.recorded += length;
        return;
    }
    ++statistics_.replays;
    statistics_.replayed += length;
    count_replay();
}

/// Records the position of the first replay, which begins with the oldest held operation.
void Replayer::count_replay() {
    if (statistics_.first_replay != Statistics::never) return;
    const std::uint64_t issued = statistics_.operations - held_.size();
    statistics_.first_replay = issued + held_.carried_before_base();
}

void Replayer::issue_until(Position position) {
    const Position base = held_.base();
    if (base < position) {
        uncovered_end_ = position;
        note_held_back(base, position);
    }
    held_.issue_until(position);
}

/// held_.end() - 1 - p operations were launched between the one at p and its issue.
void Replayer::note_held_back(Position begin, Position end) {
    const std::uint64_t newest_behind = held_.end() - 1 - begin;
    const std::uint64_t oldest_behind = held_.end() - end;
    statistics_.held_back_sum += (newest_behind + oldest_behind) * (end - begin) / 2;
}

void Replayer::flush() {
    leave_eager();
    match_ = CandidateTrie::root;
    stream_ = CandidateTrie::root;
    settle_until(held_.end());
}

void Replayer::restart(const History& history, Position begin) {
    CandidateTrie& trie = candidates_.trie();
    leave_eager();
    match_ = CandidateTrie::root;
    for (Position at = std::max(begin, held_.base()); at < held_.end(); ++at)
        match_ = trie.step(match_, history[at]);
    stream_ = match_;
    drop_hopeless_matches();
    settle_until(match_begin());
}

}  // namespace refrain::autotrace
