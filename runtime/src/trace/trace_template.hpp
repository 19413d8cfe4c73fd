#pragma once

#include "analysis/access_history.hpp"
#include "refrain/launch_site.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace refrain::trace {

using analysis::OperationNumber;
using analysis::RegionHistory;
using analysis::RequirementShape;
using analysis::Source;

/// Names a trace: what the program calls it, or what automatic tracing does.
using TraceId = std::uint64_t;
/// Traces of automatic tracing have ids from here on, the program's own have smaller ones.
inline constexpr TraceId automatic_ids = TraceId{1} << 63;

/// Everything about a launch that its dependences can depend on, besides what came before it.
struct OperationSignature {
    const void* task = nullptr;  // which code; equal for one task on one kind of arguments
    const LaunchSite* site = nullptr;
    std::uint32_t point_count = 0;
    std::span<const RequirementShape> shapes;  // per requirement
    std::span<RegionHistory* const> regions;   // per requirement
};

/// A recorded fragment: its operations, to compare with, and what the analysis found inside it.
///
/// Regions are not remembered by name. The template numbers them in the order of their first use,
/// and a replay binds each slot to the region that appears there: two fragments are equal if they
/// use their regions in the same way.
///
///     recorded   W(A) R(A) W(B)      slots 0 0 1
///     replayed   W(C) R(C) W(A)      binds 0 -> C, 1 -> A
///
/// A requirement is *interior* if the walk that analysed it looked at nothing before the fragment:
/// then its sources are the same in every replay, whatever came before (dependence_walk.hpp: a walk
/// is a function of the shapes and links that it sees, and those are equal). Other requirements are
/// walked again at each replay, over history that replays record like everybody else. So a template
/// has no preconditions that could fail and no postconditions to apply.
///
/// Flat arrays, written once by the recorder.
///
/// Threads:  the launching thread only.
struct TraceTemplate {
    struct Requirement {
        RequirementShape shape;
        std::uint32_t slot = 0;
        std::uint32_t first_source = 0;
        std::uint32_t source_count = 0;
        bool interior = false;
    };
    struct Operation {
        const void* task = nullptr;
        LaunchSite site;
        std::uint32_t point_count = 0;
        std::uint32_t first_requirement = 0;
        std::uint32_t requirement_count = 0;
        std::uint32_t first_edge = 0;  // merged sources of all requirements
        std::uint32_t edge_count = 0;
        bool interior = false;  // all its requirements are: the edges are all there is
    };

    std::vector<Operation> operations;
    std::vector<Requirement> requirements;
    std::vector<Source> sources;
    std::vector<Source> edges;
    std::vector<bool> slot_was_fresh;  // the region had no access before the fragment

    [[nodiscard]] std::size_t length() const { return operations.size(); }
    [[nodiscard]] std::span<const Requirement> requirements_of(const Operation& operation) const {
        return std::span(requirements)
            .subspan(operation.first_requirement, operation.requirement_count);
    }
    [[nodiscard]] std::span<const Source> sources_of(const Requirement& requirement) const {
        return std::span(sources).subspan(requirement.first_source, requirement.source_count);
    }
    [[nodiscard]] std::span<const Source> edges_of(const Operation& operation) const {
        return std::span(edges).subspan(operation.first_edge, operation.edge_count);
    }
    [[nodiscard]] std::size_t bytes() const;

    /// How many operations the two have in common at their beginnings.
    [[nodiscard]] static std::size_t common_prefix(const TraceTemplate& a, const TraceTemplate& b);
    /// Keeps the first `length` operations and what belongs to them.
    void truncate(std::size_t length);
};

}  // namespace refrain::trace
