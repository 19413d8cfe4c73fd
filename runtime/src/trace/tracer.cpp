#include "trace/tracer.hpp"

#include "base/assertion.hpp"
#include "refrain/error.hpp"

#include <algorithm>

#include "states/region_states.hpp"

namespace refrain::trace {
namespace {

bool same_sources(std::span<const Source> a, std::span<const Source> b) {
    return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&](const Source& source) {
               return std::find(b.begin(), b.end(), source) != b.end();
           });
}

}  // namespace

Tracer::Tracer(Options options, analysis::AccessHistory& history, analysis::DependenceWalk& walk,
               analysis::PatternTable& patterns, const analysis::FootprintTable& footprints)
    : options_(options),
      history_(history),
      walk_(walk),
      footprints_(footprints),
      merge_(patterns),
      store_(options.limits) {
    if (options.imitation) imitator_.emplace(*options.imitation, walk, history, merge_);
}

void Tracer::begin(TraceId trace, OperationNumber next, OnMismatch on_mismatch) {
    REFRAIN_ASSERT(!active(), "begin() inside a trace");
    trace_ = trace;
    on_mismatch_ = on_mismatch;
    const std::uint64_t serial = ++serials_;
    if (const RecordedTrace* recorded = store_.find(trace, next)) {
        REFRAIN_ASSERT(recorded->length() > 0, "a trace without operations is replayed");
        const bool follows_itself = last_.recorded == recorded && last_.end == next;
        if (follows_itself) recorded->loop.prepare(*recorded);
        mode_ = Replaying{.replay = Replay(*recorded, serial),
                          .first = next,
                          .follows = follows_itself ? recorded : nullptr,
                          .previous_first = last_.first};
        return;
    }
    recorder_.begin(serial, next);
    mode_ = Recording{.first = next};
}

void Tracer::end(OperationNumber next) {
    REFRAIN_ASSERT(active(), "end() outside of a trace");
    std::string failure;
    if (auto* replaying = std::get_if<Replaying>(&mode_)) {
        if (ends_as_recorded(replaying->replay)) {
            REFRAIN_ASSERT(replaying->replay.at_end(), "a trace counts as replayed before its end");
            ++counters_.replays;
            last_ = {.recorded = store_.find(trace_, next), .first = replaying->first, .end = next};
            if (last_.recorded != &replaying->replay.recorded()) last_ = {};
            store_.touch(trace_, replaying->replay.recorded());
            mode_.emplace<Idle>();
            return;
        }
        report(replaying->replay.position(), replaying->replay.expected().site.describe(),
               "nothing more");
        if (on_mismatch_ == OnMismatch::fail) failure = counters_.last_mismatch;
        record_from(*replaying);
    }
    const OperationNumber first = std::get<Recording>(mode_).first;
    REFRAIN_ASSERT(recorder_.length() <= next - first,
                   "more operations are recorded than were launched");
    last_ = {};
    if (recorder_.length() > 0) {
        last_ = {
            .recorded = store_.insert(trace_, recorder_.copy(), next), .first = first, .end = next};
        if (last_.recorded != nullptr)
            ++counters_.recordings;
        else
            recorder_.clear();  // larger than all that may be kept
    }
    mode_.emplace<Idle>();
    if (!failure.empty()) throw TraceMismatch(failure);
}

void Tracer::abandon() {
    REFRAIN_ASSERT(active(), "abandon() outside of a trace");
    last_ = {};
    mode_.emplace<Idle>();
}

bool Tracer::ends_as_recorded(Replay& replay) const {
    if (replay.at_end()) return true;
    const TraceTemplate* shorter = store_.find_variant(
        trace_, replay.recorded(), replay.position(),
        [&](const TraceTemplate& variant) { return variant.length() == replay.position(); });
    if (shorter != nullptr) replay.switch_to(*shorter);
    return shorter != nullptr;
}

std::span<const Source> Tracer::dependences(OperationNumber number,
                                            const OperationSignature& operation) {
    if (states_ != nullptr) {
        ++counters_.analysed;
        last_served_ = Served::analysed;
        return states_->dependences(number, operation.shapes, operation.regions);
    }
    if (auto* replaying = std::get_if<Replaying>(&mode_)) {
        if (const auto known = compare(*replaying, operation)) {
            ++counters_.replayed;
            last_served_ = Served::replayed;
            return serve(number, operation, record_accesses(number, operation), *known);
        }
    }
    if (!std::holds_alternative<Recording>(mode_)) {
        ++counters_.analysed;
        last_served_ = Served::analysed;
        record_accesses(number, operation);
        return analyse(number, operation.regions);
    }
    ++counters_.recorded;
    last_served_ = Served::recorded;
    const auto accesses = record_accesses(number, operation);
    const auto sources = analyse(number, operation.regions);
    recorder_.operation(operation, accesses, sources);
    return sources;
}

