#include "refrain/inline_recogniser.hpp"

#include "autotrace/inline_engine.hpp"
#include "autotrace/option_check.hpp"

#include <algorithm>

namespace refrain::autotrace {
namespace {

/// The description of an operation whose words are known.
struct WordDescription {
    std::span<const std::uint64_t> own;
    [[nodiscard]] std::optional<std::uint32_t> likeness(
        std::span<const std::uint64_t> words) const {
        if (!std::equal(words.begin(), words.end(), own.begin(), own.end())) return std::nullopt;
        return InlineRecogniser::equal;
    }
    [[nodiscard]] std::span<const std::uint64_t> words() const { return own; }
};

}  // namespace

void validate(const InlineRecogniser::Options& options) {
    constexpr std::uint32_t context_limit = std::uint32_t{1} << 24;
    detail::require_between("capacity_log2", options.capacity_log2, 4, 24);
    detail::require_between("words_log2", options.words_log2, 4, 30);
    detail::require_between("context_max", options.context_max, 1, context_limit);
    detail::require_between("token_bits", options.token_bits, 1, 32);
}

InlineRecogniser::InlineRecogniser(const Options& options) {
    validate(options);
    engine_ = std::make_unique<detail::InlineEngine>(options, state_);
}

InlineRecogniser::~InlineRecogniser() = default;

InlineRecogniser::Finding InlineRecogniser::operation(std::span<const std::uint64_t> words) {
    return look(WordDescription{words});
}

InlineRecogniser::Position InlineRecogniser::advance() {
    return engine_->advance();
}

InlineRecogniser::Position InlineRecogniser::search(std::span<const std::uint64_t> words,
                                                    std::int64_t likeness) {
    const auto known = likeness != unlike
                           ? std::optional<std::uint32_t>(static_cast<std::uint32_t>(likeness))
                           : std::nullopt;
    return engine_->search(words, known).value_or(none);
}

bool InlineRecogniser::prove(std::uint32_t count) {
    return engine_->prove(count);
}

InlineRecogniser::Turn InlineRecogniser::interrupt() {
    return engine_->interrupt();
}

void InlineRecogniser::begin_skipping() {
    engine_->begin_skipping();
}

std::uint64_t InlineRecogniser::fruitless() const {
    return engine_->fruitless();
}

void InlineRecogniser::end_backoff() {
    engine_->reset_backoff();
}

void InlineRecogniser::clear() {
    engine_->clear();
}

std::size_t InlineRecogniser::capacity() const {
    return engine_->matcher().capacity();
}

std::size_t InlineRecogniser::matcher_bytes() const {
    return engine_->matcher().memory_bytes();
}

std::size_t InlineRecogniser::description_bytes() const {
    return engine_->log().memory_bytes();
}

std::size_t InlineRecogniser::description_bytes_used() const {
    return engine_->log().used_bytes(state_.end);
}

}  // namespace refrain::autotrace
