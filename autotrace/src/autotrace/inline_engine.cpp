#include "autotrace/inline_engine.hpp"

#include "base/assertion.hpp"
#include "base/hash.hpp"

#include <algorithm>

namespace refrain::autotrace::detail {

InlineEngine::InlineEngine(const Options& options, InlineRecogniser::FastState& state)
    : options_(options),
      state_(state),
      matcher_({.capacity_log2 = options.capacity_log2, .length_max = options.context_max}),
      log_(state_.descriptions, options.capacity_log2, options.words_log2),
      backoff_(std::uint64_t{1} << options.capacity_log2) {
    expect_next();
}

void InlineEngine::reset_backoff() {
    backoff_ = Backoff(std::uint64_t{1} << options_.capacity_log2);
    state_.to_skip = 0;
    state_.is_skipping = false;
}

void InlineEngine::clear() {
    matcher_ = strings::RepeatMatcher(
        {.capacity_log2 = options_.capacity_log2, .length_max = options_.context_max});
    log_.clear();
    reset_backoff();
    detour_ = {};
    inner_loops_ = {};
    searched_at_ = waited_since_ = 0;
    state_.refuted = false;
    interrupted_at_ = ~Position{0};
    state_.loop = 0;
    state_.proved = 0;
    expect_next();
}

InlineEngine::Position InlineEngine::advance() {
    const Position precedent = state_.expected;
    ++state_.statistics.operations;
    ++state_.statistics.predicted;
    log_.repeat(matcher_.end(), precedent);
    matcher_.append_predicted();
    backoff_.record(matcher_.match()->length);
    if (state_.proved < options_.context_max)
        ++state_.proved;
    else if (options_.fold_loops)
        consider_folding();
    expect_next();
    return precedent;
}

std::optional<InlineEngine::Position> InlineEngine::search(std::span<const std::uint64_t> words,
                                                           std::optional<std::uint32_t> likeness) {
    ++state_.statistics.operations;
    const std::uint64_t left = state_.loop;
    state_.unfolded = left != 0 ? unfold() : Turn{};
    const auto precedent = find_precedent(words, match_expected(likeness));
    searched_at_ = matcher_.end();
    if (left > options_.context_max) [[unlikely]]
        note_end_of_outer(left);
    expect_next();
    return precedent;
}

/// The partial match with the expected operation, if there is one. After a detour the expected
/// operation is the one at which the detour began; the match then restarts, with a context of at
/// most one.
std::optional<InlineEngine::PartialMatch> InlineEngine::match_expected(
    std::optional<std::uint32_t> likeness) {
    if (state_.is_predicted)
        detour_ = {state_.expected, detour_operations_max};
    else if (detour_.left != 0)
        --detour_.left;
    if (!likeness || (*likeness != equal && backoff_.is_sampling())) return std::nullopt;
    if (!state_.is_predicted) return PartialMatch{state_.expected, std::min(1U, *likeness)};
    return PartialMatch{state_.expected, std::min(state_.proved + 1, *likeness)};
}

/// Sets the expected operation: the one that the match predicts, otherwise that of a detour.
void InlineEngine::expect_next() {
    const std::optional<Position> predicted = matcher_.predicted();
    state_.end = matcher_.end();
    state_.is_predicted = predicted.has_value();
    if (predicted)
        state_.expected = *predicted;
    else if (detour_.left != 0)
        state_.expected = detour_.resume;
    else
        expect_nothing();
    if (backoff_.is_due()) [[unlikely]] {
        state_.to_skip = backoff_.start();
        state_.is_skipping = false;
    }
}

/// The next position has no description, so nothing equals it. The description that its slot held
/// is that of the oldest operation, which is no longer needed.
void InlineEngine::expect_nothing() {
    state_.expected = matcher_.end();
    log_.skip(state_.expected);
}

/// A short hash suffices: a collision only costs a comparison.
strings::Symbol InlineEngine::symbol_of(std::span<const std::uint64_t> words) const {
    std::uint64_t hash = words.size();
    for (const std::uint64_t word : words) {
        hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 32;
    }
    return static_cast<strings::Symbol>(base::mix(hash) >> (64 - options_.token_bits));
}

/// Prefers an equal operation to the partial match if the match of hashes is longer.
std::optional<InlineEngine::Position> InlineEngine::find_precedent(
    std::span<const std::uint64_t> words, std::optional<PartialMatch> partial) {
    constexpr Position sampling_interval = 8;
    const Position now = matcher_.end();
    if (backoff_.is_sampling() && now % sampling_interval != 0 && !partial)
        matcher_.append_unmatched(symbol_of(words));
    else
        matcher_.append(symbol_of(words));
    const auto match = matcher_.match();
    const bool is_better = match && (!partial || match->length > partial->context);
    if (is_better && log_.equals(match->source, words)) {
        ++state_.statistics.found;
        REFRAIN_ASSERT(match->source < now, "an operation is its own precedent");
        state_.proved = 1;
        state_.refuted = false;
        detour_ = {};
        backoff_.record(match->length);
        log_.repeat(now, match->source);
        return match->source;
    }
    if (is_better) ++state_.statistics.collisions;
    log_.write(now, words);
    if (partial && now - partial->source < matcher_.capacity()) return follow(*partial);
    matcher_.drop();
    state_.proved = 0;
    backoff_.record(0);
    return std::nullopt;
}

/// Continues with the source of the partial match. No context extends beyond that of the match.
std::optional<InlineEngine::Position> InlineEngine::follow(const PartialMatch& partial) {
    ++state_.statistics.alike;
    matcher_.follow(partial.source);
    detour_ = {};
    state_.proved = partial.context;
    state_.refuted = true;
    backoff_.record(
        0);  // a partial match is no evidence of a repeat: all operations may be similar
    if (partial.context == 0) return std::nullopt;
    return partial.source;
}

bool InlineEngine::prove(std::uint32_t count) {
    const auto match = matcher_.match();
    if (state_.refuted || !match) return false;
    const Position newest = matcher_.end() - 1;
    const std::uint64_t remembered = matcher_.capacity() - (newest - match->source);
    std::uint32_t& proved = state_.proved;
    while (proved < count && !state_.refuted) {
        state_.refuted = proved >= std::min<std::uint64_t>(match->length, remembered) ||
                         !log_.equal(newest - proved, match->source - proved);
        if (!state_.refuted) ++proved;
    }
    return proved >= count;
}

InlineEngine::Turn InlineEngine::interrupt() {
    const Turn unfolded = state_.loop != 0 ? unfold() : Turn{};
    if (interrupted_at_ != matcher_.end()) {
        log_.skip(matcher_.end());
        matcher_.append_break();
        interrupted_at_ = matcher_.end();
        state_.proved = 0;
        detour_ = {};
    }
    expect_next();
    return unfolded;
}

void InlineEngine::begin_skipping() {
    REFRAIN_ASSERT(state_.to_skip != 0, "an operation is skipped without a backoff");
    interrupt();  // unfolds nothing: no loop is folded when a backoff begins
    state_.is_skipping = true;
}

/// Folds the loop if the newest operations have had its period for the longest context.
void InlineEngine::consider_folding() {
    const auto match = matcher_.match();
    if (match->length < options_.context_max || backoff_.is_due() || state_.to_skip != 0) return;
    const std::uint64_t loop = matcher_.end() - 1 - match->source;
    if (loop > options_.context_max && inner_loops_.are_preferred() && waits_for_inner(loop))
        return;
    fold();
}

/// Looks for a loop inside of the one of `outer` operations. If there is one, it is the match afterwards.
bool InlineEngine::waits_for_inner(std::uint64_t outer) {
    if (waited_since_ != searched_at_) {
        if (waited_since_ != 0) inner_loops_.missed();  // by the match before
        waited_since_ = searched_at_;
    }
    if (!inner_loops_.are_preferred()) {
        waited_since_ = 0;
        return false;
    }
    const auto inner = matcher_.newer_source();
    if (!inner && matcher_.end() - searched_at_ < outer) return true;
    waited_since_ = 0;
    if (inner && is_repeated_at(*inner)) {
        matcher_.adopt(*inner);
        inner_loops_.found();
    } else {
        inner_loops_.missed();
    }
    return false;
}

void InlineEngine::fold() {
    state_.loop = matcher_.end() - 1 - matcher_.match()->source;
    folded_since_ = state_.statistics.operations;
    REFRAIN_ASSERT(state_.loop != 0, "a loop has no operations");
    REFRAIN_ASSERT(state_.loop < matcher_.capacity(), "a folded loop is longer than the history");
}

/// Whether the newest operations equal those up to `source`, for the longest context. At most once before a
/// loop is folded, so an operation costs one comparison more at most.
bool InlineEngine::is_repeated_at(Position source) {
    const Position newest = matcher_.end() - 1;
    for (std::uint32_t i = 0; i < options_.context_max; ++i)
        if (!log_.equal(newest - i, source - i)) return false;
    return true;
}

/// A folded loop of `length` operations, longer than any context, has ended before the newest operation.
void InlineEngine::note_end_of_outer(std::uint64_t length) {
    if (state_.statistics.operations - folded_since_ > length) return inner_loops_.outer_lasted();
    const auto match = matcher_.match();
    const bool inner_goes_on = match && match->length == options_.context_max &&
                               matcher_.end() - 1 - match->source <= options_.context_max;
    if (!inner_goes_on) inner_loops_.outer_ended();
}

/// Gives positions to the operations of the incomplete iteration. The expected operation stays the
/// same: it follows the newest operation's precedent again.
InlineEngine::Turn InlineEngine::unfold() {
    REFRAIN_ASSERT(state_.loop != 0, "no loop is folded");
    const std::uint64_t loop = state_.loop;
    const Turn unfolded{.first = matcher_.end(),
                        .count = state_.expected - (matcher_.end() - loop),
                        .distance = loop};
    for (std::uint64_t i = 0; i < unfolded.count; ++i) {
        log_.repeat(matcher_.end(), *matcher_.predicted());
        matcher_.append_predicted();
    }
    state_.loop = 0;
    return unfolded;
}

}  // namespace refrain::autotrace::detail
