#pragma once

#include "autotrace/inline_recogniser.hpp"
#include "refrain/autotrace.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace refrain::cli {

/// Shows the operations of a stream to an InlineRecogniser, and says of each what it repeats. Tokens
/// are the descriptions; handles are the caller's names for operations.
///
///     a b c ! a b     the last b repeats the first one, with a context of 2: no context spans the !
class InlineStream {
  public:
    /// The operation equals `precedent`, and so do the `context` - 1 before either, one by one.
    struct Repeat {
        autotrace::OperationHandle precedent;
        std::uint32_t context;  // 1 to context_asked
    };
    /// What is asked of a context before an operation is replayed; the shortest trace that is mined
    /// has as many operations.
    static constexpr std::uint32_t context_asked = 5;

    explicit InlineStream(
        unsigned capacity_log2 = autotrace::InlineRecogniser::Options{}.capacity_log2);

    std::optional<Repeat> operation(const autotrace::Token& token,
                                    autotrace::OperationHandle handle);
    void untraceable() { follow(recogniser_.interrupt()); }

    [[nodiscard]] const autotrace::InlineRecogniser& recogniser() const { return recogniser_; }
    /// Of what translates the recogniser's positions to handles.
    [[nodiscard]] std::size_t handle_bytes() const {
        return handles_.capacity() * sizeof(autotrace::OperationHandle);
    }

  private:
    /// What the recogniser compares a token with.
    struct Description {
        std::array<std::uint64_t, 2> token;
        /// Tokens are equal or not.
        [[nodiscard]] std::optional<std::uint32_t> likeness(
            std::span<const std::uint64_t> words) const {
            if (words[0] != token[0] || words[1] != token[1]) return std::nullopt;
            return autotrace::InlineRecogniser::equal;
        }
        [[nodiscard]] std::span<const std::uint64_t> words() const { return token; }
    };

    [[nodiscard]] std::uint32_t context();
    void follow(const autotrace::InlineRecogniser::Turn& unfolded);
    autotrace::OperationHandle& handle_at(autotrace::InlineRecogniser::Position position) {
        return handles_[position & (handles_.size() - 1)];
    }

    autotrace::InlineRecogniser recogniser_;
    std::vector<autotrace::OperationHandle> handles_;  // ring, by position
};

inline std::optional<InlineStream::Repeat> InlineStream::operation(
    const autotrace::Token& token, autotrace::OperationHandle handle) {
    if (recogniser_.rests()) {
        recogniser_.pass();
        return std::nullopt;
    }
    const auto found = recogniser_.look(Description{{token.high, token.low}});
    follow(found.unfolded);
    std::optional<Repeat> repeat;
    if (found.precedent) repeat = Repeat{handle_at(*found.precedent), context()};
    handle_at(found.position) = handle;  // which may be that of the precedent
    return repeat;
}

inline std::uint32_t InlineStream::context() {
    std::uint32_t count = context_asked;
    while (!recogniser_.is_proved(count)) --count;
    return count;
}

/// Positions that there are only now are those of the operations that were a turn before them.
inline void InlineStream::follow(const autotrace::InlineRecogniser::Turn& unfolded) {
    for (std::uint64_t i = 0; i < unfolded.count; ++i)
        handle_at(unfolded.first + i) = handle_at(unfolded.first + i - unfolded.distance);
}

}  // namespace refrain::cli
