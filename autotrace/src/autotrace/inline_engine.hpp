#pragma once

#include "autotrace/backoff.hpp"
#include "autotrace/description_log.hpp"
#include "autotrace/inner_loops.hpp"
#include "refrain/inline_recogniser.hpp"
#include "strings/repeat_matcher.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace refrain::autotrace::detail {

/// The part of an InlineRecogniser that is not inlined: advances after a correct prediction and
/// searches after a wrong one.
///
/// Folding loops changes no answer: it leaves out whole iterations of a sequence that has had the
/// loop's period for longer than any context, so each remaining position has the context that it
/// would have without folding.
///
/// Threads:  one.
class InlineEngine {
  public:
    using Position = InlineRecogniser::Position;
    using Options = InlineRecogniser::Options;
    using Turn = InlineRecogniser::Turn;

    /// `state` must outlive the engine.
    InlineEngine(const Options& options, InlineRecogniser::FastState& state);

    /// The operation equals the expected one, and no loop is folded. Returns its precedent.
    Position advance();
    /// The operation differs from the expected one, or none was expected. `likeness`: that of the
    /// operation and the expected one, if they can count as equal.
    std::optional<Position> search(std::span<const std::uint64_t> words,
                                   std::optional<std::uint32_t> likeness);
    [[nodiscard]] bool prove(std::uint32_t count);
    Turn interrupt();
    void begin_skipping();
    void reset_backoff();
    void clear();

    [[nodiscard]] std::uint64_t fruitless() const { return backoff_.fruitless(); }
    [[nodiscard]] const strings::RepeatMatcher& matcher() const { return matcher_; }
    [[nodiscard]] const DescriptionLog& log() const { return log_; }

  private:
    static constexpr std::uint32_t equal = InlineRecogniser::equal;
    static constexpr unsigned detour_operations_max = 4;

    /// An earlier operation, and the longest context in which the new one counts as equal to it.
    struct PartialMatch {
        Position source;
        std::uint32_t context;
    };
    /// Foreign operations inside a match: the operation expected when they began, and how many more
    /// of them the match survives.
    struct Detour {
        Position resume = 0;
        unsigned left = 0;
    };

    [[nodiscard]] strings::Symbol symbol_of(std::span<const std::uint64_t> words) const;
    std::optional<PartialMatch> match_expected(std::optional<std::uint32_t> likeness);
    std::optional<Position> find_precedent(std::span<const std::uint64_t> words,
                                           std::optional<PartialMatch> partial);
    std::optional<Position> follow(const PartialMatch& partial);
    void expect_next();
    void expect_nothing();
    void consider_folding();
    [[nodiscard]] bool waits_for_inner(std::uint64_t outer);
    void fold();
    [[nodiscard]] bool is_repeated_at(Position source);
    [[gnu::noinline]] void note_end_of_outer(std::uint64_t length);
    Turn unfold();

    Options options_;
    InlineRecogniser::FastState& state_;
    strings::RepeatMatcher matcher_;
    DescriptionLog log_;
    Backoff backoff_;
    Detour detour_;
    InnerLoops inner_loops_;
    Position searched_at_ = 0;   // the next position, when the match was chosen
    Position waited_since_ = 0;  // searched_at_ of the match that waits for an inner loop, or 0
    std::uint64_t folded_since_ = 0;  // how many operations there were when the loop was folded
    Position interrupted_at_ = ~Position{0};  // the position after the newest interruption
};

}  // namespace refrain::autotrace::detail
