#include "states/region_states.hpp"

#include "base/assertion.hpp"

#include <algorithm>
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
      log_(lists_, found_),
      tables_(std::make_unique<Tables>(footprints, patterns)),
      merge_(patterns),
      slots_(analysis::CountingAllocator<Member>(region_bytes_.get())) {}

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
            region->state = std::make_unique<Region>(region_bytes_);
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
    region_ = &history;
    if (region.grid != nullptr) return analyse_cells(history, access);
    make_present(region.whole);
    if (follow_known(region.whole, access)) [[likely]]
        return;
    if (pass_log(region.whole, access)) return;
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
    follow(cell, *known, StateChange::How::known);
    return true;
}

/// Most steps are known: tables are looked at once in many uses.
bool RegionStates::pass_log(Cell& cell, AccessKey access) {
    if (!cell.is_private || cell.private_uses == 0) return false;
    --cell.private_uses;
    ++counters_.privately;
    log_.add(cell, access, tables_->groups);
    if (watch_ != nullptr) [[unlikely]]
        watch_->changed({.region = *region_,
                         .in_cell = &cell != &region_->state->whole,
                         .how = StateChange::How::in_log,
                         .generation = generation_,
                         .from = 0,
                         .to = 0});
    learned_ = learned_ || cell.private_uses % 32 == 0;
    return true;
}

bool RegionStates::analyse_slowly(Cell& cell, AccessKey access) {
    learned_ = true;
    if (cell.is_private)
        leave_private(cell);
    else
        drop_finished(cell);
    const auto state = static_cast<StateId>(cell.state);
    const KnownTransition* known = tables_->states.find(state, access);
    const bool is_new = known == nullptr;
    if (is_new) {
        ++counters_.found;
        const std::vector<GroupId> groups = tables_->states.groups_of(state);
        known =
            tables_->states.insert(state, access, find_transition(groups, access, tables_->groups));
    } else {
        ++counters_.known;
    }
    follow(cell, *known, is_new ? StateChange::How::found : StateChange::How::known);
    return note_miss(cell);
}

inline void RegionStates::follow(Cell& cell, const KnownTransition& known, StateChange::How how) {
    if (watch_ != nullptr) [[unlikely]]
        watch_->changed({.region = *region_,
                         .in_cell = &cell != &region_->state->whole,
                         .how = how,
                         .generation = generation_,
                         .from = cell.state,
                         .to = static_cast<std::uint32_t>(known.to)});
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
    const bool multiplies = 2 * cell.misses >= limits_.looked_at;  // however it goes on
    if (!multiplies && cell.uses < limits_.looked_at) return false;
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
        if (pass_log(cell, piece.access)) continue;
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
    std::vector<PieceInCell> all;
    std::vector<Member> members;
    for_each_group(region.whole, *tables_, [&](GroupId group, Member of_group) {
        if (!lists_.is_living(of_group.operation)) return;
        add_pieces(group, grid, static_cast<std::uint32_t>(members.size()), all);
        members.push_back(of_group);
    });
    std::stable_sort(all.begin(), all.end(),
                     [](const PieceInCell& a, const PieceInCell& b) { return a.cell < b.cell; });
    for (auto piece = all.begin(); piece != all.end();) {
        Cell& cell = region.cells[piece->cell];
        joining_.clear();
        for (const std::uint32_t index = piece->cell; piece != all.end() && piece->cell == index;
             ++piece)
            joining_.emplace_back(piece->group, members[piece->members]);
        cell.generation = generation_;
        cell.last = region.whole.last;
        set_state(cell);
    }
    region.whole.forget();
}

