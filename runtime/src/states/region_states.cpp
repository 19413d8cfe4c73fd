#include "states/region_states.hpp"

#include "base/assertion.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace refrain::states {

using analysis::CellGrid;
using analysis::OperationNumber;
using analysis::PatternId;
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
    now_ = number;
    found_.clear();
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
    if (learned_) [[unlikely]]
        forget_if_full();
    if (found_.size() <= 1) return found_;
    merge_.clear();
    merge_.add(found_);
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
        analyse(*regions[i], tables_->groups.key_of(joint_));
    }
}

inline void RegionStates::analyse(RegionHistory& history, AccessKey access) {
    Region& region = *history.state;
    if (region.grid != nullptr) return analyse_cells(history, access);
    make_present(region.whole);
    if (follow_known(region.whole, access)) [[likely]]
        return;
    note_piece(history, access);
    const bool multiplies = analyse_slowly(region.whole, access);
    if (!multiplies) return;
    if (can_divide(history))
        divide(history);
    else
        go_private(region.whole);
    region.piece = {};
}

inline bool RegionStates::follow_known(Cell& cell, AccessKey access) {
    if (cell.is_private) [[unlikely]]
        return false;
    const KnownTransition* known = tables_->states.find(static_cast<StateId>(cell.state), access);
    if (known == nullptr) [[unlikely]]
        return false;
    ++counters_.known;
    ++cell.uses;
    follow(cell, *known);
    return true;
}

bool RegionStates::analyse_slowly(Cell& cell, AccessKey access) {
    learned_ = true;
    if (cell.is_private) {
        if (cell.private_uses-- > 0) {
            analyse_privately(cell, access);
            return false;
        }
        leave_private(cell);
    } else {
        drop_finished(cell);
    }
    const auto state = static_cast<StateId>(cell.state);
    const KnownTransition* known = tables_->states.find(state, access);
    if (known == nullptr) {
        ++counters_.found;
        const std::vector<GroupId> groups = tables_->states.groups_of(state);
        known =
            tables_->states.insert(state, access, find_transition(groups, access, tables_->groups));
    } else {
        ++counters_.known;
    }
    follow(cell, *known);
    return note_miss(cell);
}

inline void RegionStates::follow(Cell& cell, const KnownTransition& known) {
    for (const Transition::Source& source : known.transition.sources)
        add_sources(cell.slots[source.slot], source.pattern, source.carries_data);
    move_slots(cell, known.transition);
    cell.last = lists_.newest();
    cell.state = static_cast<std::uint32_t>(known.to);
}

inline void RegionStates::add_sources(Member members, PatternId pattern, bool carries_data) {
    if (pattern == PatternId::none) return;
    lists_.for_each_living(members, [&](OperationNumber operation) {
        found_.push_back({static_cast<std::uint32_t>(now_ - operation), pattern, carries_data});
    });
}

inline void RegionStates::move_slots(Cell& cell, const Transition& transition) {
    slots_.clear();
    for (const Transition::Move& move : transition.moves) {
        const bool is_own = move.from == Transition::Move::join_own;
        if (move.joins) {
            slots_.back() = is_own ? lists_.with_newest(slots_.back())
                                   : lists_.merge(slots_.back(), cell.slots[move.from]);
        } else if (is_own) {
            slots_.push_back({lists_.newest(), nullptr});
        } else {
            const Member* from = cell.slots.data() + move.from;
            slots_.insert(slots_.end(), from, from + move.count);
        }
    }
    cell.slots.swap(slots_);
}

bool RegionStates::note_miss(Cell& cell) {
    ++cell.uses;
    ++cell.misses;
    if (cell.uses < limits_.looked_at) return false;
    const bool multiplies = 2 * cell.misses >= cell.uses;
    cell.uses = cell.misses = 0;
    if (!multiplies) cell.private_span = 0;
    return multiplies;
}

void RegionStates::analyse_cells(RegionHistory& history, AccessKey access) {
    Region& region = *history.state;
    const PieceTable::Pieces pieces = tables_->pieces.pieces(access, *region.grid);
    learned_ = learned_ || pieces.is_new;
    for (const Piece& piece : pieces.all) {
        Cell& cell = region.cells[piece.cell];
        make_present(cell);
        if (follow_known(cell, piece.access)) [[likely]]
            continue;
        if (analyse_slowly(cell, piece.access)) go_private(cell);
    }
    consider_joining(history, access, pieces);
}

/// Remembers how large the pieces are that are overwritten.
void RegionStates::note_piece(RegionHistory& history, AccessKey access) {
    const data::Box& piece = tables_->groups.get(access).overwritten.bounds();
    if (piece.empty() || piece.volume() > history.bounds.volume() / limits_.pieces) return;
    for (int d = 0; d < 3; ++d) {
        std::int64_t& extent = history.state->piece[static_cast<std::size_t>(d)];
        extent = std::max(extent, piece.extent(d));
    }
}

