#pragma once

#include "autotrace/found_repeat.hpp"
#include "autotrace/history.hpp"
#include "autotrace/repeat_filter.hpp"
#include "autotrace/slice_symbols.hpp"
#include "refrain/autotrace.hpp"
#include "strings/repeats.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace refrain::autotrace {

/// A part of the history to mine.
struct Slice {
    Position begin;
    Position end;
    std::span<const Position> breaks;  ///< the breaks in it, ascending
};

/// Finds the repeats of a slice that are worth tracing; keeps its memory between calls.
///
/// Algorithm 2 finds substrings that repeat without overlap. In a loop with body abc these are
/// abcabc..., bcabca..., up to half as long as the slice, beginning where the slice begins. All of
/// them are the same loop. The miner therefore extends each to the maximal stretch with that period
/// and proposes the loop once: as its body, or the fewest iterations with trace_length_min
/// operations; and, if the body is shorter than loop_length, also as iterations with at least
/// loop_length.
///
///     slice  x y z a b c a b c a b c a q      stretch [3, 13) of period 3
///     proposed, with trace_length_min 5 and loop_length 8:  abcabc at 3, abcabcabc at 3
///
/// The key of a loop is that of its body up to rotation; the key of another repeat, of its content.
///
/// Complexity:  O(n log n) for n tokens; see strings/repeats.hpp.
/// Threads:     one call at a time per miner, on any thread.
class Miner {
  public:
    explicit Miner(const Options& options);

    /// Replaces the content of `found`. Returns false if the filter already excludes any repeat, so
    /// that no search was needed.
    bool mine(const History& history, const Slice& slice, std::vector<FoundRepeat>& found);

    [[nodiscard]] std::size_t memory_bytes() const;

  private:
    using Offset = std::uint32_t;

    /// A maximal part of the slice with a period, at least two periods long.
    struct Stretch {
        Offset begin;
        Offset end;
        Offset period;
    };
    struct Piece {
        Offset begin;
        Offset length;
    };

    void propose(const strings::Repeat& repeat);
    [[nodiscard]] bool lies_in_stretch(const strings::Repeat& repeat) const;
    [[nodiscard]] bool is_cut_off(const strings::Repeat& repeat) const;
    [[nodiscard]] Offset find_period(const strings::Repeat& repeat);
    [[nodiscard]] Offset period_of(Piece piece);
    [[nodiscard]] Stretch widened(Piece piece, Offset period) const;
    void mark(const Stretch& stretch);
    void mark_all(Offset period);
    void propose_loop(const Stretch& stretch, std::uint32_t occurrences);
    void propose_iterations(const Stretch& stretch, Offset begin, Offset iterations,
                            std::uint32_t occurrences);
    void propose_pieces(Piece whole, std::uint32_t occurrences, const base::Hash128* loop_key);
    [[nodiscard]] bool is_cuttable(Offset length) const;
    [[nodiscard]] bool follows_break(Offset offset) const;
    [[nodiscard]] base::Hash128 content_key(Piece piece) const;
    [[nodiscard]] base::Hash128 loop_key(Offset begin, Offset period, Offset length) const;

    std::size_t length_min_;
    std::size_t length_max_;
    std::size_t loop_length_;
    std::size_t history_tokens_;
    RepeatFilter filter_;
    SliceSymbols numbers_;
    strings::RepeatFinder finder_;
    std::vector<std::uint32_t> borders_;
    std::vector<std::uint32_t> stretch_of_;  ///< per offset: 1 + index of a stretch, or 0

    // Valid during a call.
    std::vector<Stretch> stretches_;
    std::vector<Offset> periods_;
    std::span<const strings::Symbol> symbols_;
    const History* history_ = nullptr;
    const Slice* slice_ = nullptr;
    std::vector<FoundRepeat>* found_ = nullptr;
};

}  // namespace refrain::autotrace
