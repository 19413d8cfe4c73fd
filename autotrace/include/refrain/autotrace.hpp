#pragma once

/// Automatic tracing for any runtime that executes a stream of operations and can record and replay
/// a part of it.
///
/// A host calls an AutoTracer for every operation its program launches. The tracer holds some of
/// them back for a short while, issues all of them in launch order, and puts begin_trace and
/// end_trace around parts that repeat:
///
///     program launches  a b c a b c a b c a b c ...
///     host receives     a b c a b c begin_trace(1) a b c end_trace(1) begin_trace(1) a b c ...
///
/// Source: Yadav et al., "Automatic Tracing in Task-Based Runtime Systems", ASPLOS 2025.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>

namespace refrain::autotrace {

/// A 128-bit hash of everything about an operation that can affect its analysis. Two operations
/// with equal tokens must be exchangeable inside a trace.
struct Token {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    friend bool operator==(const Token&, const Token&) = default;
};

/// The host's identifier of an operation; the tracer only compares it. Handles increase from one
/// operation to the next.
using OperationHandle = std::uint64_t;

/// Identifies a trace to the host: 1, 2, 3, ... in the order in which traces are recorded. Never
/// reused. A type of its own, so that no other number is taken for one.
enum class TraceId : std::uint64_t { none = 0 };
constexpr std::uint64_t number_of(TraceId trace) {
    return static_cast<std::uint64_t>(trace);
}

/// The runtime that executes the operations. The tracer calls these functions on the launching
/// thread, inside its own; they may only call const functions of the tracer.
///
/// If a function throws, the current call of the tracer ends: the exception reaches the program,
/// the operation counts as issued, an open trace is ended, and the tracer can continue.
class TraceHost {
  public:
    /// Executes an operation. Called in launch order; between begin_trace and end_trace the
    /// operation is part of the trace.
    virtual void issue(OperationHandle operation) = 0;

    /// The operations up to end_trace are an execution of `trace`. The host records the first one
    /// and may replay later ones: their traceable operations have the same tokens in the same
    /// order, `length` of them. There may be other ignorable operations between them.
    virtual void begin_trace(TraceId trace, std::size_t length) = 0;
    virtual void end_trace(TraceId trace) = 0;

    /// Ends an execution early: the operations since begin_trace are a prefix of the trace. Called
    /// instead of end_trace, never in the first execution, and only with Options::hand_on_at_once.
    virtual void leave_trace(TraceId trace) { static_cast<void>(trace); }

    /// The trace will not begin again: the host may free what it recorded.
    virtual void forget_trace(TraceId trace) { static_cast<void>(trace); }

  protected:
    ~TraceHost() = default;
};

/// Runs asynchronous mining.
class MiningExecutor {
  public:
    struct Job {
        void (*run)(void* context);
        void* context;
    };

    /// Runs the job once, later, on any thread, at low priority. Must not throw.
    virtual void submit(Job job) = 0;

    /// Runs the job now, on the calling thread; for synchronous mining.
    virtual void run_now(Job job) { job.run(job.context); }

    /// Called while the launching thread waits for a job: runs one job, or pauses.
    virtual void help() = 0;

  protected:
    ~MiningExecutor() = default;
};

/// The defaults need no tuning.
struct Options {
    /// Length of the shortest trace; beginning and ending a shorter one would cost more than it
    /// saves.
    std::size_t trace_length_min = 5;
    /// Longer repeats are cut into traces of at most this length.
    std::size_t trace_length_max = 5000;
    /// A loop with a shorter body is also traced several iterations at a time, with at least this
    /// many operations.
    std::size_t loop_length = 64;
    /// For hosts that implement leave_trace. Replays eagerly: an execution of a recorded trace
    /// begins once trace_length_min operations match, or the first one directly after another
    /// execution, and operations are issued as they are launched. Otherwise operations are held
    /// back until the whole trace has been launched, as in the paper.
    bool hand_on_at_once = false;

    /// Tokens in the history. Repeats up to half of this length are found.
    std::size_t history_tokens = 8192;
    /// Operations between two opportunities to mine, and the length of the shortest slice.
    std::size_t multi_scale_factor = 256;

    /// Mining runs inside `operation`, with or without an executor.
    bool synchronous_mining = false;
    /// The results of a slice are applied exactly this many operations after its end; if they are
    /// not ready, the launching thread helps. Decisions thus depend on the stream alone. By default
    /// 0 if mining is synchronous, otherwise the length of the slice.
    std::optional<std::size_t> result_delay_operations;
    /// Also mine slices that were already replayed in traces of at least loop_length operations,
    /// and do not slow down where mining finds nothing new.
    bool mine_every_slice = false;

    std::size_t history_bytes_max = std::size_t{2} << 20;
    /// Memory for candidates and the automaton that matches them. Beyond it, those matched least
    /// recently are evicted.
    std::size_t candidate_bytes_max = std::size_t{4} << 20;

