#pragma once

#include "merge/recording.hpp"

#include <cstdint>

namespace refrain::proxy {

/// The largest number that is not larger and has no binary digits but its first two: 4099 becomes 4096, 12345 becomes 12288.
[[nodiscard]] std::int64_t rounded_down(std::int64_t number);
/// The smallest such number that is not smaller.
[[nodiscard]] std::int64_t rounded_up(std::int64_t number);

/// Rounds sizes of messages down, so that they do not give the program away, and memory for them up. A note says so, and of
/// how many calls the sizes stay, and why.
///
/// Bytes are rounded by one function that never decreases, the same at all ranks, and never below the size of a message that
/// stays exact, if that fits: so what was sent alike is, and what had room for something has. Of datatypes whose size is a
/// power of two, elements then are whole; messages of others stay, and so do files, windows, what is packed, and datatypes
/// themselves. What was read or written without waiting is told like the size of a message, by the same calls, and is therefore
/// a size that stays: the function gives it back wherever it is told, and a message of this size stays, too, at both ends.
///
/// Errors: UsageError if the sizes at both ends of a message cannot be kept equal: datatypes of unknown size, receives that
///         failed.
/// Complexity: linear in what is recorded, and in the calls of all ranks if some use datatypes of their own or access files
///         without waiting.
void round_sizes(Recording& recording);
[[nodiscard]] bool has_rounded_sizes(const Recording& recording);

}  // namespace refrain::proxy
