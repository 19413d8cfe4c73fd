#pragma once

#include "analysis/footprint.hpp"
#include "base/gradual_map.hpp"
#include "refrain/detail/launch_description.hpp"
#include "regions/region_root.hpp"

#include <cstdint>
#include <vector>

namespace refrain::runtime {

/// Finds the footprint of a requirement: the elements that each point of a launch touches.
///
/// Results are cached by partition, or in the region for whole regions, so that a repeated launch
/// costs a look-up. Partitions are shared by runtimes, which may run in different threads, so they
/// keep nothing: the key is their interning id, which stands for their content.
///
/// Errors:   UsageError if a point selects a colour outside the partition or elements outside the
///           region.
/// Threads:  the launching thread only.
class FootprintLookup {
  public:
    explicit FootprintLookup(analysis::FootprintTable& footprints);

    /// The footprint of requirement `index` of a launch.
    [[nodiscard]] analysis::FootprintId find(const LaunchDescription& launch, std::uint32_t index);
    /// The footprint table was cleared: cached ids are invalid.
    void begin_epoch();
    [[nodiscard]] std::size_t bytes() const { return bytes_ + cache_.bytes(); }

  private:
    /// What a launch domain selects through a projection.
    struct Selected {
        data::Box domain;
        const void* projection;
        analysis::FootprintId footprint;
    };
    /// Footprints through one partition.
    struct OfPartition {
        std::vector<Selected> selected;
        std::vector<analysis::FootprintId> single;  // by colour, for launches of one task; or empty
    };
    using Cache = base::GradualMap<std::uint64_t, OfPartition>;  // by the partition's id

    [[nodiscard]] OfPartition& known_of(const data::PartitionData& partition);
    [[nodiscard]] analysis::FootprintId find_whole(regions::RegionRoot& region,
                                                   std::uint32_t points);
    [[nodiscard]] analysis::FootprintId find_single(const LaunchDescription& launch,
                                                    std::uint32_t index);
    [[nodiscard]] analysis::FootprintId find_many(const LaunchDescription& launch,
                                                  std::uint32_t index);
    [[nodiscard]] analysis::FootprintId compute(const LaunchDescription& launch,
                                                std::uint32_t index);
    void check_bounds(const LaunchDescription& launch, std::uint32_t index,
                      analysis::FootprintId footprint) const;

    analysis::FootprintTable& footprints_;
    std::uint32_t epoch_ = 1;
    Cache cache_;
    std::size_t bytes_ = 0;
};

}  // namespace refrain::runtime
