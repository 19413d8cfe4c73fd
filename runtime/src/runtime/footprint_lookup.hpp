#pragma once

#include "analysis/footprint.hpp"
#include "refrain/detail/launch_description.hpp"
#include "regions/region_root.hpp"

namespace refrain::runtime {

/// Finds the footprint of a requirement: which elements each point of a launch touches through it.
///
/// What was found is kept with the partition, or with the region for whole regions, so that a
/// launch like one before pays a compare.
///
/// Errors:   UsageError if a point selects a colour that the partition does not have, or elements
///           that the region does not.
/// Threads:  the launching thread only.
class FootprintLookup {
  public:
    explicit FootprintLookup(analysis::FootprintTable& footprints);

    /// Of argument number `index` of a launch (for messages).
    [[nodiscard]] analysis::FootprintId find(const LaunchDescription& launch, std::uint32_t index);
    /// All footprints were forgotten.
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
    std::uint64_t epoch_ = 0;  // never the same twice in a process
};

}  // namespace refrain::runtime
