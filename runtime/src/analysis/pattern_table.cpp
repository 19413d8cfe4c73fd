#include "analysis/pattern_table.hpp"

#include "analysis/table_bytes.hpp"
#include "base/assertion.hpp"

namespace refrain::analysis {

PatternTable::PatternTable() {
    clear();
}

PatternId PatternTable::intern(graph::EdgeSet edges) {
    if (edges.empty()) return PatternId::none;
    const std::uint64_t hash = edges.hash();
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto entry = first; entry != last; ++entry)
        if (get(entry->second).edges() == edges) return entry->second;
    const auto id = static_cast<PatternId>(patterns_.size());
    patterns_.push_back(std::make_unique<const graph::EdgePattern>(std::move(edges)));
    REFRAIN_ASSERT(id != PatternId::none, "a pattern gets the id of none");
    bytes_ += patterns_.back()->bytes() + bytes_per_block + bytes_per_entry<decltype(by_hash_)>;
    by_hash_.emplace(hash, id);
    return id;
}

PatternId PatternTable::complete(std::uint32_t source_points, std::uint32_t target_points) {
    PatternId& known = complete_[std::uint64_t{source_points} << 32 | target_points];
    if (known != PatternId::none) return known;
    return known = intern(graph::EdgeSet::complete(source_points, target_points));
}

PatternId PatternTable::unite(PatternId a, PatternId b) {
    if (a == b || b == PatternId::none) return a;
    if (a == PatternId::none) return b;
    const auto [entry, is_new] = unions_.try_emplace(key(a, b), PatternId::none);
    if (!is_new) return entry->second;
    return entry->second = intern(get(a).edges().unite(get(b).edges()));
}

PatternId PatternTable::minus(PatternId a, PatternId b) {
    if (a == b || a == PatternId::none) return PatternId::none;
    if (b == PatternId::none) return a;
    const auto [entry, is_new] = differences_.try_emplace(key(a, b), PatternId::none);
    if (!is_new) return entry->second;
    return entry->second = intern(get(a).edges().without(get(b).edges()));
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
