#pragma once

/// Automatic tracing for any runtime that executes a stream of operations and can record and replay
/// a part of it.
///
/// A host calls an AutoTracer for every operation its program launches. The tracer holds some of
/// them back for a short while, hands all of them on in launch order, and puts begin_trace and
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
#include <string>
#include <optional>

namespace refrain::autotrace {

/// 128 bits that stand for everything about an operation that can affect its analysis. Two
/// operations with equal tokens must be exchangeable inside a trace.
struct Token {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    friend bool operator==(const Token&, const Token&) = default;
};

/// The host's own name for an operation; the tracer only compares it. Handles increase from one
/// operation to the next.
using OperationHandle = std::uint64_t;

/// Names a trace towards the host: 1, 2, 3, ... in the order in which traces are recorded. Never
/// used again for another one.
using TraceId = std::uint64_t;

/// The runtime in front of which the tracer stands. Its functions are called from inside the
/// tracer's, on the launching thread, and must not call back into it except for questions.
///
/// A function that throws ends the call that was under way: the exception reaches the program, the
/// operation counts as handed on, an open trace is ended, and the tracer can go on.
class TraceHost {
  public:
    /// Passes an operation on, in launch order; between begin_trace and end_trace it is part of the
    /// trace.
    virtual void issue(OperationHandle operation) = 0;

    /// What follows up to end_trace is an execution of `trace`. The first one is to be recorded,
    /// later ones may be replayed: their traceable operations have the same tokens in the same
    /// order, `length` of them. Ignorable operations may lie between them and may differ.
    virtual void begin_trace(TraceId trace, std::size_t length) = 0;
    virtual void end_trace(TraceId trace) = 0;

    /// What was issued since begin_trace is a beginning of the trace; the rest of it will not come.
    /// Called instead of end_trace, of executions after the first, and only with
    /// Options::hand_on_at_once.
    virtual void leave_trace(TraceId trace) { static_cast<void>(trace); }

    /// The trace will not be begun again: the host may drop what it recorded.
    virtual void forget_trace(TraceId trace) { static_cast<void>(trace); }

  protected:
    ~TraceHost() = default;
};

/// Where asynchronous mining runs.
class MiningExecutor {
  public:
    struct Job {
        void (*run)(void* context);
        void* context;
    };

    /// Runs the job once, some time, on any thread, at low priority. Must not throw.
    virtual void submit(Job job) = 0;

    /// Runs the job now, on the calling thread: mining that is to be synchronous.
    virtual void run_now(Job job) { job.run(job.context); }

    /// Called by the launching thread while it must wait for a job: run one job, or pause.
    virtual void help() = 0;

  protected:
    ~MiningExecutor() = default;
};

/// Everything that can be chosen. The defaults need no tuning.
struct Options {
    /// Shorter repeats are not traced: beginning and ending a trace would cost more than it saves.
    std::size_t trace_length_min = 5;
    /// Longer repeats are cut into traces of at most this length.
    std::size_t trace_length_max = 5000;
    /// A loop with a shorter body is also traced several iterations at a time, this many operations
    /// or more.
    std::size_t loop_length = 64;
    /// For hosts that can leave a trace in the middle (leave_trace): an execution of a trace that
    /// was recorded begins as soon as trace_length_min operations match, or one behind another
    /// execution, and operations are handed on as they come. Else they are held back until the
    /// whole trace has been launched, as in the paper.
    bool hand_on_at_once = false;

    /// Tokens that are remembered. Repeats up to half of this length are found.
    std::size_t history_tokens = 8192;
    /// Operations between two chances to mine, and the length of the shortest slice mined.
    std::size_t multi_scale_factor = 256;

    /// Mining runs inside `operation`, whether there is an executor or not.
    bool synchronous_mining = false;
    /// Results are taken in this many operations after their slice was complete, finished or not
    /// (the launching thread helps until they are): decisions depend on the stream alone. Nothing
    /// chosen: at once if mining is synchronous, else after as many operations as the slice has.
    std::optional<std::size_t> result_delay_operations;
    /// Also mine slices of which everything was already replayed in traces of loop_length or more,
    /// and go on at full pace where mining brings nothing new.
    bool mine_every_slice = false;

    std::size_t history_bytes_max = std::size_t{2} << 20;
    /// For candidates and what finds them in the stream. Beyond it, those matched least recently
    /// are evicted.
    std::size_t candidate_bytes_max = std::size_t{4} << 20;

    /// Score of a trace = length * min(visits, visits_max) * (replay_bonus, if replayed before)
    ///                  * (up to back_to_back_max, if it follows itself).
    double visits_max = 10;
    /// What a visit is worth one trace length later.
    double visit_decay = 0.99;
    double replay_bonus = 1.1;
    double back_to_back_max = 2;
};

/// Throws std::invalid_argument that names the option, its value and the way out.
void validate(const Options& options);

/// Counts since construction, unless a line says otherwise.
struct Statistics {
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    std::uint64_t operations = 0;   ///< all kinds
    std::uint64_t traceable = 0;    ///< that came with a token
    std::uint64_t untraceable = 0;  ///< that ended every match
    std::uint64_t ignorable = 0;    ///< that were carried along
    std::uint64_t recorded = 0;     ///< traceable operations in the first execution of a trace
    std::uint64_t replayed = 0;     ///< traceable operations in further executions
    std::uint64_t traces = 0;       ///< distinct traces that were begun
    std::uint64_t replays = 0;      ///< complete executions of traces after the first
    std::uint64_t traces_left = 0;  ///< executions that were left in the middle
    std::uint64_t flushes = 0;      ///< waits and untraceable operations that found something held
    /// Index among all operations of the first one replayed; `never` before.
    std::uint64_t first_replay = never;
    /// Over all traceable operations: how many further ones were launched before it was handed on.
    std::uint64_t held_back_sum = 0;

