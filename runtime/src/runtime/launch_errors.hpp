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
[[noreturn]] void refuse_domain(const LaunchDescription& launch, std::int64_t points);
[[noreturn]] void refuse_future(const LaunchDescription& launch, std::uint32_t future,
                                bool is_empty);

}  // namespace refrain::runtime
