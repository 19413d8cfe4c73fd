#pragma once

#include "analysis/dependence_walk.hpp"
#include "analysis/source_merge.hpp"
#include "trace/imitator.hpp"
#include "trace/recorder.hpp"
#include "trace/replay.hpp"
#include "trace/template_store.hpp"

#include <cstdint>
#include <string>
#include <variant>

namespace refrain::trace {

/// What tracing did so far. Every operation counts as exactly one of analysed, recorded, replayed.
struct TraceCounters {
    std::uint64_t analysed = 0;  // outside of traces
    std::uint64_t recorded = 0;  // analysed inside a trace, and written down
    std::uint64_t replayed = 0;  // compared with a template and served by it
    // Requirements of replayed operations that look beyond the trace.
    std::uint64_t walked_in_replay = 0;
    std::uint64_t replays = 0;  // complete ones
    std::uint64_t recordings = 0;
    std::uint64_t mismatches = 0;
    std::uint64_t verified = 0;  // replayed operations that were analysed again
    std::uint64_t verify_failures = 0;
    std::string last_mismatch;
};

/// Finds what each operation waits for: from a template where a trace is replayed, by analysis
/// elsewhere.
///
///     begin(7)   no template of 7 ---> recording --------------------------> end(7): a template
///     begin(7)   template -----------> replaying --- all its operations ---> end(7)
///                                          |
///                                          +--- difference ---> a variant that fits? replaying
///                                                               none? recording, from here on
///
/// A replay is stoppable at each operation: history is recorded for replayed operations as for all
/// others, so that leaving it costs nothing but walks.
///
/// Outside of traces, an operation that a recogniser has looked at is served from the memo of its
/// precedent (imitator.hpp).
///
/// Threads:  the launching thread only.
class Tracer {
  public:
    struct Options {
        TemplateStore::Limits limits;
        std::uint32_t verify_interval = 0;  // analyse one in so many replayed again; 0: none
        std::optional<Imitator::Options> imitation = {};  // of operations that come with a Standing
    };
    enum class OnMismatch { fall_back, fail };

    Tracer(Options options, analysis::AccessHistory& history, analysis::DependenceWalk& walk,
           analysis::PatternTable& patterns, const analysis::FootprintTable& footprints);

    [[nodiscard]] bool active() const { return !std::holds_alternative<Idle>(mode_); }
    [[nodiscard]] bool replaying() const { return std::holds_alternative<Replaying>(mode_); }
    [[nodiscard]] TraceId current() const { return trace_; }

    /// From the next operation, `next`, on. No trace is active.
    void begin(TraceId trace, OperationNumber next, OnMismatch on_mismatch);
    /// Before operation `next`. A trace is active.
    /// Errors: TraceMismatch if it was to be replayed and is shorter.
    void end(OperationNumber next);
    /// The replay is over at the operation where it is; nothing is reported or recorded. A trace is
    /// active.
    void abandon();
    /// Frees a trace's templates; those of a trace that is active stay, until the budget wants them.
    void forget(TraceId trace, OperationNumber now);
    /// Frees all templates and memos. No trace is active, and no operation is remembered.
    void clear();

    /// Records the accesses of operation `number` and finds what it waits for. Valid until the next
    /// call.
    /// Errors: TraceMismatch, before anything is recorded, if the trace asked for that; the trace
    ///     is left.
    std::span<const Source> dependences(OperationNumber number,
                                        const OperationSignature& operation);
    /// The same for an operation outside of traces that a recogniser has looked at.
    std::span<const Source> dependences(OperationNumber number, const OperationSignature& operation,
                                        const Standing& standing);

    /// What was found for the operation at `position`, where a folded loop goes round, if all that it
    /// depends on is in the loop's contexts; else null.
    [[nodiscard]] const OperationMemo* memo_in_loop(Standing::Position position) const {
        const MemoRing::Entry known = imitator_->memos().at(position);
        return known.complete ? known.memo : nullptr;
    }
    /// As dependences, of an operation with these requirements for which that was found.
    std::span<const Source> serve(OperationNumber number, std::span<const RequirementShape> shapes,
                                  std::span<RegionHistory* const> regions,
                                  const OperationMemo& memo);