std::span<const Source> Tracer::dependences(OperationNumber number,
                                            const OperationSignature& operation,
                                            const StreamPosition& where) {
    REFRAIN_ASSERT(!active(), "an operation inside a trace has a stream position");
    REFRAIN_ASSERT(imitator_.has_value(), "a stream position is given, but nothing is imitated");
    const auto accesses = record_accesses(number, operation);
    const Imitator::Result found = imitator_->dependences(number, operation, accesses, where);
    if (found.imitated) {
        ++counters_.replayed;
        counters_.walked_in_replay += found.walked;
        last_served_ = Served::replayed;
        return verify_is_due() ? verify(number, operation.regions, found.edges) : found.edges;
    }
    ++(found.kept ? counters_.recorded : counters_.analysed);
    last_served_ = found.kept ? Served::recorded : Served::analysed;
    return found.edges;
}

std::optional<ComparedOperation> Tracer::compare(Replaying& replaying,
                                                 const OperationSignature& operation) {
    Replay& replay = replaying.replay;
    if (auto known = replay.advance(operation)) return known;
    std::optional<ComparedOperation> known;
    const TraceTemplate& before = replay.recorded();
    const TraceTemplate* variant =
        store_.find_variant(trace_, before, replay.position(), [&](const TraceTemplate& candidate) {
            replay.switch_to(candidate);
            known = replay.advance(operation);
            return known.has_value();
        });
    if (variant != nullptr) return known;
    replay.switch_to(before);
    leave(replaying, operation);
    return std::nullopt;
}

void Tracer::leave(const Replaying& replaying, const OperationSignature& operation) {
    const Replay& replay = replaying.replay;
    report(replay.position(), replay.at_end() ? "the end" : replay.expected().site.describe(),
           operation.site->describe());
    if (on_mismatch_ == OnMismatch::fail) {
        mode_.emplace<Idle>();
        throw TraceMismatch(counters_.last_mismatch);
    }
    record_from(replaying);
}

/// Turns the replay into a recording that begins with the operations replayed so far.
void Tracer::record_from(const Replaying& replaying) {
    const Replay& replay = replaying.replay;
    recorder_.begin(replay.serial(), replaying.first, replay.recorded(), replay.position());
    mode_ = Recording{.first = replaying.first};
}

void Tracer::report(std::size_t position, const std::string& recorded,
                    const std::string& launched) {
    ++counters_.mismatches;
    counters_.last_mismatch =
        "trace " + std::to_string(number_of(trace_)) + ", operation " + std::to_string(position) +
        ": recorded " + recorded + ", launched " + launched +
        "; the trace continues without its recording. Use different trace ids for "
        "different programs";
}

std::span<analysis::Access> Tracer::record_accesses(OperationNumber number,
                                                    const OperationSignature& operation) {
    return history_.append(number, operation.shapes, operation.regions, footprints_);
}

std::span<const Source> Tracer::analyse(OperationNumber number,
                                        std::span<RegionHistory* const> regions) {
    merge_.clear();
    for (std::uint32_t i = 0; i < regions.size(); ++i)
        merge_.add(walk_.walk(number, i, *regions[i]).sources);
    return merge_.merged();
}

std::span<const Source> Tracer::serve(OperationNumber number, const OperationSignature& operation,
                                      std::span<analysis::Access> accesses,
                                      const ComparedOperation& known) {
    const Replay& replay = std::get<Replaying>(mode_).replay;
    const TraceTemplate& recorded = replay.recorded();
    REFRAIN_ASSERT(known.get().requirement_count == accesses.size(),
                   "an operation is served by one with other requirements");
    const auto requirements = recorded.requirements_of(known.get());
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        accesses[i].sources = recorded.sources_of(requirements[i]);
        accesses[i].oldest_seen = number;
        accesses[i].saw_beginning = requirements[i].needs_fresh;  // later walks may stop here
    }
    std::span<const Source> edges;
    if (replay.holds(known))
        edges = recorded.edges_of(known.get());
    else if (LoopMemo* loop = loop_memo())
        edges = serve_back_to_back(number, operation, accesses, known, *loop);
    else
        edges = serve_with_walks(number, operation, accesses, requirements);
    return verify_is_due() ? verify(number, operation.regions, edges) : edges;
}

