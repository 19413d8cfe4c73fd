#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

/// Runs threads one at a time and decides at every atomic step which of them goes on, so that an
/// interleaving that breaks a protocol is found by counting seeds and found again by repeating one.
///
///     SteppedAtomic<int> account{0};      // read and written in two steps: loses updates
///     auto deposit = [&] { account.store(account.load(relaxed) + 1, relaxed); };
///     auto report = explore({.first = 0, .count = 100},
///                           [&] { account.store(0, relaxed); return Bodies{deposit, deposit}; },
///                           [&] { return account.load(relaxed) == 2; });
///     report.passed()                     -> false
///     report.failing_seed                 -> the first seed whose schedule loses an update
///
/// What is explored are interleavings of whole steps; every load sees the newest store. Weaker
/// memory orders are the thread sanitizer's business.
///
/// Bodies must not block except in park(), in Atomic::wait and in Mutex: a thread that sleeps in
/// the system while it has the turn stops the run for good.
///
/// Threads:     one exploration at a time per launching thread; step() and its kin may be called
///              from anywhere.
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

/// What an exploration saw. It stops at the first failure.
struct Report {
    std::uint64_t runs = 0;
    std::uint64_t steps = 0;                    // of all runs together
    bool exhaustive = false;                    // every interleaving was run
    std::optional<std::uint64_t> failing_seed;  // of a seeded exploration
    std::vector<std::size_t> failing_schedule;  // the choices made, for an exhaustive one
    std::string failure;                        // empty if all runs passed

    [[nodiscard]] bool passed() const { return failure.empty(); }
};

std::ostream& operator<<(std::ostream& out, const Report& report);

/// Runs each body on a thread of its own, one at a time, in the order that `seed` chooses.
///
/// Errors:      rethrows what a body throws; std::runtime_error if all unfinished threads are
///              parked, or if the run does not end within `steps_max` steps. The threads that are
///              left are then unwound by an exception out of their next step.
/// Returns      the number of steps taken.
std::uint64_t run(std::uint64_t seed, const Bodies& bodies,
                  std::uint64_t steps_max = steps_max_default);

/// For each seed: `make_bodies` sets up fresh state and returns the bodies, they run, and `check`
/// says whether what they left behind is right. An exception out of a body or out of `check` is a
/// failure.
Report explore(Seeds seeds, const std::function<Bodies()>& make_bodies,
               const std::function<bool()>& check, std::uint64_t steps_max = steps_max_default);

/// As explore, but over every interleaving there is, or the first `runs_max` of them. n threads of
/// k steps have (nk)! / (k!)^n interleavings: 2 threads of 4 steps have 70, 3 threads of 4 steps
/// 34,650.
Report explore_all(const std::function<Bodies()>& make_bodies, const std::function<bool()>& check,
                   std::uint64_t runs_max = 1'000'000, std::uint64_t steps_max = steps_max_default);

/// Called before each atomic operation: the point where another thread may be given the turn.
/// Nothing outside a run.
void step();

/// Whether the calling thread belongs to a run.
[[nodiscard]] bool in_run();

/// Sleeps until another thread of the run calls unpark with the same address; may also wake for
/// nothing. A run in which every thread sleeps has failed. Only inside a run.
void park(const void* address);

/// Wakes one or all threads that sleep at `address`. Nothing outside a run.
void unpark_one(const void* address);
void unpark_all(const void* address);

/// Whether a weak compare-exchange should now fail for no reason: sometimes in a seeded run,
/// otherwise never.
[[nodiscard]] bool fail_spuriously();

}  // namespace refrain::base::interleaving
