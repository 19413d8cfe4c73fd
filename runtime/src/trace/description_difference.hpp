#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace refrain::trace {

/// Says in words what is different in `now` from `before`, two descriptions that a Describer made:
///
///     "the region of requirement 2 is that of requirement 1 12 operations ago, then that of
///     requirement 1 7 operations ago"
///
/// The first difference only. Empty if there is none.
[[nodiscard]] std::string difference(std::span<const std::uint64_t> before,
                                     std::span<const std::uint64_t> now);

}  // namespace refrain::trace
