#pragma once

#include "autotrace/description_log.hpp"
#include "autotrace/resting.hpp"
#include "refrain/inline_recogniser.hpp"
#include "strings/repeat_matcher.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace refrain::autotrace::detail {

/// What an InlineRecogniser does where its outlook (refrain/inline_recogniser.hpp) was wrong, or
/// moves on.
///
/// No answer depends on whether loops are folded: what is left out is a number of turns, within a
/// sequence that has the loop's period for longer than any context, so that the context of each
/// position that there is equals the one it would have.
///
/// Threads:  one.
class InlineEngine {
  public:
    using Position = InlineRecogniser::Position;
    using Options = InlineRecogniser::Options;
    using Turn = InlineRecogniser::Turn;

    /// The outlook is for whoever looks, and lives longer.
    InlineEngine(const Options& options, InlineRecogniser::Outlook& outlook);

    /// The operation is as expected, and no loop is folded. Returns its precedent.
    Position go_on();
    /// It is not, or nothing was expected. `likeness`: to what was, if it is like that at all.
    std::optional<Position> look_elsewhere(std::span<const std::uint64_t> words,
                                           std::optional<std::uint32_t> likeness);
    [[nodiscard]] bool prove(std::uint32_t count);
    Turn interrupt();
    void begin_to_pass();
    void clear();

    [[nodiscard]] const strings::RepeatMatcher& matcher() const { return matcher_; }
    [[nodiscard]] const DescriptionLog& log() const { return log_; }

  private:
    static constexpr std::uint32_t equal = InlineRecogniser::equal;
    static constexpr unsigned strays_max = 4;

    /// A source that the operation resembles, and the context in which the two count as equal.
    struct Likely {
        Position source;
        std::uint32_t context;
    };
    /// Where operations were expected when some began that do not belong there.
    struct Stray {
        Position from = 0;
        unsigned left = 0;  // operations that may do so
    };

    [[nodiscard]] strings::Symbol symbol_of(std::span<const std::uint64_t> words) const;
    std::optional<Likely> likely(std::optional<std::uint32_t> likeness);
    std::optional<Position> look_for(std::span<const std::uint64_t> words,
                                     std::optional<Likely> likely);
    std::optional<Position> follow(const Likely& likely);
    void expect_next();
    void expect_nothing();
    void consider_folding();
    Turn unfold();

    Options options_;
    InlineRecogniser::Outlook& outlook_;
    strings::RepeatMatcher matcher_;
    DescriptionLog log_;
    Resting resting_;
    Stray stray_;
    Position interrupted_at_ = ~Position{0};  // behind the newest interruption
};

}  // namespace refrain::autotrace::detail
