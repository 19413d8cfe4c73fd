#include "runtime/footprint_lookup.hpp"

#include "runtime/launch_errors.hpp"

#include <atomic>

namespace refrain::runtime {
namespace {

constexpr std::size_t cached_max = 16;  // footprints per partition

std::uint64_t next_epoch() {
    static std::atomic<std::uint64_t> epochs{0};
    return epochs.fetch_add(1, std::memory_order_relaxed) + 1;  // publishes nothing
}

std::uint32_t raw(analysis::FootprintId id) {
    return static_cast<std::uint32_t>(id);
}

}  // namespace

FootprintLookup::FootprintLookup(analysis::FootprintTable& footprints)
    : footprints_(footprints), epoch_(next_epoch()) {}

void FootprintLookup::begin_epoch() {
    epoch_ = next_epoch();
}

analysis::FootprintId FootprintLookup::find(const LaunchDescription& launch, std::uint32_t index) {
    const RequirementDescription& argument = launch.requirements[index];
    if (argument.partition == nullptr)
        return find_whole(*argument.region, static_cast<std::uint32_t>(launch.domain->volume()));
    const analysis::FootprintId footprint = launch.kind->requirements[index].has_colour
                                                ? find_single(launch, index)
                                                : find_many(launch, index);
    const data::Box& bounds = footprints_.get(footprint).all.bounds();
    if (!argument.region->bounds.contains(bounds)) check_bounds(launch, index, footprint);
    return footprint;
}

analysis::FootprintId FootprintLookup::find_whole(regions::RegionRoot& region,
                                                  std::uint32_t points) {
    regions::RegionRoot::WholeFootprint& known = region.whole_footprints[points == 1 ? 0 : 1];
    if (known.epoch == epoch_ && known.points == points) return known.footprint;
    known = {.epoch = epoch_,
             .points = points,
             .footprint = footprints_.intern_same(data::BoxSet(region.bounds), points)};
    return known.footprint;
}

analysis::FootprintId FootprintLookup::find_single(const LaunchDescription& launch,
                                                   std::uint32_t index) {
    const RequirementDescription& argument = launch.requirements[index];
    const data::PartitionData& partition = *argument.partition;
    if (!partition.colours.contains(argument.colour))
        refuse_colour(launch, index, {}, argument.colour);
    data::FootprintCache& cache = partition.footprints;
    if (cache.single_epoch != epoch_) {
        cache.single.assign(partition.subsets.size(), 0);
        cache.single_epoch = epoch_;
    }
    const auto at =
        static_cast<std::size_t>(data::linear_index(partition.colours, argument.colour));
    if (cache.single[at] == 0) cache.single[at] = raw(footprints_.intern({partition.subsets[at]}));
    return static_cast<analysis::FootprintId>(cache.single[at]);
}

analysis::FootprintId FootprintLookup::find_many(const LaunchDescription& launch,
                                                 std::uint32_t index) {
    const auto* projection =
        reinterpret_cast<const void*>(launch.kind->requirements[index].projection);
    auto& entries = launch.requirements[index].partition->footprints.entries;
    for (const data::FootprintCacheEntry& entry : entries)
        if (entry.epoch == epoch_ && entry.projection == projection &&
            same(entry.domain, *launch.domain))
            return static_cast<analysis::FootprintId>(entry.footprint);
    const analysis::FootprintId footprint = compute(launch, index);
    if (entries.size() >= cached_max) entries.erase(entries.begin());
    entries.push_back({.epoch = epoch_,
                       .domain = *launch.domain,
                       .projection = projection,
                       .footprint = raw(footprint)});
    return footprint;
}

analysis::FootprintId FootprintLookup::compute(const LaunchDescription& launch,
                                               std::uint32_t index) {
    const Projection projection = launch.kind->requirements[index].projection;
    const data::PartitionData& partition = *launch.requirements[index].partition;
    if (launch.kind->domain_rank == 0) refuse_missing_colour(launch, index);
    if (projection == nullptr && launch.kind->domain_rank != partition.colour_rank)
        refuse_colour_rank(launch, index);
    const std::int64_t points = launch.domain->volume();
    std::vector<data::BoxSet> subsets;
    subsets.reserve(static_cast<std::size_t>(points));
    for (std::int64_t i = 0; i < points; ++i) {
        const data::Coordinates point = data::point_at(*launch.domain, i);
        const data::Coordinates colour = projection != nullptr ? projection(point) : point;
        if (!partition.colours.contains(colour)) refuse_colour(launch, index, point, colour);
        subsets.push_back(partition.subset(colour));
    }
    return footprints_.intern(std::move(subsets));
}

void FootprintLookup::check_bounds(const LaunchDescription& launch, std::uint32_t index,
                                   analysis::FootprintId id) const {
    const analysis::Footprint& footprint = footprints_.get(id);
    const data::Box& bounds = launch.requirements[index].region->bounds;
    for (std::uint32_t point = 0; point < footprint.subsets.size(); ++point)
        if (!bounds.contains(footprint.subsets[point].bounds()))
            refuse_subset(launch, index, point, footprint.subsets[point]);
}

}  // namespace refrain::runtime