    /// Score of a trace = length * min(visits, visits_max) * (replay_bonus, if replayed before)
    ///                  * (up to back_to_back_max, if it follows itself).
    double visits_max = 10;
    /// Factor by which a visit decays per trace length.
    double visit_decay = 0.99;
    double replay_bonus = 1.1;
    double back_to_back_max = 2;
};

/// Errors: std::invalid_argument that names the option, its value and the way out.
void validate(const Options& options);

/// Counts since construction, unless stated otherwise.
struct Statistics {
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    std::uint64_t operations = 0;  ///< traceable, untraceable and ignorable
    std::uint64_t traceable = 0;
    std::uint64_t untraceable = 0;
    std::uint64_t ignorable = 0;
    std::uint64_t recorded = 0;     ///< traceable operations in first executions of traces
    std::uint64_t replayed = 0;     ///< traceable operations in later executions
    std::uint64_t traces = 0;       ///< distinct traces that were begun
    std::uint64_t replays = 0;      ///< complete executions of traces after the first
    std::uint64_t traces_left = 0;  ///< executions that ended early
    std::uint64_t flushes = 0;      ///< waits and untraceable operations while operations were held
    /// Index among all operations of the first one replayed, or `never`.
    std::uint64_t first_replay = never;
    /// Sum over all traceable operations of the traceable ones launched between it and its issue.
    std::uint64_t held_back_sum = 0;

    std::uint64_t slices_mined = 0;
    std::uint64_t slices_skipped = 0;       ///< already replayed, or while mining pauses
    std::uint64_t results_taken = 0;        ///< slices whose results were applied
    std::uint64_t tokens_mined = 0;         ///< sum of the lengths of mined slices
    std::uint64_t candidates_taken = 0;     ///< repeats that became candidates
    std::uint64_t candidates_evicted = 0;   ///< candidates dropped to stay within the budget
    std::uint64_t candidates = 0;           ///< now
    std::uint64_t candidate_bytes = 0;      ///< now
    std::uint64_t candidate_bytes_max = 0;  ///< the maximum so far
    std::uint64_t history_bytes = 0;        ///< fixed at construction

    /// Mean number of traceable operations launched between a traceable operation and its issue.
    [[nodiscard]] double held_back_mean() const {
        return traceable == 0 ? 0
                              : static_cast<double>(held_back_sum) / static_cast<double>(traceable);
    }
};

/// What the tracer knows about tracing the operations with one token.
struct Prospect {
    bool in_candidate = false;       ///< a candidate contains the token
    std::size_t window = 0;          ///< number of newest tokens examined
    std::size_t occurrences = 0;     ///< of the token in the window
    std::size_t longest_repeat = 0;  ///< tokens of the longest repeat around the latest occurrence
    bool cut_by_break = false;       ///< that repeat ends at a wait while operations were held
};

/// Explains in sentences why an operation was not part of any candidate.
[[nodiscard]] std::string explain(const Prospect& prospect, std::size_t trace_length_min,
                                  std::size_t multi_scale_factor);

namespace detail {
/// The range of handles that are held back; empty if oldest > newest.
struct HeldWindow {
    OperationHandle oldest = std::numeric_limits<OperationHandle>::max();
    OperationHandle newest = 0;
};
class Engine;
}  // namespace detail

/// Decides which operations of a program are traced, and issues them to its host.
///
///     struct Host final : TraceHost { ... } host;
///     AutoTracer tracer({}, host);
///     tracer.operation(token_of(call), number_of(call));   // for each launch
///     if (tracer.holds(producer)) tracer.flush();          // before a blocking wait
///
/// Invariants:  every operation is issued exactly once, in launch order; begin and end alternate;
///              the operations between them equal the trace, compared token by token.
/// Complexity:  amortised O(1) per operation; allocates only when it finds a new repeat.
/// Threads:     one thread at a time; mining jobs run on the threads of the executor.
class AutoTracer {
  public:
    /// Errors: std::invalid_argument for invalid options; see validate().
    AutoTracer(const Options& options, TraceHost& host, MiningExecutor* executor = nullptr);
    AutoTracer(const AutoTracer&) = delete;
    AutoTracer& operator=(const AutoTracer&) = delete;
    AutoTracer(AutoTracer&&) = delete;
    AutoTracer& operator=(AutoTracer&&) = delete;
    /// Issues all held operations, unless abandoned, and waits for mining jobs: host and executor must
    /// be alive.
    ~AutoTracer();

    /// An operation that may become part of a trace.
    void operation(Token token, OperationHandle operation);
    /// An operation that may not: all held operations are issued, then this one. No trace spans it.
    void untraceable(OperationHandle operation);
    /// An operation that may occur inside a trace without being part of it; stays in launch order.
    void ignorable(OperationHandle operation);
    /// Issues all held operations; call it before the program waits for one of them.
    void flush();
    /// The same, and ends a current trace early: afterwards the host is not inside a trace.
    void interrupt();

    /// The host can go on no more, for example because a call has thrown std::bad_alloc: nothing is
    /// issued from now on, and no member function is called but the destructor.
    void abandon() noexcept { is_abandoned_ = true; }

    /// Whether a launched operation is still held back.
    [[nodiscard]] bool holds(OperationHandle operation) const {
        return operation >= window_.oldest && operation <= window_.newest;
    }
    [[nodiscard]] bool holds_any() const { return window_.oldest <= window_.newest; }
    /// The number of operations held back.
    [[nodiscard]] std::size_t held() const;

    [[nodiscard]] const Statistics& statistics() const;

    /// Explains operations with this token; see Prospect. Slow: reads the history.
    [[nodiscard]] Prospect prospect(const Token& token) const;

  private:
    detail::HeldWindow window_;
    std::unique_ptr<detail::Engine> engine_;
    bool is_abandoned_ = false;
};

}  // namespace refrain::autotrace

template <>
struct std::hash<refrain::autotrace::Token> {
    [[nodiscard]] std::size_t operator()(const refrain::autotrace::Token& token) const noexcept {
        return static_cast<std::size_t>((token.low ^ (token.high << 1)) * 0x9e3779b97f4a7c15U);
    }
};
