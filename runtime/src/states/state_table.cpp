#include "states/state_table.hpp"

#include "analysis/table_bytes.hpp"
#include "base/assertion.hpp"
#include "base/hash.hpp"

#include <utility>

namespace refrain::states {
namespace {

std::uint64_t hash_of(const std::vector<GroupId>& groups) {
    base::Hasher hasher;
    for (const GroupId group : groups) hasher.add(static_cast<std::uint64_t>(group));
    return hasher.finish().low;
}

}  // namespace

StateTable::StateTable() {
    states_.emplace_back();
}

StateId StateTable::intern(const std::vector<GroupId>& groups) {
    if (groups.empty()) return StateId::empty;
    const std::uint64_t hash = hash_of(groups);
    const auto is_same = [&](StateId state) { return groups_of(state) == groups; };
    if (const StateId* known = by_hash_.find_if(hash, is_same)) return *known;
    const auto id = static_cast<StateId>(states_.size());
    states_.emplace_back(State{.groups = groups});
    by_hash_.add(hash, id);
    bytes_ += groups.size() * sizeof(GroupId) + analysis::bytes_per_block;
    return id;
}

const KnownTransition* StateTable::look_up(State& from, StateId state, AccessKey access) {
    const KnownTransition* known = transitions_.find({access, state});
    if (known == nullptr) return nullptr;
    from.last_access = access;
    return from.last = known;
}

const KnownTransition* StateTable::insert(StateId state, AccessKey access, Transition transition) {
    const Key key{access, state};
    REFRAIN_ASSERT(transitions_.find(key) == nullptr, "a transition is found twice");
    const StateId to = intern(transition.groups);
    transition.groups = {};  // those of `to`
    bytes_ += 2 * analysis::bytes_per_block + analysis::held_bytes(transition.sources) +
              analysis::held_bytes(transition.moves);
    State& from = states_[static_cast<std::uint32_t>(state)];
    from.last_access = access;
    return from.last = &transitions_.add(key, {std::move(transition), to});
}

std::size_t StateTable::bytes() const {
    return bytes_ + states_.bytes() + by_hash_.bytes() + transitions_.bytes();
}

}  // namespace refrain::states
