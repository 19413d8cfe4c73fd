#include "trace/loop_memo.hpp"

#include "base/assertion.hpp"

namespace refrain::trace {
namespace {

// Then the requirement is assumed to look past the previous execution always.
constexpr std::uint8_t attempts_max = 8;

}  // namespace

void LoopMemo::learn(Requirement& requirement, const Place& place, const analysis::AccessRef& entry,
                     const analysis::Access& access) {
    if (requirement.known || requirement.attempts == attempts_max) return;
    REFRAIN_ASSERT(place.previous_first <= place.first,
                   "an execution of a loop begins before the previous one");
    REFRAIN_ASSERT(place.first <= place.number, "an operation comes before its loop begins");
    ++requirement.attempts;
    const bool stayed_inside = access.own.is_reusable && access.cells.empty() &&
                               access.own.oldest_visited >= place.previous_first &&
                               entry.operation >= place.previous_first;
    if (!stayed_inside) return;
    requirement.entry_distance = static_cast<std::uint32_t>(place.first - entry.operation);
    requirement.entry_index = entry.index;
    if (access.own.twin.operation != 0) {
        requirement.twin_distance =
            static_cast<std::uint32_t>(place.number - access.own.twin.operation);
        requirement.twin_index = access.own.twin.index;
        requirement.needed_at_twin = access.own.needed_at_twin;
    }
    REFRAIN_ASSERT(access.own.source_count <= access.sources.size(),
                   "a walk found more sources than the access has");
    requirement.own_sources.assign(access.sources.begin(),
                                   access.sources.begin() + access.own.source_count);
    requirement.known = true;
}

}  // namespace refrain::trace
