#include "analysis/dependence_walk.hpp"

#include <algorithm>
#include <tuple>

namespace refrain::analysis {
namespace {

constexpr std::uint32_t usual_misses = 4;      // hops past accesses to other elements
constexpr std::uint32_t long_walks_max = 256;  // so many in all, in longer walks, divide a region

}  // namespace

const Access& DependenceWalk::walk(OperationNumber number, std::uint32_t index,
                                   RegionHistory& region) {
    Access& access = history_.accesses(number)[index];
    found_.clear();
    several_chains_ = access.cells.size() > 1;
    begin_account(number);
    if (access.cells.empty()) {
        walk_chain({number, number, access.shape, access.link.before, CellGrid::whole,
                    table_.start(access.shape.footprint)});
        consider_split(region, access.shape);
    } else {
        const auto starts = table_.starts_in_cells(access.shape.footprint, *region.grid);
        for (std::size_t i = 0; i < access.cells.size(); ++i)
            walk_chain({number, number, access.shape, access.cells[i].before, access.cells[i].cell,
                        starts[i]});
        consider_merge(region, access.shape, {number, index});
    }
    if (several_chains_) drop_duplicates();
    Source* kept = history_.allocate<Source>(found_.size(), number);
    std::copy(found_.begin(), found_.end(), kept);
    access.sources = {kept, found_.size()};
    access.oldest_seen = oldest_seen_;
    access.saw_beginning = saw_beginning_;
    access.twin = twin_;
    access.found = twins_ == 0 ? static_cast<std::uint32_t>(found_.size()) : own_found_;
    access.oldest_visited = oldest_visited_;
    access.walked_alone = twins_ <= 1 && !met_beginning_;
    return access;
}

void DependenceWalk::begin_account(OperationNumber number) {
    oldest_seen_ = oldest_visited_ = number;
    saw_beginning_ = met_beginning_ = false;
    twin_ = {};
    twins_ = 0;
    own_found_ = 0;
    misses_ = 0;
}

std::span<const Source> DependenceWalk::walk_for_host(OperationNumber now,
                                                      const RequirementShape& shape,
                                                      RegionHistory& region) {
    found_.clear();
    several_chains_ = region.grid != nullptr;
    // No operation makes room in the window: the one `window` ago may be unfinished.
    const OperationNumber newest = now - 1;
    if (region.grid == nullptr) {
        walk_chain(
            {now, newest, shape, region.last, CellGrid::whole, table_.start(shape.footprint)});
        return found_;
    }
    const auto cells = region.grid->cells_of(shape.footprint, footprints_);
    const auto starts = table_.starts_in_cells(shape.footprint, *region.grid);
    for (std::size_t i = 0; i < cells.size(); ++i)
        walk_chain({now, newest, shape, region.heads[cells[i]], cells[i], starts[i]});
    drop_duplicates();
    return found_;
}

void DependenceWalk::walk_chain(Position position) {
    OperationNumber oldest_seen = position.now;
    while (position.needed != NeededId::nothing) {  // S1
        const OperationNumber at = position.at.operation;
        if (at == 0) {  // S3
            saw_beginning_ = met_beginning_ = true;
            break;
        }
        oldest_seen = at;
        if (!history_.remembers(at, position.newest)) break;  // S4
        ++hops_;
        visit(position);
    }
    oldest_seen_ = std::min(oldest_seen_, oldest_seen);
    oldest_visited_ = std::min(oldest_visited_, oldest_seen);
}

inline void DependenceWalk::visit(Position& position) {
    const std::span<const Access> accesses = history_.accesses(position.at.operation);
    const auto distance = static_cast<std::uint32_t>(position.now - position.at.operation);
    const Access& last = accesses[position.at.index];
    const NeededId needed_before = position.needed;
    const WalkTable::Step step = table_.step(position.shape, position.needed, last.shape);
    if (step.pattern != PatternId::none)
        found_.push_back({distance, step.pattern, carries_data(last.shape, position.shape)});
    else
        ++misses_;
    const bool is_twin = last.shape == position.shape && commute(last.shape, position.shape);
    const ChainLink& link = link_of(last, position.cell);
    position.at = link.before;
    position.needed = step.behind;
    if (link.sibling == ChainLink::no_sibling && !is_twin) [[likely]]
        return;
    const Access* twin = is_twin ? &last : nullptr;
    if (link.sibling != ChainLink::no_sibling)
        twin = visit_siblings(position, accesses, distance, link.sibling, needed_before, twin);
    if (twin == nullptr) return;
    inherit(*twin, position, distance);  // S2
    position.needed = NeededId::nothing;
}

const Access* DependenceWalk::visit_siblings(Position& position, std::span<const Access> accesses,
                                             std::uint32_t distance, std::uint32_t index,
                                             NeededId needed_before, const Access* twin) {
    while (index != ChainLink::no_sibling) {
        const Access& access = accesses[index];
        // Conflicts with what was needed before this operation; covers one after the other.
        const WalkTable::Step step = table_.step(position.shape, needed_before, access.shape);
        if (step.pattern != PatternId::none)
            found_.push_back({distance, step.pattern, carries_data(access.shape, position.shape)});
        position.needed = table_.step(position.shape, position.needed, access.shape).behind;
        if (access.shape == position.shape && commute(access.shape, position.shape)) twin = &access;
        index = link_of(access, position.cell).sibling;
    }
    return twin;
}

/// A walk along the one chain of a region that was divided before ends at the access that covers
/// all cells: no link leads further.
inline const ChainLink& DependenceWalk::link_of(const Access& access, std::uint32_t cell) {
    static constexpr ChainLink end;
    if (access.cells.empty()) [[likely]]
        return access.link;
    if (cell == CellGrid::whole) return end;
    return *std::lower_bound(
        access.cells.begin(), access.cells.end(), cell,
        [](const ChainLink& link, std::uint32_t wanted) { return link.cell < wanted; });
}

/// One chain is walked from young to old, and what is inherited is older still: no source turns up
/// twice. Several chains may lead to the same operation.
void DependenceWalk::drop_duplicates() {
    const auto key = [](const Source& s) {
        return std::tuple(s.distance, static_cast<std::uint32_t>(s.pattern), s.carries_data);
    };
    std::sort(found_.begin(), found_.end(),
              [&](const Source& a, const Source& b) { return key(a) < key(b); });
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
}

void DependenceWalk::inherit(const Access& twin, const Position& position, std::uint32_t distance) {
    const OperationNumber at = position.now - distance;
    const auto index = &twin - history_.accesses(at).data();
    twin_ = {at, static_cast<std::uint32_t>(index)};
    if (twins_++ == 0) own_found_ = static_cast<std::uint32_t>(found_.size());
    oldest_seen_ = std::min(oldest_seen_, twin.oldest_seen);
    saw_beginning_ = saw_beginning_ || twin.saw_beginning;
    for (const Source& source : twin.sources)
        if (history_.remembers(at - source.distance, position.newest))
            found_.push_back({source.distance + distance, source.pattern, source.carries_data});
}

void DependenceWalk::consider_split(RegionHistory& region, const RequirementShape& shape) {
    if (misses_ <= usual_misses) [[likely]]
        return;
    region.long_walks += std::min(misses_, long_walks_max);
    const std::uint32_t limit = overwrites(shape.privilege) ? long_walks_max : 4 * long_walks_max;
    if (region.long_walks < limit) return;
    region.long_walks = 0;
    const data::Box& piece = footprints_.get(shape.footprint).all.bounds();
    if (4 * piece.volume() <= region.bounds.volume()) split(region, piece);
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
    region.heads.assign(region.grid->cell_count(), region.last);
    region.coarse_links = region.fine_links = 0;
    ++splits_;
}

void DependenceWalk::consider_merge(RegionHistory& region, const RequirementShape& shape,
                                    AccessRef self) {
    if (!overwrites(shape.privilege)) return;
    if (region.coarse_links < 8 * region.fine_links + 16 * region.grid->cell_count()) return;
    if (!footprints_.get(shape.footprint).all.contains(data::BoxSet(region.bounds))) return;
    for (const ChainLink& link : history_.accesses(self.operation)[self.index].cells)
        if (link.sibling != ChainLink::no_sibling || !(region.heads[link.cell] == self)) return;
    // The operation uses the region this once. Every later walk ends here at the latest: nothing
    // behind this access will be asked for.
    region.grid = nullptr;
    region.heads.clear();
    region.last = self;
}

void DependenceWalk::forget_footprints() {
    for (const auto& grid : grids_) grid->forget_footprints();
}

}  // namespace refrain::analysis
