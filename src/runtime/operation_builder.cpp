#include "runtime/operation_builder.hpp"

#include "runtime/fold_order.hpp"
#include "runtime/launch_errors.hpp"
#include "runtime/point_task.hpp"
#include "runtime/region_table.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace refrain::runtime {
namespace {

constexpr std::int64_t points_max = std::int64_t{1} << 24;

graph::TaskCost fence_cost;

/// Of one region argument: its part of the four arrays that are cut from one piece.
struct ArgumentRoom {
    Argument argument;
    analysis::RequirementShape shape;
    analysis::RegionHistory* history;
    RegionRoot* root;
};

/// Where the parts of an operation lie in one piece of memory: it, its closure, its arguments.
struct Layout {
    explicit Layout(const LaunchDescription& launch)
        : closure(align_up(sizeof(Operation), launch.closure.align)),
          arguments(align_up(closure + launch.closure.bytes, alignof(ArgumentRoom))),
          bytes(arguments + launch.requirement_count * sizeof(ArgumentRoom)),
          align(std::max(alignof(Operation), launch.closure.align)) {}

    std::size_t closure, arguments, bytes, align;

  private:
    [[nodiscard]] static std::size_t align_up(std::size_t offset, std::size_t align) {
        return (offset + align - 1) & ~(align - 1);
    }
};

/// Cuts an array off the front of `room`; its elements are assigned before they are read.
template <class T>
std::span<T> carve(std::byte*& room, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    T* array = reinterpret_cast<T*>(room);
    room += count * sizeof(T);
    return {array, count};
}

DomainShape shape_of(const LaunchDescription& launch) {
    if (launch.domain_rank == 0) return DomainShape::single_task;
    const bool is_line = launch.domain.extent(1) == 1 && launch.domain.extent(2) == 1;
    return is_line ? DomainShape::line : DomainShape::box;
}

}  // namespace

OperationBuilder::OperationBuilder(const Parts& parts)
    : parts_(parts), lookup_(parts.footprints), interference_(parts.footprints) {}

void OperationBuilder::begin_epoch() {
    lookup_.begin_epoch();
    interference_.clear();
    memo_.clear();
}

Operation& OperationBuilder::build(const LaunchDescription& launch, std::uint64_t number) {
    check(launch);
    return build(launch, checked_, number);
}

Operation& OperationBuilder::build(const LaunchDescription& launch, const CheckedLaunch& checked,
                                   std::uint64_t number) {
    if (launch.future_count != 0) check_futures(launch);
    const Layout layout(launch);
    auto* memory =
        static_cast<std::byte*>(parts_.records.allocate(layout.bytes, layout.align, number));
    Operation& operation = *::new (memory) Operation;
    operation.number = number;
    operation.site = launch.site;
    operation.point_count = checked.points;
    operation.run = &run_point;
    operation.cost = launch.cost;
    operation.function = launch.function;
    operation.domain = launch.domain;
    operation.hash = checked.hash;
    operation.domain_shape = shape_of(launch);
    operation.context = &parts_.context;
    // First: a callable may throw when it is moved.
    add_closure(operation, launch.closure, memory + layout.closure);
    add_arguments(operation, launch, checked.requirements, memory + layout.arguments);
    if (launch.future_count != 0) add_futures(operation, launch);
    if (launch.result != nullptr) add_result(operation, *launch.result);
    return operation;
}

Operation& OperationBuilder::build_fence(const LaunchSite& site, std::uint64_t number) {
    Operation& operation = *parts_.records.make<Operation>(number);
    operation.number = number;
    operation.site = site;
    operation.point_count = 1;
    operation.run = &run_nothing;
    operation.cost = &fence_cost;
    operation.is_fence = true;
    return operation;
}

void OperationBuilder::check(const LaunchDescription& launch) {
    const std::int64_t points = launch.domain_rank == 0 ? 1 : launch.domain.volume();
    if (points > points_max) refuse_domain(launch, points);
    for (std::uint32_t i = 0; i < launch.requirement_count; ++i) check_region(launch, i);
    if (const auto known = memo_.find(launch)) {
        checked_ = *known;
        return;
    }
    find_shapes(launch);
    check_interference(launch);
    checked_ = {computed_.data(), static_cast<std::uint32_t>(points), hash_of(launch)};
    memo_.remember(launch, checked_);
}

void OperationBuilder::check_region(const LaunchDescription& launch, std::uint32_t index) const {
    const RequirementDescription& argument = launch.requirements[index];
    if (argument.region == nullptr) refuse_empty_handle(launch, index);
    const RegionRoot& region = *argument.region;
    if (region.table != &parts_.regions) refuse_foreign_region(launch, index);
    if (region.admits(argument.privilege)) return;
    if (!region.initialised && argument.privilege != Privilege::write)
        refuse_uninitialised(launch, index);
    refuse_open_view(launch, index);
}

void OperationBuilder::check_futures(const LaunchDescription& launch) const {
    for (std::uint32_t i = 0; i < launch.future_count; ++i) {
        const FutureState* future = launch.futures[i];
        if (future == nullptr || future->operation == 0) refuse_future(launch, i, true);
        if (future->core != &parts_.regions.core()) refuse_future(launch, i, false);
    }
}

