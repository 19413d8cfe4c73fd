#pragma once

#include "regions/taint.hpp"
#include "runtime/operation.hpp"

#include <cstdint>

/// Failure between an operation in the graph and its regions (regions/taint.hpp).
///
/// Threads:  the launching thread only.
namespace refrain::runtime {

/// A point in the masks of its bundle.
[[nodiscard]] inline std::uint32_t point_mask(const Operation& operation, std::uint32_t point) {
    return 1U << (operation.first_point + point % graph::points_per_bundle);
}

/// Whether a point failed or was skipped; meaningful once it is done.
[[nodiscard]] inline bool point_failed(const Operation& operation, std::uint32_t point) {
    const graph::Bundle& bundle = operation.bundles[point / graph::points_per_bundle];
    const std::uint32_t failed =
        graph::BundleState::failed(bundle.state.load(std::memory_order_acquire));
    return (failed & point_mask(operation, point)) != 0;
}

/// Whether a point that failed was not run; meaningful once it is done.
[[nodiscard]] inline bool was_skipped(const Operation& operation, std::uint32_t point) {
    const graph::Bundle& bundle = operation.bundles[point / graph::points_per_bundle];
    return (bundle.poisoned.load(std::memory_order_relaxed) & point_mask(operation, point)) != 0;
}

/// Why some point failed or was skipped, or null; meaningful once all are done. The graph hands causes
/// on as constants, but the bookkeeping of a failure belongs to the launching thread.
[[nodiscard]] inline regions::Failure* failure_of(const Operation& operation) {
    return const_cast<regions::Failure*>(
        static_cast<const regions::Failure*>(operation.failure_cause()));
}

/// Marks a point of an operation that is not yet published as one that must not run.
void poison_unpublished(Operation& operation, std::uint32_t point, regions::Failure& failure);

/// Before `operation` is published: poisons the points that would see tainted elements, and removes
/// taints from the elements that it overwrites.
void poison_tainted_points(Operation& operation);

/// A failed operation retires: taints its regions. `newest` is the newest operation issued.
void record_taints(regions::Taints& taints, const Operation& operation,
                   graph::OperationNumber newest);

}  // namespace refrain::runtime
