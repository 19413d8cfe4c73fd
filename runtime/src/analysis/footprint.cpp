#include "analysis/footprint.hpp"

#include "analysis/table_bytes.hpp"
#include "base/assertion.hpp"

#include <utility>

namespace refrain::analysis {
namespace {

std::uint64_t hash_of(std::span<const data::BoxSet> subsets) {
    std::uint64_t hash = 0x9e3779b97f4a7c15U ^ subsets.size();
    for (const data::BoxSet& subset : subsets) {
        hash = (hash ^ subset.hash()) * 0xff51afd7ed558ccdU;
        hash ^= hash >> 32;
    }
    return hash;
}

}  // namespace

Footprint::Footprint(const data::BoxSet& subset, std::uint64_t content_hash)
    : subsets(&all, 1), all(subset), hash(content_hash), volume(subset.volume()) {}

Footprint::Footprint(std::vector<data::BoxSet> several, std::uint64_t content_hash)
    : all(data::BoxSet::unite_all(several)), hash(content_hash), of_several(std::move(several)) {
    subsets = of_several;
    for (const data::BoxSet& subset : subsets) volume += subset.volume();
    disjoint = volume == all.volume();
}

std::size_t Footprint::shared_bytes() const {
    std::size_t bytes = all.shared_bytes();
    if (of_several.empty()) return bytes;
    bytes += bytes_per_block + held_bytes(of_several);
    for (const data::BoxSet& subset : of_several) bytes += subset.shared_bytes();
    return bytes;
}

FootprintTable::FootprintTable() {
    clear();
}

FootprintId FootprintTable::intern(std::vector<data::BoxSet> subsets) {
    if (subsets.size() == 1) return intern_one(subsets.front());
    const std::uint64_t hash = hash_of(subsets);
    if (const FootprintId* known = find(hash, subsets)) return *known;
    return add(hash, std::move(subsets));
}

FootprintId FootprintTable::intern_one(const data::BoxSet& subset) {
    const std::uint64_t hash = hash_of({&subset, 1});
    if (const FootprintId* known = find(hash, {&subset, 1})) return *known;
    return add(hash, subset);
}

FootprintId FootprintTable::intern_same(const data::BoxSet& subset, std::uint32_t points) {
    return points == 1 ? intern_one(subset) : intern(std::vector<data::BoxSet>(points, subset));
}

const FootprintId* FootprintTable::find(std::uint64_t hash, std::span<const data::BoxSet> subsets) {
    return by_hash_.find_if(hash,
                            [&](FootprintId candidate) { return get(candidate).is_of(subsets); });
}

template <class Content>
FootprintId FootprintTable::add(std::uint64_t hash, Content&& content) {
    const auto id = static_cast<FootprintId>(footprints_.size());
    REFRAIN_ASSERT(id != FootprintId::none, "a footprint gets the id of none");
    bytes_ += footprints_.emplace_back(std::forward<Content>(content), hash).shared_bytes();
    by_hash_.add(hash, id);
    return id;
}

const OverlapTree& FootprintTable::overlaps(FootprintId id) const {
    const auto known = overlaps_.find(id);
    if (known != overlaps_.end()) return known->second;
    const OverlapTree& made = overlaps_.emplace(id, OverlapTree(get(id).subsets)).first->second;
    bytes_ += bytes_per_entry<decltype(overlaps_)> + made.bytes();
    return made;
}

void FootprintTable::clear() {
    free_all(overlaps_);
    free_all(footprints_);
    free_all(by_hash_);
    bytes_ = 0;
    footprints_.emplace_back();  // FootprintId::none
}

}  // namespace refrain::analysis
