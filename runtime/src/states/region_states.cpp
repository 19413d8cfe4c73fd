#include "states/region_states.hpp"

#include "base/assertion.hpp"

#include <algorithm>
#include <utility>

namespace refrain::states {

using analysis::OperationNumber;
using analysis::RegionHistory;
using analysis::RequirementShape;
using analysis::Source;

RegionStates::RegionStates(std::uint32_t window, const analysis::FootprintTable& footprints,
                           analysis::PatternTable& patterns, const Limits& limits)
    : footprints_(footprints),
      patterns_(patterns),
      limits_(limits),
      lists_(window),
      tables_(std::make_unique<Tables>(footprints, patterns)),
      merge_(patterns) {}

std::span<const Source> RegionStates::dependences(OperationNumber number,
                                                  std::span<const RequirementShape> shapes,
                                                  std::span<RegionHistory* const> regions) {
    REFRAIN_ASSERT(shapes.size() == regions.size(),
                   "an operation has not as many regions as shapes");
    lists_.begin(number);
    merge_.clear();
    bool several = false;
    for (RegionHistory* region : regions) {
        several = several || region->state.marked == number;
        region->state.marked = number;
    }
    if (several) [[unlikely]]
        analyse_several(shapes, regions);
    else
        for (std::size_t i = 0; i < shapes.size(); ++i)
            analyse(regions[i]->state, AccessKey::of(shapes[i]));
    return merge_.merged();
}

/// Some region has several requirements. `marked` tells which regions are still to be analysed.
void RegionStates::analyse_several(std::span<const RequirementShape> shapes,
                                   std::span<RegionHistory* const> regions) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        Region& region = regions[i]->state;
        if (region.marked != lists_.newest()) continue;
        region.marked = 0;
        joint_.clear();
        for (std::size_t j = i; j < shapes.size(); ++j)
            if (regions[j] == regions[i]) joint_.push_back(shapes[j]);
        make_present(region);  // keys of several requirements belong to the tables, too
        analyse(region, tables_->groups.key_of(joint_));
    }
}

inline void RegionStates::analyse(Region& region, AccessKey access) {
    make_present(region);
    if (!region.is_private) [[likely]] {
        const KnownTransition* known =
            tables_->states.find(static_cast<StateId>(region.state), access);
        if (known != nullptr) [[likely]] {
            ++counters_.known;
            ++region.uses;
            follow(region, known->transition);
            region.state = static_cast<std::uint32_t>(known->to);
            return;
        }
    }
    analyse_slowly(region, access);
}

void RegionStates::analyse_slowly(Region& region, AccessKey access) {
    if (region.is_private && region.private_uses-- > 0) return analyse_privately(region, access);
    std::vector<GroupId> groups = groups_of(region, *tables_);
    drop_finished(region, groups);
    if (region.is_private) sort_groups(region, groups);
    region.is_private = false;
    set_groups(region, groups);
    const auto state = static_cast<StateId>(region.state);
    const KnownTransition* known = tables_->states.find(state, access);
    if (known == nullptr) {
        ++counters_.found;
        known =
            tables_->states.insert(state, access, find_transition(groups, access, tables_->groups));
    } else {
        ++counters_.known;
    }
    follow(region, known->transition);
    region.state = static_cast<std::uint32_t>(known->to);
    note_miss(region);
    forget_if_full();
}

void RegionStates::analyse_privately(Region& region, AccessKey access) {
    ++counters_.privately;
    GroupTable& table = tables_->groups;
    const data::Box bounds = table.bounds_of(access);
    joining_.clear();
    std::size_t left = 0;
    for (std::size_t slot = 0; slot < region.slots.size(); ++slot) {
        const Member members = region.slots[slot];
        if (!lists_.is_living(members.operation)) continue;
        const auto group = static_cast<GroupId>(region.groups[slot]);
        GroupId after = group;
        if (table.may_change(group, bounds)) {
            const GroupTable::Step step = table.step(group, access);
            add_sources(members, step.data, true);
            add_sources(members, step.order, false);
            after = step.left;
        }
        if (after == group) {
            region.groups[left] = region.groups[slot];
            region.slots[left++] = members;
        } else if (after != GroupId::nothing) {
            joining_.emplace_back(after, members);
        }
    }
    region.groups.resize(left);
    region.slots.resize(left);
    for (const GroupId own : table.beginnings(access))
        joining_.emplace_back(own, Member{lists_.newest(), nullptr});
    for (const auto& [group, members] : joining_) join_privately(region, group, members);
    region.last = lists_.newest();
    forget_if_full();
}

void RegionStates::join_privately(Region& region, GroupId group, Member members) {
    const auto id = static_cast<std::uint32_t>(group);
    const auto at = std::find(region.groups.begin(), region.groups.end(), id);
    if (at != region.groups.end()) {
        Member& slot = region.slots[static_cast<std::size_t>(at - region.groups.begin())];
        slot = lists_.merge(slot, members);
        return;
    }
    region.groups.push_back(id);
    region.slots.push_back(members);
}

/// Puts groups and slots in the order of a state.
void RegionStates::sort_groups(Region& region, std::vector<GroupId>& groups) {
    joining_.clear();
    for (std::size_t slot = 0; slot < groups.size(); ++slot)
        joining_.emplace_back(groups[slot], region.slots[slot]);
    std::sort(joining_.begin(), joining_.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t slot = 0; slot < groups.size(); ++slot) {
        groups[slot] = joining_[slot].first;
        region.slots[slot] = joining_[slot].second;
    }
}

inline void RegionStates::follow(Region& region, const Transition& transition) {
    add_sources(region, transition);
    move_slots(region, transition);
    region.last = lists_.newest();
}

