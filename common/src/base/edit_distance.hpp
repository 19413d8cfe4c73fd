#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace refrain::base {

/// Letters to insert, delete or replace to make one word from the other.
[[nodiscard]] std::size_t edit_distance(std::string_view from, std::string_view to);

/// The candidate nearest to a misspelled name; empty if none is near.
///
/// nearest_name("recrod", {"record", "report"}) -> "record"
[[nodiscard]] std::string nearest_name(const std::string& name,
                                       const std::vector<std::string>& candidates);

}  // namespace refrain::base
