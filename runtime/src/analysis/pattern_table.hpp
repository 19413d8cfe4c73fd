#pragma once

#include "base/gradual_map.hpp"
#include "graph/edge_pattern.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace refrain::analysis {

/// Interning id of an edge pattern; `none` has no edge.
enum class PatternId : std::uint32_t { none = 0 };

/// Interns edge patterns by content and memoises their unions and differences.
///
/// Complexity:  intern as EdgePattern; unite and minus O(1) from the second call per pair on.
/// Threads:     the launching thread; any thread reads patterns, which are immutable.
class PatternTable {
  public:
    using Pair = graph::EdgePattern::Pair;

    PatternTable();

    PatternId intern(graph::EdgeSet edges);
    PatternId intern(std::uint32_t source_points, std::uint32_t target_points,
                     std::vector<Pair> pairs) {
        return intern(graph::EdgeSet(source_points, target_points, {}, std::move(pairs)));
    }
    /// Every source point precedes every target point.
    PatternId complete(std::uint32_t source_points, std::uint32_t target_points);
    /// All edges of both. Precondition: both connect the same two launches.
    PatternId unite(PatternId a, PatternId b);
    /// The edges of `a` that are not in `b`, and perhaps others of `a`: EdgeSet::without.
    PatternId minus(PatternId a, PatternId b);

    [[nodiscard]] const graph::EdgePattern& get(PatternId id) const {
        return patterns_[static_cast<std::uint32_t>(id)];
    }
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::size_t size() const { return patterns_.size(); }
    /// Forgets everything; nothing may refer to a pattern any more.
    void clear();

  private:
    using Memo = base::GradualMap<std::uint64_t, PatternId>;
    [[nodiscard]] static std::uint64_t key(PatternId a, PatternId b) {
        return (static_cast<std::uint64_t>(a) << 32) | static_cast<std::uint64_t>(b);
    }

    base::GradualVector<graph::EdgePattern> patterns_;
    base::GradualMap<std::uint64_t, PatternId> by_hash_;
    Memo unions_, differences_, complete_;
    std::size_t bytes_ = 0;
};

}  // namespace refrain::analysis
