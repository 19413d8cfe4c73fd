#include "analysis/pattern_table.hpp"

#include "analysis/table_bytes.hpp"
#include "base/assertion.hpp"

#include <algorithm>
#include <iterator>

namespace refrain::analysis {
namespace {

std::uint64_t content_hash(std::uint32_t source_points, std::uint32_t target_points,
                           const std::vector<PatternTable::Pair>& pairs) {
    std::uint64_t hash = (std::uint64_t{source_points} << 32) ^ target_points;
    for (const auto& pair : pairs) {
        hash = (hash ^ (std::uint64_t{pair.source} << 32 | pair.target)) * 0x9fb21c651e98df25U;
        hash ^= hash >> 29;
    }
    return hash;
}

}  // namespace

PatternTable::PatternTable() {
    clear();
}

PatternId PatternTable::intern(std::uint32_t source_points, std::uint32_t target_points,
                               std::vector<Pair> pairs) {
    if (pairs.empty()) return PatternId::none;
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    const std::uint64_t hash = content_hash(source_points, target_points, pairs);
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto entry = first; entry != last; ++entry) {
        const graph::EdgePattern& known = get(entry->second);
        if (known.source_points() == source_points && known.target_points() == target_points &&
            std::equal(pairs.begin(), pairs.end(), known.pairs().begin(), known.pairs().end()))
            return entry->second;
    }
    const auto id = static_cast<PatternId>(patterns_.size());
    patterns_.push_back(
        std::make_unique<const graph::EdgePattern>(source_points, target_points, std::move(pairs)));
    REFRAIN_ASSERT(id != PatternId::none, "a pattern gets the id of none");
    bytes_ += patterns_.back()->bytes() + bytes_per_block + bytes_per_entry<decltype(by_hash_)>;
    by_hash_.emplace(hash, id);
    return id;
}

PatternId PatternTable::complete(std::uint32_t source_points, std::uint32_t target_points) {
    PatternId& known = complete_[std::uint64_t{source_points} << 32 | target_points];
    if (known != PatternId::none) return known;
    std::vector<Pair> pairs;
    pairs.reserve(std::size_t{source_points} * target_points);
    for (std::uint32_t s = 0; s < source_points; ++s)
        for (std::uint32_t t = 0; t < target_points; ++t) pairs.push_back({s, t});
    return known = intern(source_points, target_points, std::move(pairs));
}

PatternId PatternTable::unite(PatternId a, PatternId b) {
    if (a == b || b == PatternId::none) return a;
    if (a == PatternId::none) return b;
    const auto [entry, is_new] = unions_.try_emplace(key(a, b), PatternId::none);
    if (!is_new) return entry->second;
    std::vector<Pair> pairs;
    REFRAIN_ASSERT(get(a).source_points() == get(b).source_points(),
                   "patterns with different sources are united");
    REFRAIN_ASSERT(get(a).target_points() == get(b).target_points(),
                   "patterns with different targets are united");
    std::set_union(get(a).pairs().begin(), get(a).pairs().end(), get(b).pairs().begin(),
                   get(b).pairs().end(), std::back_inserter(pairs));
    return entry->second = intern(get(a).source_points(), get(a).target_points(), std::move(pairs));
}

PatternId PatternTable::minus(PatternId a, PatternId b) {
    if (a == b || a == PatternId::none) return PatternId::none;
    if (b == PatternId::none) return a;
    const auto [entry, is_new] = differences_.try_emplace(key(a, b), PatternId::none);
    if (!is_new) return entry->second;
    std::vector<Pair> pairs;
    REFRAIN_ASSERT(get(a).source_points() == get(b).source_points(),
                   "patterns with different sources are subtracted");
    REFRAIN_ASSERT(get(a).target_points() == get(b).target_points(),
                   "patterns with different targets are subtracted");
    std::set_difference(get(a).pairs().begin(), get(a).pairs().end(), get(b).pairs().begin(),
                        get(b).pairs().end(), std::back_inserter(pairs));
    return entry->second = intern(get(a).source_points(), get(a).target_points(), std::move(pairs));
}

void PatternTable::clear() {
    free_all(patterns_);
    free_all(by_hash_);
    free_all(unions_);
    free_all(differences_);
    free_all(complete_);
    bytes_ = 0;
    // PatternId::none:
    patterns_.push_back(std::make_unique<const graph::EdgePattern>(0U, 0U, std::vector<Pair>{}));
}

std::size_t PatternTable::bytes() const {
    const std::size_t remembered = unions_.size() + differences_.size() + complete_.size();
    return bytes_ + held_bytes(patterns_) + remembered * bytes_per_entry<Memo>;
}

}  // namespace refrain::analysis
