#include "analysis/footprint.hpp"

#include "analysis/table_bytes.hpp"
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
    std::size_t bytes = bytes_per_block + held_bytes(footprint.subsets);
    for (const data::BoxSet& subset : footprint.subsets) bytes += subset.shared_bytes();
    return bytes + footprint.all.shared_bytes();
}

}  // namespace

FootprintTable::FootprintTable() {
    clear();
}

FootprintId FootprintTable::intern(std::vector<data::BoxSet> subsets) {
    const std::uint64_t hash = content_hash(subsets);
    const FootprintId* known = by_hash_.find_if(
        hash, [&](FootprintId candidate) { return get(candidate).subsets == subsets; });
    if (known != nullptr) return *known;

    Footprint footprint;
    footprint.all = data::BoxSet::unite_all(subsets);
    footprint.subsets = std::move(subsets);
    footprint.hash = hash;
    for (const data::BoxSet& subset : footprint.subsets) footprint.volume += subset.volume();
    footprint.disjoint = footprint.volume == footprint.all.volume();
    const auto id = static_cast<FootprintId>(footprints_.size());
    REFRAIN_ASSERT(id != FootprintId::none, "a footprint gets the id of none");
    bytes_ += footprint_bytes(footprint);
    footprints_.emplace_back(std::move(footprint));
    by_hash_.add(hash, id);
    return id;
}

FootprintId FootprintTable::intern_same(const data::BoxSet& subset, std::uint32_t points) {
    return intern(std::vector<data::BoxSet>(points, subset));
}

const OverlapSweep& FootprintTable::sweep(FootprintId id) const {
    const auto known = sweeps_.find(id);
    if (known != sweeps_.end()) return known->second;
    const OverlapSweep& made = sweeps_.emplace(id, OverlapSweep(get(id).subsets)).first->second;
    bytes_ += bytes_per_entry<decltype(sweeps_)> + made.bytes();
    return made;
}

void FootprintTable::clear() {
    free_all(sweeps_);
    free_all(footprints_);
    free_all(by_hash_);
    bytes_ = 0;
    footprints_.emplace_back();  // FootprintId::none
}

}  // namespace refrain::analysis
