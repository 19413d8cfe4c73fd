/// Everything about the runtime that can be set, as plain values with defaults.
///
///     refrain::Options options = refrain::Options::from_arguments(argc, argv);
///     options.workers = 4;
///     refrain::Runtime runtime(options);
///
/// The same program takes `--refrain:workers=4`, and `REFRAIN_WORKERS=4` from the environment;
/// `--refrain:help` prints the whole table. Names there are those of the fields, with dashes for
/// underscores; numbers of bytes may end in K, M, G or T (1024 and its powers); an option that is
/// on or off is switched on by its bare name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace refrain {

/// How repeated fragments of the stream of operations are found.
enum class Recogniser {
    inline_,  ///< each operation is compared with the past when it is launched
    mined,    ///< suffix arrays of slices of the history, mined on the workers
};

/// Which single tasks share a record of the task graph with those launched before and after them.
enum class Batching {
    none,
    tiny,  ///< those known to take less than 400 ns, while no worker rests
    all,   ///< for tests: whatever they take; a task may then start up to seven launches late
};

/// How much the runtime says on standard error.
enum class LogLevel {
    off,
    warning,  ///< what the program should know: traces that did not match, options without effect
    info,     ///< what the runtime decided: traces found, recorded, evicted
    debug,    ///< each operation
};

struct Options {
    /// Threads that run tasks, the launching thread included. 0: one per core that the process may
    /// use.
    unsigned workers = 0;

    /// Operations that the program may be ahead of the oldest unfinished one. Rounded up to a power
    /// of two.
    std::uint64_t window = 1024;

    /// Which single tasks, up to eight launched one after the other, are handed to the workers
    /// together.
    Batching batching = Batching::tiny;

    /// Whether repeated fragments are found and traced without being asked for.
    bool auto_trace = true;

    /// How they are found.
    Recogniser recogniser = Recogniser::inline_;

    /// Operations of the shortest repetition that is worth remembering: of a context, or of a trace.
    std::uint64_t trace_min_length = 5;

    /// Operations of the longest trace; a longer fragment is cut into pieces.
    std::uint64_t trace_max_length = 5000;

    /// Whether operations are held back until a whole trace has been launched, as in the paper.
    /// Otherwise that is so for its first execution only: later ones run ahead of the program, and
    /// are left where it goes another way.
    bool hold_back = false;

    /// Operations of the past that fragments are looked for in. Nothing chosen ("auto"): 65536, or
    /// 8192 if they are mined.
    std::optional<std::uint64_t> history;

    /// Tokens between two looks at the history: slices are this long times a power of two.
    std::uint64_t multi_scale_factor = 256;

    /// Whether the launching thread mines by itself and at once, so that a run can be repeated
    /// exactly.
    bool synchronous_mining = false;

    /// Operations after which the result of mining is taken in, finished or not: one that is late
    /// is waited for, so that what is traced depends on the program alone. Nothing chosen ("auto"):
    /// as many as the mined slice is long.
    std::optional<std::uint64_t> mining_delay;

    /// Memory for candidates, the fragments found but not yet traced.
    std::uint64_t candidate_bytes = std::uint64_t{4} << 20;

    /// Memory for what was found for operations that repeat, of which the oldest goes first; and as
    /// much for traces, of which the least recently used go first.
    std::uint64_t trace_bytes = std::uint64_t{64} << 20;

    /// Templates kept of one trace that was seen to go in several ways; the least recently used
    /// goes first.
    std::uint64_t trace_variants = 8;

    /// Memory for what the analysis learns of launches: their shapes, and how these lie to one
    /// another. Beyond it everything is forgotten, traces included, and learned anew; the program
    /// waits for all pending work then.
    std::uint64_t analysis_bytes = std::uint64_t{256} << 20;

    /// Whether a trace that the program leaves in the middle is an error instead of a return to
    /// analysis.
    bool strict_traces = false;

    /// One in this many replayed operations is analysed all the same and compared. 0: none.
    std::uint64_t verify = 0;

    /// Bits of a token that are used. Fewer make hashes collide, which must cost time only: for
    /// tests.
    unsigned token_bits = 128;

    /// Whether reductions fold in the order of their points, so that floating-point sums do not
    /// depend on timing.
    bool deterministic_reductions = false;

    /// Bytes that regions may have in storage at the same time. 0: what the machine gives.
    std::uint64_t memory_limit = 0;

    /// Whether the dependences found are kept, to be asked for as a graph.
    bool record_graph = false;

    /// What is said on standard error.
    LogLevel log = LogLevel::warning;

    /// Whether the launching thread's time is kept apart for operations that are analysed, recorded
    /// and replayed (Statistics::analysing and so on). Costs a clock read per change.
    bool time_phases = false;

    /// Whether the counters of every stage are printed when the runtime ends.
    bool report_statistics = false;

    /// Whether it is counted for each launch site how its operations were served, and why not from
    /// a trace: what Runtime::why_not_traced() tells. A report counts it too.
    bool explain = false;

    /// The file for the stream of operations as automatic tracing sees it, for `refrain mine` and
    /// `refrain report`; none if empty.
    std::string log_stream;

    /// The file for a page that shows what happened in the run, written when the runtime ends; none
    /// if empty.
    std::string report;

    /// The file for a timeline of the run in the trace-event format of Chrome and Perfetto, written
    /// when the runtime ends; none if empty.
    std::string timeline;

    /// Defaults, then the environment, then the arguments. Arguments that begin with `--refrain:`
    /// are taken out of `argv` up to an argument `--`, and `argc` is reduced; the program's own
    /// keep their order.
    ///
    /// `--refrain:help` prints the table of options to standard output and exits with 0.
    ///
    /// Errors:      UsageError for a name that there is not and for a value that is malformed or
    ///              out of bounds; `argc` and `argv` are then unchanged.
    [[nodiscard]] static Options from_arguments(int& argc, char** argv);

    /// Defaults, then the environment: REFRAIN_TRACE_MAX_LENGTH for trace_max_length. Variables
    /// whose names are no option's are left alone.
    ///
    /// Errors:      UsageError for a value that is malformed or out of bounds.
    [[nodiscard]] static Options from_environment();

    /// The same options with the window rounded.
    ///
    /// Errors:      UsageError if a value is out of bounds or if two contradict each other.
    [[nodiscard]] Options checked() const;

    /// `workers`, or the number of cores that the process may use where that is 0; at least 1.
    [[nodiscard]] unsigned worker_count() const;
    /// `history`, or what it is where nothing was chosen.
    [[nodiscard]] std::uint64_t history_length() const;

    friend bool operator==(const Options&, const Options&) = default;
};

}  // namespace refrain
