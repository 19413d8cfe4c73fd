#pragma once

#include "analysis/footprint.hpp"
#include "refrain/detail/launch_description.hpp"

#include <cstdint>
#include <string>

namespace refrain::runtime {

/// The messages for invalid launches. Each function throws a UsageError that names the launch, the
/// argument, both offending values and the way out. Nothing has been launched.
[[noreturn]] void refuse_empty_handle(const LaunchDescription& launch, std::uint32_t argument);
[[noreturn]] void refuse_foreign_region(const LaunchDescription& launch, std::uint32_t argument);
[[noreturn]] void refuse_uninitialised(const LaunchDescription& launch, std::uint32_t argument);
[[noreturn]] void refuse_open_view(const LaunchDescription& launch, std::uint32_t argument);
[[noreturn]] void refuse_colour(const LaunchDescription& launch, std::uint32_t argument,
                                const data::Coordinates& point, const data::Coordinates& colour);
[[noreturn]] void refuse_colour_rank(const LaunchDescription& launch, std::uint32_t argument);
[[noreturn]] void refuse_missing_colour(const LaunchDescription& launch, std::uint32_t argument);
[[noreturn]] void refuse_subset(const LaunchDescription& launch, std::uint32_t argument,
                                std::uint32_t point, const data::BoxSet& subset);
[[noreturn]] void refuse_conflict(const LaunchDescription& launch, std::uint32_t argument,
                                  std::uint32_t other, const analysis::Footprint& footprint,
                                  const analysis::Footprint& others);
[[noreturn]] void refuse_domain(const LaunchSite& site, const data::Box& domain, int rank);
[[noreturn]] void refuse_future(const LaunchDescription& launch, std::uint32_t future,
                                bool is_empty);

/// The points of one launch at most.
inline constexpr std::uint32_t points_max = std::uint32_t{1} << 24;

/// The number of points of a launch over `domain`, which may be empty if `rank` is not 0.
/// Errors: UsageError if there are more than points_max.
[[nodiscard]] inline std::uint32_t checked_points(const LaunchSite& site, const data::Box& domain,
                                                  int rank) {
    if (rank == 0) return 1;
    std::int64_t points = 0;
    if (!data::volume_fits(domain, points) || points > points_max) [[unlikely]]
        refuse_domain(site, domain, rank);
    return static_cast<std::uint32_t>(points);
}

}  // namespace refrain::runtime
