#include "runtime/footprint_lookup.hpp"

#include "analysis/table_bytes.hpp"
#include "runtime/launch_errors.hpp"

namespace refrain::runtime {
namespace {

constexpr std::size_t cached_max = 16;  // footprints per partition

}  // namespace

FootprintLookup::FootprintLookup(analysis::FootprintTable& footprints) : footprints_(footprints) {}

void FootprintLookup::begin_epoch() {
    ++epoch_;
    analysis::free_all(cache_);
    bytes_ = 0;
}

FootprintLookup::OfPartition& FootprintLookup::known_of(const data::PartitionData& partition) {
    return cache_.try_emplace(partition.id).first;
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
    regions::RegionRoot::WholeFootprints& known = region.whole_footprints;
    if (known.epoch != epoch_) {
        known = {};
        known.epoch = epoch_;
    }
    if (points == 1) {
        if (known.of_one == analysis::FootprintId::none)
            known.of_one = footprints_.intern_same(region.bounds.all(), 1);
        return known.of_one;
    }
    if (known.points != points) {
        known.of_several = footprints_.intern_same(region.bounds.all(), points);
        known.points = points;
    }
    return known.of_several;
}

analysis::FootprintId FootprintLookup::find_single(const LaunchDescription& launch,
                                                   std::uint32_t index) {
    const RequirementDescription& argument = launch.requirements[index];
    const data::PartitionData& partition = *argument.partition;
    if (!partition.colours.contains(argument.colour))
        refuse_colour(launch, index, {}, argument.colour);
    std::vector<analysis::FootprintId>& single = known_of(partition).single;
    if (single.empty()) {
        single.assign(partition.subsets.size(), analysis::FootprintId::none);
        bytes_ += analysis::held_bytes(single) + analysis::bytes_per_block;
    }
    const auto at =
        static_cast<std::size_t>(data::linear_index(partition.colours, argument.colour));
    if (single[at] == analysis::FootprintId::none)
        single[at] = footprints_.intern_one(partition.subsets[at]);
    return single[at];
}

analysis::FootprintId FootprintLookup::find_many(const LaunchDescription& launch,
                                                 std::uint32_t index) {
    // Before the cache: a domain is kept without its rank, so that [0,4) and [0,4)x[0,1) are equal.
    if (launch.kind->domain_rank == 0) refuse_missing_colour(launch, index);
    const auto* projection =
        reinterpret_cast<const void*>(launch.kind->requirements[index].projection);
    if (projection == nullptr &&
        launch.kind->domain_rank != launch.requirements[index].partition->colour_rank)
        refuse_colour_rank(launch, index);
    std::vector<Selected>& selected = known_of(*launch.requirements[index].partition).selected;
    for (const Selected& known : selected)
        if (known.projection == projection && same(known.domain, *launch.domain))
            return known.footprint;
    const analysis::FootprintId footprint = compute(launch, index);
    const std::size_t before = analysis::held_bytes(selected);
    if (selected.size() >= cached_max) selected.erase(selected.begin());
    selected.push_back(
        {.domain = *launch.domain, .projection = projection, .footprint = footprint});
    bytes_ += analysis::held_bytes(selected) - before;
    return footprint;
}

analysis::FootprintId FootprintLookup::compute(const LaunchDescription& launch,
                                               std::uint32_t index) {
    const Projection projection = launch.kind->requirements[index].projection;
    const data::PartitionData& partition = *launch.requirements[index].partition;
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
