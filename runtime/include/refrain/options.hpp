/// Everything about the runtime that can be set, as plain values with defaults.
///
///     refrain::Options options = refrain::Options::from_arguments(argc, argv);
///     options.workers = 4;
///     options.tracing.min_length = 10;
///     refrain::Runtime runtime(options);
///
/// The same program takes `--refrain:workers=4 --refrain:trace-min-length=10` on its command line, and
/// `REFRAIN_WORKERS=4 REFRAIN_TRACE_MIN_LENGTH=10` from the environment. Each field names its option
/// below; `--refrain:help` prints the whole table. A number of bytes may end in K, M, G or T (1024 and
/// its powers). An option that is on or off is switched on by its bare name.
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

/// Which single tasks are handed to the workers together, up to eight launched one after the other.
enum class Batching {
    none,
    tiny,  ///< tasks measured to be shorter than handing them over one by one, while no worker sleeps
    all,  ///< for tests: whatever they take; a task may then start up to seven launches late
};

/// Which launches in replayed loops keep the same points of each launch on the same worker, in launch order;
/// which of them run inside of the call that launches them, with one worker or where sharing them would be slower.
enum class LaneUse {
    automatic,  ///< those whose tasks are so short that handing them over one by one would cost more
    none,
    all,  ///< for tests: all that can, whatever they take
    turns,  ///< for tests: with several workers now these, and now all that can run inside of the call
};

/// How the operations that one must wait for are found.
enum class Analysis {
    automatic,  ///< by states where nothing is traced, by walks where something is
    walk,       ///< by walks over past accesses, and by traces
    states,     ///< by states of regions: without walks. Nothing is traced, marked or not
};

/// Which workers keep to a core of their own.
enum class Binding {
    automatic,  ///< as `cores` where the process owns the machine, else as `none`
    none,
    cores,  ///< all but the launching thread
};

/// How much the runtime says on standard error.
enum class LogLevel {
    off,
    warning,  ///< what the program should know: traces that did not match, options without effect
    info,     ///< what the runtime decided: traces found, recorded, evicted
    debug,    ///< each operation
};

/// For Recogniser::mined only: when the history is mined, and what becomes of the result.
struct MiningOptions {
    /// `hold-back`: operations are held back until a whole trace has been launched, as in the paper.
    /// Otherwise only its first execution is held back. Later ones run ahead of the program, and are
    /// abandoned where it diverges.
    bool hold_back = false;

    /// `multi-scale-factor`: tokens between two looks at the history. Slices have this length times a
    /// power of two.
    std::uint64_t multi_scale_factor = 256;

    /// `synchronous-mining`: the launching thread mines by itself and at once, so that a run can be
    /// repeated exactly.
    bool synchronous = false;

    /// `mining-delay`: operations after which the result of mining is taken in. The runtime waits for
    /// one that is late, so that what is traced depends on the program alone. Nothing ("auto"): as many
    /// as the mined slice is long.
    std::optional<std::uint64_t> delay = {};

    friend bool operator==(const MiningOptions&, const MiningOptions&) = default;
};

/// How repetition is found and replayed.
struct TracingOptions {
    /// `auto-trace`: repeated fragments are found and traced without annotations.
    bool automatic = true;

    /// `recogniser`: how they are found.
    Recogniser recogniser = Recogniser::inline_;

    /// `trace-min-length`: operations of the shortest repetition worth remembering: of a context
    /// (inline), or of a trace (mined).
    std::uint64_t min_length = 5;

    /// `trace-max-length`: operations of the longest mined trace; a longer fragment is cut into pieces.
    std::uint64_t max_length = 5000;

    /// `trace-patience`: operations without repeats after which the inline recogniser is left alone;
    /// a loop of more operations than that is replayed a turn later.
    std::uint64_t patience = 512;

    /// `history`: operations of the past in which fragments are looked for. Nothing ("auto"): 65536
    /// inline, 8192 mined.
    std::optional<std::uint64_t> history = {};

    MiningOptions mining = {};

    friend bool operator==(const TracingOptions&, const TracingOptions&) = default;
};

/// How much memory the runtime may use.
struct LimitOptions {
    /// `memory-limit`: bytes of regions in storage at the same time; launches wait for what dead
    /// regions return. 0: no limit but the machine's.
    std::uint64_t region_bytes = 0;

    /// `analysis-bytes`: memory for what the analysis learns of launches: their shapes, and the
    /// dependences between shapes. Beyond it everything is forgotten, traces included, and learned
    /// again; the program waits for all pending work then.
    std::uint64_t analysis_bytes = std::uint64_t{256} << 20;

    /// `trace-bytes`: memory for the dependences of operations that repeat, of which the oldest are
    /// evicted first; and as much again for traces, of which the least recently used are.
    std::uint64_t trace_bytes = std::uint64_t{64} << 20;

    /// `trace-variants`: templates kept of one trace that was seen to continue in several ways; the
    /// least recently used is evicted first.
    std::uint64_t trace_variants = 8;

    /// `candidate-bytes`: memory for mined fragments that are not yet traced.
    std::uint64_t candidate_bytes = std::uint64_t{4} << 20;

    friend bool operator==(const LimitOptions&, const LimitOptions&) = default;
};

/// How much the runtime checks itself and the program; and what provokes rare cases, for tests.
struct CheckOptions {
    /// `strict-traces`: leaving a manual trace in the middle is an error, not a return to analysis.
    bool strict_traces = false;

