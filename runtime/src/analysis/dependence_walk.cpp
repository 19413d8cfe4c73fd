#include "analysis/dependence_walk.hpp"

#include "analysis/table_bytes.hpp"
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
    twin_stops_.clear();
    several_chains_ = access.cells.size() > 1;
    reset(number);
    if (access.cells.empty()) {
        const NeededId start = table_.start(access.shape.footprint);
        walk_chain({.now = number,
                    .newest = number,
                    .shape = access.shape,
                    .at = access.link.before,
                    .needed = start,
                    .start = start});
        consider_split(region, access.shape);
    } else {
        const auto starts = table_.starts_in_cells(access.shape.footprint, *access.grid);
        for (std::size_t i = 0; i < access.cells.size(); ++i)
            walk_chain({.now = number,
                        .newest = number,
                        .shape = access.shape,
                        .at = access.cells[i].before,
                        .cell = access.cells[i].cell,
                        .needed = starts[i],
                        .start = starts[i]});
        if (several_chains_) join_chains({.now = number, .newest = number, .shape = access.shape});
        consider_merge(region, access.shape, {number, index});
    }
    keep_sources(number, access);
    access.oldest_seen = oldest_seen_;
    access.saw_beginning = saw_beginning_;
    access.lookback = std::min(std::max(own_lookback_, twin_lookback_), history_.window());
    access.own = {
        .twin = twin_,
        .oldest_visited = oldest_visited_,
        .needed_at_twin = needed_at_twin_,
        .source_count = twins_ == 0 ? static_cast<std::uint32_t>(found_.size()) : own_count_,
        .lookback = own_lookback_,
        .is_reusable = twins_ <= 1 && !met_beginning_};
    return access;
}

void DependenceWalk::keep_sources(OperationNumber number, Access& access) {
    Source* kept = history_.allocate<Source>(found_.size(), number);
    std::copy(found_.begin(), found_.end(), kept);
    access.sources = {kept, found_.size()};
}

bool DependenceWalk::resume(OperationNumber number, Access& access, std::span<const Source> own,
                            AccessRef twin, NeededId needed) {
    access.sources = own;
    if (history_.accesses(twin.operation)[twin.index].sources.empty()) return false;
    found_.assign(own.begin(), own.end());
    inherit(twin, {.now = number,
                   .newest = number,
                   .shape = access.shape,
                   .needed = needed,
                   .start = table_.start(access.shape.footprint)});
    if (found_.size() == own.size()) return false;
    keep_sources(number, access);
    return true;
}

void DependenceWalk::reset(OperationNumber number) {
    oldest_seen_ = oldest_visited_ = number;
    saw_beginning_ = met_beginning_ = false;
    twin_ = {};
    twins_ = 0;
    own_count_ = 0;
    misses_ = 0;
    own_lookback_ = twin_lookback_ = 0;
}

std::span<const Source> DependenceWalk::walk_for_host(OperationNumber now,
                                                      const RequirementShape& shape,
                                                      RegionHistory& region) {
    found_.clear();
    twin_stops_.clear();
    several_chains_ = region.cells != nullptr;
    // The host takes no place in the window, so the operation `window` ago may be unfinished.
    const OperationNumber newest = now - 1;
    if (region.cells == nullptr) {
        const NeededId start = table_.start(shape.footprint);
        walk_chain({.now = now,
                    .newest = newest,
                    .shape = shape,
                    .at = region.last,
                    .needed = start,
                    .start = start});
        return found_;
    }
    const auto cells = region.cells->grid->cells_of(shape.footprint, footprints_);
    const auto starts = table_.starts_in_cells(shape.footprint, *region.cells->grid);
    for (std::size_t i = 0; i < cells.size(); ++i)
        walk_chain({.now = now,
                    .newest = newest,
                    .shape = shape,
                    .at = region.cells->heads[cells[i]],
                    .cell = cells[i],
                    .needed = starts[i],
                    .start = starts[i]});
    join_chains({.now = now, .newest = newest, .shape = shape});
    return found_;
}

