#include "runtime/operation_failure.hpp"

#include <vector>

namespace refrain::runtime {
namespace {

regions::RegionAccess access_of(const Operation& operation, std::size_t index) {
    const Argument& argument = operation.arguments()[index];
    return {.region = operation.root(index),
            .privilege = argument.privilege,
            .footprint = *argument.footprint,
            .unordered_reduction = argument.order == nullptr ? argument.reduction : nullptr};
}

}  // namespace

void poison_unpublished(Operation& operation, std::uint32_t point, regions::Failure& failure) {
    regions::FailureLog::note_use(failure, operation.number);
    graph::Bundle& bundle = operation.bundles[point / graph::points_per_bundle];
    bundle.poisoned.fetch_or(point_mask(operation, point), std::memory_order_relaxed);
    const void* none = nullptr;  // relaxed: not yet shared, published with the operation
    operation.causes->compare_exchange_strong(none, &failure, std::memory_order_relaxed,
                                              std::memory_order_relaxed);
}

void poison_tainted_points(Operation& operation) {
    for (std::size_t i = 0; i < operation.arguments().size(); ++i)
        regions::Taints::for_each_tainted_point(
            access_of(operation, i), [&](std::uint32_t point, regions::Failure& failure) {
                poison_unpublished(operation, point, failure);
            });
    for (std::size_t i = 0; i < operation.arguments().size(); ++i)
        if (operation.arguments()[i].privilege == Privilege::write)
            regions::Taints::overwrite(operation.root(i), *operation.arguments()[i].footprint);
}

void record_taints(regions::Taints& taints, const Operation& operation,
                   graph::OperationNumber newest) {
    std::vector<std::uint32_t> points;
    for (std::uint32_t point = 0; point < operation.point_count; ++point)
        if (point_failed(operation, point)) points.push_back(point);
    for (std::size_t i = 0; i < operation.arguments().size(); ++i)
        taints.record({.operation = operation.number,
                       .newest = newest,
                       .failure = failure_of(operation),
                       .points = points},
                      access_of(operation, i));
}

}  // namespace refrain::runtime
