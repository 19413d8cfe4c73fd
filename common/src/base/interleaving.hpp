#pragma once

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
/// Bodies may block only in park(), Atomic::wait and Mutex: a thread that has the turn and blocks
/// in the system blocks the run forever.
///
/// Threads:     one exploration at a time per launching thread; any thread may call step(),
///              in_run(), unpark_*() and fail_spuriously().
/// Source:      the idea is that of `systematic.h` in microsoft/verona-rt.
namespace refrain::base::interleaving {

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

/// Call before each atomic operation: may switch to another thread. Does nothing outside a run.
void step();

/// Whether the calling thread belongs to a run.
[[nodiscard]] bool in_run();

/// Blocks until another thread of the run calls unpark with the same address; may wake spuriously.
/// A run whose unfinished threads are all parked has failed. Only inside a run.
void park(const void* address);

/// Wakes one or all threads parked at `address`. Does nothing outside a run.
void unpark_one(const void* address);
void unpark_all(const void* address);

/// Whether a weak compare-exchange should fail spuriously now: sometimes in a seeded run, otherwise
/// never.
[[nodiscard]] bool fail_spuriously();

}  // namespace refrain::base::interleaving
