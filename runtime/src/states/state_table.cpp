#include "states/state_table.hpp"

#include "analysis/table_bytes.hpp"
#include "base/assertion.hpp"
#include "base/hash.hpp"

#include <utility>

namespace refrain::states {
namespace {

constexpr std::size_t slots_initial = 64;

std::uint64_t hash_of(const std::vector<GroupId>& groups) {
    base::Hasher hasher;
    for (const GroupId group : groups) hasher.add(static_cast<std::uint64_t>(group));
    return hasher.finish().low;
}

}  // namespace

StateTable::StateTable() : states_(1), slots_(slots_initial) {}

StateId StateTable::intern(const std::vector<GroupId>& groups) {
    if (groups.empty()) return StateId::empty;
    const std::uint64_t hash = hash_of(groups);
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto entry = first; entry != last; ++entry)
        if (groups_of(entry->second) == groups) return entry->second;
    const auto id = static_cast<StateId>(states_.size());
    states_.push_back({.groups = groups});
    by_hash_.emplace(hash, id);
    bytes_ += analysis::bytes_per_entry<decltype(by_hash_)> + groups.size() * sizeof(GroupId) +
              analysis::bytes_per_block;
    return id;
}

const KnownTransition* StateTable::probe(State& from, StateId state, AccessKey access) {
    const Slot& slot = slot_of(state, access);
    if (slot.transition == none) return nullptr;
    from.last_access = access;
    return from.last = &transitions_[slot.transition];
}

const KnownTransition* StateTable::insert(StateId state, AccessKey access, Transition transition) {
    if (2 * (transitions_.size() + 1) > slots_.size()) grow();
    const StateId to = intern(transition.groups);
    transition.groups = {};  // those of `to`
    Slot& slot = slot_of(state, access);
    REFRAIN_ASSERT(slot.transition == none, "a transition is found twice");
    slot = {access, state, static_cast<std::uint32_t>(transitions_.size())};
    bytes_ += sizeof(KnownTransition) + 2 * analysis::bytes_per_block +
              analysis::held_bytes(transition.sources) + analysis::held_bytes(transition.moves);
    transitions_.push_back({std::move(transition), to});
    State& from = states_[static_cast<std::uint32_t>(state)];
    from.last_access = access;
    return from.last = &transitions_.back();
}

StateTable::Slot& StateTable::slot_of(StateId state, AccessKey access) {
    std::size_t at = home_slot(state, access);
    while (slots_[at].transition != none &&
           !(slots_[at].state == state && slots_[at].access == access))
        at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
}

void StateTable::grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
        if (slot.transition != none) slot_of(slot.state, slot.access) = slot;
}

std::size_t StateTable::bytes() const {
    return bytes_ + analysis::held_bytes(states_) + analysis::held_bytes(slots_);
}

}  // namespace refrain::states
