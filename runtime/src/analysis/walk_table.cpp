#include "analysis/walk_table.hpp"

#include "analysis/point_conflicts.hpp"
#include "analysis/table_bytes.hpp"
#include "base/assertion.hpp"

#include <algorithm>
#include <utility>

namespace refrain::analysis {
namespace {

std::uint64_t hash_of(const Parts& parts, std::uint64_t hash) {
    for (const Part& part : parts) {
        hash = (hash ^ part.elements.hash() ^ part.point) * 0xff51afd7ed558ccdU;
        hash ^= hash >> 33;
    }
    return hash;
}

/// Whether the box around any part overlaps the box.
bool reach(const Parts& parts, const data::Box& box) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const Part& part) { return part.elements.bounds().overlaps(box); });
}

/// The intersection, point by point.
Parts common_parts(const Parts& a, const Parts& b) {
    Parts common;
    auto other = b.begin();
    for (const Part& part : a) {
        while (other != b.end() && other->point < part.point) ++other;
        if (other == b.end() || other->point != part.point) continue;
        data::BoxSet elements = part.elements.intersect(other->elements);
        if (!elements.empty()) common.push_back({part.point, std::move(elements)});
    }
    return common;
}

/// Unites the parts of each point and sorts by point.
void join_points(Parts& parts) {
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return a.point < b.point; });
    Parts joined;
    for (auto begin = parts.begin(); begin != parts.end();) {
        const std::uint32_t point = begin->point;
        std::vector<data::BoxSet> pieces;
        for (; begin != parts.end() && begin->point == point; ++begin)
            pieces.push_back(std::move(begin->elements));
        joined.push_back({point, data::BoxSet::unite_all(pieces)});
    }
    parts = std::move(joined);
}

}  // namespace

WalkTable::WalkTable(const FootprintTable& footprints, PatternTable& patterns)
    : footprints_(footprints), patterns_(patterns) {
    clear();
}

NeededId WalkTable::find_start(FootprintId footprint) {
    const auto index = static_cast<std::uint32_t>(footprint);
    starts_.grow_to(index + std::size_t{1});
    const auto& subsets = footprints_.get(footprint).subsets;
    Needed all{.points = static_cast<std::uint32_t>(subsets.size()), .readers = {}, .writers = {}};
    all.readers.reserve(subsets.size());
    for (std::uint32_t point = 0; point < all.points; ++point)
        if (!subsets[point].empty()) all.readers.push_back({point, subsets[point]});
    all.writers = all.readers;
    starts_[index] = {intern(std::move(all)), true};
    return starts_[index].needed;
}

std::span<const NeededId> WalkTable::starts_in_cells(FootprintId footprint, const CellGrid& grid) {
    if (grid.cell_around(footprints_.get(footprint).all.bounds())) {
        static_cast<void>(start(footprint));
        return {&starts_[static_cast<std::uint32_t>(footprint)].needed, 1};
    }
    const auto [starts, is_new] = cell_starts_.try_emplace(GridFootprint{&grid, footprint});
    if (is_new) {
        cut_along_cells(footprint, grid, starts);
        needed_bytes_ += bytes_per_block + held_bytes(starts);
    }
    return starts;
}

void WalkTable::cut_along_cells(FootprintId footprint, const CellGrid& grid,
                                std::vector<NeededId>& starts) {
    const auto& subsets = footprints_.get(footprint).subsets;
    const auto cells = grid.cells_of(footprint, footprints_);
    std::vector<Parts> parts(cells.size());
    for (std::uint32_t point = 0; point < subsets.size(); ++point)
        for (const std::uint32_t cell : grid.cells_touched(subsets[point])) {
            const auto at = std::lower_bound(cells.begin(), cells.end(), cell) - cells.begin();
            parts[static_cast<std::size_t>(at)].push_back(
                {point, subsets[point].intersect(data::BoxSet(grid.cell(cell)))});
        }
    for (Parts& part : parts) {
        std::erase_if(part, [](const Part& own) { return own.elements.empty(); });
        starts.push_back(intern({static_cast<std::uint32_t>(subsets.size()), part, part}));
    }
}

WalkTable::Step WalkTable::probe(std::uint64_t first, std::uint64_t second,
                                 const RequirementShape& n, NeededId needed,
                                 const RequirementShape& m) {
    if (const Step* known = steps_.probe(first, second)) return *known;
    const Step step = compute(n, needed, m);
    steps_.insert(first, second, step);
    return step;
}

