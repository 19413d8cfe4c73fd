#include "trace/imitator.hpp"

#include "base/assertion.hpp"

#include <algorithm>

namespace refrain::trace {

using analysis::Access;
using analysis::AccessRef;

namespace {

/// Whether the access has sources of its twin besides its own.
bool inherits(const Access& access) {
    return own_sources(access).size() < access.sources.size();
}

}  // namespace

Imitator::Result Imitator::dependences(OperationNumber number, const OperationSignature& operation,
                                       std::span<Access> accesses, const StreamPosition& where) {
    const MemoRing::Entry known = where.precedent ? memos_.at(*where.precedent) : MemoRing::Entry{};
    if (known.memo != nullptr)
        if (const auto edges = serve(number, accesses, known, where)) {
            if (known.complete || !holds_in_loop(accesses, where))
                return {.edges = *edges, .imitated = true};
            edges_.assign(edges->begin(), edges->end());
            learn(number, accesses, where);
            return {.edges = edges_, .imitated = true};
        }
    Result result;
    for (std::uint32_t i = 0; i < accesses.size(); ++i) {
        if (known.memo != nullptr && imitate(number, accesses[i], known.memo->requirements[i],
                                             known.complete, where.context)) {
            result.imitated = true;
        } else {
            walk_.walk(number, i, *operation.regions[i]);
            ++result.walked;
        }
    }
    merge_.clear();
    for (const Access& access : accesses) merge_.add(access.sources);
    result.edges = merge_.merged();
    // An operation that is only similar and that no memo serves repeats nothing.
    if (!where.is_equal && !result.imitated) return result;
    if (!where.precedent || !where.context.agrees(options_.context_min)) return result;
    edges_.assign(result.edges.begin(), result.edges.end());
    result.edges = edges_;
    learn(number, accesses, where);
    result.kept = true;
    return result;
}

std::optional<std::span<const Source>> Imitator::serve(OperationNumber number,
                                                       std::span<Access> accesses,
                                                       const MemoRing::Entry& known,
                                                       const StreamPosition& where) {
    const OperationMemo& memo = *known.memo;
    if (known.complete && where.context.agrees(memo.lookback + 1)) {
        share(where, known);
        apply(memo, accesses);
        return memo.edges;
    }
    if (!where.context.agrees(memo.own_lookback + 1)) return std::nullopt;
    share(where, {.memo = known.memo, .complete = false});
    bool inherited = false;
    for (std::size_t i = 0; i < accesses.size(); ++i)
        inherited |= imitate_own(number, accesses[i], memo.requirements[i]);
    if (!inherited) return memo.own_edges;
    merge_.clear();
    for (const Access& access : accesses) merge_.add(access.sources);
    return merge_.merged();
}

bool Imitator::holds_in_loop(std::span<const Access> accesses, const StreamPosition& where) {
    if (where.loop == 0) return false;
    std::uint32_t lookback = 0;
    for (const Access& access : accesses) lookback = std::max(lookback, access.lookback);
    return where.context.agrees(lookback + 1);
}

void Imitator::share(const StreamPosition& where, const MemoRing::Entry& entry) {
    if (where.position != *where.precedent) memos_.share(where.position, entry);
}

void Imitator::repeat(const Turn& turn) {
    REFRAIN_ASSERT(turn.count <= turn.distance, "more than a turn is repeated");
    for (std::uint64_t i = 0; i < turn.count; ++i)
        memos_.share(turn.first + i, memos_.at(turn.first + i - turn.distance));
}

bool Imitator::imitate(OperationNumber number, Access& access, const Requirement& known,
                       bool complete, Context& context) {
    if (complete && context.agrees(known.lookback + 1))
        imitate_complete(number, access, known);
    else if (context.agrees(known.own_lookback + 1))
        imitate_own(number, access, known);
    else
        return false;
    // The operation does not share the memo, which may be dropped while the access is remembered.
    auto* copy = history_.allocate<Source>(access.sources.size(), number);
    std::copy(access.sources.begin(), access.sources.end(), copy);
    access.sources = {copy, access.sources.size()};
    return true;
}

/// Leaves the access as a walk would, so that memos can be made of it.
void Imitator::imitate_complete(OperationNumber number, Access& access, const Requirement& known) {
    access.sources = known.sources;
    access.lookback = known.lookback;
    const bool has_twin = known.twin_distance != 0;
    const AccessRef twin{has_twin ? number - known.twin_distance : 0, known.twin_index};
    access.own = {.twin = twin,
                  .oldest_visited = number,
                  .needed_at_twin = known.needed_at_twin,
                  .source_count = known.own_count,
                  .lookback = known.own_lookback,
                  .is_reusable = has_twin};
}

bool Imitator::imitate_own(OperationNumber number, Access& access, const Requirement& known) {
    imitate_complete(number, access, known);
    access.sources = known.own_sources();
    access.lookback = known.own_lookback;
    if (known.twin_distance == 0) return false;
    const Access& twin = history_.accesses(access.own.twin.operation)[access.own.twin.index];
    access.lookback =
        std::min(std::max(access.lookback, known.twin_distance + twin.lookback), history_.window());
    return walk_.resume(number, access, known.own_sources(), access.own.twin, known.needed_at_twin);
}

void Imitator::learn(OperationNumber number, std::span<const Access> accesses,
                     const StreamPosition& where) {
    std::span<const Source> own_edges = edges_;
    if (std::any_of(accesses.begin(), accesses.end(), inherits)) {
        merge_.clear();
        for (const Access& access : accesses) merge_.add(own_sources(access));
        own_edges = merge_.merged();
    }
    memos_.keep({where.position, where.loop}, number, accesses, edges_, own_edges);
}

}  // namespace refrain::trace
