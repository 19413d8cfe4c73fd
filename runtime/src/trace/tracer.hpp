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

namespace refrain::states {
class RegionStates;
}

namespace refrain::trace {

/// Counts since construction. Every operation is exactly one of analysed, recorded, replayed.
struct TraceCounters {
    std::uint64_t analysed = 0;          // outside of traces
    std::uint64_t recorded = 0;          // analysed, and kept in a template or memo
    std::uint64_t replayed = 0;          // served from a template or memo
    std::uint64_t walked_in_replay = 0;  // requirements of replayed operations
    std::uint64_t replays = 0;           // of complete traces
    std::uint64_t recordings = 0;
    std::uint64_t mismatches = 0;
    std::uint64_t verified = 0;  // replayed operations that were analysed again
    std::uint64_t verify_failures = 0;
    std::string last_mismatch;
};

/// Finds what each operation waits for: from a template while a trace is replayed, otherwise by
/// analysis.
///
///     begin(7)   no template of 7 ---> recording --------------------------> end(7): a template
///     begin(7)   template -----------> replaying --- all its operations ---> end(7)
///                                          |
///                                          +--- difference ---> a variant that fits? replaying
///                                                               none? recording, from here on
///
/// A replay can stop at any operation: the access history contains replayed operations like all
/// others, so that leaving a replay costs walks only.
///
/// Outside of traces, an operation with a stream position is served from the memo of its precedent
/// (imitator.hpp).
///
/// Threads:  the launching thread only.
class Tracer {
  public:
    struct Options {
        TemplateStore::Limits limits;
        std::uint32_t verify_interval = 0;  // analyse every n-th replayed operation too; 0: none
        std::optional<Imitator::Options> imitation = {};  // given: operations may have positions
    };
    enum class OnMismatch { fall_back, fail };

    Tracer(Options options, analysis::AccessHistory& history, analysis::DependenceWalk& walk,
           analysis::PatternTable& patterns, const analysis::FootprintTable& footprints);

    /// Operations are analysed by these states from now on. Nothing is recorded or replayed, and
    /// accesses are not recorded. Preconditions: no trace is active; the states know all operations
    /// that are unfinished.
    void analyse_by(states::RegionStates& states) { states_ = &states; }
    /// From now on by walks. Precondition: the history knows all operations that are unfinished.
    void analyse_by_walks() { states_ = nullptr; }

    [[nodiscard]] bool active() const { return !std::holds_alternative<Idle>(mode_); }
    [[nodiscard]] bool replaying() const { return std::holds_alternative<Replaying>(mode_); }
    [[nodiscard]] TraceId current() const { return trace_; }

    /// Begins a trace at operation `next`. Precondition: no trace is active.
    void begin(TraceId trace, OperationNumber next, OnMismatch on_mismatch);
    /// Ends the trace before operation `next`. Precondition: a trace is active.
    /// Errors: TraceMismatch if OnMismatch::fail was given and the trace is shorter than its
    ///         template.
    void end(OperationNumber next);
    /// Leaves the trace at its current operation; nothing is reported or recorded. Precondition: a
    /// trace is active.
    void abandon();
    /// Frees a trace's templates, unless the trace is active.
    void forget(TraceId trace, OperationNumber now);
    /// Frees all templates and memos. Preconditions: no trace is active; no operation is
    /// remembered.
    void clear();

    /// Records the accesses of operation `number` and finds what it waits for. Valid until the next
    /// call.
    /// Errors: TraceMismatch if OnMismatch::fail was given; nothing is recorded and the trace is
    ///         left.
    std::span<const Source> dependences(OperationNumber number,
                                        const OperationSignature& operation);
    /// The same for an operation that a recogniser has looked at. Precondition: no trace is active.
    std::span<const Source> dependences(OperationNumber number, const OperationSignature& operation,
                                        const StreamPosition& where);

    /// The memo of the operation at `position` of a folded loop; null if there is no complete one.
    [[nodiscard]] const OperationMemo* memo_in_loop(Position position) const {
        const MemoRing::Entry known = imitator_->memos().at(position);
        return known.complete ? known.memo : nullptr;
    }
    /// As dependences, for an operation with these requirements that is served from `memo`.
    std::span<const Source> serve(OperationNumber number, std::span<const RequirementShape> shapes,
                                  std::span<RegionHistory* const> regions,
                                  const OperationMemo& memo);

    /// An operation of a row (runtime/launch_row.hpp) was served; note_late tells what it accessed.
    void serve_in_row() { ++counters_.replayed; }
    /// The accesses of an operation that a memo has served.
    void note_late(OperationNumber number, std::span<const RequirementShape> shapes,
                   std::span<RegionHistory* const> regions, const OperationMemo& memo) {
        apply(memo, history_.append(number, shapes, regions, footprints_));
    }

    /// The recogniser has assigned these positions late.
    void repeat(const Turn& turn) { imitator_->repeat(turn); }

    enum class Served : std::uint8_t { analysed, recorded, replayed };
    /// How the last operation was served.
    [[nodiscard]] Served last_served() const { return last_served_; }

    [[nodiscard]] const TraceCounters& counters() const { return counters_; }
    [[nodiscard]] const TemplateStore& store() const { return store_; }
    /// Null without Options::imitation.
    [[nodiscard]] const MemoRing* memos() const {
        return imitator_ ? &imitator_->memos() : nullptr;
    }

  private:
    struct Idle {};
    struct Recording {
        OperationNumber first;
    };
    struct Replaying {
        Replay replay;
        OperationNumber first;
        const RecordedTrace* follows;    // the template, if it directly precedes itself; else null
        OperationNumber previous_first;  // first operation of the previous execution
    };
    /// The last complete execution of a trace.
    struct Execution {
        const RecordedTrace* recorded = nullptr;
        OperationNumber first = 0;
        OperationNumber end = 0;
    };

    void record_from(const Replaying& replaying);
    [[nodiscard]] std::optional<ComparedOperation> compare(Replaying& replaying,
                                                           const OperationSignature& operation);
    /// Whether the replay is at the end of its template or of a variant with the same beginning.
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
    /// What back-to-back executions of the template have learned; null if this one does not follow
    /// one.
    [[nodiscard]] LoopMemo* loop_memo();
    std::span<const Source> serve_with_walks(
        OperationNumber number, const OperationSignature& operation,
        std::span<analysis::Access> accesses,
        std::span<const TraceTemplate::Requirement> requirements);
    std::span<const Source> serve_back_to_back(OperationNumber number,
                                               const OperationSignature& operation,
                                               std::span<analysis::Access> accesses,
                                               const ComparedOperation& known, LoopMemo& loop);
    /// Gives the access the learned sources and those of its twin. Returns whether the twin has
    /// none.
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
    states::RegionStates* states_ = nullptr;  // null: walks
    std::vector<Source> served_;
    TemplateStore store_;
    std::optional<Imitator> imitator_;
    Recorder recorder_;
    std::variant<Idle, Recording, Replaying> mode_;
    TraceId trace_{};
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
    REFRAIN_ASSERT(!active(), "a memo serves an operation inside a trace");
    note_late(number, shapes, regions, memo);
    ++counters_.replayed;
    last_served_ = Served::replayed;
    if (verify_is_due()) [[unlikely]]
        return verify(number, regions, memo.edges);
    return memo.edges;
}

}  // namespace refrain::trace
