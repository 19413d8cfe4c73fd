#pragma once

#include "autotrace/description_log.hpp"
#include "autotrace/resting.hpp"
#include "strings/repeat_matcher.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace refrain::autotrace {

/// Finds, for each operation as it is launched, an earlier one that stands in the same context: its
/// *precedent*. What was found out about the precedent holds for the operation, too, as far as it
/// depends on the context alone.
///
///     a b c a b c a     the second a: precedent is the first; nothing else is known to agree
///     0 1 2 3 4 5 6     the third a: precedent 3; a context of 4 agrees: a b c a
///
/// Nothing is held back, nothing waits for the end of a trace, nothing runs in the background: the
/// answer is a function of the operations so far.
///
/// Operations are described by words; equal words mean exchangeable operations. Hashes of
/// descriptions find the precedent (strings/repeat_matcher.hpp says when), comparison of descriptions
/// proves it, and its context as far as somebody asks for it.
///
/// Complexity:  an operation that is as predicted: one comparison of its description, no hash.
///              Another one: its hash and a look at where it occurred before.
/// Threads:     one.
class InlineRecogniser {
  public:
    /// Counts operations that were looked at, and interruptions.
    using Position = std::uint64_t;

    struct Options {
        unsigned capacity_log2 = 16;       // operations remembered
        unsigned words_log2 = 19;          // words of descriptions remembered
        std::uint32_t context_max = 1025;  // nobody asks for a longer context
        unsigned token_bits = 32;          // of the hashes; fewer provoke collisions, for tests
    };
    struct Statistics {
        std::uint64_t operations = 0;  // looked at
        std::uint64_t predicted = 0;   // that were as predicted
        std::uint64_t found = 0;       // that were not, but had a precedent all the same
        std::uint64_t collisions = 0;  // equal hashes, but another description, or one forgotten
    };

    explicit InlineRecogniser(const Options& options);

    /// Looks at the next operation. Its precedent, if there is one, is at most as many operations
    /// ago as are remembered.
    std::optional<Position> operation(std::span<const std::uint64_t> description);
    /// Whether the newest `count` operations equal as many up to the precedent of the newest one, by
    /// comparison. That has a precedent.
    [[nodiscard]] bool is_proved(std::uint32_t count) { return count <= proved_ || prove(count); }
    /// Operations follow that are not looked at; no context spans them.
    void interrupt();

    /// Whether the next operation is to be passed over: for long nothing has repeated.
    [[nodiscard]] bool rests() const { return resting_.rests(); }
    /// It is.
    void pass() {
        if (resting_.pass()) interrupt();
    }

    [[nodiscard]] Position end() const { return matcher_.end(); }
    [[nodiscard]] std::size_t capacity() const { return matcher_.capacity(); }
    [[nodiscard]] const Statistics& statistics() const { return statistics_; }
    /// Of the matcher and of the descriptions, the latter if all were used.
    [[nodiscard]] std::size_t matcher_bytes() const { return matcher_.memory_bytes(); }
    [[nodiscard]] std::size_t description_bytes() const { return log_.memory_bytes(); }
    /// Of the descriptions, what was used so far.
    [[nodiscard]] std::size_t description_bytes_used() const {
        return log_.used_bytes(matcher_.end());
    }

  private:
    [[nodiscard]] strings::Symbol symbol_of(std::span<const std::uint64_t> description) const;
    std::optional<Position> look_for(std::span<const std::uint64_t> description);
    [[nodiscard]] bool prove(std::uint32_t count);

    Options options_;
    strings::RepeatMatcher matcher_;
    detail::DescriptionLog log_;
    detail::Resting resting_;
    std::uint32_t proved_ = 0;  // operations that were compared, the newest included
    bool refuted_ = false;      // the one before those was, too, and differs
    Statistics statistics_;
};

inline std::optional<InlineRecogniser::Position> InlineRecogniser::operation(
    std::span<const std::uint64_t> description) {
    ++statistics_.operations;
    const std::optional<Position> predicted = matcher_.predicted();
    if (!predicted || !log_.equals(*predicted, description)) return look_for(description);
    ++statistics_.predicted;
    log_.repeat(matcher_.end(), *predicted, description);
    matcher_.append_predicted();
    if (proved_ < options_.context_max) ++proved_;
    resting_.saw(matcher_.match()->length);
    return predicted;
}

}  // namespace refrain::autotrace
