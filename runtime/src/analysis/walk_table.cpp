#include "analysis/walk_table.hpp"

#include "analysis/point_conflicts.hpp"
#include "analysis/table_bytes.hpp"
#include "base/assertion.hpp"

#include <algorithm>

namespace refrain::analysis {
namespace {

constexpr std::size_t slots_initial = 1024;

template <class Parts>
std::uint64_t hash_of(const Parts& parts, std::uint64_t hash) {
    for (const auto& part : parts) {
        hash = (hash ^ part.elements.hash() ^ part.point) * 0xff51afd7ed558ccdU;
        hash ^= hash >> 33;
    }
    return hash;
}

template <class Parts>
void subtract(Parts& from, const data::BoxSet& what) {
    for (auto& part : from) part.elements = part.elements.subtract(what);
    std::erase_if(from, [](const auto& part) { return part.elements.empty(); });
}

/// The intersection, point by point.
template <class Parts>
Parts common_parts(const Parts& a, const Parts& b) {
    Parts common;
    auto other = b.begin();
    for (const auto& part : a) {
        while (other != b.end() && other->point < part.point) ++other;
        if (other == b.end() || other->point != part.point) continue;
        data::BoxSet elements = part.elements.intersect(other->elements);
        if (!elements.empty()) common.push_back({part.point, std::move(elements)});
    }
    return common;
}

/// Unites the parts of each point and sorts by point.
template <class Parts>
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

template <class Parts>
std::size_t bytes_of(const Parts& parts) {
    std::size_t bytes = held_bytes(parts) + bytes_per_block;
    for (const auto& part : parts)
        bytes += part.elements.is_box() ? 0 : part.elements.boxes().size_bytes() + bytes_per_block;
    return bytes;
}

}  // namespace

WalkTable::WalkTable(const FootprintTable& footprints, PatternTable& patterns)
    : footprints_(footprints), patterns_(patterns) {
    clear();
}

NeededId WalkTable::find_start(FootprintId footprint) {
    const auto index = static_cast<std::uint32_t>(footprint);
    if (starts_.size() <= index) starts_.resize(index + 1U);
    const auto& subsets = footprints_.get(footprint).subsets;
    Parts parts;
    for (std::uint32_t point = 0; point < subsets.size(); ++point)
        if (!subsets[point].empty()) parts.push_back({point, subsets[point]});
    starts_[index] = {intern({static_cast<std::uint32_t>(subsets.size()), parts, parts}), true};
    return starts_[index].needed;
}

std::span<const NeededId> WalkTable::starts_in_cells(FootprintId footprint, const CellGrid& grid) {
    const auto [entry, is_new] = cell_starts_.try_emplace(GridFootprint{&grid, footprint});
    if (is_new) {
        cut_along_cells(footprint, grid, entry->second);
        needed_bytes_ +=
            bytes_per_entry<decltype(cell_starts_)> + bytes_per_block + held_bytes(entry->second);
    }
    return entry->second;
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
    if (2 * used_ >= slots_.size()) grow();
    std::size_t at = home_slot(first, second);
    while (slots_[at].used != 0) {
        if (slots_[at].first == first && slots_[at].second == second) return slots_[at].step;
        at = (at + 1) & (slots_.size() - 1);
    }
    const Step step = compute(n, needed, m);
    REFRAIN_ASSERT(slots_[at].used == 0, "a step is computed twice");
    slots_[at] = {first, second, step, 1};
    ++used_;
    return step;
}

WalkTable::Step WalkTable::compute(const RequirementShape& n, NeededId id,
                                   const RequirementShape& m) {
    Needed needed = needed_[static_cast<std::uint32_t>(id)];
    const Footprint& footprint = footprints_.get(m.footprint);
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
    const auto [entry, is_new] = intersections_.try_emplace(key, NeededId::nothing);
    if (!is_new) return entry->second;
    const Needed& one = needed_[static_cast<std::uint32_t>(a)];
    const Needed& other = needed_[static_cast<std::uint32_t>(b)];
    REFRAIN_ASSERT(one.points == other.points,
                   "needs of operations with different points are intersected");
    return entry->second = intern({one.points, common_parts(one.readers, other.readers),
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
            footprints_.sweep(m), static_cast<std::uint32_t>(subsets.size()), later));
    return patterns_.intern(point_conflicts(PointSets(subsets), later));
}

NeededId WalkTable::intern(Needed needed) {
    if (needed.readers.empty()) return NeededId::nothing;  // writers are a subset of readers
    REFRAIN_ASSERT(needed.readers.back().point < needed.points,
                   "a point needs something that the operation does not have");
    const std::uint64_t hash = hash_of(needed.writers, hash_of(needed.readers, needed.points));
    const auto [first, last] = needed_by_hash_.equal_range(hash);
    for (auto entry = first; entry != last; ++entry)
        if (needed_[static_cast<std::uint32_t>(entry->second)] == needed) return entry->second;
    const auto id = static_cast<NeededId>(needed_.size());
    needed.readers.shrink_to_fit();
    needed.writers.shrink_to_fit();
    needed_bytes_ += bytes_per_entry<decltype(needed_by_hash_)> + bytes_of(needed.readers) +
                     bytes_of(needed.writers);
    needed_.push_back(std::move(needed));
    needed_by_hash_.emplace(hash, id);
    return id;
}

void WalkTable::grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    REFRAIN_ASSERT((slots_.size() & (slots_.size() - 1)) == 0,
                   "the number of slots must be a power of two");
    for (const Slot& slot : old) {
        if (slot.used == 0) continue;
        std::size_t at = home_slot(slot.first, slot.second);
        while (slots_[at].used != 0) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = slot;
    }
}

std::size_t WalkTable::bytes() const {
    return held_bytes(slots_) + held_bytes(needed_) + needed_bytes_ + held_bytes(starts_) +
           intersections_.size() * bytes_per_entry<decltype(intersections_)>;
}

void WalkTable::clear() {
    slots_ = std::vector<Slot>(slots_initial);
    used_ = 0;
    needed_ = std::vector<Needed>(1);
    free_all(needed_by_hash_);
    free_all(starts_);
    free_all(intersections_);
    free_all(unions_);
    free_all(cell_starts_);
    needed_bytes_ = 0;
}

}  // namespace refrain::analysis