    /// `strict-reads`: a task, or a view of the host, that reads an element which nothing has written
    /// fails with a UsageError that names it. Only code built with REFRAIN_CHECK_BOUNDS (as debug
    /// builds are) is checked; what other code may write counts as written. Costs a byte per element.
    bool strict_reads = false;

    /// `verify`: one in this many replayed operations is analysed as well, and compared. 0: none.
    std::uint64_t verify = 0;

    /// `token-bits`: bits of a token that are used. Fewer make hashes collide, which must cost time
    /// only: for tests.
    unsigned token_bits = 128;

    friend bool operator==(const CheckOptions&, const CheckOptions&) = default;
};

/// What the runtime says, writes and keeps about a run.
struct ObserveOptions {
    /// `log`: what is said on standard error.
    LogLevel log = LogLevel::warning;

    /// `report-statistics`: print the counters of every stage when the runtime ends.
    bool report_statistics = false;

    /// `progress`: on a terminal, a line on standard error says every half second how far a run has come
    /// that takes longer than two seconds. Elsewhere nothing.
    bool progress = false;

    /// `report`: the file for a page that shows what happened, written when the runtime ends; empty:
    /// none.
    std::string report = {};

    /// `timeline`: the file for a timeline in the trace-event format of Chrome and Perfetto, written
    /// when the runtime ends; empty: none.
    std::string timeline = {};

    /// `log-stream`: the file for the stream of operations as automatic tracing sees it, for `refrain
    /// mine` and `refrain report`; empty: none.
    std::string log_stream = {};

    /// `force`: replace the files named above even if they exist and a run did not write them.
    bool force = false;

    /// `explain`: count for each launch site how its operations were served, and why not from a trace:
    /// what Runtime::why_not_traced() tells. A report counts it too.
    bool explain = false;

    /// `record-graph`: keep the dependences found, for Runtime::dependences().
    bool record_graph = false;

    /// `time-phases`: measure the launching thread's time separately for operations that are analysed,
    /// recorded and replayed (Statistics::analysing and so on). Costs a clock read per change.
    bool time_phases = false;

    friend bool operator==(const ObserveOptions&, const ObserveOptions&) = default;
};

struct Options {
    /// `workers`: threads that run tasks, the launching thread included. 0: one per core that the
    /// process may use.
    unsigned workers = 0;

    /// `bind`: whether the threads of workers are bound to cores, and so to the memory next to them.
    /// `auto` binds them if the process owns the machine: it may run on all processors and has no
    /// quota, no launcher of MPI programs or jobs has started it, it has as many workers as there are
    /// cores or hardware threads, or a number between, and no other runtime of it has bound its own.
    /// The launching thread is never bound, since threads and processes that the program starts would
    /// inherit that. Statistics::binding says what was done, and why.
    Binding bind = Binding::automatic;

    /// `window`: operations that the program may be ahead of the oldest unfinished one. Rounded up to a
    /// power of two.
    std::uint64_t window = 1024;

    /// `deterministic-reductions`: reductions fold in the order of their points, so that floating-point
    /// sums do not depend on timing.
    bool deterministic_reductions = false;

    /// `batching`: which single tasks are handed to the workers together.
    Batching batching = Batching::tiny;

    /// `lanes`: which launches in replayed loops keep the same points on the same worker.
    LaneUse lanes = LaneUse::automatic;

    /// `analysis`: how dependences are found. With `auto` by states if `auto-trace` is off or while
    /// nothing repeats, else by walks, which traces need. A program that marks traces although
    /// `auto-trace` is off waits once, at the first mark, and is analysed by walks from there on.
    /// Recorded graphs (`record-graph`) are found by walks.
    Analysis analysis = Analysis::automatic;

    TracingOptions tracing = {};
    LimitOptions limits = {};
    CheckOptions checks = {};
    ObserveOptions observe = {};

    /// Defaults, then the environment, then the arguments. Arguments that begin with `--refrain:` are
    /// taken out of `argv` up to an argument `--`, and `argc` is reduced; the program's own arguments
    /// keep their order.
    ///
    /// `--refrain:help` prints the table of options to standard output and exits with 0.
    ///
    /// Errors:      UsageError for an unknown name and for a value that is malformed or out of bounds;
    ///              `argc` and `argv` are then unchanged.
    [[nodiscard]] static Options from_arguments(int& argc, char** argv);

    /// Defaults, then the environment: REFRAIN_TRACE_MAX_LENGTH sets `trace-max-length`. A variable
    /// REFRAIN_... that names no option is ignored; standard error names it once, with the nearest
    /// option, unless `log` is off.
    ///
    /// Errors:      UsageError for a value that is malformed or out of bounds.
    [[nodiscard]] static Options from_environment();

    /// The same for a program's main function: instead of throwing, they print one line to standard
    /// error and exit with status 2.
    [[nodiscard]] static Options from_arguments_or_exit(int& argc, char** argv);
    [[nodiscard]] static Options from_environment_or_exit();

    /// The same options with the window rounded up.
    ///
    /// Errors:      UsageError if a value is out of bounds or if two contradict each other.
    [[nodiscard]] Options checked() const;

    /// `workers`, or the number of cores that the process may use if that is 0; at least 1.
    [[nodiscard]] unsigned worker_count() const;
    /// `tracing.history`, or the recogniser's default if nothing was chosen.
    [[nodiscard]] std::uint64_t history_length() const;

    friend bool operator==(const Options&, const Options&) = default;
};

}  // namespace refrain
