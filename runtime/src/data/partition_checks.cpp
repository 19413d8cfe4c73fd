#include "data/partition_checks.hpp"

#include "data/message.hpp"
#include "refrain/error.hpp"

namespace refrain::data {

void check_colours(const Box& colours, int colour_rank, std::string_view operation) {
    const std::int64_t count = checked_volume(colours, colour_rank, operation, "colours");
    if (count == 0) {
        throw UsageError(message(operation, ": colours is empty; a partition needs at least one"));
    }
    if (count > colours_max) {
        throw UsageError(message(operation, ": colours is ", to_string(colours, colour_rank), ", ",
                                 count, " colours; a partition has at most ", colours_max,
                                 "; cut the space into fewer pieces"));
    }
}

void check_counts(const Coordinates& counts, const Coordinates& given, int rank,
                  std::string_view operation, std::string_view argument) {
    std::int64_t count = 0;
    const bool fits = volume_fits({{}, counts}, count);
    if (fits && count <= colours_max) return;
    throw UsageError(message(operation, ": ", argument, " is ", point_text(given.data(), rank),
                             ", which makes ", fits ? std::to_string(count) : "2^63 or more",
                             " colours; a partition has at most ", colours_max,
                             "; cut the space into fewer pieces"));
}

void check_list_length(std::size_t count, const Box& colours, int colour_rank,
                       std::string_view operation) {
    check_colours(colours, colour_rank, operation);
    const auto wanted = static_cast<std::size_t>(colours.volume());
    if (count == wanted) return;
    throw UsageError(message(operation, ": list has ", count, " entries, but colours is ",
                             to_string(colours, colour_rank), " and has ", wanted,
                             count > wanted ? "; add colours or drop entries"
                                            : "; drop colours or add entries, which may be empty"));
}

void check_values(const PointValues& values, const Box& space, int rank, std::string_view operation,
                  std::string_view space_name) {
    const std::int64_t wanted = checked_volume(space, rank, operation, space_name);
    if (values.count == static_cast<std::size_t>(wanted)) return;
    throw UsageError(message(operation, ": values has ", values.count, " entries, but ", space_name,
                             " is ", to_string(space, rank), " and has ", wanted,
                             " points; give one value per point, in row-major order"));
}

}  // namespace refrain::data
