#pragma once

#include "analysis/dependence_walk.hpp"
#include "analysis/source_merge.hpp"
#include "trace/memo_ring.hpp"
#include "trace/standing.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace refrain::trace {

/// Serves an operation with what was found for its precedent, as far as the context of the two that
/// is known to agree holds all that was looked at then.
///
///     iteration 1   no precedent                          walks
///     iteration 2   a precedent of which nothing is kept  walks, and keeps a memo
///     iteration 3   the memo of its precedent             no walk: the same sources, as far back
///
/// If the context holds what some requirements depend on and not what others do, these are walked,
/// and the operation gets a memo of its own.
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
    /// What an operation waits for, and how that was found.
    struct Result {
        std::span<const Source> edges;  // valid until the next call
        std::uint32_t walked = 0;       // requirements
        bool imitated = false;          // others were not; or all that there is was in a memo
        bool kept = false;              // there is a new memo
    };

    Imitator(const Options& options, analysis::DependenceWalk& walk,
             analysis::AccessHistory& history, analysis::SourceMerge& merge)
        : options_(options), memos_(options.memos), walk_(walk), history_(history), merge_(merge) {}

    /// Of an operation whose accesses have been linked.
    Result dependences(OperationNumber number, const OperationSignature& operation,
                       std::span<analysis::Access> accesses, const Standing& standing);

    /// Positions that there are only now share what is known of those a turn before.
    void repeat(const Turn& turn);

    [[nodiscard]] const MemoRing& memos() const { return memos_; }
    /// No operation is remembered.
    void clear() { memos_.clear(); }

  private:
    using Requirement = OperationMemo::Requirement;

    std::optional<std::span<const Source>> serve(OperationNumber number,
                                                 std::span<analysis::Access> accesses,
                                                 const MemoRing::Entry& known,
                                                 const Standing& standing);
    void share(const Standing& standing, const MemoRing::Entry& entry);
    /// Whether the requirement may be served; then it is.
    bool imitate(OperationNumber number, analysis::Access& access, const Requirement& known,
                 bool complete, Context& context);
    void imitate_complete(OperationNumber number, analysis::Access& access,
                          const Requirement& known);
    /// Whether the twin had something to inherit.
    bool imitate_own(OperationNumber number, analysis::Access& access, const Requirement& known);
    [[nodiscard]] bool learn(OperationNumber number, std::span<const analysis::Access> accesses,
                             const Standing& standing);

    Options options_;
    MemoRing memos_;
    analysis::DependenceWalk& walk_;
    analysis::AccessHistory& history_;
    analysis::SourceMerge& merge_;
    std::vector<Source> edges_;
};

}  // namespace refrain::trace
