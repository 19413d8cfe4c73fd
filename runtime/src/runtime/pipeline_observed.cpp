// What Pipeline tells observers, logs and the progress line about operations.

#include "runtime/direct_launch.hpp"
#include "runtime/observed.hpp"
#include "runtime/pipeline.hpp"
#include "runtime/token.hpp"

#include <string>
#include <utility>
#include <vector>

namespace refrain::runtime {

void Pipeline::tell_begins(graph::OperationNumber number) {
    if (options_.observer != nullptr) options_.observer->issue_begins(number.value());
}

void Pipeline::tell_served(const Operation& operation, std::span<const analysis::Source> sources,
                           const trace::StreamPosition* where) {
    if (log_.says(LogLevel::debug)) tell_of(operation);
    if (options_.observer != nullptr) {
        options_.observer->served(observed(operation), sources, where,
                                  [&] { return token_of(operation, options_.token_bits); });
        if (options_.observer->asks_dependences(operation.number.value())) [[unlikely]]
            tell_dependences(observed(operation), sources, operation.futures());
    }
    if (options_.record_graph) recorded_.add_operation(operation.point_count);
}

/// It is served by the memo; nothing is linked.
void Pipeline::tell_direct(const DirectLaunch& launch, const trace::OperationMemo& memo,
                           const PlaceInLoop& place) {
    observe::Observer& observer = *options_.observer;
    const observe::ObservedOperation operation = observed(launch);
    observer.served_in_loop(operation, memo.edges, place.position, place.loop);
    if (observer.asks_dependences(operation.number)) [[unlikely]]
        tell_dependences(operation, memo.edges, {});
    observer.linked(operation);
}

/// Only those on operations that are sampled, too.
void Pipeline::tell_dependences(const observe::ObservedOperation& operation,
                                std::span<const analysis::Source> sources,
                                std::span<regions::FutureState* const> futures) {
    observe::Observer& observer = *options_.observer;
    std::vector<observe::DependenceLog::Edge> edges;
    edges.reserve(sources.size() + futures.size());
    for (const analysis::Source& source : sources) {
        const std::uint64_t number = operation.number - source.distance;
        if (observer.knows_dependences(number))
            edges.push_back(
                logged(number, patterns_.get(source.pattern).edges(), source.carries_data));
    }
    for (const regions::FutureState* future : futures) {
        const std::uint64_t number = future->operation.value();
        const auto points = static_cast<std::uint32_t>(future->count);
        if (observer.knows_dependences(number))
            edges.push_back(
                logged(number, graph::EdgeSet::complete(points, operation.points), true));
    }
    observer.waits_for(operation, std::move(edges));
}

void Pipeline::tell_linked(const Operation& operation) {
    if (options_.observer != nullptr) options_.observer->linked(observed(operation));
    if (options_.time_phases) phases_.operation(tracer_.last_served(), operation.point_count);
}

void Pipeline::tell_of_mismatch() {
    constexpr std::uint64_t told_max = 10;
    mismatches_told_ = tracer_.counters().mismatches;
    if (mismatches_told_ <= told_max) log_.say(LogLevel::warning, tracer_.counters().last_mismatch);
    if (mismatches_told_ == told_max)
        log_.say(LogLevel::warning, "further traces that do not match are counted, not told of");
}

void Pipeline::tell_of(const Operation& operation) const {
    static constexpr const char* how[] = {"analysed", "recorded", "replayed"};
    log_.say(LogLevel::debug, "op" + std::to_string(operation.number.value()) + " " +
                                  operation.site.describe() + " " +
                                  how[static_cast<std::size_t>(tracer_.last_served())]);
}

void Pipeline::tell_progress_line() {
    options_.progress_line->note({.launched = (next_issue_ - 1).value(),
                                  .replayed = tracer_.counters().replayed,
                                  .finished = (oldest_ - 1).value()});
}

}  // namespace refrain::runtime
