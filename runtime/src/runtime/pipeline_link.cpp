// What an operation waits for: edges to it, alone or in a batch, until it is published.

#include "base/assertion.hpp"
#include "runtime/operation_failure.hpp"
#include "runtime/pipeline.hpp"

#include <algorithm>
#include <array>

namespace refrain::runtime {

/// A batch gives memory back as a whole: temporaries that take much are not to live together in one.
inline bool Pipeline::may_be_batched(const Operation& operation) const {
    constexpr std::size_t much_memory = std::size_t{64} << 10;
    if (operation.point_count != 1 || operation.is_fence) return false;
    if (options_.batching != Batching::tiny) return options_.batching == Batching::all;
    if (!workers_.is_tiny(operation) || workers_.lacks_searchers()) return false;
    for (const Argument& argument : operation.arguments())
        if (argument.storage->elements() == nullptr && argument.storage->bytes() > much_memory)
            return false;
    return true;
}

/// Its predecessors must fit the counts of a batch, and none may count as one for all its points.
inline bool Pipeline::join_batch(Operation& operation, std::span<const analysis::Source> sources) {
    constexpr std::size_t predecessors_max = graph::packed_in_degree_max / graph::points_per_bundle;
    if (!may_be_batched(operation) ||
        1 + sources.size() + operation.future_count > predecessors_max)
        return false;
    struct Unfinished {
        graph::Node* node;
        const analysis::Source* source;
    };
    std::array<Unfinished, predecessors_max> unfinished;
    Unfinished* end = unfinished.data();
    for (const analysis::Source& source : sources) {
        const graph::OperationNumber number = operation.number - source.distance;
        if (number < oldest_) continue;
        graph::Node* node = &ring_[number];
        if (node->point_count > graph::points_per_bundle) return false;
        *end++ = {node, &source};
    }
    for (const regions::FutureState* future : operation.futures())
        if (future->count > graph::points_per_bundle) return false;
    if (options_.record_graph) [[unlikely]] {
        for (const analysis::Source& source : sources)
            record(operation.number - source.distance, operation, source.pattern,
                   source.carries_data);
    }
    batch_linker_.join(operation);
    for (const Unfinished* from = unfinished.data(); from != end; ++from) {
        if (from->node->point_count == 1)
            batch_linker_.add_point(*from->node, from->source->carries_data);
        else
            batch_linker_.add(*from->node, patterns_.get(from->source->pattern),
                              from->source->carries_data);
    }
    return true;
}

/// On what it was not the analysis that found.
inline void Pipeline::add_control_dependences(Operation& operation) {
    if (operation.future_count != 0) depend_on_futures(operation);
    if (last_fence_ >= oldest_ || (options_.record_graph && last_fence_ != 0))
        depend_on_fence(operation);
    if (operation.is_fence) order_after_all(operation);
    if (taints_.any()) [[unlikely]]
        poison_tainted_points(operation);
}

void Pipeline::tie_in(Operation& operation, std::span<const analysis::Source> sources) {
    REFRAIN_ASSERT(!operation.is_kept || oldest_ == operation.number,
                   "a kept record is used outside of lanes while others are in flight");
    operation.was_in_lanes = false;
    workers_.begin_launch();
    const bool joined = join_batch(operation, sources);
    if (!joined) {
        if (batch_linker_.is_open()) publish_batch();
        prepare(operation);
        for (const analysis::Source& source : sources)
            depend(operation.number - source.distance, operation, source.pattern,
                   source.carries_data);
    }
    add_control_dependences(operation);
    if (!joined) {
        publish(operation);
    } else {
        ++batched_;
        if (batch_linker_.is_full()) publish_batch();
    }
    workers_.end_launch();
}

void Pipeline::prepare(Operation& operation) {
    const std::uint32_t bundles = graph::bundles_for(operation.point_count);
    graph::prepare_bundles(operation, operation.is_kept ? operation.kept_bundles()
                                                        : edges_.allocate_array<graph::Bundle>(
                                                              bundles, operation.number.value()));
}

void Pipeline::publish(Operation& operation) {
    linker_.publish(operation, [this](graph::ReadyPoints points) { workers_.ready(points); });
    if (runs_alone_) begin_at_once(operation);
    if (!runs_at_once_) workers_.launched(operation);
}

inline const graph::Batch& Pipeline::link_batch() {
    return batch_linker_.publish([this](graph::ReadyPoints points) { workers_.ready(points); });
}

void Pipeline::publish_batch() {
    const graph::Batch& batch = link_batch();
    if (runs_alone_) begin_at_once(batch);
    if (!runs_at_once_) workers_.launched(batch);
}

/// While the launching thread runs alone, short work runs at the end of the launch that publishes it,
/// unless longer work is pending: its records are still in the cache, and later launches find nothing to
/// wait for.
void Pipeline::begin_at_once(const graph::Node& node) {
    if (runs_at_once_ || node.number == oldest_)
        runs_at_once_ = is_short(*node.cost, node.point_count);
    if (!runs_at_once_) ++shared_when_alone_;
}

void Pipeline::close_batch() {
    const auto right = workers_.right_to_publish();
    if (batch_linker_.is_open()) publish_batch();
}

/// A worker publishes here, and leaves runs_at_once_ alone: the launching thread looks at that without the right to
/// publish. Batching::all is for tests, which count the members of batches: there, workers leave them alone.
graph::Workers::Held Pipeline::held_work() {
    if (options_.batching == Batching::all) return {};
    return {[](void* context) {
                auto& pipeline = *static_cast<Pipeline*>(context);
                if (pipeline.batch_linker_.is_open())
                    pipeline.workers_.launched(pipeline.link_batch());
            },
            this};
}

void Pipeline::flush() {
    const auto right = workers_.right_to_publish();
    if (batch_linker_.is_open()) publish_batch();
    workers_.flush();
}

void Pipeline::depend(graph::OperationNumber source, const Operation& target,
                      analysis::PatternId pattern, bool carries_data) {
    if (options_.record_graph) [[unlikely]]
        record(source, target, pattern, carries_data);
    if (source < oldest_) return;
    if (target.is_member())
        batch_linker_.add(ring_[source], patterns_.get(pattern), carries_data);
    else
        linker_.add(ring_[source], patterns_.get(pattern), carries_data);
}

void Pipeline::record(graph::OperationNumber source, const Operation& target,
                      analysis::PatternId pattern, bool carries_data) {
    recorded_.add({.source = source,
                   .target = target.number,
                   .pairs = patterns_.get(pattern).pairs(),
                   .carries_data = carries_data});
}

void Pipeline::depend_on_futures(Operation& operation) {
    for (const regions::FutureState* future : operation.futures()) {
        if (!future->retired || options_.record_graph)
            depend(future->operation, operation,
                   patterns_.complete(static_cast<std::uint32_t>(future->count),
                                      operation.point_count),
                   true);
        if (future->retired && future->failure != nullptr) {
            for (std::uint32_t point = 0; point < operation.point_count; ++point)
                poison_unpublished(operation, point, *future->failure);
        }
    }
}

void Pipeline::depend_on_fence(const Operation& operation) {
    depend(last_fence_, operation, patterns_.complete(1, operation.point_count), false);
}

void Pipeline::order_after_all(const Operation& fence) {
    graph::OperationNumber number = last_fence_ + 1;
    if (!options_.record_graph) number = std::max(number, oldest_);
    for (; number < fence.number; ++number) {
        const std::uint32_t points =
            number >= oldest_ ? ring_[number].point_count : recorded_.points_of(number);
        depend(number, fence, patterns_.complete(points, 1), false);
    }
    last_fence_ = fence.number;
}

}  // namespace refrain::runtime
