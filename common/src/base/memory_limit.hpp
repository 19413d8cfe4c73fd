#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace refrain::base {

inline constexpr std::uint64_t memory_unknown = std::numeric_limits<std::int64_t>::max();

/// The memory that this process and the programs that it starts can have together, in bytes: that of the machine, or less by a
/// control group. memory_unknown if the system does not tell.
[[nodiscard]] std::uint64_t shared_memory_bytes();

/// The memory that this process itself can have: that, or less by its limits of address space and of data, which each program
/// that it starts has for itself.
[[nodiscard]] std::uint64_t process_memory_bytes();

/// The least of these numbers and `most`. A word that is no number ("max") or 0 says nothing.
[[nodiscard]] std::uint64_t least_bytes(const std::vector<std::string>& words, std::uint64_t most);

}  // namespace refrain::base
