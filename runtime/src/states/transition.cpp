#include "states/transition.hpp"

#include <algorithm>
#include <iterator>

namespace refrain::states {
namespace {

using Move = Transition::Move;

/// A group afterwards, and the slot that its members come from.
struct Left {
    GroupId group;
    std::uint32_t from;
    friend auto operator<=>(const Left&, const Left&) = default;
};

void add_move(std::vector<Move>& moves, const Left& left, bool joins) {
    if (!joins && left.from != Move::join_own && !moves.empty()) {
        Move& before = moves.back();
        const bool copies = before.from != Move::join_own && !before.joins;
        if (copies && before.from + before.count == left.from) {
            ++before.count;
            return;
        }
    }
    moves.push_back({.from = left.from, .joins = joins});
}

}  // namespace

Transition find_transition(std::span<const GroupId> groups, AccessKey access, GroupTable& table) {
    Transition found;
    std::vector<Left> kept, changed;  // most stay as they are, in order
    const data::Box bounds = table.bounds_of(access);
    for (std::uint32_t slot = 0; slot < groups.size(); ++slot) {
        if (!table.may_change(groups[slot], bounds)) {
            kept.push_back({groups[slot], slot});
            continue;
        }
        const GroupTable::Step step = table.step(groups[slot], access);
        if (step.data != analysis::PatternId::none)
            found.sources.push_back({slot, step.data, true});
        if (step.order != analysis::PatternId::none)
            found.sources.push_back({slot, step.order, false});
        if (step.left == GroupId::nothing) continue;
        (step.left == groups[slot] ? kept : changed).push_back({step.left, slot});
    }
    for (const GroupId own : table.beginnings(access)) changed.push_back({own, Move::join_own});
    std::sort(changed.begin(), changed.end());
    std::vector<Left> left;
    left.reserve(kept.size() + changed.size());
    std::merge(kept.begin(), kept.end(), changed.begin(), changed.end(), std::back_inserter(left));
    for (const Left& next : left) {
        const bool joins = !found.groups.empty() && found.groups.back() == next.group;
        add_move(found.moves, next, joins);
        if (!joins) found.groups.push_back(next.group);
    }
    return found;
}

}  // namespace refrain::states
