#pragma once

#include "base/output_file.hpp"
#include "page/failure_book.hpp"
#include "page/loop_book.hpp"
#include "page/memory_held.hpp"
#include "page/region_automaton.hpp"
#include "page/run_curve.hpp"
#include "page/site_time.hpp"
#include "page/stretch.hpp"
#include "page/trace_book.hpp"
#include "refrain/error.hpp"
#include "refrain/why_not_traced.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace refrain::page {

/// Where the time of a thread went.
enum class Stage : std::uint8_t {
    launch,
    match,
    analysis,
    recording,
    replay,
    linking,
    mining,
    execution,
    idle,     // including the search for tasks to run
    program,  // the program's own code between launches
};
inline constexpr std::size_t stage_count = 10;
[[nodiscard]] const char* name_of(Stage stage);

/// Everything that a page shows about a run.
struct RunData {
    std::string title;
    bool from_stream = false;  // from a log of tokens: without times, tasks, dependences, memory
    double seconds = 0;
    std::uint64_t operations = 0;
    std::uint64_t tasks = 0;
    std::uint64_t replayed = 0;
    std::uint64_t recorded = 0;
    std::uint64_t analysed = 0;
    std::uint64_t mismatches = 0;
    std::uint64_t without_token = 0;  // operations of a log that have no token
    std::uint64_t first_replay = 0;   // number of the operation; 0: none
    double held_back_mean = 0;
    bool automatic = false;
    bool from_precedents = false;  // operations are replayed from precedents: loops, no traces
    // Time to find the dependences of one operation, the median of samples; 0: unknown.
    double analysis_ns = 0;
    double replay_ns = 0;

    struct Sample {
        RunSample counts;
        double seconds = 0;
    };
    struct Worker {
        std::string name;
        std::array<double, stage_count> seconds{};
    };
    /// Which operations were timed: the first ones, then blocks of neighbours.
    struct Sampling {
        // Operations:
        std::uint64_t first = 0;
        std::uint64_t block = 0;  // of each `period`
        std::uint64_t period = 0;
        std::uint64_t period_max = 0;  // where samples would have taken too much time
        std::uint64_t timed = 0;
        [[nodiscard]] bool leaves_out() const { return period != 0; }
    };
    /// What the program declared to be of interest, if it did: only that is counted.
    struct Interest {
        std::uint64_t stretches = 0;  // 0: everything is of interest
        std::uint64_t first_operation = 0;
        std::uint64_t last_operation = 0;
        std::uint64_t launched = 0;  // operations in all
    };
    std::vector<Sample> curve;
    std::vector<LaunchSiteReport> sites;  // by SiteId
    std::vector<TraceRecord> traces;
    TraceRecord other_traces;
    std::uint64_t other_trace_count = 0;
    std::vector<LoopRecord> loops;
    std::uint64_t other_loop_count = 0;
    std::uint64_t other_loops_served = 0;
    std::vector<Worker> workers;
    std::vector<RegionAutomaton> automata;  // if dependences are found by states

    std::vector<SiteTime> site_times;  // by SiteId; empty: times are unknown
    Sampling sampling;
    Interest interest;
    std::vector<Stretch> stretches;  // parts of the timeline, in the order of time
    FailureBook failures;
    MemoryHeld memory;  // at the moment when most was held
};

/// The summary, one sentence or a few per string: what repeated, what replaying saved, what was not
/// replayed and why.
[[nodiscard]] std::vector<std::string> summarise(const RunData& run);

/// The whole page as one HTML file that loads nothing.
[[nodiscard]] std::string html(const RunData& run);

/// The data that the page's scripts read, as JSON.
[[nodiscard]] std::string page_data(const RunData& run);

/// What tells a page from the files of others (base/output_file.hpp).
inline constexpr std::string_view page_mark = "<meta name=\"generator\" content=\"Refrain\">";

/// Errors: UsageError if the file cannot be written, or the policy forbids it; it names the file and
///         `option`, as the program spells it, and says what to do.
void write_file(const std::string& file, const std::string& text, const char* option,
                const base::OutputFile::Policy& policy);
/// The same errors, before there is anything to write.
void check_file(const std::string& file, const char* option,
                const base::OutputFile::Policy& policy);
/// The error of `option`.
[[nodiscard]] UsageError cannot_write(const std::string& file, const char* option,
                                      const base::OutputError& why);

}  // namespace refrain::page
