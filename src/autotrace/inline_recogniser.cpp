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

strings::Symbol InlineRecogniser::symbol_of(std::span<const std::uint64_t> description) const {
    base::Hasher hasher;
    for (const std::uint64_t word : description) hasher.add(word);
    return static_cast<strings::Symbol>(hasher.finish().truncated(options_.token_bits).low);
}

std::optional<InlineRecogniser::Position> InlineRecogniser::look_for(
    std::span<const std::uint64_t> description) {
    const Position now = matcher_.end();
    matcher_.append(symbol_of(description));
    const auto match = matcher_.match();
    proved_ = 0;
    refuted_ = false;
    if (match && log_.equals(match->source, description)) {
        ++statistics_.found;
        proved_ = 1;
        resting_.saw(match->length);
        log_.repeat(now, match->source, description);
        return match->source;
    }
    if (match) ++statistics_.collisions;
    matcher_.drop();
    resting_.saw(0);
    log_.write(now, description);
    return std::nullopt;
}

bool InlineRecogniser::prove(std::uint32_t count) {
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

void InlineRecogniser::interrupt() {
    log_.skip(matcher_.end());
    matcher_.append_break();
    proved_ = 0;
}

}  // namespace refrain::autotrace
