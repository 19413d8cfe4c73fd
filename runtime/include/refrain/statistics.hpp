// room: observe
/// Counters of all stages of a runtime, as plain data (Runtime::statistics()).
///
/// Shapes:  bytes and seconds where a name says so; everything else counts from the runtime's
///          start, unless its comment says "now".
/// Threads: a snapshot taken by the launching thread; counters of workers are approximate while
///          they run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace refrain {

struct LaunchStatistics {
    std::uint64_t operations = 0;     // launches, fills and fences
    std::uint64_t tasks = 0;          // points of all launches
    std::uint64_t failed = 0;         // of these, known to have thrown
    std::uint64_t regions = 0;        // created
    std::uint64_t futures = 0;        // created
    std::uint64_t host_accesses = 0;  // Runtime::read, write and read_write
    std::uint64_t window_waits = 0;   // launches that waited because the window was full
    std::uint64_t memory_waits =
        0;  // launches, new regions and host accesses that waited for memory of dead regions
    std::uint64_t batches = 0;        // nodes of the task graph with several single tasks
    std::uint64_t batched_tasks = 0;  // tasks in these
    std::uint64_t in_lanes = 0;       // launches whose points have fixed workers (docs/sharing.md)
    std::uint64_t direct = 0;         // launches that ran inside of the call that launched them
    std::uint64_t in_rows = 0;        // launches of these two kinds of which little was written
};

struct AnalysisStatistics {
    std::uint64_t hops = 0;             // earlier accesses visited
    std::uint64_t divided_regions = 0;  // regions whose accesses are kept per cell
    std::size_t footprints = 0;         // now: distinct footprints of requirements
    std::size_t patterns = 0;           // now: distinct edge patterns
    std::size_t walk_steps = 0;         // now: memoised steps of the analysis
    std::size_t bytes = 0;              // now: of these tables
    std::uint64_t table_resets = 0;     // resets because the tables exceeded their budget

    // Where dependences are found by states of regions (`analysis`); an access is all that one operation does with one region:
    std::size_t states = 0;                 // now: distinct states of regions
    std::size_t transitions = 0;            // now: known transitions between them
    std::uint64_t known_transitions = 0;    // accesses by a known transition: no geometry
    std::uint64_t found_transitions = 0;    // accesses by a transition that had to be found
    std::uint64_t private_transitions = 0;  // accesses to regions whose states multiply
};

/// Operations are divided into analysed, recorded and replayed ones.
struct TraceStatistics {
    std::uint64_t analysed = 0;  // outside of traces
    std::uint64_t recorded = 0;  // analysed, and recorded into a trace
    std::uint64_t replayed = 0;  // not analysed
    // Requirements of replayed operations that were analysed: they depend on operations before the
    // trace.
    std::uint64_t walked_in_replay = 0;
    std::uint64_t replays = 0;     // of whole traces
    std::uint64_t recordings = 0;  // of whole traces
    std::uint64_t mismatches = 0;  // traces left because the program launched something else
    std::string last_mismatch;     // which operation differed; empty if none did
    std::uint64_t verified = 0;    // replayed operations analysed as well (CheckOptions::verify)
    std::uint64_t verify_failures = 0;  // of these, with another result: a bug in Refrain
    std::uint64_t evictions = 0;        // traces dropped because of the budget
    std::size_t traces = 0;             // now
    std::size_t variants = 0;           // now: templates of all traces
    std::size_t bytes = 0;              // now: of all templates
};

/// Counters of the recogniser in use; those of the other one are 0.
struct AutotraceStatistics {
    bool enabled = false;
    const char* recogniser = "none";  ///< or "inline" or "mined" (TracingOptions::recogniser)
    std::uint64_t traceable = 0;      // operations that may be traced
    std::uint64_t replayed = 0;       // of these, replayed
    std::uint64_t first_replay = 0;   // number of the first operation replayed; 0: none
    std::size_t bytes = 0;            // now: of all that the recogniser keeps
    // Mined recogniser:
    std::uint64_t traces = 0;        // distinct traces used
    std::uint64_t traces_left = 0;   // executions that ended early
    std::uint64_t candidates = 0;    // now
    std::uint64_t slices_mined = 0;  // of the history
    double held_back_mean = 0;       // operations held back, averaged over operations
    // Inline recogniser:
    std::uint64_t examined = 0;        // operations compared with earlier ones; of these,
    std::uint64_t predicted = 0;       //   equal to the successor of the previous one's precedent
    std::uint64_t compiled = 0;        //     and recognised by a compiled loop
    std::uint64_t found = 0;           //   not predicted, but with another precedent
    std::uint64_t collisions = 0;      //   with the hash of an operation that differs
    std::uint64_t skipped = 0;         // operations not examined because repeats were too rare
    std::uint64_t memos = 0;           // now: stored results of the analysis
    std::uint64_t memo_evictions = 0;  // because of the budget
    std::size_t matcher_bytes = 0;
    std::size_t description_bytes = 0;
    std::size_t memo_bytes = 0;
    std::size_t compiled_bytes = 0;  // now: of the current or last compiled loop
};

struct WorkerStatistics {
    std::uint64_t tasks = 0;    // run or skipped
    std::uint64_t skipped = 0;  // because a task that they depend on failed
    std::uint64_t groups = 0;   // of tasks taken from a queue together
    std::uint64_t steals = 0;
    std::uint64_t sleeps = 0;
    std::uint64_t background_jobs = 0;
    std::uint64_t waits = 0;  // to leave tasks shorter than a steal to the launching thread
    // Now: the first hardware thread of the core that it is bound to, and the memory next to that, as
    // the system numbers them; -1: it is not bound.
    int processor = -1;
    int memory_node = -1;
};

/// Memory of regions and partial results of reductions.
struct StorageStatistics {
    std::size_t bytes_in_use = 0;  // now
    std::size_t bytes_peak = 0;    // maximum of bytes_in_use
    std::size_t bytes_held = 0;    // now: free, and kept for reuse
};

/// The launching thread's time while it analysed, recorded or replayed operations; needs
/// ObserveOptions::time_phases.
struct PhaseStatistics {
    std::uint64_t tasks = 0;
    double seconds = 0;
};

/// A sample of progress over time.
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
    std::string
        binding;  // of workers to cores (Options::bind): "cores", or "none: " and the reason
    StorageStatistics storage;
    PhaseStatistics analysing, recording, replaying;
    std::vector<ProgressSample> progress;  // evenly spaced, at most a few thousand

    /// A summary of several lines.
    [[nodiscard]] std::string to_string() const;
};

/// A dependence between two point tasks: the target runs after the source. Operations are numbered
/// from 1 in launch order, points from 0 in row-major order.
struct Dependence {
    std::uint64_t source_operation = 0;
    std::uint32_t source_point = 0;
    std::uint64_t target_operation = 0;
    std::uint32_t target_point = 0;
    bool carries_data = false;  // the target reads what the source wrote; else only order matters
};

}  // namespace refrain
