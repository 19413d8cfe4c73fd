#include "analysis/footprint.hpp"

#include "base/assertion.hpp"

#include <algorithm>

namespace refrain::analysis {
namespace {

std::uint64_t content_hash(const std::vector<data::BoxSet>& subsets) {
    std::uint64_t hash = 0x9e3779b97f4a7c15U ^ subsets.size();
    for (const data::BoxSet& subset : subsets) {
        hash = (hash ^ subset.hash()) * 0xff51afd7ed558ccdU;
        hash ^= hash >> 32;
    }
    return hash;
}

std::size_t footprint_bytes(const Footprint& footprint) {
    std::size_t bytes = sizeof(Footprint) + 64;  // with its entry in the index
    for (const data::BoxSet& subset : footprint.subsets)
        bytes += sizeof(subset) + (subset.is_box() ? 0 : subset.boxes().size_bytes());
    return bytes + (footprint.all.is_box() ? 0 : footprint.all.boxes().size_bytes());
}

}  // namespace

FootprintTable::FootprintTable() {
    clear();
}

FootprintId FootprintTable::intern(std::vector<data::BoxSet> subsets) {
    const std::uint64_t hash = content_hash(subsets);
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto entry = first; entry != last; ++entry)
        if (get(entry->second).subsets == subsets) return entry->second;

    Footprint footprint;
    footprint.all = data::BoxSet::unite_all(subsets);
    footprint.subsets = std::move(subsets);
    footprint.hash = hash;
    std::int64_t volume = 0;
    for (const data::BoxSet& subset : footprint.subsets) volume += subset.volume();
    footprint.disjoint = volume == footprint.all.volume();
    const auto id = static_cast<FootprintId>(footprints_.size());
    REFRAIN_ASSERT(id != FootprintId::none, "a footprint gets the id of none");
    bytes_ += footprint_bytes(footprint);
    footprints_.push_back(std::make_unique<const Footprint>(std::move(footprint)));
    by_hash_.emplace(hash, id);
    return id;
}

FootprintId FootprintTable::intern_same(const data::BoxSet& subset, std::uint32_t points) {
    return intern(std::vector<data::BoxSet>(points, subset));
}

void FootprintTable::clear() {
    footprints_.clear();
    by_hash_.clear();
    bytes_ = 0;
    footprints_.push_back(std::make_unique<const Footprint>());  // FootprintId::none
}

}  // namespace refrain::analysis
