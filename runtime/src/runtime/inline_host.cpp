#include "runtime/inline_host.hpp"

#include "base/hash.hpp"
#include "runtime/observed.hpp"
#include "runtime/token.hpp"

#include <algorithm>
#include <bit>

namespace refrain::runtime {
namespace {

/// Operations remembered: Options::history_length(), but at least four windows.
unsigned capacity_log2(const Options& options) {
    constexpr std::uint64_t least = 16;
    const std::uint64_t operations =
        std::max({least, options.history_length(), 4 * options.window});
    return static_cast<unsigned>(std::bit_width(operations - 1));
}

autotrace::InlineRecogniser::Options recogniser_options(const Options& options) {
    constexpr unsigned words_per_operation_log2 = 3;
    autotrace::InlineRecogniser::Options o;
    o.capacity_log2 = capacity_log2(options);
    o.words_log2 = o.capacity_log2 + words_per_operation_log2;
    o.context_max = static_cast<std::uint32_t>(options.window) + 1;
    o.token_bits = std::min(options.checks.token_bits, 32U);
    return o;
}

/// An operation that is described only if its words are needed.
struct Description {
    trace::Describer& describer;
    graph::OperationNumber number;
    trace::OperationSignature signature;

    [[nodiscard]] std::optional<std::uint32_t> likeness(
        std::span<const std::uint64_t> words) const {
        return describer.likeness(words, number, signature);
    }
    [[nodiscard]] std::span<const std::uint64_t> words() const {
        return describer.describe(number, signature);
    }
};

}  // namespace

InlineHost::InlineHost(const Options& options, Pipeline& pipeline,
                       const regions::RegionTable& regions, observe::Observer* observer)
    : pipeline_(pipeline),
      observer_(observer),
      token_bits_(options.checks.token_bits),
      describer_(static_cast<std::uint32_t>(options.window)),
      recogniser_(recogniser_options(options)),
      loop_(describer_, regions),
      may_be_dormant_(options.analysis == Analysis::automatic && observer == nullptr &&
                      !options.observe.record_graph),
      window_(static_cast<std::uint32_t>(options.window)),
      dormancy_(options.tracing.patience) {
    if (observer_ != nullptr) observer_->follow(recogniser_);
}

trace::Imitator::Options InlineHost::imitation_options(const Options& options) {
    return {.memos = {.capacity_log2 = capacity_log2(options),
                      .bytes_max = options.limits.trace_bytes,
                      .window = static_cast<std::uint32_t>(options.window)},
            .context_min =
                static_cast<std::uint32_t>(std::min(options.tracing.min_length, options.window))};
}

void InlineHost::operation(Operation& operation) {
    if (!pass(operation)) issue(operation.number, look(operation));
}

void InlineHost::operation(Operation& operation, const LaunchDescription& launch,
                           const CheckedLaunch& checked) {
    if (pass(operation)) return;
    const autotrace::InlineRecogniser::Finding found = look(operation);
    if (found.loop != 0)
        if (const auto words = recogniser_.description(found.position)) {
            CheckedLaunch noted = checked;
            noted.shapes = operation.shapes().data();
            loop_.add(trace::Position::at(recogniser_.end() - found.loop), found.loop,
                      trace::Position::at(found.position), launch, noted, *words);
        }
    issue(operation.number, found);
}

inline bool InlineHost::pass(Operation& operation) {
    if (!dormancy_.is_dormant()) [[likely]] {
        pipeline_.end_row();
        if (operation.number % trace::Dormancy::interval == 0) [[unlikely]]
            consider_dormancy(operation.number);
    }
    if (dormancy_.is_dormant() && sleeps_through(operation)) return true;
    if (!recogniser_.backing_off()) return false;
    recogniser_.skip();
    pass_by(operation);
    return true;
}

void InlineHost::pass_by(Operation& operation) {
    ++passed_;
    if (observer_ != nullptr) [[unlikely]]
        tell_skipped(operation);
    pipeline_.issue(operation.number);
}

void InlineHost::consider_dormancy(graph::OperationNumber number) {
    if (!may_be_dormant_ || !dormancy_.should_begin(number, recogniser_.fruitless())) return;
    dormancy_.begin(number);
    interrupt();  // no context spans what the recogniser does not see
    pipeline_.begin_dormancy();
}

bool InlineHost::sleeps_through(Operation& operation) {
    // States compute geometry for all points of a launch at once, which pays only if the launch repeats.
    const bool is_large = operation.point_count > window_;
    if (dormancy_.should_end(operation.number, fingerprint_of(operation)) || is_large) {
        wake();
        return false;
    }
    pass_by(operation);
    return true;
}

/// A hash of what a description has; links without the requirement that they lead to.
inline std::uint64_t InlineHost::fingerprint_of(const Operation& operation) const {
    const auto number = static_cast<std::uint32_t>(operation.number.value());
    std::uint64_t hash = operation.hash.low;
    for (analysis::RegionHistory* region : operation.regions()) {
        const std::uint32_t ago = region->seen_at == 0 ? 0 : number - region->seen_at;
        region->seen_at = number;
        hash = (hash ^ (ago < window_ ? ago : 0)) * 0x9fb21c651e98df25U;
    }
    return hash ^ hash >> 32;
}

void InlineHost::wake() {
    if (!dormancy_.is_dormant()) return;
    dormancy_.end();
    pipeline_.end_dormancy();
    recogniser_.end_backoff();
}

inline autotrace::InlineRecogniser::Finding InlineHost::look(Operation& operation) {
    if (observer_ != nullptr) [[unlikely]]
        tell_observer(operation);
    const Description description{describer_, operation.number, Pipeline::signature_of(operation)};
    const autotrace::InlineRecogniser::Finding found = recogniser_.look(description);
    if (found.unfolded.count != 0) [[unlikely]]
        repeat(found.unfolded);
    return found;
}

inline void InlineHost::issue(graph::OperationNumber number,
                              const autotrace::InlineRecogniser::Finding& found) {
    std::optional<trace::Position> precedent;
    if (found.precedent) precedent = trace::Position::at(*found.precedent);
    const trace::StreamPosition where{.position = trace::Position::at(found.position),
                                      .precedent = precedent,
                                      .context = *this,
                                      .is_equal = found.is_equal,
                                      .loop = found.loop};
    pipeline_.issue(number, &where);
    if (first_served_ == 0) [[unlikely]]
        note_first(number);
}

void InlineHost::interrupt() {
    pipeline_.interrupt_row();  // it relies on memos at their places
    const auto unfolded = recogniser_.interrupt();
    if (unfolded.count != 0) repeat(unfolded);
}

void InlineHost::repeat(const autotrace::InlineRecogniser::Turn& turn) {
    const trace::Turn positions{trace::Position::at(turn.first), turn.count, turn.distance};
    pipeline_.repeat(positions);
    if (observer_ != nullptr) observer_->repeated(positions);
}

/// What names an operation here is its description.
void InlineHost::tell_observer(Operation& operation) {
    tell_launched(*observer_, operation, [&] {
        base::Hasher hasher;
        for (const std::uint64_t word :
             describer_.describe(operation.number, Pipeline::signature_of(operation)))
            hasher.add(word);
        return hasher.finish();
    });
}

void InlineHost::tell_skipped(Operation& operation) {
    tell_launched(*observer_, operation, [&] { return token_of(operation, token_bits_); });
}

void InlineHost::note_first(graph::OperationNumber number) {
    if (pipeline_.tracer().last_served() != trace::Tracer::Served::replayed) return;
    first_served_ = number;
    may_be_direct_ = observer_ == nullptr || !observer_->asks_each();
}

void InlineHost::forget() {
    recogniser_.clear();
    loop_.clear();
    if (observer_ != nullptr) observer_->follow(recogniser_);
}

void InlineHost::add_to(Statistics& statistics) const {
    const autotrace::InlineRecogniser::Statistics& s = recogniser_.statistics();
    const trace::MemoRing& memos = *pipeline_.tracer().memos();
    AutotraceStatistics& a = statistics.autotrace;
    a.enabled = true;
    a.recogniser = "inline";
    a.traceable = s.operations + passed_;
    a.replayed = statistics.traces.replayed;
    a.first_replay = first_served_.value();
    a.examined = s.operations;
    a.predicted = s.predicted;
    a.compiled = compiled_;
    a.found = s.found;
    a.collisions = s.collisions;
    a.skipped = passed_;
    a.memos = memos.memos();
    a.memo_evictions = memos.evictions();
    a.matcher_bytes = recogniser_.matcher_bytes();
    a.description_bytes = recogniser_.description_bytes_used();
    a.memo_bytes = memos.bytes();
    a.compiled_bytes = loop_.bytes();
    a.bytes = a.matcher_bytes + a.description_bytes + a.memo_bytes + a.compiled_bytes;
}

}  // namespace refrain::runtime
