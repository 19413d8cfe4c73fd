/// What a task may do with a subset of a region.
///
///     read         sees values, changes none; readers run in parallel
///     write        writes every element it uses before reading it; older values are lost
///     read_write   sees and changes values
///     reduce       folds values in with a reduction operator; reducers with one operator run in
///                  parallel
#pragma once

#include <cstdint>
#include <iosfwd>

namespace refrain {

enum class Privilege : std::uint8_t { read, write, read_write, reduce };

/// "read", "write", "read-write", "reduce".
[[nodiscard]] const char* to_string(Privilege privilege) noexcept;
std::ostream& operator<<(std::ostream& out, Privilege privilege);

/// Whether values that were there before are seen: a true dependence on whoever wrote them.
[[nodiscard]] constexpr bool reads(Privilege p) noexcept {
    return p == Privilege::read || p == Privilege::read_write;
}
/// Whether everything that was there before is gone or folded into what the task leaves behind.
[[nodiscard]] constexpr bool overwrites(Privilege p) noexcept {
    return p == Privilege::write || p == Privilege::read_write;
}

}  // namespace refrain