bool RegionStates::can_divide(const RegionHistory& history) const {
    const auto& piece = history.state->piece;
    const std::int64_t volume = piece[0] * piece[1] * piece[2];
    return volume > 0 && volume <= history.bounds.volume() / limits_.pieces;
}

void RegionStates::divide(RegionHistory& history) {
    ++counters_.divided;
    Region& region = *history.state;
    const CellGrid& grid = grid_of(history.bounds, {{}, region.piece});
    region.take_cells(grid);
    std::map<std::uint32_t, std::vector<std::pair<GroupId, Member>>> by_cell;
    for_each_group(region.whole, *tables_, [&](GroupId group, Member members) {
        if (!lists_.is_living(members.operation)) return;
        for (auto& [cell, piece] : pieces(tables_->groups.get(group), grid))
            by_cell[cell].emplace_back(tables_->groups.intern(std::move(piece)), members);
    });
    for (auto& [index, groups] : by_cell) {
        Cell& cell = region.cells[index];
        cell.generation = generation_;
        cell.last = region.whole.last;
        joining_.swap(groups);
        set_state(cell);
    }
    region.whole.forget();
}

void RegionStates::consider_joining(RegionHistory& history, AccessKey access,
                                    const PieceTable::Pieces& pieces) {
    Region& region = *history.state;
    const CellGrid& grid = *region.grid;
    const std::size_t touched = pieces.all.size();
    (grid.is_coarse(touched) ? region.coarse_links : region.fine_links) += touched;
    if (region.coarse_links <
        limits_.coarse_share * region.fine_links + limits_.coarse_rounds * grid.cell_count())
        return;
    if (!pieces.overwrites_all) return;
    // It overwrites every element, so nothing is left but its own groups.
    ++counters_.joined;
    region.drop_cells();
    Cell& whole = region.whole;
    joining_.clear();
    for (const GroupId own : tables_->groups.beginnings(access))
        joining_.emplace_back(own, Member{lists_.newest(), nullptr});
    whole.generation = generation_;
    whole.last = lists_.newest();
    set_state(whole);
}

const CellGrid& RegionStates::grid_of(const data::Box& bounds, const data::Box& piece) {
    auto grid = std::make_unique<CellGrid>(bounds, piece, &grid_bytes_);
    const auto known = std::find_if(grids_.begin(), grids_.end(), [&](const auto& other) {
        return same(other->bounds(), grid->bounds()) && other->extents() == grid->extents();
    });
    if (known != grids_.end()) return **known;
    return *grids_.emplace_back(std::move(grid));
}

void RegionStates::analyse_privately(Cell& cell, AccessKey access) {
    ++counters_.privately;
    const GroupTable::Outline& outline = tables_->groups.outline(access);
    walk_back(cell, access, outline);
    if (cell.log.size() >= cell.log_limit) tidy_log(cell);
    add_to_log(cell, {.access = access.word,
                      .operation = lists_.newest(),
                      .commuting = outline.commuting,
                      .is_change = !outline.only_reads});
    cell.last = lists_.newest();
}

void RegionStates::add_to_log(Cell& cell, analysis::LoggedAccess access) {
    const bool continues =
        !cell.log.empty() && access.commuting != 0 && cell.log.back().commuting == access.commuting;
    access.run = continues ? cell.log.back().run + 1 : 1;
    access.change = cell.newest_change;
    if (access.is_change) cell.newest_change = static_cast<std::uint32_t>(cell.log.size());
    cell.log.push_back(access);
}

/// Finds what an access waits for in a private cell.
void RegionStates::walk_back(Cell& cell, AccessKey access, const GroupTable::Outline& outline) {
    for (const GroupId need : outline.needs) {
        const GroupId left =
            outline.only_reads ? walk_changes(cell, need) : walk_log(cell, need, access, outline);
        if (left == GroupId::nothing) continue;
        for (std::size_t slot = 0; slot < cell.slots.size(); ++slot) {
            if (!lists_.is_living(cell.slots[slot].operation)) continue;
            const auto group = static_cast<GroupId>(cell.private_groups[slot]);
            const GroupTable::Step step = tables_->groups.meet(left, group);
            add_sources(cell.slots[slot], step.data, true);
            add_sources(cell.slots[slot], step.order, false);
        }
    }
}

