#include "analysis/walk_table.hpp"

#include "analysis/overlap_sweep.hpp"

#include <algorithm>

namespace refrain::analysis {
namespace {

constexpr std::size_t slots_initial = 1024;

bool all_empty(const std::vector<data::BoxSet>& subsets) {
    return std::all_of(subsets.begin(), subsets.end(), [](const auto& s) { return s.empty(); });
}

std::uint64_t hash_of(const std::vector<data::BoxSet>& subsets, std::uint64_t hash) {
    for (const data::BoxSet& subset : subsets) {
        hash = (hash ^ subset.hash()) * 0xff51afd7ed558ccdU;
        hash ^= hash >> 33;
    }
    return hash;
}

void subtract(std::vector<data::BoxSet>& from, const data::BoxSet& what) {
    for (data::BoxSet& subset : from)
        if (!subset.empty()) subset = subset.subtract(what);
}

}  // namespace

WalkTable::WalkTable(const FootprintTable& footprints, PatternTable& patterns)
    : footprints_(footprints), patterns_(patterns) {
    clear();
}

NeededId WalkTable::find_start(FootprintId footprint) {
    const auto index = static_cast<std::uint32_t>(footprint);
    if (starts_.size() <= index) starts_.resize(index + 1U);
    const Subsets& subsets = footprints_.get(footprint).subsets;
    starts_[index] = {intern({subsets, subsets}), true};
    return starts_[index].needed;
}

NeededId WalkTable::start_in_cell(FootprintId footprint, const CellGrid& grid, std::uint32_t cell) {
    const std::uint64_t key = static_cast<std::uint64_t>(footprint) << 32 | cell;
    const auto [entry, is_new] = cell_starts_[&grid].try_emplace(key, NeededId::nothing);
    if (is_new) {
        Subsets subsets = footprints_.get(footprint).subsets;
        const data::BoxSet box(grid.cell(cell));
        for (data::BoxSet& subset : subsets) subset = subset.intersect(box);
        entry->second = intern({subsets, subsets});
    }
    return entry->second;
}

WalkTable::Step WalkTable::probe(std::uint64_t first, std::uint64_t second,
                                 const RequirementShape& n, NeededId needed,
                                 const RequirementShape& m) {
    if (2 * used_ >= slots_.size()) grow();
    std::size_t at = place(first, second);
    while (slots_[at].used != 0) {
        if (slots_[at].first == first && slots_[at].second == second) return slots_[at].step;
        at = (at + 1) & (slots_.size() - 1);
    }
    const Step step = compute(n, needed, m);
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
        step.pattern =
            conflicts(overwrites(m.privilege) ? needed.writers : needed.readers, footprint);
    if (overwrites(m.privilege)) {
        subtract(needed.readers, footprint.all);
        subtract(needed.writers, footprint.all);
    } else if (n.privilege == Privilege::write) {
        subtract(needed.writers, footprint.all);
    }
    step.behind = intern(std::move(needed));
    return step;
}

PatternId WalkTable::conflicts(const Subsets& elements, const Footprint& m) {
    std::vector<PatternTable::Pair> pairs;
    const OverlapSweep sources(m.subsets);
    for (std::uint32_t target = 0; target < elements.size(); ++target) {
        if (elements[target].empty()) continue;
        sources.overlapping(elements[target], [&](std::uint32_t source) {
            pairs.push_back({source, target});
        });
    }
    return patterns_.intern(static_cast<std::uint32_t>(m.subsets.size()),
                            static_cast<std::uint32_t>(elements.size()), std::move(pairs));
}

NeededId WalkTable::intern(Needed needed) {
    if (all_empty(needed.readers)) return NeededId::nothing;  // writers are a subset of readers
    const std::uint64_t hash = hash_of(needed.writers, hash_of(needed.readers, 0x51U));
    const auto [first, last] = needed_by_hash_.equal_range(hash);
    for (auto entry = first; entry != last; ++entry)
        if (needed_[static_cast<std::uint32_t>(entry->second)] == needed) return entry->second;
    const auto id = static_cast<NeededId>(needed_.size());
    needed_bytes_ += sizeof(Needed) + 64 + 2 * needed.readers.size() * sizeof(data::BoxSet);
    for (const Subsets* subsets : {&needed.readers, &needed.writers})
        for (const data::BoxSet& subset : *subsets)
            needed_bytes_ += subset.is_box() ? 0 : subset.boxes().size_bytes();
    needed_.push_back(std::move(needed));
    needed_by_hash_.emplace(hash, id);
    return id;
}

void WalkTable::grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
        if (slot.used == 0) continue;
        std::size_t at = place(slot.first, slot.second);
        while (slots_[at].used != 0) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = slot;
    }
}

std::size_t WalkTable::bytes() const {
    return slots_.size() * sizeof(Slot) + needed_bytes_ + starts_.size() * sizeof(Start);
}

void WalkTable::clear() {
    slots_.assign(slots_initial, {});
    used_ = 0;
    needed_.assign(1, {});
    needed_by_hash_.clear();
    starts_.clear();
    cell_starts_.clear();
    needed_bytes_ = 0;
}

}  // namespace refrain::analysis
