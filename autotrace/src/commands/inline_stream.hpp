#pragma once

#include "refrain/autotrace.hpp"
#include "refrain/inline_recogniser.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace refrain::commands {

/// Passes the operations of a stream to an InlineRecogniser and returns the precedent of each.
/// Tokens are the descriptions; handles are the caller's identifiers of operations.
///
///     a b c ! a b     the last b repeats the first one, with a context of 2: no context spans the
///     !
class InlineStream {
  public:
    /// The operation equals `precedent`, and the `context` - 1 operations before them are equal
    /// too.
    struct Repeat {
        autotrace::OperationHandle precedent;
        std::uint32_t context;  // 1 to context_asked
    };
    /// The context required to replay an operation; as long as the shortest mined trace.
    static constexpr std::uint32_t context_asked = 5;

    explicit InlineStream(const autotrace::InlineRecogniser::Options& options = {})
        : recogniser_(options), handles_(recogniser_.capacity()) {}

    std::optional<Repeat> operation(const autotrace::Token& token,
                                    autotrace::OperationHandle handle);
    /// Changes the handle of the newest operation; only if it had a precedent.
    void rename(autotrace::OperationHandle handle) { handle_at(newest_) = handle; }
    void untraceable() { recogniser_.interrupt().repeat_in(handles_); }

    [[nodiscard]] const autotrace::InlineRecogniser& recogniser() const { return recogniser_; }
    /// Memory for the handles.
    [[nodiscard]] std::size_t handle_bytes() const {
        return handles_.capacity() * sizeof(autotrace::OperationHandle);
    }

  private:
    using Position = autotrace::InlineRecogniser::Position;
    /// Describes an operation by its token.
    struct Description {
        std::array<std::uint64_t, 2> token;
        /// There are no partial matches of tokens.
        [[nodiscard]] std::optional<std::uint32_t> likeness(
            std::span<const std::uint64_t> words) const {
            if (words[0] != token[0] || words[1] != token[1]) return std::nullopt;
            return autotrace::InlineRecogniser::equal;
        }
        [[nodiscard]] std::span<const std::uint64_t> words() const { return token; }
    };

    [[nodiscard]] std::uint32_t context();
    [[nodiscard]] autotrace::OperationHandle& handle_at(Position position) {
        return handles_[position & (handles_.size() - 1)];  // a power of two
    }

    autotrace::InlineRecogniser recogniser_;
    Position newest_ = 0;
    std::vector<autotrace::OperationHandle> handles_;  // of the operation at each position
};

inline std::optional<InlineStream::Repeat> InlineStream::operation(
    const autotrace::Token& token, autotrace::OperationHandle handle) {
    if (recogniser_.backing_off()) {
        recogniser_.skip();
        return std::nullopt;
    }
    const auto found = recogniser_.look(Description{{token.high, token.low}});
    found.unfolded.repeat_in(handles_);
    std::optional<Repeat> repeat;
    if (found.precedent) repeat = Repeat{handle_at(*found.precedent), context()};
    newest_ = found.position;
    handle_at(newest_) = handle;  // in a folded loop this replaces the handle of the precedent
    return repeat;
}

inline std::uint32_t InlineStream::context() {
    std::uint32_t count = context_asked;
    while (!recogniser_.is_proved(count)) --count;
    return count;
}

}  // namespace refrain::commands
