// room: page
/// How the operations of each launch site were served, and why some were not replayed.
///
///     for (const refrain::LaunchSiteReport& site : runtime.why_not_traced())
///         std::cout << site.to_string() << '\n';
///
///     'move' (solver.cpp:31): 998 of 1000 operations replayed, 1 recorded, 1 analysed. 1: nothing like
///     it was found among the operations that are remembered; 1: it stood in its context for the
///     second time, and what was found is kept.
///
/// Threads: plain data.
#pragma once

#include "refrain/launch_site.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace refrain {

/// Why an operation was not replayed. Some reasons belong to one recogniser (options.hpp).
enum class NotReplayed : std::uint8_t {
    automatic_tracing_off,  ///< and the program did not trace it either
    // Where fragments are mined, or the program traces by itself:
    before_first_mining,  ///< the first batch of operations had not been mined
    no_match,             ///< it neither began nor continued a fragment known to repeat
    interrupted,     ///< the program waited, or began a trace of its own, inside a known fragment
    broken_off,      ///< it began a known fragment, but the next operations did not continue it, or
                     ///< another trace was preferred
    recording,       ///< the first execution of its trace
    recorded_again,  ///< the recording had been dropped to stay within a budget of memory
    mismatch,        ///< its trace was left: the launches differ from the recorded ones
    // Where each operation is compared with the past when it is launched:
    no_precedent,      ///< no earlier operation is equal to it
    short_context,     ///< one is, but too few of the operations before the two are equal
    first_repetition,  ///< its context occurred for the second time; its dependences are now kept
    looks_further,     ///< the kept dependences rely on more operations than are known to repeat
    not_kept,          ///< the kept dependences were dropped to stay within a budget of memory
    resting,           ///< it was not looked at, because hardly anything had repeated for long
};
inline constexpr std::size_t not_replayed_count = 14;

/// As a clause: "the first execution of its trace".
[[nodiscard]] const char* describe(NotReplayed reason);

struct LaunchSiteReport {
    LaunchSite site;
    std::uint64_t operations = 0;  // issued; each was replayed, recorded or analysed
    std::uint64_t tasks = 0;       // their points
    std::uint64_t replayed = 0;
    std::uint64_t recorded = 0;
    std::uint64_t analysed = 0;
    std::uint64_t held_back = 0;  // operations that were issued after a later launch
    double held_back_mean = 0;    // launches between the launch and the issue of those, on average
    /// The number of operations that were not replayed, by NotReplayed.
    std::array<std::uint64_t, not_replayed_count> reasons{};
    /// The latest operation that was not replayed (0: none), and the reason.
    std::uint64_t latest = 0;
    NotReplayed latest_reason = NotReplayed::automatic_tracing_off;
    /// Further details of that reason, as a sentence; may be empty.
    std::string detail;

    /// Returns the report in a few sentences.
    [[nodiscard]] std::string to_string() const;
};

}  // namespace refrain