inline void RegionStates::add_sources(const Region& region, const Transition& transition) {
    for (const Transition::Source& source : transition.sources)
        add_sources(region.slots[source.slot], source.pattern, source.carries_data);
}

inline void RegionStates::add_sources(Member members, analysis::PatternId pattern,
                                      bool carries_data) {
    if (pattern == analysis::PatternId::none) return;
    lists_.for_each_living(members, [&](OperationNumber operation) {
        const Source found{static_cast<std::uint32_t>(lists_.newest() - operation), pattern,
                           carries_data};
        merge_.add({&found, 1});
    });
}

inline void RegionStates::move_slots(Region& region, const Transition& transition) {
    slots_.clear();
    for (const Transition::Move& move : transition.moves) {
        const bool is_own = move.from == Transition::Move::join_own;
        if (move.joins) {
            slots_.back() = is_own ? lists_.with_newest(slots_.back())
                                   : lists_.merge(slots_.back(), region.slots[move.from]);
        } else if (is_own) {
            slots_.push_back({lists_.newest(), nullptr});
        } else {
            const Member* from = region.slots.data() + move.from;
            slots_.insert(slots_.end(), from, from + move.count);
        }
    }
    region.slots.swap(slots_);
}

inline void RegionStates::make_present(Region& region) {
    if (region.generation == generation_ && lists_.is_living(region.last)) [[likely]]
        return;
    take_over(region);
}

/// The region is in the empty state if all that used it has finished.
void RegionStates::take_over(Region& region) {
    std::vector<GroupId> groups;
    if (!lists_.is_living(region.last)) {
        region.slots.clear();
    } else {
        REFRAIN_ASSERT(region.generation + 1 == generation_ && previous_ != nullptr,
                       "a region that is in use comes from tables that are gone");
        for (const GroupId old : groups_of(region, *previous_))
            groups.push_back(tables_->groups.intern(previous_->groups.get(old)));
        sort_groups(region, groups);
    }
    region.generation = generation_;
    set_groups(region, groups);
}

std::vector<GroupId> RegionStates::groups_of(const Region& region, const Tables& tables) {
    if (!region.is_private) return tables.states.groups_of(static_cast<StateId>(region.state));
    std::vector<GroupId> groups;
    groups.reserve(region.groups.size());
    for (const std::uint32_t group : region.groups) groups.push_back(static_cast<GroupId>(group));
    return groups;
}

void RegionStates::set_groups(Region& region, const std::vector<GroupId>& groups) {
    REFRAIN_ASSERT(groups.size() == region.slots.size(), "a region has not a slot per group");
    region.groups.clear();
    if (!region.is_private) {
        region.state = static_cast<std::uint32_t>(tables_->states.intern(groups));
        return;
    }
    for (const GroupId group : groups) region.groups.push_back(static_cast<std::uint32_t>(group));
}

void RegionStates::drop_finished(Region& region, std::vector<GroupId>& groups) {
    std::size_t left = 0;
    for (std::size_t slot = 0; slot < groups.size(); ++slot) {
        if (!lists_.is_living(region.slots[slot].operation)) continue;
        groups[left] = groups[slot];
        region.slots[left++] = region.slots[slot];
    }
    groups.resize(left);
    region.slots.resize(left);
}

void RegionStates::note_miss(Region& region) {
    ++region.uses;
    ++region.misses;
    if (region.uses < limits_.looked_at) return;
    const bool multiplies = 2 * region.misses >= region.uses;
    region.uses = region.misses = 0;
    if (!multiplies) {
        region.private_span = 0;
        return;
    }
    region.private_span =
        std::min(std::max(limits_.looked_at, 2 * region.private_span), limits_.private_max);
    region.private_uses = region.private_span;
    const std::vector<GroupId> groups = groups_of(region, *tables_);
    region.is_private = true;
    set_groups(region, groups);
}

std::span<const Source> RegionStates::dependences_of_host(OperationNumber now,
                                                          const RequirementShape& shape,
                                                          RegionHistory& region) {
    host_sources_.clear();
    if (!lists_.is_living(region.state.last)) return host_sources_;
    // The host takes no place in the window: the operation `window` ago may be unfinished.
    REFRAIN_ASSERT(lists_.newest() < now, "the host asks for an operation that was analysed");
    make_present(region.state);
    const std::vector<GroupId> groups = groups_of(region.state, *tables_);
    for (std::size_t slot = 0; slot < groups.size(); ++slot) {
        const GroupTable::Step step = tables_->groups.step(groups[slot], AccessKey::of(shape));
        lists_.for_each_living(region.state.slots[slot], [&](OperationNumber operation) {
            const auto distance = static_cast<std::uint32_t>(now - operation);
            if (step.data != analysis::PatternId::none)
                host_sources_.push_back({distance, step.data, true});
            if (step.order != analysis::PatternId::none)
                host_sources_.push_back({distance, step.order, false});
        });
    }
    return host_sources_;
}

void RegionStates::forget_if_full() {
    if (tables_->bytes() <= limits_.bytes) return;
    if (lists_.newest() - generation_began_ < lists_.window()) return;
    previous_ = std::exchange(tables_, std::make_unique<Tables>(footprints_, patterns_));
    ++generation_;
    generation_began_ = lists_.newest();
    ++counters_.forgotten;
}

void RegionStates::clear(OperationNumber next) {
    lists_.forget_before(next);
    tables_ = std::make_unique<Tables>(footprints_, patterns_);
    previous_ = nullptr;
    ++generation_;
    generation_began_ = next;
}

std::size_t RegionStates::bytes() const {
    return tables_->bytes() + (previous_ ? previous_->bytes() : 0);
}

}  // namespace refrain::states
