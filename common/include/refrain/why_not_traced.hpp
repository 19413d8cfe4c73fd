// room: page
/// How the operations of each launch site were served, and why some were not replayed.
///
///     for (const refrain::LaunchSiteReport& site : runtime.why_not_traced())
///         std::cout << site.to_string() << '\n';
///
///     'move' (solver.cpp:31): 998 of 1000 operations replayed, 1 recorded, 1 analysed. 1: no
///     operation like it is remembered; 1: its context occurred for the second time: its
///     dependences were kept.
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
    broken_off,      ///< a known fragment began, but other operations followed, or another trace
                     ///< was preferred
    recording,       ///< the first execution of its trace
    recorded_again,  ///< its recording had been dropped to stay within a memory budget
    mismatch,        ///< its trace was left because a launch differed from the recording
    // Where each operation is compared with the past when it is launched:
    no_precedent,      ///< no operation like it is remembered
    short_context,     ///< an operation like it is remembered, but the operations before it differ
    first_repetition,  ///< its context occurred for the second time: its dependences were kept
    looks_further,     ///< the kept dependences reach back beyond the operations known to repeat
    not_kept,          ///< the kept dependences had been dropped to stay within a memory budget
    resting,           ///< it was skipped because repeats had been rare for long
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
    std::uint64_t held_back = 0;  // operations issued only after later launches
    double held_back_mean = 0;    // later launches per operation held back
    /// By NotReplayed: how many operations were not replayed for that reason.
    std::array<std::uint64_t, not_replayed_count> reasons{};
    /// The latest operation that was not replayed: its number (0: none), and the reason.
    std::uint64_t latest = 0;
    NotReplayed latest_reason = NotReplayed::automatic_tracing_off;
    /// More about that reason, as a sentence; may be empty.
    std::string detail;

    /// Returns the report in a few sentences.
    [[nodiscard]] std::string to_string() const;
};

}  // namespace refrain
