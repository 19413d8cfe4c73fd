#include "trace/recorder.hpp"

#include "base/assertion.hpp"

#include <algorithm>

namespace refrain::trace {

void Recorder::begin(std::uint64_t serial, OperationNumber first) {
    serial_ = serial;
    first_ = first;
    recorded_.clear();
}

void Recorder::begin(std::uint64_t serial, OperationNumber first, const TraceTemplate& prefix,
                     std::size_t length) {
    serial_ = serial;
    first_ = first;
    recorded_ = prefix;
    recorded_.truncate(length);
    REFRAIN_ASSERT(recorded_.length() == length,
                   "a recording goes on behind the end of its prefix");
}

TraceTemplate Recorder::copy() {
    TraceTemplate made;
    const auto copy_into = [&](auto& to, const auto& from) {
        to.reserve(from.size());
        pages_.reach(to.data(), from.size() * sizeof from[0]);
        to.insert(to.end(), from.begin(), from.end());
    };
    copy_into(made.operations, recorded_.operations);
    copy_into(made.requirements, recorded_.requirements);
    copy_into(made.sources, recorded_.sources);
    copy_into(made.edges, recorded_.edges);
    made.slot_was_fresh = recorded_.slot_was_fresh;
    return made;
}

void Recorder::operation(const OperationSignature& signature,
                         std::span<const analysis::Access> accesses,
                         std::span<const Source> edges) {
    REFRAIN_ASSERT(signature.shapes.size() == signature.regions.size(),
                   "an operation has not as many regions as shapes");
    REFRAIN_ASSERT(signature.shapes.size() == accesses.size(),
                   "the accesses of another operation are recorded");
    TraceTemplate::Operation operation;
    operation.task = signature.task;
    operation.site = *signature.site;
    operation.point_count = signature.point_count;
    operation.first_requirement = static_cast<std::uint32_t>(recorded_.requirements.size());
    operation.requirement_count = static_cast<std::uint32_t>(signature.shapes.size());
    operation.first_edge = static_cast<std::uint32_t>(recorded_.edges.size());
    operation.interior = true;
    for (std::size_t i = 0; i < signature.shapes.size(); ++i) {
        requirement(signature.shapes[i], *signature.regions[i], accesses[i]);
        operation.interior = operation.interior && recorded_.requirements.back().interior;
        operation.needs_fresh = operation.needs_fresh || recorded_.requirements.back().needs_fresh;
    }
    if (operation.interior)
        recorded_.edges.insert(recorded_.edges.end(), edges.begin(), edges.end());
    operation.edge_count =
        static_cast<std::uint32_t>(recorded_.edges.size()) - operation.first_edge;
    recorded_.operations.push_back(operation);
}

void Recorder::requirement(const RequirementShape& shape, RegionHistory& region,
                           const analysis::Access& access) {
    TraceTemplate::Requirement requirement;
    requirement.shape = shape;
    bind(region, access);
    REFRAIN_ASSERT(region.slot < recorded_.slot_was_fresh.size(),
                   "a region is bound to a slot that was not recorded");
    requirement.slot = region.slot;
    const bool knows_beginning = !access.saw_beginning || recorded_.slot_was_fresh[region.slot];
    requirement.interior = access.oldest_seen >= first_ && knows_beginning;
    requirement.needs_fresh = access.saw_beginning;
    requirement.first_source = static_cast<std::uint32_t>(recorded_.sources.size());
    if (requirement.interior)
        recorded_.sources.insert(recorded_.sources.end(), access.sources.begin(),
                                 access.sources.end());
    requirement.source_count =
        static_cast<std::uint32_t>(recorded_.sources.size()) - requirement.first_source;
    recorded_.requirements.push_back(requirement);
}

void Recorder::bind(RegionHistory& region, const analysis::Access& access) {
    if (region.bound_by == serial_) return;
    region.bound_by = serial_;
    region.slot = static_cast<std::uint32_t>(recorded_.slot_was_fresh.size());
    const bool fresh = access.cells.empty() && access.link.before.operation == 0;
    recorded_.slot_was_fresh.push_back(fresh);
}

}  // namespace refrain::trace