void DependenceWalk::walk_chain(Position position) {
    OperationNumber oldest_seen = position.now;
    OperationNumber visited = position.now;
    while (position.needed != NeededId::nothing) {  // S1
        const OperationNumber at = position.at.operation;
        if (at == 0) {  // S3
            saw_beginning_ = met_beginning_ = true;
            note_chain_end(position, history_.window());
            break;
        }
        oldest_seen = at;
        if (!history_.remembers(at, position.newest)) {  // S4
            note_chain_end(position, visited - at);
            break;
        }
        visited = at;
        ++hops_;
        own_lookback_ = std::max(own_lookback_, static_cast<std::uint32_t>(position.now - at));
        visit(position);
    }
    oldest_seen_ = std::min(oldest_seen_, oldest_seen);
    oldest_visited_ = std::min(oldest_visited_, oldest_seen);
}

/// The last link leads `distance` operations back; a window if it leads nowhere. Descriptions
/// (trace/) record links of a window or more as such; a shorter one makes the walk depend on the
/// whole window. So does the chain of a cell: links do not tell that the cell has no older access.
inline void DependenceWalk::note_chain_end(const Position& position, std::uint64_t distance) {
    if (position.cell != CellGrid::whole || distance < history_.window())
        own_lookback_ = history_.window();
}

inline void DependenceWalk::visit(Position& position) {
    const AccessRef at = position.at;
    const std::span<const Access> accesses = history_.accesses(at.operation);
    const auto distance = static_cast<std::uint32_t>(position.now - at.operation);
    const Access& last = accesses[at.index];
    const NeededId needed_before = position.needed;
    const WalkTable::Step step = table_.step(position.shape, position.needed, last.shape);
    if (step.pattern != PatternId::none)
        found_.push_back({.distance = distance,
                          .pattern = step.pattern,
                          .carries_data = carries_data(last.shape, position.shape),
                          .index = static_cast<std::uint16_t>(at.index),
                          .needed = needed_before});
    else
        ++misses_;
    const bool is_twin = last.shape == position.shape && commute(last.shape, position.shape) &&
                         history_.knows_sources(at.operation);
    const ChainLink& link = link_of(last, position.cell);
    position.at = link.before;
    position.needed = step.remaining;
    if (link.sibling == ChainLink::no_sibling && !is_twin) [[likely]]
        return;
    std::uint32_t twin = is_twin ? at.index : ChainLink::no_sibling;
    if (link.sibling != ChainLink::no_sibling)
        twin = visit_siblings(position, accesses, distance, link.sibling, needed_before, twin);
    if (twin == ChainLink::no_sibling || position.needed == NeededId::nothing) return;
    stop_at_twin({at.operation, twin}, position);  // S2
    position.needed = NeededId::nothing;
}

std::uint32_t DependenceWalk::visit_siblings(Position& position, std::span<const Access> accesses,
                                             std::uint32_t distance, std::uint32_t index,
                                             NeededId needed_before, std::uint32_t twin) {
    while (index != ChainLink::no_sibling) {
        const Access& access = accesses[index];
        // All conflict with what was needed before this operation; covers accumulate.
        const WalkTable::Step step = table_.step(position.shape, needed_before, access.shape);
        if (step.pattern != PatternId::none)
            found_.push_back({.distance = distance,
                              .pattern = step.pattern,
                              .carries_data = carries_data(access.shape, position.shape),
                              .index = static_cast<std::uint16_t>(index),
                              .needed = needed_before});
        position.needed = table_.step(position.shape, position.needed, access.shape).remaining;
        if (access.shape == position.shape && commute(access.shape, position.shape) &&
            history_.knows_sources(position.now - distance))
            twin = index;
        index = link_of(access, position.cell).sibling;
    }
    return twin;
}

/// The access at which a divided region was merged covers all cells. It ends every walk that
/// arrives along the single chain or along chains of another grid: it has no link for these.
inline const ChainLink& DependenceWalk::link_of(const Access& access, std::uint32_t cell) {
    static constexpr ChainLink end;
    if (access.cells.empty()) [[likely]]
        return access.link;
    const ChainLink* link = access.link_in(cell);
    return link == nullptr ? end : *link;
}

