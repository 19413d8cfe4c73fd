#pragma once

#include <cstddef>

namespace streams {

/// Bytes that this process has from operator new and has not given back.
[[nodiscard]] std::size_t live_bytes();

/// The most there were since forget_peak().
[[nodiscard]] std::size_t peak_bytes();
void forget_peak();

}  // namespace streams
