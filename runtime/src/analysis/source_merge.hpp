#pragma once

#include "analysis/access_history.hpp"
#include "analysis/pattern_table.hpp"

#include <span>
#include <vector>

namespace refrain::analysis {

/// Merges the sources of all requirements of one operation: per earlier operation at most one edge
/// that carries data and one that does not. No pair of points is in both, except that an order after
/// all points stays whole where data flow from some of them: PatternTable::minus.
///
///     add({1, A->B, data}), add({1, B->A, no data})  with equal patterns    -> {1, A->B, data}
///
/// Complexity:  O(n log n) for n sources.
/// Threads:     the launching thread only.
class SourceMerge {
  public:
    explicit SourceMerge(PatternTable& patterns) : patterns_(patterns) {}

    void clear() { merged_.clear(); }
    void add(std::span<const Source> sources) {
        if (merged_.size() + sources.size() > linear_max) return add_many(sources);
        for (const Source& source : sources) add(source);
    }
    /// Valid until the next clear.
    [[nodiscard]] std::span<const Source> merged() const { return merged_; }

  private:
    static constexpr std::size_t linear_max = 24;  // up to here a linear search is faster

    void add_many(std::span<const Source> sources);
    void add(const Source& source);
    void add_data(const Source& source);
    void add_order(const Source& source);
    [[nodiscard]] Source* find(std::uint32_t distance, bool carries_data);

    PatternTable& patterns_;
    std::vector<Source> merged_;
};

}  // namespace refrain::analysis
