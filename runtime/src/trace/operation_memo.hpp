#pragma once

#include "trace/trace_template.hpp"

#include <cstdint>
#include <span>

namespace refrain::trace {

/// What the walks of one operation found, for later operations in the same context.
///
/// What a requirement waits for is a function of the descriptions of its operation and of the
/// `reach` ones before it (Access::reach). If n - reach ... n and q - reach ... q have equal
/// descriptions, n waits for what q waits for, each as many operations before n as before q.
///
/// Proof. A walk reads shapes and links of the operations that it visits, and stops where nothing is
/// needed, at a twin, where a link leads nowhere, or where it leads a window back or further. All
/// that it reads is in the descriptions of the operations from n back to the oldest one visited, and
/// equal for q; so it visits the images and finds the same (dependence_walk.hpp shows that what it
/// finds is exact). The list that it inherits from a twin is by induction a function of the twin's
/// reach, which `reach` includes. Along the chain of a cell, where links do not tell that nobody came
/// before, an end counts as a look at the whole window.
///
/// Descriptions may differ in links that lead out of the context on both sides: the walk of q, which
/// stayed within it, followed none of these, and ended at none of them, since one that leads nowhere
/// equals only its like, and a walk that ended because a link led a window back within less than a
/// window counts as having looked at all of that.
///
/// The list of a twin often depends on what came long before: on who wrote what all iterations only
/// read, say. So what a walk found by itself is kept apart: it depends on `own_reach` descriptions
/// only, and the twin of the later operation, which stands where q's twin stood, is asked for its
/// list anew.
///
/// Never changed once made: accesses refer to its lists.
struct OperationMemo {
    struct Requirement {
        std::span<const Source> sources;  // those that were not inherited come first
        std::uint32_t found = 0;          // so many
        std::uint32_t twin_distance = 0;  // 0: nothing was inherited
        std::uint32_t twin_index = 0;
        analysis::NeededId needed_at_twin = analysis::NeededId::nothing;
        std::uint32_t reach = 0;
        std::uint32_t own_reach = 0;

        [[nodiscard]] std::span<const Source> own_sources() const { return sources.first(found); }
    };

    std::span<const Requirement> requirements;
    std::span<const Source> edges;      // of all requirements
    std::span<const Source> own_edges;  // the same if no twin has anything to inherit
    std::uint32_t reach = 0;            // of all requirements
    std::uint32_t own_reach = 0;
    std::uint32_t bytes = 0;
    mutable std::uint32_t users = 0;  // places that refer to it (memo_ring.hpp)
};

/// Whether what an access's walk found by itself can be told from what it inherited from its twin.
[[nodiscard]] inline bool is_separable(const analysis::Access& access) {
    return access.own.twin.operation != 0 && access.own.is_alone && access.cells.size() <= 1;
}
/// The former if so, else all that it waits for.
[[nodiscard]] inline std::span<const Source> own_sources(const analysis::Access& access) {
    return is_separable(access) ? access.sources.first(access.own.found) : access.sources;
}

/// All that was found holds for the operation of these accesses, too.
inline void take_over(const OperationMemo& memo, std::span<analysis::Access> accesses) {
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        accesses[i].sources = memo.requirements[i].sources;
        accesses[i].reach = memo.requirements[i].reach;
    }
}

}  // namespace refrain::trace
