#include "trace/imitator.hpp"

#include "base/assertion.hpp"

#include <algorithm>

namespace refrain::trace {

using analysis::Access;
using analysis::AccessRef;

Imitator::Result Imitator::dependences(OperationNumber number, const OperationSignature& operation,
                                       std::span<Access> accesses, const Standing& standing) {
    const MemoRing::Entry known =
        standing.precedent ? memos_.at(*standing.precedent) : MemoRing::Entry{};
    if (known.memo != nullptr)
        if (const auto edges = serve(number, accesses, known, standing)) return {*edges, 0, true};
    Result result;
    for (std::uint32_t i = 0; i < accesses.size(); ++i) {
        if (known.memo != nullptr && imitate(number, accesses[i], known.memo->requirements[i],
                                             known.complete, standing.context)) {
            result.imitated = true;
        } else {
            walk_.walk(number, i, *operation.regions[i]);
            ++result.walked;
        }
    }
    merge(accesses);
    // That an operation is alike and nothing that was found holds for it is no repetition.
    if (standing.is_equal || result.imitated) result.kept = learn(number, accesses, standing);
    result.edges = edges_;
    return result;
}

/// What was found for the precedent is taken if it holds as it stands; else everything is walked, so
/// that what is kept needs nothing to be asked for anew.
void Imitator::rehearse(OperationNumber number, const OperationSignature& operation,
                        std::span<Access> accesses, const Standing& standing) {
    const MemoRing::Entry known =
        standing.precedent ? memos_.at(*standing.precedent) : MemoRing::Entry{};
    const bool holds =
        known.memo != nullptr && known.complete && standing.context.agrees(known.memo->reach + 1);
    if (holds && serve(number, accesses, known, standing)) return;
    for (std::uint32_t i = 0; i < accesses.size(); ++i)
        walk_.walk(number, i, *operation.regions[i]);
    merge(accesses);
    keep(number, accesses, standing);
}

void Imitator::merge(std::span<const Access> accesses) {
    merge_.clear();
    for (const Access& access : accesses) merge_.add(access.sources);
    edges_.assign(merge_.merged().begin(), merge_.merged().end());
}

std::optional<std::span<const Source>> Imitator::serve(OperationNumber number,
                                                       std::span<Access> accesses,
                                                       const MemoRing::Entry& known,
                                                       const Standing& standing) {
    REFRAIN_ASSERT(known.memo->requirements.size() == accesses.size(),
                   "a memo serves an operation with other requirements");
    const OperationMemo& memo = *known.memo;
    if (known.complete && standing.context.agrees(memo.reach + 1)) {
        share(standing, known);
        take_over(memo, accesses);
        return memo.edges;
    }
    if (!standing.context.agrees(memo.own_reach + 1)) return std::nullopt;
    share(standing, {known.memo, false});
    bool inherited = false;
    for (std::size_t i = 0; i < accesses.size(); ++i)
        inherited |= imitate_own(number, accesses[i], memo.requirements[i]);
    if (!inherited) return memo.own_edges;
    merge_.clear();
    for (const Access& access : accesses) merge_.add(access.sources);
    return merge_.merged();
}

void Imitator::share(const Standing& standing, const MemoRing::Entry& entry) {
    if (standing.position != *standing.precedent) memos_.share(standing.position, entry);
}

void Imitator::repeat(const Turn& turn) {
    REFRAIN_ASSERT(turn.count <= turn.distance, "more than a turn is repeated");
    for (std::uint64_t i = 0; i < turn.count; ++i)
        memos_.share(turn.first + i, memos_.at(turn.first + i - turn.distance));
}

bool Imitator::imitate(OperationNumber number, Access& access, const Requirement& known,
                       bool complete, Context& context) {
    if (complete && context.agrees(known.reach + 1))
        imitate_complete(number, access, known);
    else if (context.agrees(known.own_reach + 1))
        imitate_own(number, access, known);
    else
        return false;
    // The memo may be dropped while the access is remembered: the operation does not share it.
    auto* copy = history_.allocate<Source>(access.sources.size(), number);
    std::copy(access.sources.begin(), access.sources.end(), copy);
    access.sources = {copy, access.sources.size()};
    return true;
}

/// As a walk would leave the access, so that a memo can be made of it.
void Imitator::imitate_complete(OperationNumber number, Access& access, const Requirement& known) {
    access.sources = known.sources;
    access.reach = known.reach;
    const bool has_twin = known.twin_distance != 0;
    const AccessRef twin{has_twin ? number - known.twin_distance : 0, known.twin_index};
    access.own = {twin, number, known.needed_at_twin, known.found, known.own_reach, has_twin};
}

bool Imitator::imitate_own(OperationNumber number, Access& access, const Requirement& known) {
    imitate_complete(number, access, known);
    access.sources = known.own_sources();
    access.reach = known.own_reach;
    if (known.twin_distance == 0) return false;
    const Access& twin = history_.accesses(access.own.twin.operation)[access.own.twin.index];
    access.reach =
        std::min(std::max(access.reach, known.twin_distance + twin.reach), history_.window());
    return walk_.resume(number, access, known.own_sources(), access.own.twin, known.needed_at_twin);
}

bool Imitator::learn(OperationNumber number, std::span<const Access> accesses,
                     const Standing& standing) {
    if (!standing.precedent || !standing.context.agrees(options_.context_min)) return false;
    keep(number, accesses, standing);
    return true;
}

void Imitator::keep(OperationNumber number, std::span<const Access> accesses,
                    const Standing& standing) {
    bool inherits = false;
    merge_.clear();
    for (const Access& access : accesses) {
        inherits = inherits || own_sources(access).size() < access.sources.size();
        merge_.add(own_sources(access));
    }
    memos_.keep({standing.position, standing.loop}, number, accesses, edges_,
                inherits ? merge_.merged() : std::span<const Source>(edges_));
}

}  // namespace refrain::trace
