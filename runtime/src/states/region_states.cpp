#include "states/region_states.hpp"

#include "base/assertion.hpp"

#include <algorithm>
#include <bit>
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
        if (region->state == nullptr) [[unlikely]]
            region->state = std::make_unique<Region>();
        several = several || region->state->marked == number;
        region->state->marked = number;
    }
    if (several) [[unlikely]]
        analyse_several(shapes, regions);
    else
        for (std::size_t i = 0; i < shapes.size(); ++i)
            analyse(*regions[i], AccessKey::of(shapes[i]));
    return merge_.merged();
}

/// Some region has several requirements. `marked` tells which regions are still to be analysed.
void RegionStates::analyse_several(std::span<const RequirementShape> shapes,
                                   std::span<RegionHistory* const> regions) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        Region& region = *regions[i]->state;
        if (region.marked != lists_.newest()) continue;
        region.marked = 0;
        joint_.clear();
        for (std::size_t j = i; j < shapes.size(); ++j)
            if (regions[j] == regions[i]) joint_.push_back(shapes[j]);
        make_present(region);  // keys of several requirements belong to the tables, too
        analyse(*regions[i], tables_->groups.key_of(joint_));
    }
}

inline void RegionStates::analyse(RegionHistory& history, AccessKey access) {
    Region& region = *history.state;
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
    analyse_slowly(history, access);
}

void RegionStates::analyse_slowly(RegionHistory& history, AccessKey access) {
    Region& region = *history.state;
    if (region.is_private) {
        if (region.private_uses-- > 0) return analyse_privately(history, access);
        leave_private(region);
    } else {
        drop_finished(region);
    }
    const auto state = static_cast<StateId>(region.state);
    const KnownTransition* known = tables_->states.find(state, access);
    if (known == nullptr) {
        ++counters_.found;
        const std::vector<GroupId> groups = tables_->states.groups_of(state);
        known =
            tables_->states.insert(state, access, find_transition(groups, access, tables_->groups));
    } else {
        ++counters_.known;
    }
    follow(region, known->transition);
    region.state = static_cast<std::uint32_t>(known->to);
    note_miss(history);
    forget_if_full();
}

void RegionStates::analyse_privately(RegionHistory& history, AccessKey access) {
    ++counters_.privately;
    Region& region = *history.state;
    const PrivateGrid grid(history.bounds, region.grid_bits);
    joining_.clear();
    grid.for_each_list(tables_->groups.bounds_of(access),
                       [&](std::size_t list) { analyse_list(region.lists[list], access); });
    for (const GroupId own : tables_->groups.beginnings(access))
        joining_.emplace_back(own, Member{lists_.newest(), nullptr});
    for (const auto& [group, members] : joining_) join_privately(region, grid, group, members);
    region.last = lists_.newest();
    forget_if_full();
}

/// Takes the groups that the access changes out of the list, and what is left of them to joining_.
inline void RegionStates::analyse_list(analysis::PrivateGroups& list, AccessKey access) {
    if (list.groups.empty()) return;
    const data::Box bounds = tables_->groups.bounds_of(access);
    std::size_t left = 0;
    for (std::size_t slot = 0; slot < list.slots.size(); ++slot) {
        const Member members = list.slots[slot];
        if (!lists_.is_living(members.operation)) continue;
        const auto group = static_cast<GroupId>(list.groups[slot]);
        GroupId after = group;
        if (tables_->groups.may_change(group, bounds)) {
            const GroupTable::Step step = tables_->groups.step(group, access);
            add_sources(members, step.data, true);
            add_sources(members, step.order, false);
            after = step.left;
        }
        if (after == group) {
            list.groups[left] = list.groups[slot];
            list.slots[left++] = members;
        } else if (after != GroupId::nothing) {
            joining_.emplace_back(after, members);
        }
    }
    list.groups.resize(left);
    list.slots.resize(left);
}

void RegionStates::join_privately(Region& region, const PrivateGrid& grid, GroupId group,
                                  Member members) {
    auto& [groups, slots] = region.lists[grid.list_of(tables_->groups.bounds_of_group(group))];
    const auto id = static_cast<std::uint32_t>(group);
    const auto at = std::find(groups.begin(), groups.end(), id);
    if (at != groups.end()) {
        Member& slot = slots[static_cast<std::size_t>(at - groups.begin())];
        slot = lists_.merge(slot, members);
        return;
    }
    groups.push_back(id);
    slots.push_back(members);
}

