#include "autotrace/inline_recogniser.hpp"

#include "base/assertion.hpp"
#include "base/hash.hpp"

#include <algorithm>

namespace refrain::autotrace {

InlineRecogniser::InlineRecogniser(const Options& options)
    : options_(options),
      matcher_({options.capacity_log2, options.context_max}),
      log_(options.capacity_log2, options.words_log2),
      resting_(std::uint64_t{1} << options.capacity_log2) {}

/// Collisions cost a comparison, and there are few of them: a short hash will do.
strings::Symbol InlineRecogniser::symbol_of(std::span<const std::uint64_t> words) const {
    std::uint64_t hash = words.size();
    for (const std::uint64_t word : words) {
        hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
        hash ^= hash >> 32;
    }
    return static_cast<strings::Symbol>(base::mix(hash) >> (64 - options_.token_bits));
}

/// An equal operation is preferred if the match promises a longer context.
std::optional<InlineRecogniser::Position> InlineRecogniser::look_for(
    std::span<const std::uint64_t> words, std::optional<Likely> likely) {
    constexpr Position seldom = 8;
    const Position now = matcher_.end();
    if (resting_.looks_seldom() && now % seldom != 0 && !likely)
        matcher_.append_unmatched(symbol_of(words));
    else
        matcher_.append(symbol_of(words));
    const auto match = matcher_.match();
    const bool is_better = match && (!likely || match->length > likely->context);
    if (is_better && log_.equals(match->source, words)) {
        ++statistics_.found;
        proved_ = 1;
        refuted_ = false;
        stray_ = {};
        resting_.saw(match->length);
        log_.repeat(now, match->source);
        return match->source;
    }
    if (is_better) ++statistics_.collisions;
    log_.write(now, words);
    if (likely && now - likely->source < matcher_.capacity()) return follow(*likely);
    matcher_.drop();
    proved_ = 0;
    resting_.saw(0);
    return std::nullopt;
}

/// No context reaches back further than the two agree.
std::optional<InlineRecogniser::Position> InlineRecogniser::follow(const Likely& likely) {
    ++statistics_.alike;
    matcher_.follow(likely.source);
    stray_ = {};
    proved_ = likely.context;
    refuted_ = true;
    resting_.saw(0);  // where operations are all alike, that says nothing
    if (proved_ == 0) return std::nullopt;
    return likely.source;
}

bool InlineRecogniser::prove(std::uint32_t count) {
    if (refuted_) return false;
    const auto match = matcher_.match();
    REFRAIN_ASSERT(match.has_value(), "a context is asked for where there is a precedent");
    const Position newest = matcher_.end() - 1;
    const std::uint64_t remembered = matcher_.capacity() - (newest - match->source);
    while (proved_ < count && !refuted_) {
        refuted_ = proved_ >= std::min<std::uint64_t>(match->length, remembered) ||
                   !log_.equal(newest - proved_, match->source - proved_);
        if (!refuted_) ++proved_;
    }
    return proved_ >= count;
}

InlineRecogniser::Turn InlineRecogniser::interrupt() {
    const Turn unfolded = fold_.turn != 0 ? unfold() : Turn{};
    if (interrupted_at_ == matcher_.end()) return unfolded;
    log_.skip(matcher_.end());
    matcher_.append_break();
    interrupted_at_ = matcher_.end();
    proved_ = 0;
    stray_ = {};
    return unfolded;
}

/// The newest operations have the loop's period for a turn and the longest context.
void InlineRecogniser::consider_folding() {
    const auto match = matcher_.match();
    if (match->length < options_.context_max || resting_.rests()) return;
    fold_.turn = matcher_.end() - 1 - match->source;
    fold_.next = match->source + 1;
}

InlineRecogniser::Turn InlineRecogniser::unfold() {
    const Turn unfolded{matcher_.end(), fold_.next - (matcher_.end() - fold_.turn), fold_.turn};
    for (std::uint64_t i = 0; i < unfolded.count; ++i) {
        log_.repeat(matcher_.end(), *matcher_.predicted());
        matcher_.append_predicted();
    }
    fold_ = {};
    return unfolded;
}

}  // namespace refrain::autotrace
