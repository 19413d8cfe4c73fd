#pragma once

#include "autotrace/description_log.hpp"
#include "autotrace/resting.hpp"
#include "strings/repeat_matcher.hpp"

#include <algorithm>
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
/// Operations that differ in part. What is said of two operations may differ in something that only
/// matters if the context is long enough to hold it: a link to an operation outside. Such an operation
/// does not end a match, but shortens its context to what both have in common; and neither do up to
/// four operations that do not belong there. So a loop is gone on with behind a foreign operation.
///
/// Folded loops. Where a loop has gone on for so long that the longest context agrees, another turn
/// tells nothing new. Its operations get no positions, but stand for those of the turn before, until
/// the loop is left; then what is over a whole number of turns gets positions after all. No answer
/// depends on it: what is left out is a number of turns, within a sequence that has the loop's period
/// for longer than any context, so that the context of each position that there is equals the one it
/// would have. So a loop leaves the history as it is, however long it lasts.
///
/// Complexity:  an operation that is as predicted: one comparison of its description, no hash.
///              Another one: its hash and a look at where it occurred before.
/// Threads:     one.
class InlineRecogniser {
  public:
    /// Counts operations that were looked at, and interruptions.
    using Position = std::uint64_t;
    /// The likeness of operations with equal descriptions.
    static constexpr std::uint32_t equal = ~std::uint32_t{0};

    struct Options {
        unsigned capacity_log2 = 16;       // operations remembered
        unsigned words_log2 = 19;          // words of descriptions remembered
        std::uint32_t context_max = 1025;  // nobody asks for a longer context
        unsigned token_bits = 32;          // of the hashes; fewer provoke collisions, for tests
        bool fold_loops = false;           // further turns of a loop take no positions
    };
    /// Positions first + i, for i < count, that stand where those `distance` before them do.
    struct Turn {
        Position first = 0;
        std::uint64_t count = 0;
        std::uint64_t distance = 0;
    };
    struct Finding {
        Position position;                  // of the operation; in a folded loop, of its precedent
        std::optional<Position> precedent;  // at most as many operations ago as are remembered
        bool is_equal = true;               // to the precedent, links included
        Turn unfolded;  // operations before this one that get positions only now
    };
    struct Statistics {
        std::uint64_t operations = 0;  // looked at
        std::uint64_t predicted = 0;   // that were as predicted
        std::uint64_t found = 0;       // that were not, but had a precedent all the same
        std::uint64_t alike = 0;       // that had one which is equal in part
        std::uint64_t collisions = 0;  // equal hashes, but another description, or one forgotten
    };

    explicit InlineRecogniser(const Options& options);

    /// Looks at the next operation. Its precedent, if there is one, is at most as many operations
    /// ago as are remembered.
    std::optional<Position> operation(std::span<const std::uint64_t> words) {
        return look(Spelled{words}).precedent;
    }
    /// The same for a `description` with two functions. likeness(words) compares it with others:
    /// `equal`; or the longest context in which the operations may count as equal all the same; or
    /// nothing. words() is called if it does not equal those, or if there are none to compare with.
    template <class Description>
    Finding look(Description&& description);
    /// Whether the newest `count` operations equal as many up to the precedent of the newest one, by
    /// comparison. That has a precedent.
    [[nodiscard]] bool is_proved(std::uint32_t count) { return count <= proved_ || prove(count); }
    /// Operations follow that are not looked at; no context spans them. Returns those before that get
    /// positions only now.
    Turn interrupt();