    /// Positions of a recogniser that there are only now.
    void repeat(const Turn& turn) { imitator_->repeat(turn); }

    /// How the last operation was served.
    enum class Served : std::uint8_t { analysed, recorded, replayed };
    [[nodiscard]] Served last_served() const { return last_served_; }

    [[nodiscard]] const TraceCounters& counters() const { return counters_; }
    [[nodiscard]] const TemplateStore& store() const { return store_; }
    /// Null if operations are not looked at by a recogniser.
    [[nodiscard]] const MemoRing* memos() const {
        return imitator_ ? &imitator_->memos() : nullptr;
    }

  private:
    struct Idle {};
    struct Recording {
        Recorder recorder;
        OperationNumber first;
    };
    struct Replaying {
        Replay replay;
        OperationNumber first;
        // What is known for executions that follow one of the same template; null if this does not.
        const RecordedTrace* behind_itself;
        OperationNumber before_first;  // where the execution before began
    };
    /// The last complete execution of a trace.
    struct Execution {
        const RecordedTrace* recorded = nullptr;
        OperationNumber first = 0;
        OperationNumber end = 0;
    };

    [[nodiscard]] std::optional<ComparedOperation> compare(Replaying& replaying,
                                                           const OperationSignature& operation);
    /// The replay is at the end of its template, or of another that begins like it.
    [[nodiscard]] bool ends_as_recorded(Replay& replay) const;
    void leave(const Replaying& replaying, const OperationSignature& operation);
    void report(std::size_t position, const std::string& recorded, const std::string& launched);
    std::span<analysis::Access> record_accesses(OperationNumber number,
                                                const OperationSignature& operation);
    std::span<const Source> analyse(OperationNumber number,
                                    std::span<RegionHistory* const> regions);
    std::span<const Source> serve(OperationNumber number, const OperationSignature& operation,
                                  std::span<analysis::Access> accesses,
                                  const ComparedOperation& known);
    /// What the template's executions behind one another have learned; null if this one does not
    /// follow one.
    [[nodiscard]] LoopMemo* loop_memo();
    std::span<const Source> serve_after_others(
        OperationNumber number, const OperationSignature& operation,
        std::span<analysis::Access> accesses,
        std::span<const TraceTemplate::Requirement> requirements);
    std::span<const Source> serve_behind_itself(OperationNumber number,
                                                const OperationSignature& operation,
                                                std::span<analysis::Access> accesses,
                                                const ComparedOperation& known, LoopMemo& loop);
    /// Sets the access's sources to what was learned and what its twin has; whether the twin has
    /// nothing.
    bool inherit(OperationNumber number, const LoopMemo::Requirement& memo,
                 analysis::Access& access);
    [[nodiscard]] bool verify_is_due() const {
        return options_.verify_interval != 0 && counters_.replayed % options_.verify_interval == 0;
    }
    std::span<const Source> verify(OperationNumber number, std::span<RegionHistory* const> regions,
                                   std::span<const Source> served);

    Options options_;
    analysis::AccessHistory& history_;
    analysis::DependenceWalk& walk_;
    const analysis::FootprintTable& footprints_;
    analysis::SourceMerge merge_;
    std::vector<Source> served_;
    TemplateStore store_;
    std::optional<Imitator> imitator_;
    std::variant<Idle, Recording, Replaying> mode_;
    TraceId trace_ = 0;
    Execution last_;
    OnMismatch on_mismatch_ = OnMismatch::fall_back;
    std::uint64_t serials_ = 0;
    Served last_served_ = Served::analysed;
    TraceCounters counters_;
};

inline std::span<const Source> Tracer::serve(OperationNumber number,
                                             std::span<const RequirementShape> shapes,
                                             std::span<RegionHistory* const> regions,
                                             const OperationMemo& memo) {
    REFRAIN_ASSERT(!active(), "an operation of a trace is served from a loop");
    take_over(memo, history_.append(number, shapes, regions, footprints_));
    ++counters_.replayed;
    last_served_ = Served::replayed;
    if (verify_is_due()) [[unlikely]]
        return verify(number, regions, memo.edges);
    return memo.edges;
}

}  // namespace refrain::trace
