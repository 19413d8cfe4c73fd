#include "runtime/taint.hpp"

namespace refrain::runtime {
namespace {

/// The operator of a reduction that commutes with others; null for all other accesses.
const data::ReductionFunctions* free_reduction(const Argument& argument) {
    return argument.order == nullptr ? argument.reduction : nullptr;
}

}  // namespace

void poison_unpublished(Operation& operation, std::uint32_t point, const Failure* failure) {
    FailureLog::touch(failure, operation.number);  // it must outlive the operation
    graph::Bundle& bundle = operation.bundles[point / graph::points_per_bundle];
    bundle.poisoned.fetch_or(graph_bit(operation, point), std::memory_order_relaxed);
    const void* none = nullptr;  // not yet shared: published with the operation
    operation.causes->compare_exchange_strong(none, failure, std::memory_order_relaxed,
                                              std::memory_order_relaxed);
}

void Taints::remember(const Operation& operation, std::uint64_t newest) {
    auto* failure = const_cast<Failure*>(static_cast<const Failure*>(operation.failure_cause()));
    for (std::size_t i = 0; i < operation.arguments().size(); ++i) {
        const Argument& argument = operation.arguments()[i];
        RegionRoot& root = operation.root(i);
        if (argument.privilege == Privilege::read || operation.number < root.host_wrote_before)
            continue;
        std::vector<data::BoxSet> spoiled;
        for (std::uint32_t point = 0; point < operation.point_count; ++point)
            if (point_failed(operation, point))
                spoiled.push_back(argument.footprint->subsets[point]);
        remember(root, {data::BoxSet::unite_all(spoiled), failure, free_reduction(argument)},
                 operation.number, newest);
    }
}

void Taints::remember(RegionRoot& root, RegionRoot::Taint taint, std::uint64_t since,
                      std::uint64_t newest) {
    for (std::uint64_t number = since + 1; number <= newest && !taint.elements.empty(); ++number)
        for (const analysis::Access& access : history_.accesses(number))
            if (access.region == root.serial && access.shape.privilege == Privilege::write)
                taint.elements =
                    taint.elements.subtract(footprints_.get(access.shape.footprint).all);
    if (taint.elements.empty()) return;
    ++taint.failure->references;
    root.taints.push_back(std::move(taint));
    there_were_some_ = true;
}

void Taints::apply(Operation& operation) {
    for (std::size_t i = 0; i < operation.arguments().size(); ++i) {
        const Argument& argument = operation.arguments()[i];
        if (argument.privilege == Privilege::write) continue;
        for (const RegionRoot::Taint& taint : operation.root(i).taints) {
            if (taint.reduction != nullptr && taint.reduction == free_reduction(argument)) continue;
            for (std::uint32_t point = 0; point < operation.point_count; ++point)
                if (argument.footprint->subsets[point].overlaps(taint.elements))
                    poison_unpublished(operation, point, taint.failure);
        }
    }
    for (std::size_t i = 0; i < operation.arguments().size(); ++i) {
        const Argument& argument = operation.arguments()[i];
        if (argument.privilege != Privilege::write) continue;
        auto& taints = operation.root(i).taints;
        for (RegionRoot::Taint& taint : taints) {
            taint.elements = taint.elements.subtract(argument.footprint->all);
            if (taint.elements.empty()) --taint.failure->references;
        }
        std::erase_if(taints, [](const auto& taint) { return taint.elements.empty(); });
    }
}

Failure* Taints::any(const RegionRoot& root) {
    return root.taints.empty() ? nullptr : root.taints.front().failure;
}

void Taints::clear(RegionRoot& root) {
    for (const RegionRoot::Taint& taint : root.taints) --taint.failure->references;
    root.taints.clear();
}

}  // namespace refrain::runtime