WalkTable::Step WalkTable::compute(const RequirementShape& n, NeededId id,
                                   const RequirementShape& m) {
    const Footprint& footprint = footprints_.get(m.footprint);
    if (!reach(needed_[static_cast<std::uint32_t>(id)].readers, footprint.all.bounds()))
        return {PatternId::none, id};  // writers are a subset of readers
    Needed needed = needed_[static_cast<std::uint32_t>(id)];
    Step step;
    if (!commute(n, m))
        step.pattern = conflicts(overwrites(m.privilege) ? needed.writers : needed.readers,
                                 needed.points, m.footprint);
    if (overwrites(m.privilege)) {
        subtract(needed.readers, footprint.all);
        subtract(needed.writers, footprint.all);
    } else if (n.privilege == Privilege::write) {
        subtract(needed.writers, footprint.all);
    }
    step.remaining = intern(std::move(needed));
    return step;
}

NeededId WalkTable::intersect(NeededId a, NeededId b) {
    if (a == b) return a;
    const std::uint64_t key = static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint64_t>(b);
    const auto [common, is_new] = intersections_.try_emplace(key, NeededId::nothing);
    if (!is_new) return common;
    const Needed& one = needed_[static_cast<std::uint32_t>(a)];
    const Needed& other = needed_[static_cast<std::uint32_t>(b)];
    REFRAIN_ASSERT(one.points == other.points,
                   "needs of operations with different points are intersected");
    return common = intern({one.points, common_parts(one.readers, other.readers),
                            common_parts(one.writers, other.writers)});
}

NeededId WalkTable::unite(std::span<const NeededId> all) {
    REFRAIN_ASSERT(!all.empty(), "nothing is united");
    if (all.size() == 1) return all.front();
    const auto [entry, is_new] =
        unions_.try_emplace(std::vector<NeededId>(all.begin(), all.end()), NeededId::nothing);
    if (!is_new) return entry->second;
    needed_bytes_ += bytes_per_entry<decltype(unions_)> + bytes_per_block + all.size_bytes();
    Needed united;
    for (const NeededId id : all) {
        const Needed& needed = needed_[static_cast<std::uint32_t>(id)];
        united.points = needed.points;
        united.readers.insert(united.readers.end(), needed.readers.begin(), needed.readers.end());
        united.writers.insert(united.writers.end(), needed.writers.begin(), needed.writers.end());
    }
    join_points(united.readers);
    join_points(united.writers);
    return entry->second = intern(std::move(united));
}

PatternId WalkTable::conflicts(const Parts& needed, std::uint32_t points, FootprintId m) {
    constexpr std::size_t few = 8;
    const auto& subsets = footprints_.get(m).subsets;
    const PointSets later(points, needed);
    if (few * few * needed.size() <= subsets.size())
        return patterns_.intern(conflicts_of_few(
            footprints_.overlaps(m), static_cast<std::uint32_t>(subsets.size()), later));
    return patterns_.intern(point_conflicts(PointSets(subsets), later));
}

NeededId WalkTable::intern(Needed needed) {
    if (needed.readers.empty()) return NeededId::nothing;  // writers are a subset of readers
    REFRAIN_ASSERT(needed.readers.back().point < needed.points,
                   "a point needs something that the operation does not have");
    const std::uint64_t hash = hash_of(needed.writers, hash_of(needed.readers, needed.points));
    const NeededId* known = needed_by_hash_.find_if(hash, [&](NeededId candidate) {
        return needed_[static_cast<std::uint32_t>(candidate)] == needed;
    });
    if (known != nullptr) return *known;
    const auto id = static_cast<NeededId>(needed_.size());
    needed.readers.shrink_to_fit();
    needed.writers.shrink_to_fit();
    needed_bytes_ += bytes_of(needed.readers) + bytes_of(needed.writers);
    needed_.emplace_back(std::move(needed));
    needed_by_hash_.add(hash, id);
    return id;
}

std::size_t WalkTable::bytes() const {
    return steps_.bytes() + needed_.bytes() + needed_bytes_ + needed_by_hash_.bytes() +
           starts_.bytes() + cell_starts_.bytes() + intersections_.bytes();
}

void WalkTable::clear() {
    steps_ = {};
    free_all(needed_);
    needed_.emplace_back();  // NeededId::nothing
    free_all(needed_by_hash_);
    free_all(starts_);
    free_all(intersections_);
    free_all(unions_);
    free_all(cell_starts_);
    needed_bytes_ = 0;
}

}  // namespace refrain::analysis
