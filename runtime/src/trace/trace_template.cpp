#include "trace/trace_template.hpp"

#include "base/assertion.hpp"

#include <algorithm>

namespace refrain::trace {

std::size_t TraceTemplate::bytes() const {
    return sizeof(*this) + operations.capacity() * sizeof(Operation) +
           requirements.capacity() * sizeof(Requirement) +
           (sources.capacity() + edges.capacity()) * sizeof(Source) + slot_was_fresh.capacity() / 8;
}

std::size_t TraceTemplate::common_prefix(const TraceTemplate& a, const TraceTemplate& b) {
    const std::size_t shorter = std::min(a.length(), b.length());
    for (std::size_t i = 0; i < shorter; ++i) {
        const Operation& x = a.operations[i];
        const Operation& y = b.operations[i];
        if (x.task != y.task || x.point_count != y.point_count) return i;
        const auto ours = a.requirements_of(x);
        const auto theirs = b.requirements_of(y);
        const bool equal = std::equal(
            ours.begin(), ours.end(), theirs.begin(), theirs.end(),
            [](const auto& r, const auto& s) { return r.shape == s.shape && r.slot == s.slot; });
        if (!equal) return i;
    }
    return shorter;
}

void TraceTemplate::truncate(std::size_t length) {
    if (length >= operations.size()) return;
    requirements.resize(operations[length].first_requirement);
    edges.resize(operations[length].first_edge);
    operations.resize(length);
    std::size_t slots = 0;
    std::size_t kept_sources = 0;
    for (const Requirement& requirement : requirements) {
        slots = std::max<std::size_t>(slots, requirement.slot + 1U);
        kept_sources = std::max<std::size_t>(kept_sources,
                                             requirement.first_source + requirement.source_count);
    }
    REFRAIN_ASSERT(slots <= slot_was_fresh.size(),
                   "a requirement names a slot that was not recorded");
    REFRAIN_ASSERT(kept_sources <= sources.size(),
                   "a requirement names sources that were not recorded");
    slot_was_fresh.resize(slots);
    sources.resize(kept_sources);
}

}  // namespace refrain::trace
