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
    const PatternId* known = by_hash_.find_if(
        hash, [&](PatternId candidate) { return get(candidate).edges() == edges; });
    if (known != nullptr) return *known;
    const auto id = static_cast<PatternId>(patterns_.size());
    const graph::EdgePattern& made = patterns_.emplace_back(std::move(edges));
    REFRAIN_ASSERT(id != PatternId::none, "a pattern gets the id of none");
    bytes_ += made.bytes() - sizeof(made);
    by_hash_.add(hash, id);
    return id;
}

PatternId PatternTable::complete(std::uint32_t source_points, std::uint32_t target_points) {
    PatternId& known =
        complete_.try_emplace(std::uint64_t{source_points} << 32 | target_points).first;
    if (known != PatternId::none) return known;
    return known = intern(graph::EdgeSet::complete(source_points, target_points));
}

PatternId PatternTable::unite(PatternId a, PatternId b) {
    if (a == b || b == PatternId::none) return a;
    if (a == PatternId::none) return b;
    const auto [made, is_new] = unions_.try_emplace(key(a, b), PatternId::none);
    if (!is_new) return made;
    return made = intern(get(a).edges().unite(get(b).edges()));
}

PatternId PatternTable::minus(PatternId a, PatternId b) {
    if (a == b || a == PatternId::none) return PatternId::none;
    if (b == PatternId::none) return a;
    const auto [made, is_new] = differences_.try_emplace(key(a, b), PatternId::none);
    if (!is_new) return made;
    return made = intern(get(a).edges().without(get(b).edges()));
}

void PatternTable::clear() {
    free_all(patterns_);
    free_all(by_hash_);
    free_all(unions_);
    free_all(differences_);
    free_all(complete_);
    bytes_ = 0;
    // PatternId::none:
    patterns_.emplace_back(0U, 0U, std::vector<Pair>{});
}

std::size_t PatternTable::bytes() const {
    return bytes_ + patterns_.bytes() + by_hash_.bytes() + unions_.bytes() + differences_.bytes() +
           complete_.bytes();
}

}  // namespace refrain::analysis
