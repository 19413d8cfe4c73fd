#pragma once

#include "analysis/dependence_walk.hpp"
#include "analysis/source_merge.hpp"
#include "trace/memo_ring.hpp"
#include "trace/stream_position.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace refrain::trace {

/// Serves an operation with the memo of its precedent, if the context that agrees is as long as the
/// memo's lookback.
///
///     iteration 1   no precedent                 walks
///     iteration 2   a precedent without a memo   walks, and keeps a memo
///     iteration 3   a precedent with a memo      no walk: the same sources at the same distances
///
/// If the context is long enough for some requirements only, the others are walked, and the
/// operation gets a memo of its own.
///
/// What a loop reads and never writes was written before it, so the lookback of its memos leads out of the loop,
/// and each turn inherits from the turn before. Once the context is longer, as in a folded loop, what a turn
/// has found holds for the next as it is: a complete memo replaces the other.
///
/// The analysis records served operations like all others, so the next operation may be walked at
/// any time: nothing begins, ends or is left.
///
/// Threads:  the launching thread only.
class Imitator {
  public:
    struct Options {
        MemoRing::Limits memos;
        std::uint32_t context_min;  // in a shorter context no memo is kept
    };
    /// What an operation waits for, and how it was found.
    struct Result {
        std::span<const Source> edges;  // valid until the next call
        std::uint32_t walked = 0;       // requirements
        bool imitated = false;          // the other requirements, if any, were served from a memo
        bool kept = false;              // a new memo was kept
    };

    Imitator(const Options& options, analysis::DependenceWalk& walk,
             analysis::AccessHistory& history, analysis::SourceMerge& merge)
        : options_(options), memos_(options.memos), walk_(walk), history_(history), merge_(merge) {}

    /// Precondition: the operation's accesses are linked.
    Result dependences(OperationNumber number, const OperationSignature& operation,
                       std::span<analysis::Access> accesses, const StreamPosition& where);

    /// Each of these positions shares the memo of the position it repeats.
    void repeat(const Turn& turn);

    [[nodiscard]] const MemoRing& memos() const { return memos_; }
    /// Precondition: no operation is remembered.
    void clear() { memos_.clear(); }

  private:
    using Requirement = OperationMemo::Requirement;

    std::optional<std::span<const Source>> serve(OperationNumber number,
                                                 std::span<analysis::Access> accesses,
                                                 const MemoRing::Entry& known,
                                                 const StreamPosition& where);
    void share(const StreamPosition& where, const MemoRing::Entry& entry);
    /// Whether what the operation waits for holds in each turn of the folded loop that it is in.
    [[nodiscard]] static bool holds_in_loop(std::span<const analysis::Access> accesses,
                                            const StreamPosition& where);
    /// Serves the requirement if the context allows; returns whether it does.
    bool imitate(OperationNumber number, analysis::Access& access, const Requirement& known,
                 bool complete, Context& context);
    void imitate_complete(OperationNumber number, analysis::Access& access,
                          const Requirement& known);
    /// Returns whether the twin has sources to inherit.
    bool imitate_own(OperationNumber number, analysis::Access& access, const Requirement& known);
    /// Keeps a memo of what was found, whose merged sources are `edges_`.
    void learn(OperationNumber number, std::span<const analysis::Access> accesses,
               const StreamPosition& where);

    Options options_;
    MemoRing memos_;
    analysis::DependenceWalk& walk_;
    analysis::AccessHistory& history_;
    analysis::SourceMerge& merge_;
    std::vector<Source> edges_;
};

}  // namespace refrain::trace