void RegionStates::go_private(RegionHistory& history) {
    Region& region = *history.state;
    const std::vector<GroupId> groups =
        tables_->states.groups_of(static_cast<StateId>(region.state));
    region.is_private = true;
    region.grid_bits =
        std::min(PrivateGrid::bits_max, static_cast<int>(std::bit_width(groups.size())));
    const PrivateGrid grid(history.bounds, region.grid_bits);
    region.lists.resize(grid.lists());
    for (std::size_t slot = 0; slot < groups.size(); ++slot)
        join_privately(region, grid, groups[slot], region.slots[slot]);
    region.slots.clear();
}

void RegionStates::leave_private(Region& region) {
    joining_.clear();
    for_each_group(region, *tables_, [&](GroupId group, Member members) {
        if (lists_.is_living(members.operation)) joining_.emplace_back(group, members);
    });
    region.is_private = false;
    region.lists = {};
    set_state(region);
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
    joining_.clear();
    if (!lists_.is_living(region.last)) {
        for (analysis::PrivateGroups& list : region.lists) {
            list.groups.clear();
            list.slots.clear();
        }
    } else {
        REFRAIN_ASSERT(region.generation + 1 == generation_ && previous_ != nullptr,
                       "a region that is in use comes from tables that are gone");
        const auto present = [&](GroupId old) {
            return tables_->groups.intern(previous_->groups.get(old));
        };
        if (!region.is_private)
            for_each_group(region, *previous_, [&](GroupId old, Member members) {
                joining_.emplace_back(present(old), members);
            });
        for (analysis::PrivateGroups& list : region.lists)
            for (std::uint32_t& group : list.groups)
                group = static_cast<std::uint32_t>(present(static_cast<GroupId>(group)));
    }
    region.generation = generation_;
    if (!region.is_private) set_state(region);
}

template <class Visit>
void RegionStates::for_each_group(const Region& region, const Tables& tables, Visit&& visit) {
    for (const analysis::PrivateGroups& list : region.lists)
        for (std::size_t slot = 0; slot < list.slots.size(); ++slot)
            visit(static_cast<GroupId>(list.groups[slot]), list.slots[slot]);
    if (region.is_private) return;
    const auto& groups = tables.states.groups_of(static_cast<StateId>(region.state));
    for (std::size_t slot = 0; slot < groups.size(); ++slot)
        visit(groups[slot], region.slots[slot]);
}

void RegionStates::set_state(Region& region) {
    std::sort(joining_.begin(), joining_.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<GroupId> groups;
    region.slots.clear();
    for (const auto& [group, members] : joining_) {
        groups.push_back(group);
        region.slots.push_back(members);
    }
    region.state = static_cast<std::uint32_t>(tables_->states.intern(groups));
}

/// A group whose members have all finished is not needed.
void RegionStates::drop_finished(Region& region) {
    joining_.clear();
    for_each_group(region, *tables_, [&](GroupId group, Member members) {
        if (lists_.is_living(members.operation)) joining_.emplace_back(group, members);
    });
    if (joining_.size() < region.slots.size()) set_state(region);
}

void RegionStates::note_miss(RegionHistory& history) {
    Region& region = *history.state;
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
    go_private(history);
}

std::span<const Source> RegionStates::dependences_of_host(OperationNumber now,
                                                          const RequirementShape& shape,
                                                          RegionHistory& region) {
    host_sources_.clear();
    if (region.state == nullptr || !lists_.is_living(region.state->last)) return host_sources_;
    // The host takes no place in the window: the operation `window` ago may be unfinished.
    REFRAIN_ASSERT(lists_.newest() < now, "the host asks for an operation that was analysed");
    make_present(*region.state);
    for_each_group(*region.state, *tables_, [&](GroupId group, Member members) {
        const GroupTable::Step step = tables_->groups.step(group, AccessKey::of(shape));
        lists_.for_each_living(members, [&](OperationNumber operation) {
            const auto distance = static_cast<std::uint32_t>(now - operation);
            if (step.data != analysis::PatternId::none)
                host_sources_.push_back({distance, step.data, true});
            if (step.order != analysis::PatternId::none)
                host_sources_.push_back({distance, step.order, false});
        });
    });
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
