#include "trace/replay.hpp"

#include "base/assertion.hpp"

namespace refrain::trace {

std::optional<ComparedOperation> Replay::advance(const OperationSignature& launched) {
    if (at_end()) return std::nullopt;
    const TraceTemplate::Operation& operation = template_->operations[position_];
    if (operation.task != launched.task || operation.point_count != launched.point_count ||
        operation.requirement_count != launched.shapes.size())
        return std::nullopt;
    const TraceTemplate::Requirement* requirement =
        template_->requirements.data() + operation.first_requirement;
    for (std::size_t i = 0; i < launched.shapes.size(); ++i)
        if (!(requirement[i].shape == launched.shapes[i])) return std::nullopt;
    const std::uint32_t bound_before = bound_slots_;
    for (std::size_t i = 0; i < launched.shapes.size(); ++i) {
        if (bind(requirement[i], *launched.regions[i])) continue;
        unbind(launched.regions.first(i), bound_before);
        return std::nullopt;
    }
    ++position_;
    return ComparedOperation(operation);
}

bool Replay::bind(const TraceTemplate::Requirement& requirement, RegionHistory& region) {
    if (region.bound_by == serial_) return region.slot == requirement.slot;
    if (requirement.slot != bound_slots_) return false;  // a used slot was recorded here
    REFRAIN_ASSERT(requirement.slot < template_->slot_was_fresh.size(),
                   "a requirement names a slot that was not recorded");
    region.bound_by = serial_;
    region.slot = requirement.slot;
    region.entry = region.cells == nullptr ? region.last : analysis::AccessRef{};
    ++bound_slots_;
    region.stale = template_->slot_was_fresh[requirement.slot] && !region.is_fresh();
    if (region.stale) ++stale_slots_;
    return true;
}

void Replay::unbind(std::span<RegionHistory* const> regions, std::uint32_t slots_before) {
    REFRAIN_ASSERT(slots_before <= bound_slots_, "slots are unbound that were not bound");
    for (RegionHistory* region : regions) {
        if (region->bound_by != serial_ || region->slot < slots_before) continue;
        REFRAIN_ASSERT(!region->stale || stale_slots_ > 0, "a stale slot is not counted");
        region->bound_by = 0;
        if (region->stale) --stale_slots_;
    }
    bound_slots_ = slots_before;
}

}  // namespace refrain::trace
