// room: observe
/// Counters of every stage, as plain data.
///
/// Threads: a snapshot taken by the launching thread; what the workers counted is approximate while
///     they run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace refrain {

struct LaunchStatistics {
    std::uint64_t operations = 0;     // launches, fills and fences
    std::uint64_t tasks = 0;          // their points
    std::uint64_t regions = 0;        // created
    std::uint64_t futures = 0;        // made
    std::uint64_t host_accesses = 0;  // blocking reads and writes of a region's data
    std::uint64_t window_waits = 0;   // times the program was too far ahead
    std::uint64_t batches = 0;        // of single tasks that share a record of the graph
    std::uint64_t batched = 0;        // tasks in them
};

struct AnalysisStatistics {
    std::uint64_t hops = 0;             // accesses that walks went past
    std::uint64_t divided_regions = 0;  // regions that got a chain per cell
    std::size_t footprints = 0;         // distinct contents of requirements
    std::size_t patterns = 0;           // distinct edge patterns
    std::size_t walk_steps = 0;         // distinct steps remembered
    std::size_t bytes = 0;              // of all these tables
    std::uint64_t table_resets = 0;     // times they outgrew their budget and were made anew
};

/// Every operation is exactly one of analysed, recorded, replayed.
struct TraceStatistics {
    std::uint64_t analysed = 0;
    std::uint64_t recorded = 0;
    std::uint64_t replayed = 0;
    // Requirements of replayed operations that look beyond the trace.
    std::uint64_t walked_in_replay = 0;
    std::uint64_t replays = 0;  // of whole traces
    std::uint64_t recordings = 0;
    std::uint64_t mismatches = 0;
    std::string last_mismatch;
    std::uint64_t verified = 0;  // replayed operations that were analysed again
    std::uint64_t verify_failures = 0;
    std::uint64_t evictions = 0;
    std::size_t traces = 0;
    std::size_t variants = 0;
    std::size_t bytes = 0;
};

/// Of the recogniser that is in use; what belongs to the other one is 0.
struct AutotraceStatistics {
    bool enabled = false;
    const char* recogniser = "none";  ///< or "inline" or "mined" (Options::recogniser)
    std::uint64_t traceable = 0;      // operations seen that may be traced
    std::uint64_t replayed = 0;       // of these, replayed
    // The first operation that was replayed; mined: or recorded in an automatic trace. 0: none.
    std::uint64_t first_replay = 0;
    std::size_t bytes = 0;  // of all that it keeps
    // mined:
    std::uint64_t traces = 0;       // distinct ones that were used
    std::uint64_t traces_left = 0;  // executions that were left in the middle
    std::uint64_t candidates = 0;   // known now
    std::uint64_t slices_mined = 0;
    double held_back_mean = 0;  // operations held back, averaged over operations
    // inline:
    std::uint64_t looked_at = 0;    // operations: of these,
    std::uint64_t predicted = 0;    // were what had followed the precedent of the one before;
    std::uint64_t compiled = 0;     // so many of those were known by their launch in a loop;
    std::uint64_t found = 0;        // were not, but had a precedent all the same,
    std::uint64_t collisions = 0;   // shared a hash with another one, no more
    std::uint64_t passed_over = 0;  // operations while hardly anything repeated
    std::uint64_t memos = 0;        // kept now: what was found for an operation and those like it
    std::uint64_t memo_evictions = 0;
    std::size_t matcher_bytes = 0;
    std::size_t description_bytes = 0;
    std::size_t memo_bytes = 0;
    std::size_t compiled_bytes = 0;  // the launches of the loop that the program is in, or was last
};

struct WorkerStatistics {
    std::uint64_t tasks = 0;
    std::uint64_t skipped = 0;
    std::uint64_t groups = 0;
    std::uint64_t steals = 0;
    std::uint64_t rests = 0;
    std::uint64_t background_jobs = 0;
    std::uint64_t waits = 0;  // for the launching thread to do what is not worth taking over
};

struct StorageStatistics {
    std::size_t bytes_in_use = 0;
    std::size_t bytes_peak = 0;
    std::size_t bytes_held = 0;
};

/// What the launching thread's time per task was while operations were analysed, recorded,
/// replayed; kept if Options::time_phases is set.
struct PhaseStatistics {
    std::uint64_t tasks = 0;
    double seconds = 0;
};

/// One point of the curve "how many operations were replayed so far".
struct ProgressSample {
    std::uint64_t operations = 0;
    std::uint64_t replayed = 0;
    double seconds = 0;  ///< since the runtime was made
};

struct Statistics {
    LaunchStatistics launches;
    AnalysisStatistics analysis;
    TraceStatistics traces;
    AutotraceStatistics autotrace;
    std::vector<WorkerStatistics> workers;
    StorageStatistics storage;
    PhaseStatistics analysing, recording, replaying;
    std::vector<ProgressSample> progress;  // evenly spaced, a few thousand at most

    /// Several lines for people.
    [[nodiscard]] std::string to_string() const;
};

/// A dependence that was found: every point task `target` waits for point task `source`.
struct Dependence {
    std::uint64_t source_operation = 0;
    std::uint32_t source_point = 0;
    std::uint64_t target_operation = 0;
    std::uint32_t target_point = 0;
    bool carries_data = false;
};

}  // namespace refrain
