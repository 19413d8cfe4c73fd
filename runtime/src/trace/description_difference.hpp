#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace refrain::trace {

/// The first difference between two descriptions that a Describer made, as text; empty if they are
/// equal:
///
///     "requirement 2 uses the region of requirement 1, 12 operations ago; before: the region of
///     requirement 1, 7 operations ago"
[[nodiscard]] std::string difference(std::span<const std::uint64_t> before,
                                     std::span<const std::uint64_t> now);

}  // namespace refrain::trace
