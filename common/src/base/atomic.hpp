#pragma once

#if defined(REFRAIN_INTERLEAVING) && REFRAIN_INTERLEAVING
#include "base/stepped_atomic.hpp"
#else
#include <atomic>
#endif

namespace refrain::base {

/// The atomic of every protocol that is explored: std::atomic, or, in a build with
/// REFRAIN_INTERLEAVING=1, one that yields to the seeded scheduler before each step. Code that uses
/// it names every memory order, because the second has no default.
#if defined(REFRAIN_INTERLEAVING) && REFRAIN_INTERLEAVING
template <class T>
using Atomic = SteppedAtomic<T>;
#else
template <class T>
using Atomic = std::atomic<T>;
#endif

}  // namespace refrain::base