inline GroupId RegionStates::step_back(GroupId need, const analysis::LoggedAccess& earlier) {
    const GroupTable::Step step = tables_->groups.step_back(need, AccessKey{earlier.access});
    const auto distance = static_cast<std::uint32_t>(now_ - earlier.operation);
    if (step.data != PatternId::none) found_.push_back({distance, step.data, true});
    if (step.order != PatternId::none) found_.push_back({distance, step.order, false});
    return step.left;
}

/// Passes the accesses that do not only read. Returns what is still needed before all of them.
GroupId RegionStates::walk_changes(const Cell& cell, GroupId need) {
    for (std::uint32_t at = cell.newest_change; at != analysis::LoggedAccess::none;) {
        const analysis::LoggedAccess& earlier = cell.log[at];
        if (!lists_.is_living(earlier.operation)) return GroupId::nothing;  // as all before it
        need = step_back(need, earlier);
        if (need == GroupId::nothing) return need;
        at = earlier.change;
    }
    return need;
}

/// Passes all accesses. If this one is a single requirement that overwrites, its like, once met, is
/// gone: whatever comes later meets this one first, which leaves nothing of what the other used.
GroupId RegionStates::walk_log(Cell& cell, GroupId need, AccessKey access,
                               const GroupTable::Outline& outline) {
    const bool replaces = outline.only_overwrites && outline.needs.size() == 1;
    std::uint32_t* link = &cell.newest_change;
    for (std::size_t at = cell.log.size(); at > 0;) {
        analysis::LoggedAccess& earlier = cell.log[at - 1];
        if (!lists_.is_living(earlier.operation)) return GroupId::nothing;
        if (outline.commuting != 0 && earlier.commuting == outline.commuting) {
            at -= std::min<std::size_t>(at, earlier.run);
            link = nullptr;  // unknown, and not used: what overwrites commutes with nothing
            continue;
        }
        --at;
        if (earlier.is_gone) continue;
        need = step_back(need, earlier);
        if (replaces && earlier.access == access.word) {
            earlier.is_gone = true;
            *link = earlier.change;
        }
        if (need == GroupId::nothing) return need;
        if (earlier.is_change) link = &earlier.change;
    }
    return need;
}

/// Removes accesses that are gone or finished.
void RegionStates::tidy_log(Cell& cell) {
    std::vector<analysis::LoggedAccess> old;
    old.swap(cell.log);
    cell.newest_change = analysis::LoggedAccess::none;
    bool finished = false;
    for (const analysis::LoggedAccess& access : old) {
        const bool living = lists_.is_living(access.operation);
        finished = finished || !living;
        if (living && !access.is_gone) add_to_log(cell, access);
    }
    if (finished) {  // what the mode began with is older still
        cell.private_groups.clear();
        cell.slots.clear();
    }
    cell.log_limit = std::max<std::size_t>(64, 2 * cell.log.size());
}

void RegionStates::go_private(Cell& cell) {
    cell.private_span =
        std::min(std::max(limits_.looked_at, 8 * cell.private_span), limits_.private_max);
    cell.private_uses = cell.private_span;
    const auto& groups = tables_->states.groups_of(static_cast<StateId>(cell.state));
    cell.private_groups.clear();
    for (const GroupId group : groups)
        cell.private_groups.push_back(static_cast<std::uint32_t>(group));
    cell.log.clear();
    cell.newest_change = analysis::LoggedAccess::none;
    cell.log_limit = 64;
    cell.is_private = true;
}

void RegionStates::leave_private(Cell& cell) {
    joining_.clear();
    for_each_group(cell, *tables_, [&](GroupId group, Member members) {
        if (lists_.is_living(members.operation)) joining_.emplace_back(group, members);
    });
    std::reverse(joining_.begin(), joining_.end());  // by age, so that lists grow at their head
    cell.is_private = false;
    analysis::free_all(cell.private_groups);
    analysis::free_all(cell.log);
    set_state(cell);
}

inline void RegionStates::make_present(Cell& cell) {
    if (cell.generation == generation_ && lists_.is_living(cell.last)) [[likely]]
        return;
    take_over(cell);
}

/// The cell is in the empty state if all that used it has finished.
void RegionStates::take_over(Cell& cell) {
    joining_.clear();
    if (!lists_.is_living(cell.last)) {
        if (cell.is_private) cell.slots.clear();
        cell.private_groups.clear();
        cell.log.clear();
        cell.newest_change = analysis::LoggedAccess::none;
    } else {
        REFRAIN_ASSERT(cell.generation + 1 == generation_ && previous_ != nullptr,
                       "a region that is in use comes from tables that are gone");
        const auto present = [&](GroupId old) {
            return tables_->groups.intern(previous_->groups.get(old));
        };
        if (cell.is_private) {
            tidy_log(cell);
            for (std::uint32_t& group : cell.private_groups)
                group = static_cast<std::uint32_t>(present(static_cast<GroupId>(group)));
            for (analysis::LoggedAccess& logged : cell.log)
                logged.access =
                    tables_->groups.adopt(AccessKey{logged.access}, previous_->groups).word;
        } else {
            for_each_group(cell, *previous_, [&](GroupId old, Member members) {
                joining_.emplace_back(present(old), members);
            });
        }
    }
    cell.generation = generation_;
    if (!cell.is_private) set_state(cell);
}

