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

/// The program's id of a trace, or an automatic one.
enum class TraceId : std::uint64_t {};
/// Numbers from here on belong to automatic tracing.
inline constexpr std::uint64_t automatic_ids = std::uint64_t{1} << 63;
constexpr std::uint64_t number_of(TraceId trace) {
    return static_cast<std::uint64_t>(trace);
}
constexpr bool is_automatic(TraceId trace) {
    return number_of(trace) >= automatic_ids;
}

/// Everything in a launch that can affect its dependences; earlier launches are the other input.
struct OperationSignature {
    const void* task = nullptr;  // the code: one pointer per task and argument types
    const LaunchSite* site = nullptr;
    std::uint32_t point_count = 0;
    std::span<const RequirementShape> shapes;  // per requirement
    std::span<RegionHistory* const> regions;   // per requirement
};

/// A recorded fragment: its operations, for comparison, and the sources that the analysis found.
///
/// Regions have no names here. The template numbers them by first use, and a replay binds each of
/// these *slots* to the region that appears there: fragments that use their regions in the same way
/// are equal.
///
///     recorded   W(A) R(A) W(B)      slots 0 0 1
///     replayed   W(C) R(C) W(A)      binds 0 -> C, 1 -> A
///
/// A requirement is *interior* if its walk visited nothing before the fragment. Then its sources
/// are the same in every replay: a walk depends only on the shapes and links that it reads, and
/// these are equal. All others are *boundary* requirements and are walked again in each replay; the
/// history they walk over contains replayed operations too. So a template has no preconditions to
/// test and no postconditions to apply.
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
        bool needs_fresh = false;  // interior only because the region was fresh
    };
    struct Operation {
        const void* task = nullptr;
        LaunchSite site;
        std::uint32_t point_count = 0;
        std::uint32_t first_requirement = 0;
        std::uint32_t requirement_count = 0;
        std::uint32_t first_edge = 0;
        std::uint32_t edge_count = 0;
        bool interior = false;     // all its requirements are; `edges` are kept for these only
        bool needs_fresh = false;  // one of its requirements does
    };

    std::vector<Operation> operations;
    std::vector<Requirement> requirements;
    std::vector<Source> sources;
    std::vector<Source> edges;         // merged sources of all requirements of an operation
    std::vector<bool> slot_was_fresh;  // by slot: its region had no access before the fragment

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

    /// Leaves nothing but the memory.
    void clear() {
        operations.clear();
        requirements.clear();
        sources.clear();
        edges.clear();
        slot_was_fresh.clear();
    }

    /// Length of the longest common prefix.
    [[nodiscard]] static std::size_t common_prefix(const TraceTemplate& a, const TraceTemplate& b);
    /// Keeps the first `length` operations with their requirements, sources and slots.
    void truncate(std::size_t length);
};

}  // namespace refrain::trace
