#include "analysis/dependence_walk.hpp"

#include "base/assertion.hpp"

#include <algorithm>
#include <utility>

namespace refrain::analysis {

const Access& DependenceWalk::walk(OperationNumber number, std::uint32_t index,
                                   RegionHistory& region) {
    REFRAIN_ASSERT(index < history_.accesses(number).size(),
                   "a requirement is walked that the operation does not have");
    Access& access = history_.accesses(number)[index];
    found_.clear();
    met_twins_.clear();
    several_chains_ = access.cells.size() > 1;
    begin_account(number);
    if (access.cells.empty()) {
        const NeededId start = table_.start(access.shape.footprint);
        walk_chain(
            {number, number, access.shape, access.link.before, CellGrid::whole, start, start});
        consider_split(region, access.shape);
    } else {
        const auto starts = table_.starts_in_cells(access.shape.footprint, *access.grid);
        for (std::size_t i = 0; i < access.cells.size(); ++i)
            walk_chain({number, number, access.shape, access.cells[i].before, access.cells[i].cell,
                        starts[i], starts[i]});
        if (several_chains_) join_chains({number, number, access.shape, {}, 0, {}, {}});
        consider_merge(region, access.shape, {number, index});
    }
    keep_sources(number, access);
    access.oldest_seen = oldest_seen_;
    access.saw_beginning = saw_beginning_;
    access.reach = std::min(std::max(own_reach_, twin_reach_), history_.window());
    access.own = {
        twin_,           oldest_visited_,
        needed_at_twin_, twins_ == 0 ? static_cast<std::uint32_t>(found_.size()) : own_found_,
        own_reach_,      twins_ <= 1 && !met_beginning_};
    return access;
}

void DependenceWalk::keep_sources(OperationNumber number, Access& access) {
    Source* kept = history_.allocate<Source>(found_.size(), number);
    std::copy(found_.begin(), found_.end(), kept);
    access.sources = {kept, found_.size()};
}

bool DependenceWalk::resume(OperationNumber number, Access& access, std::span<const Source> found,
                            AccessRef twin, NeededId needed) {
    REFRAIN_ASSERT(number - twin.operation < history_.window(),
                   "a twin lies further back than the window");
    REFRAIN_ASSERT(twin.index < history_.accesses(twin.operation).size(),
                   "a twin is no requirement of its operation");
    access.sources = found;
    if (history_.accesses(twin.operation)[twin.index].sources.empty()) return false;
    found_.assign(found.begin(), found.end());
    inherit(twin, {number,
                   number,
                   access.shape,
                   {},
                   CellGrid::whole,
                   needed,
                   table_.start(access.shape.footprint)});
    if (found_.size() == found.size()) return false;
    keep_sources(number, access);
    return true;
}

void DependenceWalk::begin_account(OperationNumber number) {
    oldest_seen_ = oldest_visited_ = number;
    saw_beginning_ = met_beginning_ = false;
    twin_ = {};
    twins_ = 0;
    own_found_ = 0;
    misses_ = 0;
    own_reach_ = twin_reach_ = 0;
}

std::span<const Source> DependenceWalk::walk_for_host(OperationNumber now,
                                                      const RequirementShape& shape,
                                                      RegionHistory& region) {
    found_.clear();
    met_twins_.clear();
    REFRAIN_ASSERT(now > 0, "the host looks before the first operation");
    several_chains_ = region.grid != nullptr;
    // No operation makes room in the window: the one `window` ago may be unfinished.
    const OperationNumber newest = now - 1;
    if (region.grid == nullptr) {
        const NeededId start = table_.start(shape.footprint);
        walk_chain({now, newest, shape, region.last, CellGrid::whole, start, start});
        return found_;
    }
    const auto cells = region.grid->cells_of(shape.footprint, footprints_);
    const auto starts = table_.starts_in_cells(shape.footprint, *region.grid);
    for (std::size_t i = 0; i < cells.size(); ++i)
        walk_chain({now, newest, shape, region.heads[cells[i]], cells[i], starts[i], starts[i]});
    join_chains({now, newest, shape, {}, 0, {}, {}});
    return found_;
}

void DependenceWalk::walk_chain(Position position) {
    OperationNumber oldest_seen = position.now;
    OperationNumber visited = position.now;
    while (position.needed != NeededId::nothing) {  // S1
        const OperationNumber at = position.at.operation;
        if (at == 0) {  // S3
            saw_beginning_ = met_beginning_ = true;
            ends(position, history_.window());
            break;
        }
        oldest_seen = at;
        if (!history_.remembers(at, position.newest)) {  // S4
            ends(position, visited - at);
            break;
        }
        visited = at;
        ++hops_;
        own_reach_ = std::max(own_reach_, static_cast<std::uint32_t>(position.now - at));
        visit(position);
    }
    oldest_seen_ = std::min(oldest_seen_, oldest_seen);
    oldest_visited_ = std::min(oldest_visited_, oldest_seen);
}

/// The last link leads nowhere, or `distance` operations back. Descriptions say so if that is a window
/// or more (trace/); else the walk depends on all that lies within the window. So does one along the
/// chain of a cell: links do not tell that nobody used the cell before.
inline void DependenceWalk::ends(const Position& position, std::uint64_t distance) {
    if (position.cell != CellGrid::whole || distance < history_.window())
        own_reach_ = history_.window();
}

inline void DependenceWalk::visit(Position& position) {
    const AccessRef at = position.at;
    const std::span<const Access> accesses = history_.accesses(at.operation);
    const auto distance = static_cast<std::uint32_t>(position.now - at.operation);
    const Access& last = accesses[at.index];
    const NeededId needed_before = position.needed;
    const WalkTable::Step step = table_.step(position.shape, position.needed, last.shape);
    if (step.pattern != PatternId::none)
        found_.push_back({distance, step.pattern, carries_data(last.shape, position.shape),
                          static_cast<std::uint16_t>(at.index), needed_before});
    else
        ++misses_;
    const bool is_twin = last.shape == position.shape && commute(last.shape, position.shape);
    const ChainLink& link = link_of(last, position.cell);
    position.at = link.before;
    position.needed = step.behind;
    if (link.sibling == ChainLink::no_sibling && !is_twin) [[likely]]
        return;
    std::uint32_t twin = is_twin ? at.index : ChainLink::no_sibling;
    if (link.sibling != ChainLink::no_sibling)
        twin = visit_siblings(position, accesses, distance, link.sibling, needed_before, twin);
    if (twin == ChainLink::no_sibling || position.needed == NeededId::nothing) return;
    meet({at.operation, twin}, position);  // S2
    position.needed = NeededId::nothing;
}

std::uint32_t DependenceWalk::visit_siblings(Position& position, std::span<const Access> accesses,
                                             std::uint32_t distance, std::uint32_t index,
                                             NeededId needed_before, std::uint32_t twin) {
    while (index != ChainLink::no_sibling) {
        const Access& access = accesses[index];
        // Conflicts with what was needed before this operation; covers one after the other.
        const WalkTable::Step step = table_.step(position.shape, needed_before, access.shape);
        if (step.pattern != PatternId::none)
            found_.push_back({distance, step.pattern, carries_data(access.shape, position.shape),
                              static_cast<std::uint16_t>(index), needed_before});
        position.needed = table_.step(position.shape, position.needed, access.shape).behind;
        if (access.shape == position.shape && commute(access.shape, position.shape)) twin = index;
        index = link_of(access, position.cell).sibling;
    }
    return twin;
}

/// An access that covered all cells when its region became whole again ends every walk that comes
/// by the one chain, or by the chains of another grid: no link leads further.
inline const ChainLink& DependenceWalk::link_of(const Access& access, std::uint32_t cell) {
    static constexpr ChainLink end;
    if (access.cells.empty()) [[likely]]
        return access.link;
    const ChainLink* link = access.link_in(cell);
    return link == nullptr ? end : *link;
}

/// Several chains may end at one twin: it is inherited from once, for all of them.
void DependenceWalk::meet(AccessRef twin, const Position& position) {
    REFRAIN_ASSERT(twin.operation < position.now, "an operation is its own twin");
    const Access& access = history_.accesses(twin.operation)[twin.index];
    oldest_seen_ = std::min(oldest_seen_, access.oldest_seen);
    saw_beginning_ = saw_beginning_ || access.saw_beginning;
    const auto distance = static_cast<std::uint32_t>(position.now - twin.operation);
    twin_reach_ = std::max(twin_reach_, distance + access.reach);
    if (twins_++ == 0) own_found_ = static_cast<std::uint32_t>(found_.size());
    twin_ = twin;
    needed_at_twin_ = position.needed;
    if (several_chains_)
        met_twins_.push_back({twin, position.needed});
    else
        inherit(twin, position);
}

void DependenceWalk::inherit(AccessRef twin, const Position& position) {
    const Access& access = history_.accesses(twin.operation)[twin.index];
    const auto distance = static_cast<std::uint32_t>(position.now - twin.operation);
    if (position.needed != position.start) return inherit_needed(access, position, distance);
    for (Source source : access.sources) {
        if (!history_.remembers(twin.operation - source.distance, position.newest)) continue;
        source.distance += distance;
        found_.push_back(source);
    }
}

/// Some of the elements were covered between the twin and here: what the twin waits for on account
/// of those alone is preceded by the covers.
void DependenceWalk::inherit_needed(const Access& twin, const Position& position,
                                    std::uint32_t distance) {
    for (Source source : twin.sources) {
        source.distance += distance;
        const OperationNumber at = position.now - source.distance;
        if (!history_.remembers(at, position.newest)) continue;
        source.needed = table_.intersect(position.needed, source.needed);
        if (source.needed == NeededId::nothing) continue;
        const RequirementShape& earlier = history_.accesses(at)[source.index].shape;
        source.pattern = table_.step(position.shape, source.needed, earlier).pattern;
        if (source.pattern != PatternId::none) found_.push_back(source);
    }
}

/// What the walks along several chains found becomes one list, as if there were one chain.
void DependenceWalk::join_chains(const Position& position) {
    inherit_from_met_twins(position);
    join_sources(position);
}

void DependenceWalk::inherit_from_met_twins(Position position) {
    const auto key = [](const MetTwin& met) {
        return std::pair(met.twin.operation, met.twin.index);
    };
    std::stable_sort(met_twins_.begin(), met_twins_.end(),
                     [&](const MetTwin& a, const MetTwin& b) { return key(a) < key(b); });
    position.start = table_.start(position.shape.footprint);
    for (std::size_t begin = 0; begin < met_twins_.size();) {
        const AccessRef twin = met_twins_[begin].twin;
        united_.clear();
        for (; begin < met_twins_.size() && met_twins_[begin].twin == twin; ++begin)
            united_.push_back(met_twins_[begin].needed);
        position.needed = table_.unite(united_);
        inherit(twin, position);
    }
}

/// One source per requirement that was found.
void DependenceWalk::join_sources(const Position& position) {
    const auto key = [](const Source& source) { return std::pair(source.distance, source.index); };
    std::stable_sort(found_.begin(), found_.end(),
                     [&](const Source& a, const Source& b) { return key(a) < key(b); });
    std::size_t end = 0;
    for (std::size_t begin = 0; begin < found_.size();) {
        Source joined = found_[begin];
        united_.clear();
        for (; begin < found_.size() && key(found_[begin]) == key(joined); ++begin)
            united_.push_back(found_[begin].needed);
        if (united_.size() > 1) {
            const auto accesses = history_.accesses(position.now - joined.distance);
            joined.needed = table_.unite(united_);
            joined.pattern =
                table_.step(position.shape, joined.needed, accesses[joined.index].shape).pattern;
        }
        found_[end++] = joined;
    }
    found_.resize(end);
}

void DependenceWalk::consider_split(RegionHistory& region, const RequirementShape& shape) {
    if (misses_ <= limits_.usual_misses) [[likely]]
        return;
    region.long_walks += std::min(misses_, limits_.long_walks);
    const std::uint32_t limit =
        overwrites(shape.privilege) ? limits_.long_walks : 4 * limits_.long_walks;
    if (region.long_walks < limit) return;
    region.long_walks = 0;
    const data::Box& piece = footprints_.get(shape.footprint).all.bounds();
    if (limits_.pieces * piece.volume() <= region.bounds.volume()) split(region, piece);
}

void DependenceWalk::split(RegionHistory& region, const data::Box& piece) {
    auto grid = std::make_unique<CellGrid>(region.bounds, piece);
    const auto known = std::find_if(grids_.begin(), grids_.end(), [&](const auto& other) {
        return other->bounds() == grid->bounds() && other->extents() == grid->extents();
    });
    if (known != grids_.end()) {
        region.grid = known->get();
    } else {
        region.grid = grid.get();
        grids_.push_back(std::move(grid));
    }
    REFRAIN_ASSERT(region.grid->cell_count() > 0, "a grid has no cells");
    region.heads.assign(region.grid->cell_count(), region.last);
    region.coarse_links = region.fine_links = 0;
    ++splits_;
}

void DependenceWalk::consider_merge(RegionHistory& region, const RequirementShape& shape,
                                    AccessRef self) {
    if (!overwrites(shape.privilege) || region.grid == nullptr) return;
    if (region.coarse_links <
        8 * region.fine_links + limits_.coarse_rounds * region.grid->cell_count())
        return;
    if (!footprints_.get(shape.footprint).all.contains(data::BoxSet(region.bounds))) return;
    for (const ChainLink& link : history_.accesses(self.operation)[self.index].cells)
        if (link.sibling != ChainLink::no_sibling || !(region.heads[link.cell] == self)) return;
    // The operation uses the region this once. Every later walk ends here at the latest: nothing
    // behind this access will be asked for.
    REFRAIN_ASSERT(region.heads.size() == region.grid->cell_count(),
                   "a region has not one chain per cell");
    region.grid = nullptr;
    region.heads.clear();
    region.last = self;
    ++merges_;
}

void DependenceWalk::forget_footprints() {
    for (const auto& grid : grids_) grid->forget_footprints();
}

}  // namespace refrain::analysis