    std::uint64_t slices_mined = 0;
    std::uint64_t slices_skipped = 0;       ///< already replayed, or while mining rests
    std::uint64_t results_taken = 0;        ///< slices that were mined and what was found taken in
    std::uint64_t tokens_mined = 0;         ///< sum of the lengths of mined slices
    std::uint64_t candidates_taken = 0;     ///< repeats that became candidates
    std::uint64_t candidates_evicted = 0;   ///< dropped again to stay within the budget
    std::uint64_t candidates = 0;           ///< now
    std::uint64_t candidate_bytes = 0;      ///< now
    std::uint64_t candidate_bytes_max = 0;  ///< the most there were
    std::uint64_t history_bytes = 0;        ///< now; fixed at construction

    /// Traceable operations that a traceable one waited for on average. 0 without any.
    [[nodiscard]] double held_back_mean() const {
        return traceable == 0 ? 0
                              : static_cast<double>(held_back_sum) / static_cast<double>(traceable);
    }
};

/// Whether an operation may become part of a trace, as far as is known.
struct Prospect {
    bool in_candidate = false;       ///< a candidate contains its token
    std::size_t window = 0;          ///< the newest tokens that were looked at; in these,
    std::size_t occurrences = 0;     ///< of its token
    std::size_t longest_repeat = 0;  ///< tokens of the longest repeat around the latest of them
    bool cut_by_break = false;       ///< a wait that found something held ends that repeat
};

/// In sentences, why an operation that neither began nor went on a candidate did not.
[[nodiscard]] std::string explain(const Prospect& prospect, std::size_t trace_length_min,
                                  std::size_t multi_scale_factor);

namespace detail {
/// The handles of operations that are held back: oldest > newest if there are none.
struct HeldWindow {
    OperationHandle oldest = std::numeric_limits<OperationHandle>::max();
    OperationHandle newest = 0;
};
class Engine;
}  // namespace detail

/// Stands between a program and its runtime and decides which operations are traced.
///
///     struct Host final : TraceHost { ... } host;
///     AutoTracer tracer({}, host);
///     tracer.operation(token_of(call), number_of(call));   // for each launch
///     if (tracer.holds(producer)) tracer.flush();          // before a blocking wait
///
/// Invariants:  every operation is issued exactly once, in launch order; begin and end alternate;
///              what lies between them equals the trace, compared token by token.
/// Complexity:  amortised O(1) per operation; nothing is allocated while no new repeat turns up.
/// Threads:     one thread at a time; mining jobs run wherever the executor takes them.
class AutoTracer {
  public:
    /// Errors: std::invalid_argument for options that do not fit together.
    AutoTracer(const Options& options, TraceHost& host, MiningExecutor* executor = nullptr);
    AutoTracer(const AutoTracer&) = delete;
    AutoTracer& operator=(const AutoTracer&) = delete;
    AutoTracer(AutoTracer&&) = delete;
    AutoTracer& operator=(AutoTracer&&) = delete;
    /// Waits for mining under way, then issues what is still held: host and executor must be alive.
    ~AutoTracer();

    /// An operation that may become part of a trace.
    void operation(Token token, OperationHandle operation);
    /// An operation that cannot: everything held is issued, then this one. No trace spans it.
    void untraceable(OperationHandle operation);
    /// An operation that may lie inside a trace without belonging to it; keeps its place.
    void ignorable(OperationHandle operation);
    /// The program waits for something held back: everything held is issued now.
    void flush();
    /// The same, and a trace that is under way is left: the host is inside of none.
    void interrupt();

    /// Whether an operation that was launched is still held back.
    [[nodiscard]] bool holds(OperationHandle operation) const {
        return operation >= window_.oldest && operation <= window_.newest;
    }
    [[nodiscard]] bool holds_any() const { return window_.oldest <= window_.newest; }
    /// How many operations are held back.
    [[nodiscard]] std::size_t held() const;

    [[nodiscard]] const Statistics& statistics() const;

    /// For telling why an operation with this token is not traced. Reads the history.
    [[nodiscard]] Prospect prospect(const Token& token) const;

  private:
    detail::HeldWindow window_;
    std::unique_ptr<detail::Engine> engine_;
};

}  // namespace refrain::autotrace

template <>
struct std::hash<refrain::autotrace::Token> {
    [[nodiscard]] std::size_t operator()(const refrain::autotrace::Token& token) const noexcept {
        return static_cast<std::size_t>((token.low ^ (token.high << 1)) * 0x9e3779b97f4a7c15U);
    }
};
