#pragma once

#include <cstddef>
#include <string_view>

namespace refrain::base {

/// Letters to insert, delete or replace to make one word from the other.
[[nodiscard]] std::size_t edit_distance(std::string_view from, std::string_view to);

}  // namespace refrain::base