/// Several chains may stop at one twin; inherit_from_twins then inherits from it once for all.
void DependenceWalk::stop_at_twin(AccessRef twin, const Position& position) {
    REFRAIN_ASSERT(twin.operation < position.now, "an operation is its own twin");
    const Access& access = history_.accesses(twin.operation)[twin.index];
    oldest_seen_ = std::min(oldest_seen_, access.oldest_seen);
    saw_beginning_ = saw_beginning_ || access.saw_beginning;
    const auto distance = static_cast<std::uint32_t>(position.now - twin.operation);
    twin_lookback_ = std::max(twin_lookback_, distance + access.lookback);
    if (twins_++ == 0) own_count_ = static_cast<std::uint32_t>(found_.size());
    twin_ = twin;
    needed_at_twin_ = position.needed;
    if (several_chains_)
        twin_stops_.push_back({twin, position.needed});
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

/// Some of the elements were covered after the twin. Sources that the twin has only for those
/// precede the covers and are dropped.
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

/// Merges the results of several chains into one list, as if there were one chain.
void DependenceWalk::join_chains(const Position& position) {
    inherit_from_twins(position);
    join_sources(position);
}

void DependenceWalk::inherit_from_twins(Position position) {
    const auto key = [](const TwinStop& stop) {
        return std::pair(stop.twin.operation, stop.twin.index);
    };
    std::stable_sort(twin_stops_.begin(), twin_stops_.end(),
                     [&](const TwinStop& a, const TwinStop& b) { return key(a) < key(b); });
    position.start = table_.start(position.shape.footprint);
    for (std::size_t begin = 0; begin < twin_stops_.size();) {
        const AccessRef twin = twin_stops_[begin].twin;
        united_.clear();
        for (; begin < twin_stops_.size() && twin_stops_[begin].twin == twin; ++begin)
            united_.push_back(twin_stops_[begin].needed);
        position.needed = table_.unite(united_);
        inherit(twin, position);
    }
}

/// Leaves one source per requirement found.
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
    auto grid = std::make_unique<CellGrid>(region.bounds, piece, &grid_bytes_);
    const auto known = std::find_if(grids_.begin(), grids_.end(), [&](const auto& other) {
        return other->bounds() == grid->bounds() && other->extents() == grid->extents();
    });
    if (known != grids_.end()) {
        region.take_cells(**known);
    } else {
        region.take_cells(*grid);
        grids_.push_back(std::move(grid));
    }
    REFRAIN_ASSERT(region.cells->grid->cell_count() > 0, "a grid has no cells");
    ++splits_;
}

void DependenceWalk::consider_merge(RegionHistory& region, const RequirementShape& shape,
                                    AccessRef self) {
    if (!overwrites(shape.privilege) || region.cells == nullptr) return;
    const RegionHistory::Cells& cells = *region.cells;
    if (cells.coarse_links <
        8 * cells.fine_links + limits_.coarse_rounds * region.cells->grid->cell_count())
        return;
    if (!footprints_.get(shape.footprint).all.contains(region.bounds.all())) return;
    for (const ChainLink& link : history_.accesses(self.operation)[self.index].cells)
        if (link.sibling != ChainLink::no_sibling || !(cells.heads[link.cell] == self)) return;
    // This is the operation's only access to the region. It overwrites every element, so every
    // later walk ends here at the latest, and older accesses are no longer needed.
    region.drop_cells();
    region.last = self;
    ++merges_;
}

void DependenceWalk::forget_grids() {
    free_all(grids_);
    REFRAIN_ASSERT(grid_bytes_ == 0, "a region has cells of a grid that is forgotten");
}

std::size_t DependenceWalk::bytes() const {
    return grid_bytes_ + grids_.capacity() * sizeof(grids_[0]);
}

}  // namespace refrain::analysis