/// Of a group that covers many cells most pieces are alike: these are not looked up one by one.
void RegionStates::add_pieces(GroupId group, const CellGrid& grid, std::uint32_t members,
                              std::vector<PieceInCell>& all) {
    GroupTable& groups = tables_->groups;
    GroupId latest = GroupId::nothing;
    cutter_.cut(groups.get(group), grid, [&](std::uint32_t cell, Group&& piece) {
        if (latest == GroupId::nothing || !(groups.get(latest) == piece))
            latest = groups.intern(std::move(piece));
        all.push_back({cell, latest, members});
    });
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

void RegionStates::go_private(Cell& cell) {
    cell.private_span =
        std::min(std::max(limits_.looked_at, 8 * cell.private_span), limits_.private_max);
    cell.private_uses = cell.private_span;
    AccessLog::begin(cell, tables_->states.groups_of(static_cast<StateId>(cell.state)));
}

void RegionStates::leave_private(Cell& cell) {
    joining_.clear();
    for_each_group(cell, *tables_, [&](GroupId group, Member members) {
        if (lists_.is_living(members.operation)) joining_.emplace_back(group, members);
    });
    std::reverse(joining_.begin(), joining_.end());  // by age, so that lists grow at their head
    AccessLog::end(cell);
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
        if (cell.is_private) AccessLog::forget(cell);
    } else {
        REFRAIN_ASSERT(cell.generation + 1 == generation_ && previous_ != nullptr,
                       "a region that is in use comes from tables that are gone");
        if (cell.is_private)
            log_.renew(cell, tables_->groups, previous_->groups);
        else
            for_each_group(cell, *previous_, [&](GroupId old, Member members) {
                joining_.emplace_back(tables_->groups.intern(previous_->groups.get(old)), members);
            });
    }
    cell.generation = generation_;
    if (!cell.is_private) set_state(cell);
}

/// In private mode, newest first.
template <class Visit>
void RegionStates::for_each_group(const Cell& cell, Tables& tables, Visit&& visit) const {
    if (cell.is_private) return log_.for_each_group(cell, tables.groups, visit);
    const auto& groups = tables.states.groups_of(static_cast<StateId>(cell.state));
    for (std::size_t slot = 0; slot < groups.size(); ++slot) visit(groups[slot], cell.slots[slot]);
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
    if (cell.is_private) return log_.ask(cell, access, tables_->groups, now_);
    for_each_group(cell, *tables_, [&](GroupId group, Member members) {
        const GroupTable::Step step = tables_->groups.step(group, access);
        add_sources(members, step.data, true);
        add_sources(members, step.order, false);
    });
}

/// After a window nobody needs the previous generation: who used a region since has taken over its
/// groups, and all others have finished.
void RegionStates::forget_if_full() {
    learned_ = false;
    if (lists_.newest() - generation_began_ < lists_.window()) return;
    previous_ = nullptr;
    if (tables_->bytes() <= limits_.bytes) return;
    previous_ = std::exchange(tables_, std::make_unique<Tables>(footprints_, patterns_));
    ++generation_;
    generation_began_ = lists_.newest();
    ++counters_.forgotten;
}

void RegionStates::clear(OperationNumber next) {
    lists_.forget_all_before(next);
    analysis::free_all(slots_);
    tables_ = std::make_unique<Tables>(footprints_, patterns_);
    previous_ = nullptr;
    grids_.clear();
    REFRAIN_ASSERT(grid_bytes_ == 0, "a region has cells of a grid that is forgotten");
    ++generation_;
    generation_began_ = next;
}

namespace {

/// Without dimensions that a region probably does not have.
std::string text_of(const data::Box& box) {
    int rank = 3;
    const auto is_flat = [&](int d) {
        const auto at = static_cast<std::size_t>(d);
        return box.lo[at] == 0 && box.hi[at] == 1;
    };
    while (rank > 1 && is_flat(rank - 1)) --rank;
    return data::to_string(box, rank);
}

}  // namespace

std::string RegionStates::describe(std::uint32_t state) const {
    std::string text;
    for (const GroupId id : tables_->states.groups_of(static_cast<StateId>(state))) {
        const Group& group = tables_->groups.get(id);
        if (!text.empty()) text += "; ";
        text += overwrites(group.usage.privilege) ? "write" : to_string(group.usage.privilege);
        text += " " + text_of(tables_->groups.bounds_of(id));
        if (group.points > 1) text += " by " + std::to_string(group.points) + " points";
    }
    return text.empty() ? "unused" : text;
}

std::size_t RegionStates::bytes() const {
    return tables_->bytes() + (previous_ ? previous_->bytes() : 0) + grid_bytes_ +
           analysis::held_bytes(grids_) + *region_bytes_ + lists_.bytes();
}

}  // namespace refrain::states
