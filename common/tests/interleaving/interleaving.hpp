#pragma once

#include "base/scheduler.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

/// Runs threads one at a time and chooses at every atomic step which of them continues. Trying many
/// seeds finds an interleaving that breaks a protocol; repeating a seed reproduces it.
///
///     SteppedAtomic<int> account{0};      // read and written in two steps: loses updates
///     auto deposit = [&] { account.store(account.load(relaxed) + 1, relaxed); };
///     auto report = explore({.first = 0, .count = 100},
///                           [&] { account.store(0, relaxed); return Bodies{deposit, deposit}; },
///                           [&] { return account.load(relaxed) == 2; });
///     report.passed()                     -> false
///     report.failing_seed                 -> the first seed whose schedule loses an update
///
/// Only interleavings of whole steps are explored; every load sees the newest store. The thread
/// sanitizer checks weaker memory orders.
///
/// Bodies must not block except in base::Scheduler::park, in SteppedAtomic::wait and in SteppedMutex:
/// a thread that sleeps in the system while it has the turn stops the run for good. What the
/// library writes with base::Atomic and base::Mutex is stepped in builds with REFRAIN_INTERLEAVING=1,
/// and only there.
///
/// Threads:     one exploration at a time per launching thread.
/// Source:      the idea is that of `systematic.h` in microsoft/verona-rt.
namespace refrain::interleaving {

using Body = std::function<void()>;
using Bodies = std::vector<Body>;

/// Which seeds to try: first, first + 1, ...
struct Seeds {
    std::uint64_t first = 0;
    std::uint64_t count = 1000;
};

/// Steps after which a run counts as stuck.
inline constexpr std::uint64_t steps_max_default = 100'000;

/// The result of an exploration, which stops at the first failure.
struct Report {
    std::uint64_t runs = 0;
    std::uint64_t steps = 0;                    // of all runs together
    bool exhaustive = false;                    // every interleaving was run
    std::optional<std::uint64_t> failing_seed;  // of a seeded exploration
    std::vector<std::size_t> failing_schedule;  // its choices, of an exhaustive exploration
    std::string failure;                        // empty if all runs passed

    [[nodiscard]] bool passed() const { return failure.empty(); }
};

std::ostream& operator<<(std::ostream& out, const Report& report);

/// Runs each body on a thread of its own, one at a time, in the order that `seed` chooses.
///
/// Errors:      rethrows what a body throws; std::runtime_error if all unfinished threads are
///              parked, or if the run does not end within `steps_max` steps. The remaining threads
///              are then unwound by an exception thrown from their next step.
/// Returns      the number of steps taken.
std::uint64_t run(std::uint64_t seed, const Bodies& bodies,
                  std::uint64_t steps_max = steps_max_default);

/// For each seed: `make_bodies` sets up fresh state and returns the bodies, the bodies run, and
/// `check` returns whether the resulting state is correct. An exception thrown by a body or by
/// `check` is a failure.
Report explore(Seeds seeds, const std::function<Bodies()>& make_bodies,
               const std::function<bool()>& check, std::uint64_t steps_max = steps_max_default);

/// As explore, but over all interleavings, or the first `runs_max` of them. n threads of k steps
/// have (nk)! / (k!)^n interleavings: 2 threads of 4 steps have 70, 3 threads of 4 steps 34,650.
Report explore_all(const std::function<Bodies()>& make_bodies, const std::function<bool()>& check,
                   std::uint64_t runs_max = 1'000'000, std::uint64_t steps_max = steps_max_default);

/// Whether the library's atomics and mutexes are stepped in this build.
#if defined(REFRAIN_INTERLEAVING) && REFRAIN_INTERLEAVING
inline constexpr bool library_is_stepped = true;
#else
inline constexpr bool library_is_stepped = false;
#endif

}  // namespace refrain::interleaving
