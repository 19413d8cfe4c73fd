#include "runtime/launch_errors.hpp"

#include "analysis/overlap_tree.hpp"
#include "data/message.hpp"
#include "refrain/error.hpp"
#include "refrain/region.hpp"
#include "regions/region_root.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace refrain::runtime {
namespace {

const RequirementDescription& argument_of(const LaunchDescription& launch, std::uint32_t index) {
    return launch.requirements[index];
}

Privilege privilege_of(const LaunchDescription& launch, std::uint32_t index) {
    return launch.kind->requirements[index].privilege;
}

std::string region_name(const LaunchDescription& launch, std::uint32_t index) {
    return name_of(*argument_of(launch, index).region);
}

/// "launch 'saxpy' (main.cpp:41), region argument 2, region4 'y' (read-write): "
std::string prefix(const LaunchDescription& launch, std::uint32_t index) {
    std::string text =
        "launch " + launch.site.describe() + ", region argument " + std::to_string(index + 1);
    if (argument_of(launch, index).region != nullptr)
        text +=
            ", " + region_name(launch, index) + " (" + to_string(privilege_of(launch, index)) + ")";
    return text + ": ";
}

/// "the task" for a single task, "point (1,2)" for an index launch.
std::string point_name(const LaunchDescription& launch, const data::Coordinates& point) {
    if (launch.kind->domain_rank == 0) return "the task";
    return "point " + data::point_text(point.data(), launch.kind->domain_rank);
}
std::string point_name(const LaunchDescription& launch, std::uint32_t number) {
    return point_name(launch, data::point_at(*launch.domain, number));
}

/// The first point that shares an element with another one, and the first of these.
std::optional<std::pair<std::uint32_t, std::uint32_t>> conflicting_points(
    const analysis::Footprint& footprint, const analysis::Footprint& others) {
    const analysis::OverlapTree tree(others.subsets);  // there may be a million points
    for (std::uint32_t point = 0; point < footprint.subsets.size(); ++point) {
        std::optional<std::uint32_t> first;
        tree.overlapping(footprint.subsets[point], [&](std::uint32_t other) {
            if (other != point) first = std::min(first.value_or(other), other);
        });
        if (first) return std::pair(point, *first);
    }
    return std::nullopt;
}

}  // namespace

void refuse_empty_handle(const LaunchDescription& launch, std::uint32_t argument) {
    throw UsageError(prefix(launch, argument) +
                     "the Region handle is empty; give it a region made by create_region");
}

void refuse_foreign_region(const LaunchDescription& launch, std::uint32_t argument) {
    throw UsageError(prefix(launch, argument) +
                     "the region belongs to another runtime, or to one that has ended; use regions "
                     "with the runtime that made them");
}

void refuse_uninitialised(const LaunchDescription& launch, std::uint32_t argument) {
    const RequirementKind& kind = launch.kind->requirements[argument];
    if (kind.reduction != nullptr)
        throw UsageError(prefix(launch, argument) +
                         "the task folds values into a region that nothing has written; fill it "
                         "first, with the identity of " +
                         kind.reduction->name + " if it is to hold these values alone");
    throw UsageError(prefix(launch, argument) +
                     "the task needs values of a region that nothing has written; fill it first, "
                     "or request write instead of " +
                     to_string(privilege_of(launch, argument)));
}

void refuse_open_view(const LaunchDescription& launch, std::uint32_t argument) {
    const regions::RegionRoot& region = *argument_of(launch, argument).region;
    throw UsageError(prefix(launch, argument) + "the host program holds a view of the region (to " +
                     (region.use.host_writes() ? "write" : "read") + "), and the task would " +
                     (privilege_of(launch, argument) == Privilege::read ? "read" : "change") +
                     " it; let the view go out of scope first");
}

void refuse_colour(const LaunchDescription& launch, std::uint32_t argument,
                   const data::Coordinates& point, const data::Coordinates& colour) {
    const data::PartitionData& partition = *argument_of(launch, argument).partition;
    throw UsageError(prefix(launch, argument) + point_name(launch, point) + " selects colour " +
                     data::point_text(colour.data(), partition.colour_rank) +
                     ", but the partition has colours " +
                     data::to_string(partition.colours, partition.colour_rank) +
                     "; launch over the partition's colours, or change the projection");
}

void refuse_colour_rank(const LaunchDescription& launch, std::uint32_t argument) {
    throw UsageError(prefix(launch, argument) + "the launch domain has rank " +
                     std::to_string(launch.kind->domain_rank) +
                     ", but the partition's colours have rank " +
                     std::to_string(argument_of(launch, argument).partition->colour_rank) +
                     "; give a projection from points of the domain to colours");
}

void refuse_missing_colour(const LaunchDescription& launch, std::uint32_t argument) {
    throw UsageError(prefix(launch, argument) +
                     "a single task on a partition must name a colour; write (region, partition, "
                     "colour), or launch over the partition's colours");
}

void refuse_subset(const LaunchDescription& launch, std::uint32_t argument, std::uint32_t point,
                   const data::BoxSet& subset) {
    const regions::RegionRoot& region = *argument_of(launch, argument).region;
    throw UsageError(prefix(launch, argument) + "the subset " +
                     data::short_text(subset, region.rank) + " of " + point_name(launch, point) +
                     " reaches beyond the region's bounds " +
                     data::to_string(region.bounds, region.rank) +
                     "; use a partition of this region's space, or clip it");
}

void refuse_conflict(const LaunchDescription& launch, std::uint32_t argument, std::uint32_t other,
                     const analysis::Footprint& footprint, const analysis::Footprint& others) {
    std::string text = prefix(launch, argument) + "points of one launch run in parallel, but ";
    const auto found = conflicting_points(footprint, others);
    if (!found) throw UsageError(text + "two of them conflict");
    const auto [p, q] = *found;
    const int rank = argument_of(launch, argument).region->rank;
    text += point_name(launch, p) + " uses " + data::short_text(footprint.subsets[p], rank) +
            " and " + point_name(launch, q) + " uses " + data::short_text(others.subsets[q], rank);
    if (argument != other)
        text += " (region argument " + std::to_string(other + 1) + ", " +
                to_string(privilege_of(launch, other)) + ")";
    throw UsageError(
        text + "; write through a disjoint partition, reduce, or launch the points one by one");
}

void refuse_domain(const LaunchSite& site, const data::Box& domain, int rank) {
    std::int64_t points = 0;
    const bool fits = data::volume_fits(domain, points);
    throw UsageError("launch " + site.describe() + ": the launch domain " +
                     data::to_string(domain, rank) + " has " +
                     (fits ? std::to_string(points) : std::string("2^63 or more")) +
                     " points, more than the " + std::to_string(points_max) +
                     " that one launch can have; launch over larger pieces");
}

void refuse_future(const LaunchDescription& launch, std::uint32_t future, bool is_empty) {
    throw UsageError("launch " + launch.site.describe() + ", future argument " +
                     std::to_string(future + 1) + ": " +
                     (is_empty
                          ? "the future is empty; give it the result of a launch"
                          : "the future belongs to another runtime; pass its value, future.get()"));
}

}  // namespace refrain::runtime
