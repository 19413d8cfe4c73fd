#include "runtime/operation_builder.hpp"

#include "regions/fold_order.hpp"
#include "regions/region_table.hpp"
#include "runtime/kept_records.hpp"
#include "runtime/launch_errors.hpp"
#include "runtime/point_task.hpp"

#include <algorithm>
#include <new>

namespace refrain::runtime {
namespace {

graph::TaskCost fence_cost;

std::uint32_t align_up(std::size_t offset, std::size_t align) {
    return static_cast<std::uint32_t>((offset + align - 1) & ~(align - 1));
}

OperationLayout layout_of(const LaunchKind& kind) {
    OperationLayout layout;
    const std::size_t end = sizeof(Operation) + (kind.domain_rank != 0 ? sizeof(data::Box) : 0);
    layout.closure = align_up(end, kind.closure.align);
    layout.arguments = align_up(layout.closure + kind.closure.bytes, alignof(Argument));
    layout.bytes = static_cast<std::uint32_t>(layout.arguments + kind.requirement_count *
                                                                     Operation::bytes_per_argument);
    return layout;
}

DomainShape shape_of(const data::Box& domain) {
    const bool is_line = domain.extent(1) == 1 && domain.extent(2) == 1;
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

Operation& OperationBuilder::build(const LaunchDescription& launch, graph::OperationNumber number) {
    check(launch);
    return build(launch, *checked_, number);
}

Operation& OperationBuilder::build(const LaunchDescription& launch, const CheckedLaunch& checked,
                                   graph::OperationNumber number) {
    if (launch.kind->future_count != 0) check_futures(launch);
    const std::size_t align = std::max(base::line_bytes, launch.kind->closure.align);
    auto* memory = static_cast<std::byte*>(
        parts_.records.allocate(checked.layout.bytes, align, number.value()));
    return build_in(memory, launch, checked, number);
}

Operation* OperationBuilder::build_again(const LaunchDescription& launch,
                                         const CheckedLaunch& checked,
                                         graph::OperationNumber number,
                                         graph::OperationNumber oldest) {
    LaunchRecords* const records = checked.records;
    if (records == nullptr) return nullptr;
    Operation*& slot = records->slots[records->next];
    if (slot == nullptr) slot = make_room_to_keep(*records, launch, checked, oldest);
    Operation* const known = slot;
    if (known == nullptr || known->number >= oldest) return nullptr;  // KeptRecords, I1
    if (repeats(*known, launch, checked))
        renew(*known, launch, number);
    else
        build_in(reinterpret_cast<std::byte*>(known), launch, checked, number).is_kept = true;
    records->memory->used_by(number);
    records->advance();
    return known;
}

/// A record that no launch has used yet, behind memory for its bundles; null: too many are kept.
Operation* OperationBuilder::make_room_to_keep(const LaunchRecords& records,
                                               const LaunchDescription& launch,
                                               const CheckedLaunch& checked,
                                               graph::OperationNumber oldest) {
    const std::size_t bundles = graph::bundles_for(checked.points) * sizeof(graph::Bundle);
    const std::size_t align = std::max(base::line_bytes, launch.kind->closure.align);
    const std::size_t front = align_up(bundles, align);
    const bool is_first = std::all_of(records.slots, records.slots + records.count,
                                      [](const Operation* slot) { return slot == nullptr; });
    std::byte* const memory = records.memory->allocate(front + checked.layout.bytes, align, oldest,
                                                       is_first ? records.count - 1 : 0);
    return memory == nullptr ? nullptr : ::new (memory + front) Operation;
}

/// Makes the record's last operation that of `launch`. Writes few lines: workers have read them.
inline void OperationBuilder::renew(Operation& operation, const LaunchDescription& launch,
                                    graph::OperationNumber number) const {
    const LaunchKind& kind = *launch.kind;
    write_closure(kind.closure, operation.closure, launch.closure);  // first: it may throw
    operation.number = number;
    operation.run = parts_.context.run;  // perhaps its tasks were timed
    if (operation.causes != nullptr && operation.failure_cause() != nullptr)
        operation.causes = nullptr;  // as of one that is not yet tied in
    for (std::uint32_t i = 0; i < kind.requirement_count; ++i) {
        regions::RegionRoot& root = *launch.requirements[i].region;
        root.last_use = number;
        if (kind.requirements[i].privilege != Privilege::read) root.use.mark_written();
    }
}

Operation& OperationBuilder::build_in(std::byte* memory, const LaunchDescription& launch,
                                      const CheckedLaunch& checked, graph::OperationNumber number) {
    Operation& operation = *::new (memory) Operation;
    operation.number = number;
    operation.site = launch.site;
    operation.point_count = checked.points;
    operation.run = parts_.context.run;
    operation.cost = &cost_of(launch, checked.cost);
    operation.function = launch.kind->function;
    operation.task = launch.kind->identity;
    operation.hash = checked.hash;
    operation.context = &parts_.context;
    if (launch.kind->domain_rank != 0) {
        operation.domain = ::new (memory + sizeof(Operation)) data::Box(*launch.domain);
        operation.domain_shape = shape_of(*launch.domain);
    }
    // First, since moving a callable may throw.
    add_closure(operation, launch.kind->closure, launch.closure, memory + checked.layout.closure);
    try {
        add_arguments(operation, launch, checked.requirements, memory + checked.layout.arguments);
        if (launch.kind->future_count != 0) add_futures(operation, launch);
    } catch (...) {
        operation.release_owned();
        throw;
    }
    if (launch.result != nullptr) add_result(operation, *launch.result);
    return operation;
}

Operation& OperationBuilder::build_fence(const LaunchSite& site, graph::OperationNumber number) {
    void* memory = parts_.records.allocate(sizeof(Operation), base::line_bytes, number.value());
    Operation& operation = *::new (memory) Operation;
    operation.number = number;
    operation.site = site;
    operation.point_count = 1;
    operation.run = &run_nothing;
    operation.cost = &fence_cost;
    operation.is_fence = true;
    return operation;
}

void OperationBuilder::check(const LaunchDescription& launch) {
    const std::uint32_t points =
        checked_points(launch.site, *launch.domain, launch.kind->domain_rank);
    for (std::uint32_t i = 0; i < launch.kind->requirement_count; ++i) check_region(launch, i);
    checked_ = memo_.find(launch);
    if (checked_ != nullptr) return;
    checked_ = &computed_launch_;
    find_shapes(launch);
    check_interference(launch);
    computed_launch_ = {.requirements = computed_.data(),
                        .points = points,
                        .layout = layout_of(*launch.kind),
                        .hash = hash_of(launch),
                        .cost = find_cost(launch, size_class_of(points))};
    memo_.remember(launch, computed_launch_);
}

void OperationBuilder::check_region(const LaunchDescription& launch, std::uint32_t index) const {
    const RequirementDescription& argument = launch.requirements[index];
    if (argument.region == nullptr) refuse_empty_handle(launch, index);
    const regions::RegionRoot& region = *argument.region;
    if (region.table != &parts_.regions) refuse_foreign_region(launch, index);
    const Privilege privilege = launch.kind->requirements[index].privilege;
    if (region.use.admits(privilege)) return;
    if (!region.use.is_written() && privilege != Privilege::write)
        refuse_uninitialised(launch, index);
    refuse_open_view(launch, index);
}

void OperationBuilder::check_futures(const LaunchDescription& launch) const {
    for (std::uint32_t i = 0; i < launch.kind->future_count; ++i) {
        const regions::FutureState* future = launch.futures[i];
        if (future == nullptr || future->operation == 0) refuse_future(launch, i, true);
        if (future->pool != &parts_.futures) refuse_future(launch, i, false);
    }
}

void OperationBuilder::find_shapes(const LaunchDescription& launch) {
    computed_.resize(launch.kind->requirement_count);
    for (std::uint32_t i = 0; i < launch.kind->requirement_count; ++i) {
        const RequirementKind& kind = launch.kind->requirements[i];
        analysis::RequirementShape& shape = computed_[i].shape;
        shape = {lookup_.find(launch, i), kind.privilege, 0};
        computed_[i].footprint = &parts_.footprints.get(shape.footprint);
        if (kind.privilege == Privilege::reduce) shape.reduction = reduction_number(kind.reduction);
    }
}

base::Hash128 OperationBuilder::hash_of(const LaunchDescription& launch) const {
    base::Hasher hasher;
    hasher.add(reinterpret_cast<std::uintptr_t>(launch.kind->identity));
    hasher.add(static_cast<std::uint64_t>(launch.domain->volume()));
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
    if (launch.kind->domain_rank == 0) return;
    const auto footprint = [&](std::uint32_t i) -> const analysis::Footprint& {
        return *computed_[i].footprint;
    };
    for (std::uint32_t i = 0; i < launch.kind->requirement_count; ++i) {
        if (interference_.among_points(computed_[i].shape))
            refuse_conflict(launch, i, i, footprint(i), footprint(i));
        for (std::uint32_t j = 0; j < i; ++j)
            if (launch.requirements[i].region == launch.requirements[j].region &&
                interference_.between(computed_[i].shape, computed_[j].shape))
                refuse_conflict(launch, i, j, footprint(i), footprint(j));
    }
}

CheckedCost OperationBuilder::find_cost(const LaunchDescription& launch, std::uint32_t size_class) {
    const std::uintptr_t function = function_called_by(launch);
    graph::TaskCost& cost =
        costs_.of({.type = reinterpret_cast<std::uintptr_t>(launch.kind->identity),
                   .function = function,
                   .file = reinterpret_cast<std::uintptr_t>(launch.site.file),
                   .line = launch.site.line,
                   .size_class = size_class});
    return {&cost, function, launch.site.line, size_class};
}

/// Of the elements that the points use through all requirements together.
std::uint32_t OperationBuilder::size_class_of(std::int64_t points) const {
    std::uint64_t elements = 0;
    for (const CheckedRequirement& requirement : computed_)
        elements += static_cast<std::uint64_t>(requirement.footprint->volume);
    return graph::CostKey::size_class_of(elements / static_cast<std::uint64_t>(points));
}

inline void OperationBuilder::add_arguments(Operation& operation, const LaunchDescription& launch,
                                            const CheckedRequirement* checked, std::byte* room) {
    const std::uint32_t count = launch.kind->requirement_count;
    operation.first_argument = reinterpret_cast<Argument*>(room);
    operation.argument_count = count;
    operation.is_general = count > arguments_inline_max;
    const auto arguments = operation.arguments();
    const auto shapes = operation.shapes();
    const auto regions = operation.regions();
    bool reduces = false;
    for (std::uint32_t i = 0; i < count; ++i) {
        const RequirementKind& kind = launch.kind->requirements[i];
        regions::RegionRoot& root = *launch.requirements[i].region;
        arguments[i] = {.storage = root.storage,
                        .footprint = checked[i].footprint,
                        .reduction = kind.reduction,
                        .order = nullptr,
                        .privilege = kind.privilege,
                        .may_be_sparse = kind.may_be_sparse,
                        .part = 0};
        shapes[i] = checked[i].shape;
        regions[i] = &root;
        root.last_use = operation.number;
        if (kind.privilege != Privilege::read) root.use.mark_written();
        reduces = reduces || kind.reduction != nullptr;
    }
    if (reduces) add_reductions(operation);
}

void OperationBuilder::add_reductions(Operation& operation) {
    operation.is_general = true;
    if (!parts_.deterministic_reductions) return;
    for (std::uint32_t i = 0; i < operation.argument_count; ++i)
        if (operation.arguments()[i].reduction != nullptr) add_fold_order(operation, i);
    operation.skip = &skip_point;
    operation.needs_cleanup = true;
}

/// Partial results fold in order, so the analysis treats the reduction as a read-write access.
void OperationBuilder::add_fold_order(Operation& operation, std::uint32_t index) {
    operation.shapes()[index] = {operation.shapes()[index].footprint, Privilege::read_write};
    Argument& argument = operation.arguments()[index];
    regions::FoldOrder* order = nullptr;
    for (std::uint32_t other = 0; other < index; ++other)
        if (operation.regions()[other] == operation.regions()[index] &&
            operation.arguments()[other].order != nullptr)
            order = operation.arguments()[other].order;
    if (order == nullptr)  // then this is part 0, which owns it
        order = argument.order = new regions::FoldOrder(*argument.storage, operation.point_count);
    argument.part = order->add_part(*argument.reduction, *argument.footprint);
    argument.order = order;
}

void OperationBuilder::add_futures(Operation& operation, const LaunchDescription& launch) {
    const std::uint32_t count = launch.kind->future_count;
    auto** room = static_cast<void**>(parts_.records.allocate(
        2 * sizeof(void*) * count, alignof(void*), operation.number.value()));
    operation.future_count = count;
    operation.future_values = const_cast<const void**>(room + count);
    const auto futures = operation.futures();
    operation.needs_cleanup = true;
    for (std::uint32_t i = 0; i < count; ++i) {
        ++launch.futures[i]->references;
        futures[i] = launch.futures[i];
        operation.future_values[i] = launch.futures[i]->values();
    }
}

void OperationBuilder::add_result(Operation& operation, regions::FutureState& result) {
    ++result.references;
    result.operation = operation.number;
    operation.result = &result;
    operation.result_values = result.values();
    operation.result_bytes = static_cast<std::uint32_t>(result.value_bytes);
    operation.needs_cleanup = true;
}

inline void OperationBuilder::add_closure(Operation& operation, const ClosureKind& kind,
                                          void* closure, std::byte* room) {
    if (kind.bytes == 0) return;
    operation.closure = room;
    write_closure(kind, room, closure);
    operation.destroy_closure = kind.destroy;
    operation.needs_cleanup = kind.destroy != nullptr;
}

}  // namespace refrain::runtime
