#pragma once

#include "base/hash.hpp"

#include <cstdint>
#include <deque>
#include <unordered_map>
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
/// Hot path:    find compares with the last access in this state; else one probe.
/// Threads:     the launching thread only.
class StateTable {
  public:
    StateTable();

    /// Null if the transition is not known.
    [[nodiscard]] const KnownTransition* find(StateId state, AccessKey access) {
        State& from = states_[static_cast<std::uint32_t>(state)];
        if (from.last_access == access) [[likely]]
            return from.last;
        return probe(from, state, access);
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
    struct Slot {
        AccessKey access{};
        StateId state = StateId::empty;
        std::uint32_t transition = none;
    };
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static_assert(sizeof(Slot) == 16, "four slots per cache line");

    [[nodiscard]] std::size_t home_slot(StateId state, AccessKey access) const {
        const std::uint64_t hash = base::mix(access.word ^ static_cast<std::uint64_t>(state) << 40);
        return static_cast<std::size_t>(hash) & (slots_.size() - 1);
    }
    const KnownTransition* probe(State& from, StateId state, AccessKey access);
    [[nodiscard]] Slot& slot_of(StateId state, AccessKey access);
    void grow();

    std::vector<State> states_;
    std::unordered_multimap<std::uint64_t, StateId> by_hash_;
    std::deque<KnownTransition> transitions_;  // addresses stay
    std::vector<Slot> slots_;                  // at most half of them are used
    std::size_t bytes_ = 0;
};

}  // namespace refrain::states
