#pragma once

#include "analysis/overlap_tree.hpp"
#include "base/assertion.hpp"
#include "base/gradual_map.hpp"
#include "refrain/detail/box_set.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace refrain::analysis {

/// Interning id of a requirement's content. Equal ids mean that the points touch equal elements,
/// one by one. Id 0 belongs to no launch.
enum class FootprintId : std::uint32_t { none = 0 };

/// The elements that each point of a launch touches through one requirement. That of one point, of
/// which there may be very many, takes no other memory.
struct Footprint {
    std::span<const data::BoxSet> subsets;  // by point, row-major over the launch domain
    data::BoxSet all;                       // their union; of one point, its subset
    std::uint64_t hash = 0;                 // of the content; the same in every run
    std::int64_t volume = 0;                // of the subsets together; common elements count twice
    std::vector<data::BoxSet> of_several;   // the subsets of more points than one
    bool disjoint = true;                   // no two points touch a common element

    Footprint() = default;
    Footprint(const data::BoxSet& subset, std::uint64_t content_hash);
    Footprint(std::vector<data::BoxSet> several, std::uint64_t content_hash);
    ~Footprint() = default;
    Footprint(const Footprint&) = delete;  // `subsets` may point into it
    Footprint& operator=(const Footprint&) = delete;
    Footprint(Footprint&&) = delete;
    Footprint& operator=(Footprint&&) = delete;

    [[nodiscard]] bool is_of(std::span<const data::BoxSet> other) const {
        return std::ranges::equal(subsets, other);
    }
    /// Memory that it takes beside itself.
    [[nodiscard]] std::size_t shared_bytes() const;
};

/// Interns footprints by content; contents are compared, not only hashed.
///
///     {[0,4), [4,8)} through two partitions with the same tiles -> the same id
///
/// Ids are valid until clear(), which the owner calls when nothing refers to them.
///
/// Complexity:  intern O(boxes); get O(1).
/// Threads:     the launching thread interns; any thread reads footprints, which are immutable and
///              have stable addresses.
class FootprintTable {
  public:
    FootprintTable();

    FootprintId intern(std::vector<data::BoxSet> subsets);
    /// The footprint of one point.
    FootprintId intern_one(const data::BoxSet& subset);
    /// The footprint of `points` points that all touch `subset`.
    FootprintId intern_same(const data::BoxSet& subset, std::uint32_t points);
    [[nodiscard]] const Footprint& get(FootprintId id) const {
        REFRAIN_ASSERT(static_cast<std::uint32_t>(id) < footprints_.size(),
                       "a footprint is used that was not interned");
        return footprints_[static_cast<std::uint32_t>(id)];
    }
    /// The subsets of a footprint, sorted for questions of overlap: at the first call O(n log n), then a
    /// look-up. The launching thread only; valid until clear().
    [[nodiscard]] const OverlapTree& overlaps(FootprintId id) const;
    [[nodiscard]] std::size_t bytes() const {
        return bytes_ + footprints_.bytes() + by_hash_.bytes();
    }
    [[nodiscard]] std::size_t size() const { return footprints_.size(); }
    void clear();

  private:
    [[nodiscard]] const FootprintId* find(std::uint64_t hash,
                                          std::span<const data::BoxSet> subsets);
    template <class Content>
    FootprintId add(std::uint64_t hash, Content&& content);

    base::GradualVector<Footprint> footprints_;
    base::GradualMap<std::uint64_t, FootprintId> by_hash_;
    mutable std::unordered_map<FootprintId, OverlapTree> overlaps_;  // cache
    mutable std::size_t bytes_ = 0;
};

}  // namespace refrain::analysis
