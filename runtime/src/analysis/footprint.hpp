#pragma once

#include "base/assertion.hpp"
#include "refrain/detail/box_set.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace refrain::analysis {

/// Names the content of a requirement: which elements each point of a launch touches. Equal ids
/// mean equal elements, point by point; id 0 belongs to no launch.
enum class FootprintId : std::uint32_t { none = 0 };

/// The elements that each point of a launch touches through one requirement.
struct Footprint {
    std::vector<data::BoxSet> subsets;  // by point, row-major over the launch domain
    data::BoxSet all;                   // their union
    std::uint64_t hash = 0;             // of the content: the same in every run
    bool disjoint = true;               // no element is touched by two points
};

/// The footprints seen so far, interned by content: an id stands for one content, compared and not
/// only hashed.
///
///     {[0,4), [4,8)} through one partition and through another of the same tiles -> the same id
///
/// Ids live until clear(), which the owner calls when nothing refers to them any more.
///
/// Complexity:  intern O(boxes); get O(1).
/// Threads:     the launching thread interns; footprints are immutable and their addresses stable,
///              any thread reads.
class FootprintTable {
  public:
    FootprintTable();

    FootprintId intern(std::vector<data::BoxSet> subsets);
    /// The same subset for each of `points` points.
    FootprintId intern_same(const data::BoxSet& subset, std::uint32_t points);
    [[nodiscard]] const Footprint& get(FootprintId id) const {
        REFRAIN_ASSERT(static_cast<std::uint32_t>(id) < footprints_.size(),
                       "a footprint is used that was not interned");
        return *footprints_[static_cast<std::uint32_t>(id)];
    }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    [[nodiscard]] std::size_t size() const { return footprints_.size(); }
    void clear();

  private:
    std::vector<std::unique_ptr<const Footprint>> footprints_;
    std::unordered_multimap<std::uint64_t, FootprintId> by_hash_;
    std::size_t bytes_ = 0;
};

}  // namespace refrain::analysis
