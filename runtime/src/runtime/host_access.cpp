#include "runtime/host_access.hpp"

#include "refrain/region.hpp"
#include "regions/region_root.hpp"
#include "runtime/operation_failure.hpp"

#include <algorithm>

namespace refrain::runtime {

void HostAccess::wait_for_all_of(std::span<const analysis::Source> sources) {
    waiting_for_.clear();
    for (const analysis::Source& source : sources)
        if (pipeline_.next_issue() - source.distance >= pipeline_.frontier())
            waiting_for_.push_back(pipeline_.next_issue() - source.distance);
    if (waiting_for_.empty()) return;
    std::sort(waiting_for_.begin(), waiting_for_.end());
    std::size_t next = 0;
    pipeline_.help_until([&] {
        while (next < waiting_for_.size() && pipeline_.is_finished(waiting_for_[next])) ++next;
        return next == waiting_for_.size();
    });
}

regions::Failure* HostAccess::wait_for_region(regions::RegionRoot& root,
                                              const analysis::RequirementShape& shape) {
    const auto sources = pipeline_.sources_of_host(shape, root);
    wait_for_all_of(sources);
    regions::Failure* failure = nullptr;
    bool overwrites_failed = false;
    for (const analysis::Source& source : sources) {
        const graph::OperationNumber number = pipeline_.next_issue() - source.distance;
        if (number < pipeline_.frontier() || pipeline_.failure_of(number) == nullptr) continue;
        overwrites_failed = overwrites_failed || shape.privilege == Privilege::write;
        if (!source.carries_data) continue;
        for (const auto& pair : pipeline_.pattern(source.pattern).pairs())
            if (point_failed(pipeline_.operation(number), pair.source))
                failure = pipeline_.failure_of(number);
    }
    // What the host overwrites must not be missed by anybody: failure travels along edges from
    // operations that have not retired.
    if (overwrites_failed)
        pipeline_.wait_for_all();
    else
        pipeline_.retire();
    return failure != nullptr || shape.privilege == Privilege::write
               ? failure
               : regions::Taints::failure_of(root);
}

/// A point that has been overwritten since precedes the point that overwrote it, and what that reads
/// fails it: so neither is looked at.
void HostAccess::find_conflicts(const regions::RegionRoot& root, const data::Box& part,
                                Privilege privilege) {
    conflicts_.clear();
    data::BoxSet needed(part);
    for (auto number = root.last_use; number >= pipeline_.frontier() && !needed.empty();
         number = number - 1) {
        const Operation& operation = pipeline_.operation(number);
        data::BoxSet covered;
        for (std::size_t i = 0; i < operation.arguments().size(); ++i) {
            const Argument& argument = operation.arguments()[i];
            if (operation.regions()[i] != &root ||
                (argument.privilege == Privilege::read && privilege == Privilege::read) ||
                !argument.footprint->all.overlaps(needed))
                continue;
            add_conflicts(operation, i, needed);
            if (overwrites(argument.privilege)) covered = covered.unite(argument.footprint->all);
        }
        needed = needed.subtract(covered);
    }
}

HostAccess::PartState HostAccess::state_of(const regions::RegionRoot& root, const data::Box& part,
                                           Privilege privilege) {
    pipeline_.settle_lanes();
    find_conflicts(root, part, privilege);
    PartState state{.is_ready = true};
    for (const Conflict& conflict : conflicts_) {
        if (!has_run(conflict.operation, conflict.point)) return {};
        if (conflict.operation < pipeline_.frontier()) continue;
        regions::Failure* const failure = pipeline_.failure_of(conflict.operation);
        if (failure == nullptr ||
            !point_failed(pipeline_.operation(conflict.operation), conflict.point))
            continue;
        state.overwrites_failed = true;
        if (conflict.changes_elements) state.failure = failure;
    }
    for (const regions::RegionRoot::Taint& taint : root.taints)
        if (state.failure == nullptr && taint.elements.overlaps(part))
            state.failure = taint.failure;
    return state;
}

void HostAccess::add_conflicts(const Operation& operation, std::size_t argument,
                               const data::BoxSet& needed) {
    const Argument& used = operation.arguments()[argument];
    for (std::uint32_t point = 0; point < operation.point_count; ++point)
        if (used.footprint->subsets[point].overlaps(needed))
            conflicts_.push_back({.operation = operation.number,
                                  .point = point,
                                  .changes_elements = used.privilege != Privilege::read});
}

bool HostAccess::has_run(graph::OperationNumber number, std::uint32_t point) const {
    if (number < pipeline_.frontier()) return true;
    const Operation& operation = pipeline_.operation(number);
    const graph::Bundle& bundle = operation.bundles[point / graph::points_per_bundle];
    return (graph::BundleState::done(bundle.state.load(std::memory_order_acquire)) &
            point_mask(operation, point)) != 0;
}

void HostAccess::wait_for_conflicts() {
    static_cast<void>(pipeline_.help_some_time([&] {
        while (!conflicts_.empty() && has_run(conflicts_.back().operation, conflicts_.back().point))
            conflicts_.pop_back();
        return conflicts_.empty();
    }));
}

}  // namespace refrain::runtime
