#pragma once

#include <cstddef>

namespace streams {

/// Bytes allocated by operator new and not yet freed.
[[nodiscard]] std::size_t live_bytes();

/// The maximum of live_bytes() since forget_peak().
[[nodiscard]] std::size_t peak_bytes();
void forget_peak();

}  // namespace streams
