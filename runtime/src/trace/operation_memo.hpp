#pragma once

#include "trace/trace_template.hpp"

#include <cstdint>
#include <span>

namespace refrain::trace {

/// The walk results of one operation q, reusable for a later operation n in the same context.
///
/// What a requirement waits for depends only on the descriptions of its operation and of the
/// preceding `lookback` operations (Access::lookback). If n - lookback ... n and q - lookback ... q
/// have equal descriptions, n waits for the same sources as q, at the same distances.
///
/// Proof. A walk reads shapes and links of the operations that it visits. It stops where nothing is
/// needed, at a twin, where a link leads nowhere, or where a link leads a window or more back. All
/// that q's walk reads is in the descriptions from q back to the oldest operation visited, and
/// these are equal for n; so n's walk visits the images and finds the same (dependence_walk.hpp
/// shows that the result is exact). The list inherited from a twin depends by induction on the
/// twin's lookback, which `lookback` includes. In the chain of a cell links do not tell that there
/// is no older access, so the end of such a chain counts as a look at the whole window.
///
/// Descriptions may differ in links that lead out of the context on both sides. q's walk stayed in
/// the context, so it followed none of these. Nor did it stop at one: a link that leads nowhere
/// equals only another such link, and a walk that stopped at a link of less than a window which
/// left the window has a lookback of the whole window.
///
/// A twin's list often depends on what came long before, such as who wrote an array that all
/// iterations only read. So the sources that a walk found itself are kept apart: they depend on
/// `own_lookback` descriptions only, and n inherits from its own twin, the image of q's twin.
///
/// Immutable: accesses refer to its lists.
struct OperationMemo {
    struct Requirement {
        std::span<const Source> sources;  // own ones first, then inherited ones
        std::uint32_t own_count = 0;
        std::uint32_t twin_distance = 0;  // 0: nothing is inherited
        std::uint32_t twin_index = 0;
        analysis::NeededId needed_at_twin = analysis::NeededId::nothing;
        std::uint32_t lookback = 0;
        std::uint32_t own_lookback = 0;

        [[nodiscard]] std::span<const Source> own_sources() const {
            return sources.first(own_count);
        }
    };

    std::span<const Requirement> requirements;
    std::span<const Source> edges;      // merged sources of all requirements
    std::span<const Source> own_edges;  // merged own sources: the edges if no twin has any
    std::uint32_t lookback = 0;         // maximum over all requirements
    std::uint32_t own_lookback = 0;     // likewise
    std::uint32_t bytes = 0;
    mutable std::uint32_t references = 0;  // entries of the MemoRing
};

/// Whether the access's own sources can be told from those inherited from its twin.
[[nodiscard]] inline bool is_separable(const analysis::Access& access) {
    return access.own.twin.operation != 0 && access.own.is_reusable && access.cells.size() <= 1;
}
/// The own sources if separable, else all sources.
[[nodiscard]] inline std::span<const Source> own_sources(const analysis::Access& access) {
    return is_separable(access) ? access.sources.first(access.own.source_count) : access.sources;
}

/// Gives the accesses of an operation everything in the memo.
inline void apply(const OperationMemo& memo, std::span<analysis::Access> accesses) {
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        accesses[i].sources = memo.requirements[i].sources;
        accesses[i].lookback = memo.requirements[i].lookback;
    }
}

}  // namespace refrain::trace
