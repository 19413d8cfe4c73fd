#pragma once

#include "analysis/dependence_walk.hpp"
#include "analysis/source_merge.hpp"
#include "trace/memo_ring.hpp"
#include "trace/standing.hpp"

#include <optional>
#include <span>
#include <vector>

namespace refrain::trace {

/// Serves an operation with what was found for its precedent, if the context of the two that is known
/// to agree holds everything that was looked at then.
///
///     iteration 1   no precedent                          walks
///     iteration 2   a precedent of which nothing is kept  walks, and keeps a memo
///     iteration 3   the memo of its precedent             no walk: the same sources, as far back
///
/// Operations that were served are remembered by the analysis like all others, so that the next one
/// may be walked at any time. There is nothing to begin, to end or to leave.
///
/// Threads:  the launching thread only.
class Imitator {
  public:
    struct Options {
        MemoRing::Limits memos;
        std::uint32_t context_min;  // in a shorter one, what was found is not worth keeping
    };
    Imitator(const Options& options, analysis::DependenceWalk& walk,
             analysis::AccessHistory& history, analysis::SourceMerge& merge)
        : options_(options), memos_(options.memos), walk_(walk), history_(history), merge_(merge) {}

    /// What the operation waits for; nothing if it must be walked. Its accesses have been linked.
    /// Valid until the next call.
    std::optional<std::span<const Source>> serve(OperationNumber number,
                                                 std::span<analysis::Access> accesses,
                                                 const Standing& standing);
    /// Whether the operation stands where a repetition is under way.
    [[nodiscard]] bool is_worth_learning(const Standing& standing) const {
        return standing.precedent && standing.context.agrees(options_.context_min);
    }
    /// Keeps what walks found for such an operation, and returns it; valid until the next call.
    std::span<const Source> learn(OperationNumber number,
                                  std::span<const analysis::Access> accesses,
                                  std::span<const Source> edges, const Standing& standing);

    /// Positions first + i, for i < count, stand where those `distance` before them do.
    void repeat(Standing::Position first, std::uint64_t count, std::uint64_t distance);

    [[nodiscard]] const MemoRing& memos() const { return memos_; }
    /// No operation is remembered.
    void clear() { memos_.clear(); }

  private:
    void share(const Standing& standing, const MemoRing::Entry& entry);
    void serve_complete(std::span<analysis::Access> accesses, const OperationMemo& memo);
    /// Whether some twin had something to inherit.
    bool serve_own(OperationNumber number, std::span<analysis::Access> accesses,
                   const OperationMemo& memo);

    Options options_;
    MemoRing memos_;
    analysis::DependenceWalk& walk_;
    analysis::AccessHistory& history_;
    analysis::SourceMerge& merge_;
    std::vector<Source> edges_;
};

}  // namespace refrain::trace