    /// Whether the next operation is to be passed over: for long nothing has repeated.
    [[nodiscard]] bool rests() const { return resting_.rests(); }
    /// It is.
    void pass() {
        if (resting_.pass()) interrupt();  // no loop is folded then
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
    struct Spelled {
        std::span<const std::uint64_t> spelled;
        [[nodiscard]] std::optional<std::uint32_t> likeness(
            std::span<const std::uint64_t> words) const {
            if (!std::equal(words.begin(), words.end(), spelled.begin(), spelled.end()))
                return std::nullopt;
            return equal;
        }
        [[nodiscard]] std::span<const std::uint64_t> words() const { return spelled; }
    };

    [[nodiscard]] strings::Symbol symbol_of(std::span<const std::uint64_t> words) const;
    /// A source that the operation resembles, and the context in which the two count as equal.
    struct Likely {
        Position source;
        std::uint32_t context;
    };
    template <class Description>
    std::optional<Likely> expected(const Description& description);
    std::optional<Position> look_for(std::span<const std::uint64_t> words,
                                     std::optional<Likely> likely);
    std::optional<Position> follow(const Likely& likely);
    void go_on(Position predicted);
    void consider_folding();
    Turn unfold();
    [[nodiscard]] bool prove(std::uint32_t count);

    /// Where a folded loop stands.
    struct Fold {
        Position next = 0;       // the operation that is expected
        std::uint64_t turn = 0;  // operations of a turn, the newest ones; 0: nothing is folded
    };

    Options options_;
    strings::RepeatMatcher matcher_;
    detail::DescriptionLog log_;
    detail::Resting resting_;
    /// Where operations were expected when some began that do not belong there.
    struct Stray {
        Position from = 0;
        unsigned left = 0;  // operations that may do so
    };
    static constexpr unsigned strays_max = 4;

    Fold fold_;
    Stray stray_;
    std::uint32_t proved_ = 0;                // operations that were compared, the newest included
    bool refuted_ = false;                    // the one before those was, too, and differs
    Position interrupted_at_ = ~Position{0};  // behind the newest interruption
    Statistics statistics_;
};

template <class Description>
InlineRecogniser::Finding InlineRecogniser::look(Description&& description) {
    ++statistics_.operations;
    Turn unfolded;
    if (fold_.turn != 0) {
        const Position predicted = fold_.next;
        const auto expected = log_.at(predicted);
        if (expected && description.likeness(*expected) == equal) {
            ++statistics_.predicted;
            if (++fold_.next == matcher_.end()) fold_.next -= fold_.turn;
            return {predicted, predicted, true, {}};
        }
        unfolded = unfold();
    }
    const Position now = matcher_.end();
    const std::optional<Likely> likely = expected(description);
    if (likely && likely->context == equal) {
        ++statistics_.predicted;
        go_on(likely->source);
        return {now, likely->source, true, unfolded};
    }
    const auto precedent = look_for(description.words(), likely);
    return {now, precedent, !refuted_, unfolded};
}

/// What the next operation is expected to equal, if it does in part: the one behind the precedent of
/// the last one or, if that had none, the one that was expected when there still was one.
template <class Description>
std::optional<InlineRecogniser::Likely> InlineRecogniser::expected(const Description& description) {
    const std::optional<Position> predicted = matcher_.predicted();
    if (predicted)
        stray_ = {*predicted, strays_max};
    else if (stray_.left == 0)
        return std::nullopt;
    else
        --stray_.left;
    const auto words = log_.at(stray_.from);
    const auto likeness = words ? description.likeness(*words) : std::nullopt;
    if (!likeness) return std::nullopt;
    if (*likeness != equal && resting_.looks_seldom()) return std::nullopt;
    if (!predicted) return Likely{stray_.from, std::min(1U, *likeness)};
    if (*likeness == equal) return Likely{stray_.from, equal};
    return Likely{stray_.from, std::min(proved_ + 1, *likeness)};
}

inline void InlineRecogniser::go_on(Position predicted) {
    log_.repeat(matcher_.end(), predicted);
    matcher_.append_predicted();
    resting_.saw(matcher_.match()->length);
    if (proved_ < options_.context_max)
        ++proved_;
    else if (options_.fold_loops)
        consider_folding();
}

}  // namespace refrain::autotrace
