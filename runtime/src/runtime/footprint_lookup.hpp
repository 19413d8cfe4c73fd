#pragma once

#include "analysis/footprint.hpp"
#include "refrain/detail/launch_description.hpp"
#include "regions/region_root.hpp"

namespace refrain::runtime {

/// Finds the footprint of a requirement: the elements that each point of a launch touches.
///
/// Results are cached in the partition, or in the region for whole regions, so that a repeated
/// launch costs a compare.
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

  private:
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
    std::uint64_t epoch_ = 0;  // unique in the process, since runtimes share partitions
};

}  // namespace refrain::runtime