void OperationBuilder::find_shapes(const LaunchDescription& launch) {
    computed_.resize(launch.requirement_count);
    for (std::uint32_t i = 0; i < launch.requirement_count; ++i) {
        const RequirementDescription& argument = launch.requirements[i];
        analysis::RequirementShape& shape = computed_[i].shape;
        shape = {lookup_.find(launch, i), argument.privilege, 0};
        computed_[i].footprint = &parts_.footprints.get(shape.footprint);
        if (argument.privilege == Privilege::reduce)
            shape.reduction = reduction_number(argument.reduction);
    }
}

base::Hash128 OperationBuilder::hash_of(const LaunchDescription& launch) const {
    base::Hasher hasher;
    hasher.add(reinterpret_cast<std::uintptr_t>(launch.function));
    hasher.add(static_cast<std::uint64_t>(launch.domain.volume()));
    for (const CheckedRequirement& requirement : computed_) {
        hasher.add(requirement.shape.usage());
        hasher.add(requirement.footprint->hash);
    }
    return hasher.finish();
}

std::uint16_t OperationBuilder::reduction_number(const data::ReductionFunctions* reduction) {
    const auto known = std::find(reductions_.begin(), reductions_.end(), reduction);
    const auto number = static_cast<std::uint16_t>(known - reductions_.begin() + 1);
    if (known == reductions_.end()) reductions_.push_back(reduction);
    return number;
}

void OperationBuilder::check_interference(const LaunchDescription& launch) {
    if (launch.domain_rank == 0) return;
    const auto footprint = [&](std::uint32_t i) -> const analysis::Footprint& {
        return *computed_[i].footprint;
    };
    for (std::uint32_t i = 0; i < launch.requirement_count; ++i) {
        if (interference_.among_points(computed_[i].shape))
            refuse_conflict(launch, i, i, footprint(i), footprint(i));
        for (std::uint32_t j = 0; j < i; ++j)
            if (launch.requirements[i].region == launch.requirements[j].region &&
                interference_.between(computed_[i].shape, computed_[j].shape))
                refuse_conflict(launch, i, j, footprint(i), footprint(j));
    }
}

void OperationBuilder::add_arguments(Operation& operation, const LaunchDescription& launch,
                                     const CheckedRequirement* checked, std::byte* room) {
    const std::uint32_t count = launch.requirement_count;
    operation.arguments = carve<Argument>(room, count);
    operation.shapes = carve<analysis::RequirementShape>(room, count);
    operation.histories = carve<analysis::RegionHistory*>(room, count);
    operation.roots = carve<RegionRoot*>(room, count);
    operation.is_general = count > arguments_inline_max;
    for (std::uint32_t i = 0; i < count; ++i)
        add_argument(operation, launch.requirements[i], checked[i], i);
}

void OperationBuilder::add_argument(Operation& operation, const RequirementDescription& given,
                                    const CheckedRequirement& checked, std::uint32_t index) {
    RegionRoot& root = *given.region;
    operation.arguments[index] = {root.storage, checked.footprint, given.reduction,
                                  nullptr,      given.privilege,   0};
    operation.shapes[index] = checked.shape;
    operation.histories[index] = &root.history;
    operation.roots[index] = &root;
    root.last_use = operation.number;
    if (given.privilege != Privilege::read) root.initialised = true;
    if (given.reduction != nullptr) add_reduction(operation, given, index);
}

void OperationBuilder::add_reduction(Operation& operation, const RequirementDescription& given,
                                     std::uint32_t index) {
    operation.is_general = true;
    if (!parts_.deterministic_reductions) return;
    // Partial results fold in order, so for the analysis a reduction is like any other change.
    operation.shapes[index].privilege = Privilege::read_write;
    operation.shapes[index].reduction = 0;
    Argument& argument = operation.arguments[index];
    RegionRoot& root = *given.region;
    for (std::uint32_t other = 0; other < index; ++other)
        if (operation.roots[other] == &root && operation.arguments[other].order != nullptr)
            argument.order = operation.arguments[other].order;
    if (argument.order == nullptr)
        argument.order = new FoldOrder(*root.storage, operation.point_count);
    argument.part = argument.order->add_part(*given.reduction, *argument.footprint);
    operation.skip = &skip_point;
    operation.needs_cleanup = true;
}

void OperationBuilder::add_futures(Operation& operation, const LaunchDescription& launch) {
    auto* room = static_cast<std::byte*>(parts_.records.allocate(
        2 * sizeof(void*) * launch.future_count, alignof(void*), operation.number));
    operation.futures = carve<FutureState*>(room, launch.future_count);
    operation.future_values = carve<const void*>(room, launch.future_count).data();
    operation.needs_cleanup = true;
    for (std::uint32_t i = 0; i < launch.future_count; ++i) {
        ++launch.futures[i]->references;
        operation.futures[i] = launch.futures[i];
        operation.future_values[i] = launch.futures[i]->values();
    }
}

void OperationBuilder::add_result(Operation& operation, FutureState& result) {
    ++result.references;
    result.operation = operation.number;
    operation.result = &result;
    operation.result_values = result.values();
    operation.result_bytes = static_cast<std::uint32_t>(result.value_bytes);
    operation.needs_cleanup = true;
}

void OperationBuilder::add_closure(Operation& operation, const ClosureDescription& closure,
                                   std::byte* room) {
    if (closure.bytes == 0) return;
    operation.closure = room;
    if (closure.move != nullptr)
        closure.move(room, closure.from);
    else
        std::memcpy(room, closure.from, closure.bytes);
    operation.destroy_closure = closure.destroy;
    operation.needs_cleanup = closure.destroy != nullptr;
}

}  // namespace refrain::runtime