/// In private mode, newest first: what is left of each access, given all that came later.
template <class Visit>
void RegionStates::for_each_group(const Cell& cell, Tables& tables, Visit&& visit) const {
    if (!cell.is_private) {
        const auto& groups = tables.states.groups_of(static_cast<StateId>(cell.state));
        for (std::size_t slot = 0; slot < groups.size(); ++slot)
            visit(groups[slot], cell.slots[slot]);
        return;
    }
    JointAccess later;
    const auto visit_rest = [&](GroupId group, Member members) {
        const GroupId left = tables.groups.intern(cut(tables.groups.get(group), later));
        if (left != GroupId::nothing) visit(left, members);
    };
    for (auto access = cell.log.rbegin(); access != cell.log.rend(); ++access) {
        if (!lists_.is_living(access->operation)) return;
        if (access->is_gone) continue;
        const JointAccess& joint = tables.groups.get(AccessKey{access->access});
        if (later.overwritten.contains(joint.used)) continue;
        for (const GroupId own : tables.groups.beginnings(AccessKey{access->access}))
            visit_rest(own, {access->operation, nullptr});
        later.overwritten = later.overwritten.unite(joint.overwritten);
        later.used = later.used.unite(joint.used);
    }
    for (std::size_t slot = 0; slot < cell.slots.size(); ++slot)
        if (lists_.is_living(cell.slots[slot].operation))
            visit_rest(static_cast<GroupId>(cell.private_groups[slot]), cell.slots[slot]);
}

/// Equal groups become one.
void RegionStates::set_state(Cell& cell) {
    std::stable_sort(joining_.begin(), joining_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<GroupId> groups;
    cell.slots.clear();
    for (const auto& [group, members] : joining_) {
        if (!groups.empty() && groups.back() == group) {
            cell.slots.back() = lists_.merge(cell.slots.back(), members);
            continue;
        }
        groups.push_back(group);
        cell.slots.push_back(members);
    }
    cell.state = static_cast<std::uint32_t>(tables_->states.intern(groups));
}

/// A group whose members have all finished is not needed.
void RegionStates::drop_finished(Cell& cell) {
    joining_.clear();
    for_each_group(cell, *tables_, [&](GroupId group, Member members) {
        if (lists_.is_living(members.operation)) joining_.emplace_back(group, members);
    });
    if (joining_.size() < cell.slots.size()) set_state(cell);
}

std::span<const Source> RegionStates::dependences_of_host(OperationNumber now,
                                                          const RequirementShape& shape,
                                                          RegionHistory& history) {
    // The host takes no place in the window: the operation `window` ago may be unfinished.
    REFRAIN_ASSERT(lists_.newest() < now, "the host asks for an operation that was analysed");
    now_ = now;
    found_.clear();
    if (history.state == nullptr) return found_;
    Region& region = *history.state;
    if (region.grid == nullptr) {
        ask(region.whole, AccessKey::of(shape));
    } else {
        for (const Piece& piece : tables_->pieces.pieces(AccessKey::of(shape), *region.grid).all)
            ask(region.cells[piece.cell], piece.access);
    }
    merge_.clear();
    merge_.add(found_);
    return merge_.merged();
}

void RegionStates::ask(Cell& cell, AccessKey access) {
    if (!lists_.is_living(cell.last)) return;
    make_present(cell);
    if (cell.is_private)  // under no access's name, so that nothing is gone afterwards
        return walk_back(cell, AccessKey{}, tables_->groups.outline(access));
    for_each_group(cell, *tables_, [&](GroupId group, Member members) {
        const GroupTable::Step step = tables_->groups.step(group, access);
        add_sources(members, step.data, true);
        add_sources(members, step.order, false);
    });
}

void RegionStates::forget_if_full() {
    learned_ = false;
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
    grids_.clear();
    REFRAIN_ASSERT(grid_bytes_ == 0, "a region has cells of a grid that is forgotten");
    ++generation_;
    generation_began_ = next;
}

std::size_t RegionStates::bytes() const {
    return tables_->bytes() + (previous_ ? previous_->bytes() : 0) + grid_bytes_ +
           analysis::held_bytes(grids_);
}

}  // namespace refrain::states
