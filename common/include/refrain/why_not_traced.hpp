// room: page
/// What became of the operations of each launch site, and why those that were not replayed were
/// not.
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
    no_match,             ///< it neither began nor went on a fragment known to repeat
    interrupted,     ///< the program waited, or began a trace of its own, inside a known fragment
    broken_off,      ///< it began a known fragment, and others followed than belong to it, or
                     ///< another trace was preferred
    recording,       ///< the first execution of its trace
    recorded_again,  ///< what was recorded had been dropped to stay within a budget of memory
    mismatch,        ///< its trace was left: what was launched differs from what was recorded
    // Where each operation is compared with the past when it is launched:
    no_precedent,      ///< nothing like it was found
    short_context,     ///< something like it was, but what came before differs too early
    first_repetition,  ///< it stood in its context for the second time; what was found is kept
    looks_further,     ///< what was found before depends on more than is known to repeat
    not_kept,          ///< what was found before had been dropped to stay within a budget of memory
    resting,           ///< it was passed over: for long, hardly anything had repeated
};
inline constexpr std::size_t not_replayed_count = 14;

/// As a clause: "the first execution of its trace".
[[nodiscard]] const char* describe(NotReplayed reason);

struct LaunchSiteReport {
    LaunchSite site;
    std::uint64_t operations = 0;  // issued: each is one of replayed, recorded, analysed
    std::uint64_t tasks = 0;       // their points
    std::uint64_t replayed = 0;
    std::uint64_t recorded = 0;
    std::uint64_t analysed = 0;
    std::uint64_t held_back = 0;  // of these operations, were issued after a later launch
    double held_back_mean = 0;    // launches that came in between, averaged over those
    /// How many operations were not replayed for each NotReplayed.
    std::array<std::uint64_t, not_replayed_count> reasons{};
    /// The latest that was not replayed: its number (0: none), and why not.
    std::uint64_t latest = 0;
    NotReplayed latest_reason = NotReplayed::automatic_tracing_off;
    /// What more is known about that reason now, as a sentence; may be empty.
    std::string detail;

    /// All of it in a few sentences.
    [[nodiscard]] std::string to_string() const;
};

}  // namespace refrain
