/// Argument checks that the partition factories share. `operation` and `space_name` name the
/// function and the argument in messages.
#pragma once

#include "refrain/detail/box.hpp"
#include "refrain/detail/partition_factories.hpp"

#include <cstdint>
#include <string_view>

namespace refrain::data {

/// More colours than this are a mistake: their subsets alone would fill gigabytes.
inline constexpr std::int64_t colours_max = std::int64_t{1} << 26;

/// Errors: UsageError if there is no colour, or more than colours_max.
void check_colours(const Box& colours, int colour_rank, std::string_view operation);

/// The same of the colours [0,counts[0])x..., where the program gave `argument`, such as counts or
/// extents, for which `given` is printed.
void check_counts(const Coordinates& counts, const Coordinates& given, int rank,
                  std::string_view operation, std::string_view argument);

/// Errors: those of check_colours; UsageError if `count` is not the number of colours.
void check_list_length(std::size_t count, const Box& colours, int colour_rank,
                       std::string_view operation);

/// Errors: UsageError if there is not one value per point of the space.
void check_values(const PointValues& values, const Box& space, int rank, std::string_view operation,
                  std::string_view space_name);

}  // namespace refrain::data
