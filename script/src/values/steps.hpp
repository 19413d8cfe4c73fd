#pragma once

#include <cstdint>

namespace refrain::script {

/// How much the compiler has looked at in this thread: names, operands, candidates of a search.
///
/// Tests compare programs of different lengths by it, since work can be counted and time cannot.
inline thread_local std::uint64_t steps_taken = 0;

inline void step(std::uint64_t times = 1) {
    steps_taken += times;
}

}  // namespace refrain::script
