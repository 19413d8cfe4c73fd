#include "autotrace/inline_engine.hpp"

#include "base/assertion.hpp"
#include "base/hash.hpp"

#include <algorithm>

namespace refrain::autotrace::detail {

InlineEngine::InlineEngine(const Options& options, InlineRecogniser::Outlook& outlook)
    : options_(options),
      outlook_(outlook),
      matcher_({options.capacity_log2, options.context_max}),
      log_(outlook_.descriptions, options.capacity_log2, options.words_log2),
      resting_(std::uint64_t{1} << options.capacity_log2) {
    expect_next();
}

void InlineEngine::awaken() {
    resting_ = Resting(std::uint64_t{1} << options_.capacity_log2);
    outlook_.to_pass = 0;
    outlook_.is_passing = false;
}

void InlineEngine::clear() {
    matcher_ = strings::RepeatMatcher({options_.capacity_log2, options_.context_max});
    log_.clear();
    awaken();
    stray_ = {};
    outlook_.refuted = false;
    interrupted_at_ = ~Position{0};
    outlook_.loop = 0;
    outlook_.proved = 0;
    expect_next();
}

InlineEngine::Position InlineEngine::go_on() {
    const Position precedent = outlook_.expected;
    ++outlook_.statistics.operations;
    ++outlook_.statistics.predicted;
    log_.repeat(matcher_.end(), precedent);
    matcher_.append_predicted();
    resting_.saw(matcher_.match()->length);
    if (outlook_.proved < options_.context_max)
        ++outlook_.proved;
    else if (options_.fold_loops)
        consider_folding();
    expect_next();
    return precedent;
}

std::optional<InlineEngine::Position> InlineEngine::look_elsewhere(
    std::span<const std::uint64_t> words, std::optional<std::uint32_t> likeness) {
    ++outlook_.statistics.operations;
    outlook_.unfolded = outlook_.loop != 0 ? unfold() : Turn{};
    const auto precedent = look_for(words, likely(likeness));
    expect_next();
    return precedent;
}

/// What was expected, if the operation is like it: the one behind the precedent of the last one or,
/// if that had none, the one that was expected when there still was one.
std::optional<InlineEngine::Likely> InlineEngine::likely(std::optional<std::uint32_t> likeness) {
    if (outlook_.is_next)
        stray_ = {outlook_.expected, strays_max};
    else if (stray_.left != 0)
        --stray_.left;
    if (!likeness || (*likeness != equal && resting_.looks_seldom())) return std::nullopt;
    if (!outlook_.is_next) return Likely{outlook_.expected, std::min(1U, *likeness)};
    return Likely{outlook_.expected, std::min(outlook_.proved + 1, *likeness)};
}

/// What comes next if things go on as they do.
void InlineEngine::expect_next() {
    const std::optional<Position> predicted = matcher_.predicted();
    outlook_.end = matcher_.end();
    outlook_.is_next = predicted.has_value();
    if (predicted)
        outlook_.expected = *predicted;
    else if (stray_.left != 0)
        outlook_.expected = stray_.from;
    else
        expect_nothing();
    if (resting_.rests()) [[unlikely]] {
        outlook_.to_pass = resting_.rest();
        outlook_.is_passing = false;
    }
}

/// The next position is not described, and what was described in its place is asked for no more.
void InlineEngine::expect_nothing() {
    outlook_.expected = matcher_.end();
    log_.skip(outlook_.expected);
}

/// Collisions cost a comparison, and there are few of them: a short hash will do.
strings::Symbol InlineEngine::symbol_of(std::span<const std::uint64_t> words) const {
    std::uint64_t hash = words.size();
    for (const std::uint64_t word : words) {
        hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 32;
    }
    return static_cast<strings::Symbol>(base::mix(hash) >> (64 - options_.token_bits));
}

/// An equal operation is preferred if the match promises a longer context.
std::optional<InlineEngine::Position> InlineEngine::look_for(std::span<const std::uint64_t> words,
                                                             std::optional<Likely> likely) {
    constexpr Position seldom = 8;
    const Position now = matcher_.end();
    if (resting_.looks_seldom() && now % seldom != 0 && !likely)
        matcher_.append_unmatched(symbol_of(words));
    else
        matcher_.append(symbol_of(words));
    const auto match = matcher_.match();
    const bool is_better = match && (!likely || match->length > likely->context);
    if (is_better && log_.equals(match->source, words)) {
        ++outlook_.statistics.found;
        REFRAIN_ASSERT(match->source < now, "an operation is its own precedent");
        outlook_.proved = 1;
        outlook_.refuted = false;
        stray_ = {};
        resting_.saw(match->length);
        log_.repeat(now, match->source);
        return match->source;
    }
    if (is_better) ++outlook_.statistics.collisions;
    log_.write(now, words);
    if (likely && now - likely->source < matcher_.capacity()) return follow(*likely);
    matcher_.drop();
    outlook_.proved = 0;
    resting_.saw(0);
    return std::nullopt;
}

/// No context reaches back further than the two agree.
std::optional<InlineEngine::Position> InlineEngine::follow(const Likely& likely) {
    ++outlook_.statistics.alike;
    matcher_.follow(likely.source);
    stray_ = {};
    outlook_.proved = likely.context;
    outlook_.refuted = true;
    resting_.saw(0);  // where operations are all alike, that says nothing
    if (likely.context == 0) return std::nullopt;
    return likely.source;
}

bool InlineEngine::prove(std::uint32_t count) {
    const auto match = matcher_.match();
    if (outlook_.refuted || !match) return false;
    const Position newest = matcher_.end() - 1;
    const std::uint64_t remembered = matcher_.capacity() - (newest - match->source);
    std::uint32_t& proved = outlook_.proved;
    while (proved < count && !outlook_.refuted) {
        outlook_.refuted = proved >= std::min<std::uint64_t>(match->length, remembered) ||
                           !log_.equal(newest - proved, match->source - proved);
        if (!outlook_.refuted) ++proved;
    }
    return proved >= count;
}

InlineEngine::Turn InlineEngine::interrupt() {
    const Turn unfolded = outlook_.loop != 0 ? unfold() : Turn{};
    if (interrupted_at_ != matcher_.end()) {
        log_.skip(matcher_.end());
        matcher_.append_break();
        interrupted_at_ = matcher_.end();
        outlook_.proved = 0;
        stray_ = {};
    }
    expect_next();
    return unfolded;
}

void InlineEngine::begin_to_pass() {
    REFRAIN_ASSERT(outlook_.to_pass != 0, "an operation is passed over that is to be looked at");
    interrupt();  // no loop is folded: what was looked at last did not repeat
    outlook_.is_passing = true;
}

/// The newest operations have the loop's period for a turn and the longest context.
void InlineEngine::consider_folding() {
    const auto match = matcher_.match();
    if (match->length < options_.context_max || resting_.rests() || outlook_.to_pass != 0) return;
    outlook_.loop = matcher_.end() - 1 - match->source;
    REFRAIN_ASSERT(outlook_.loop != 0, "a loop has no operations");
    REFRAIN_ASSERT(outlook_.loop < matcher_.capacity(),
                   "a folded loop is longer than what is remembered");
}

/// What was expected still is: it is behind the newest operation's precedent again.
InlineEngine::Turn InlineEngine::unfold() {
    REFRAIN_ASSERT(outlook_.loop != 0, "a loop is unfolded that is not folded");
    const std::uint64_t loop = outlook_.loop;
    const Turn unfolded{matcher_.end(), outlook_.expected - (matcher_.end() - loop), loop};
    for (std::uint64_t i = 0; i < unfolded.count; ++i) {
        log_.repeat(matcher_.end(), *matcher_.predicted());
        matcher_.append_predicted();
    }
    REFRAIN_ASSERT(unfolded.count < loop, "more than a turn is unfolded");
    REFRAIN_ASSERT(matcher_.end() == unfolded.first + unfolded.count,
                   "what is unfolded lacks positions");
    outlook_.loop = 0;
    return unfolded;
}

}  // namespace refrain::autotrace::detail