LoopMemo* Tracer::loop_memo() {
    const Replaying& replaying = std::get<Replaying>(mode_);
    const bool follows_itself = replaying.follows == &replaying.replay.recorded();
    return follows_itself ? &replaying.follows->loop : nullptr;
}

std::span<const Source> Tracer::serve_with_walks(
    OperationNumber number, const OperationSignature& operation,
    std::span<analysis::Access> accesses,
    std::span<const TraceTemplate::Requirement> requirements) {
    const Replay& replay = std::get<Replaying>(mode_).replay;
    merge_.clear();
    for (std::uint32_t i = 0; i < accesses.size(); ++i) {
        if (replay.holds(requirements[i], *operation.regions[i])) {
            merge_.add(accesses[i].sources);
        } else {
            merge_.add(walk_.walk(number, i, *operation.regions[i]).sources);
            ++counters_.walked_in_replay;
        }
    }
    return merge_.merged();
}

std::span<const Source> Tracer::serve_back_to_back(OperationNumber number,
                                                   const OperationSignature& operation,
                                                   std::span<analysis::Access> accesses,
                                                   const ComparedOperation& known, LoopMemo& loop) {
    const Replaying& replaying = std::get<Replaying>(mode_);
    const TraceTemplate& recorded = replaying.replay.recorded();
    const auto requirements = recorded.requirements_of(known.get());
    bool as_learned = accesses.size() <= 64;  // and nothing is walked or inherited
    std::uint64_t from_loop = 0;              // bit set of requirements that `loop` serves
    for (std::uint32_t i = 0; i < accesses.size(); ++i) {
        analysis::Access& access = accesses[i];
        if (replaying.replay.holds(requirements[i], *operation.regions[i])) continue;
        const RegionHistory& region = *operation.regions[i];
        LoopMemo::Requirement& memo = loop.requirement(known.get().first_requirement + i);
        if (LoopMemo::agrees(memo, replaying.first, region.entry)) {
            from_loop |= std::uint64_t{1} << (i % 64);
            as_learned = inherit(number, memo, access) && as_learned;
            continue;
        }
        walk_.walk(number, i, *operation.regions[i]);
        LoopMemo::learn(memo,
                        {.previous_first = replaying.previous_first,
                         .first = replaying.first,
                         .number = number},
                        region.entry, access);
        ++counters_.walked_in_replay;
        as_learned = false;
    }
    REFRAIN_ASSERT(replaying.replay.position() > 0, "an operation is served before it is compared");
    LoopMemo::Operation& memo = loop.operation(replaying.replay.position() - 1);
    if (as_learned && memo.known && memo.from_loop == from_loop) return memo.edges;
    merge_.clear();
    for (const analysis::Access& access : accesses) merge_.add(access.sources);
    if (as_learned) {
        memo.edges.assign(merge_.merged().begin(), merge_.merged().end());
        memo.from_loop = from_loop;
        memo.known = true;
    }
    return merge_.merged();
}

bool Tracer::inherit(OperationNumber number, const LoopMemo::Requirement& memo,
                     analysis::Access& access) {
    access.sources = memo.own_sources;
    access.oldest_seen = 0;  // a recorded requirement that inherits from it is not interior
    if (memo.twin_distance == 0) return true;
    return !walk_.resume(number, access, memo.own_sources,
                         {number - memo.twin_distance, memo.twin_index}, memo.needed_at_twin);
}

std::span<const Source> Tracer::verify(OperationNumber number,
                                       std::span<RegionHistory* const> regions,
                                       std::span<const Source> served) {
    ++counters_.verified;
    served_.assign(served.begin(), served.end());
    const auto analysed = analyse(number, regions);
    if (!same_sources(served_, analysed)) ++counters_.verify_failures;
    return analysed;
}

void Tracer::forget(TraceId trace, OperationNumber now) {
    if (active() && trace == trace_) return;
    last_ = {};
    store_.forget(trace, now);
}

void Tracer::clear() {
    last_ = {};
    store_.clear();
    recorder_.clear();
    if (imitator_) imitator_->clear();
}

}  // namespace refrain::trace
