#include "trace/imitator.hpp"

#include <algorithm>

namespace refrain::trace {

using analysis::Access;

std::optional<std::span<const Source>> Imitator::serve(OperationNumber number,
                                                       std::span<Access> accesses,
                                                       const Standing& standing) {
    if (!standing.precedent) return std::nullopt;
    const MemoRing::Entry known = memos_.at(*standing.precedent);
    if (known.memo == nullptr) return std::nullopt;
    const OperationMemo& memo = *known.memo;
    if (known.complete && standing.context.agrees(memo.reach + 1)) {
        share(standing, known);
        serve_complete(accesses, memo);
        return memo.edges;
    }
    if (!standing.context.agrees(memo.own_reach + 1)) return std::nullopt;
    share(standing, {known.memo, false});
    if (!serve_own(number, accesses, memo)) return memo.own_edges;
    merge_.clear();
    for (const Access& access : accesses) merge_.add(access.sources);
    return merge_.merged();
}

void Imitator::share(const Standing& standing, const MemoRing::Entry& entry) {
    if (standing.position != *standing.precedent) memos_.share(standing.position, entry);
}

void Imitator::repeat(Standing::Position first, std::uint64_t count, std::uint64_t distance) {
    for (Standing::Position position = first; position < first + count; ++position)
        memos_.share(position, memos_.at(position - distance));
}

void Imitator::serve_complete(std::span<Access> accesses, const OperationMemo& memo) {
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        accesses[i].sources = memo.requirements[i].sources;
        accesses[i].reach = memo.requirements[i].reach;
    }
}

bool Imitator::serve_own(OperationNumber number, std::span<Access> accesses,
                         const OperationMemo& memo) {
    bool inherited = false;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        const OperationMemo::Requirement& known = memo.requirements[i];
        Access& access = accesses[i];
        access.sources = known.own_sources();
        access.reach = known.own_reach;
        if (known.twin_distance == 0) continue;
        const analysis::AccessRef twin{number - known.twin_distance, known.twin_index};
        const std::uint32_t behind =
            known.twin_distance + history_.accesses(twin.operation)[twin.index].reach;
        access.reach = std::min(std::max(access.reach, behind), history_.window());
        inherited |= walk_.resume(number, access, known.own_sources(), twin, known.needed_at_twin);
    }
    return inherited;
}

std::span<const Source> Imitator::learn(OperationNumber number, std::span<const Access> accesses,
                                        std::span<const Source> edges, const Standing& standing) {
    edges_.assign(edges.begin(), edges.end());  // they are those of the merge
    bool inherits = false;
    merge_.clear();
    for (const Access& access : accesses) {
        inherits = inherits || own_sources(access).size() < access.sources.size();
        merge_.add(own_sources(access));
    }
    memos_.keep(standing.position, number, accesses, edges_,
                inherits ? merge_.merged() : std::span<const Source>(edges_));
    return edges_;
}

}  // namespace refrain::trace
