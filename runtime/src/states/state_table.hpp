#pragma once

#include "base/gradual_map.hpp"
#include "base/gradual_vector.hpp"
#include "base/hash.hpp"

#include <cstdint>
#include <vector>

#include "states/transition.hpp"

namespace refrain::states {

/// Interning id of a set of groups; `empty` has none.
enum class StateId : std::uint32_t { empty = 0 };

/// A transition and the state that it leads to.
struct KnownTransition {
    Transition transition;
    StateId to = StateId::empty;
};

/// Interns states and remembers the transitions between them: an automaton that grows while the
/// program runs.
///
/// Hot path:    find compares with the last access in this state; else a look-up.
/// Threads:     the launching thread only.
class StateTable {
  public:
    StateTable();

    /// Null if the transition is not known.
    [[nodiscard]] const KnownTransition* find(StateId state, AccessKey access) {
        State& from = states_[static_cast<std::uint32_t>(state)];
        if (from.last_access == access) [[likely]]
            return from.last;
        return look_up(from, state, access);
    }
    /// Precondition: it is not known yet.
    const KnownTransition* insert(StateId state, AccessKey access, Transition transition);

    /// `groups` ascend.
    [[nodiscard]] StateId intern(const std::vector<GroupId>& groups);
    [[nodiscard]] const std::vector<GroupId>& groups_of(StateId state) const {
        return states_[static_cast<std::uint32_t>(state)].groups;
    }

    [[nodiscard]] std::size_t states() const { return states_.size(); }
    [[nodiscard]] std::size_t transitions() const { return transitions_.size(); }
    [[nodiscard]] std::size_t bytes() const;

  private:
    struct State {
        std::vector<GroupId> groups;  // ascending
        AccessKey last_access{};      // of `last`
        const KnownTransition* last = nullptr;
    };
    struct Key {
        AccessKey access{};
        StateId state = StateId::empty;

        bool operator==(const Key&) const = default;
    };
    struct HashKey {
        [[nodiscard]] std::uint64_t operator()(const Key& key) const noexcept {
            return base::mix(key.access.word ^ static_cast<std::uint64_t>(key.state) << 40);
        }
    };
    const KnownTransition* look_up(State& from, StateId state, AccessKey access);

    base::GradualVector<State> states_;
    base::GradualMap<std::uint64_t, StateId> by_hash_;
    base::GradualMap<Key, KnownTransition, HashKey> transitions_;
    std::size_t bytes_ = 0;
};

}  // namespace refrain::states
