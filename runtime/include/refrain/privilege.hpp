/// What a task may do with a subset of a region.
///
///     read         reads; readers run in parallel
///     write        writes every element that it uses before it reads it; old values are lost
///     read_write   reads and writes
///     reduce       folds values in; tasks that reduce with the same operator run in parallel
#pragma once

#include <cstdint>
#include <iosfwd>

namespace refrain {

enum class Privilege : std::uint8_t { read, write, read_write, reduce };

/// "read", "write", "read-write", "reduce".
[[nodiscard]] const char* to_string(Privilege privilege) noexcept;
std::ostream& operator<<(std::ostream& out, Privilege privilege);

/// Whether old values are read: the task truly depends on their writers.
[[nodiscard]] constexpr bool reads(Privilege p) noexcept {
    return p == Privilege::read || p == Privilege::read_write;
}
/// Whether the task replaces all old values: later tasks depend on it, not on earlier writers.
[[nodiscard]] constexpr bool overwrites(Privilege p) noexcept {
    return p == Privilege::write || p == Privilege::read_write;
}

}  // namespace refrain
