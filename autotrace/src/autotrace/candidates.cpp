#include "autotrace/candidates.hpp"

#include "base/assertion.hpp"

#include <algorithm>
#include <utility>

namespace refrain::autotrace {

Candidates::Candidates(const Options& options, TraceHost& host, Statistics& statistics)
    : rule_(options),
      bytes_max_(options.candidate_bytes_max),
      host_(host),
      statistics_(statistics) {
    publish();
}

bool Candidates::adopt(std::span<const FoundRepeat> repeats, const History& history,
                       const Plan& plan) {
    bool changed = false;
    for (const FoundRepeat& repeat : repeats) {
        if (is_wanted(repeat)) changed |= add(repeat, history, plan);
    }
    if (changed) publish();
    return changed;
}

/// All rotations of a loop have one key. The rotation that begins after a wait is preferred: with
/// any other, the operations between a wait and the rotation's beginning would not be traced.
bool Candidates::is_wanted(const FoundRepeat& repeat) const {
    const auto known = known_.find(repeat.key);
    if (known == known_.end()) return true;
    return repeat.after_break && !records_[known->second].after_break;
}

bool Candidates::add(const FoundRepeat& repeat, const History& history, const Plan& plan) {
    if (CandidateTrie::bytes_bound(repeat.length + 1) > bytes_max_ / 4 * 3) return false;
    REFRAIN_ASSERT(repeat.length > 0, "a repeat has no tokens");
    REFRAIN_ASSERT(repeat.begin + repeat.length <= history.end(),
                   "a repeat reaches beyond the history");
    REFRAIN_ASSERT(history.end() - repeat.begin <= history.capacity(),
                   "a repeat is taken in that is forgotten");
    bool changed = false;
    if (const auto known = known_.find(repeat.key); known != known_.end()) {
        if (is_needed(known->second, plan)) return false;
        evict(known->second);
        rebuild();
        changed = true;
    }
    if (bytes_with(repeat.length) > bytes_max_) {
        changed = true;  // make_room rebuilds the automaton even if it fails
        if (!make_room(repeat.length, plan)) return changed;
    }
    const CandidateIndex candidate = free_record();
    const NodeIndex node = trie_.insert(candidate, repeat.length,
                                        [&](std::uint32_t i) { return history[repeat.begin + i]; });
    if (node == CandidateTrie::root) {
        free_.push_back(candidate);
        return changed;
    }
    records_[candidate] = {
        .visits = {.count = static_cast<double>(repeat.occurrences), .last = history.end()},
        .key = repeat.key,
        .trace = TraceId::none,
        .node = node,
        .length = repeat.length,
        .used = true,
        .after_break = repeat.after_break};
    known_.emplace(repeat.key, candidate);
    ++statistics_.candidates_taken;
    return true;
}

CandidateIndex Candidates::free_record() {
    if (!free_.empty()) {
        const CandidateIndex candidate = free_.back();
        free_.pop_back();
        return candidate;
    }
    records_.push_back({});
    return static_cast<CandidateIndex>(records_.size() - 1);
}

std::size_t Candidates::bytes() const {
    return trie_.bytes() + records_.capacity() * sizeof(Record) +
           free_.capacity() * sizeof(CandidateIndex) + known_.size() * bytes_per_known;
}

bool Candidates::contains(const Token& token) const {
    std::vector<Token> tokens;
    return std::any_of(records_.begin(), records_.end(), [&](const Record& record) {
        if (!record.used) return false;
        trie_.copy_tokens(record.node, tokens);
        return std::find(tokens.begin(), tokens.end(), token) != tokens.end();
    });
}

/// Upper bound of bytes() after adding a candidate of this length.
std::size_t Candidates::bytes_with(std::size_t length) const {
    constexpr std::size_t per_record = 2 * (sizeof(Record) + sizeof(CandidateIndex));
    return CandidateTrie::bytes_bound(trie_.node_count() + length) +
           (records_.size() + 1) * per_record + (known_.size() + 1) * bytes_per_known;
}

/// Evicts candidates until the rest and one of this length fit into three quarters of the budget.
/// Counts all tokens although candidates share nodes, so the rebuilt automaton fits.
bool Candidates::make_room(std::size_t length, const Plan& plan) {
    std::vector<CandidateIndex> order;
    std::size_t nodes = length + 1;
    for (CandidateIndex i = 0; i < records_.size(); ++i) {
        if (!records_[i].used) continue;
        nodes += records_[i].length;
        if (!is_needed(i, plan)) order.push_back(i);
    }
    std::sort(order.begin(), order.end(), [&](CandidateIndex a, CandidateIndex b) {
        return std::pair(records_[a].visits.last, a) < std::pair(records_[b].visits.last, b);
    });
    const std::size_t room = bytes_max_ / 4 * 3;
    const std::size_t trie_now = CandidateTrie::bytes_bound(trie_.node_count() + length);
    const std::size_t others = bytes_with(length) - trie_now;
    for (const CandidateIndex victim : order) {
        if (CandidateTrie::bytes_bound(nodes) + others <= room) break;
        nodes -= records_[victim].length;
        evict(victim);
    }
    rebuild();
    return bytes_with(length) <= bytes_max_;
}

/// The automaton keeps the candidate until rebuild().
void Candidates::evict(CandidateIndex candidate) {
    Record& record = records_[candidate];
    REFRAIN_ASSERT(record.used, "a candidate is evicted twice");
    REFRAIN_ASSERT(candidate != executing_, "a candidate is evicted while it is replayed");
    const std::size_t erased = known_.erase(record.key);
    REFRAIN_ASSERT(erased == 1, "a candidate was not known by its key");
    const TraceId trace = std::exchange(record.trace, TraceId::none);
    record.used = false;
    free_.push_back(candidate);
    ++statistics_.candidates_evicted;
    if (trace != TraceId::none) host_.forget_trace(trace);
}

void Candidates::rebuild() {
    const CandidateTrie old = std::exchange(trie_, CandidateTrie{});
    std::vector<Token> tokens;
    for (CandidateIndex i = 0; i < records_.size(); ++i) {
        if (!records_[i].used) continue;
        old.copy_tokens(records_[i].node, tokens);
        records_[i].node =
            trie_.insert(i, records_[i].length, [&](std::uint32_t at) { return tokens[at]; });
        REFRAIN_ASSERT(records_[i].node != CandidateTrie::root,
                       "a candidate is lost when the automaton is rebuilt");
    }
}

Candidates::Execution Candidates::execute(CandidateIndex candidate) {
    Record& record = records_[candidate];
    REFRAIN_ASSERT(record.used, "a candidate is executed that was evicted");
    const bool first = record.trace == TraceId::none;
    if (first) {
        record.trace = TraceId{++traces_};
        record.visits.replayed = true;
    }
    return {record.trace, first};
}

void Candidates::publish() {
    statistics_.candidates = known_.size();
    statistics_.candidate_bytes = bytes();
    statistics_.candidate_bytes_max =
        std::max(statistics_.candidate_bytes_max, statistics_.candidate_bytes);
}

}  // namespace refrain::autotrace
