/// A finite set of grid points as disjoint boxes in a normal form.
///
///       column 0 1 2 3
///     row 0    # # # .        boxes, in lexicographic order of their lower corners:
///     row 1    # # # .          [0,2)x[0,3)   rows 0 and 1 have the same columns: one slab
///     row 2    # . . #          [2,3)x[0,1)   row 2 is a slab of two intervals
///                               [2,3)x[3,4)
///
/// Invariants: dimension 0 is cut into the fewest slabs of constant cross-section, each slab
///     likewise along dimension 1, and those along dimension 2; touching slabs with equal
///     cross-sections are merged. So the boxes are a function of the set, and == compares sets.
///
/// Hot path: a set of one box stores it inline and never allocates; operations on two such sets are
///     inline. Guarded by BoxSetCost.one_box_never_allocates.
///
/// Complexity: for n and m boxes: bounds, is_box O(1); volume, hash, == O(n); overlaps, contains
///     O(n + m) without allocation, O(log n + answer) against one box; unite, intersect, subtract
///     O(n + m + pieces); unite_all O(n log n) for intervals on a line and for tiles.
/// Threads: a value; concurrent reads are safe.
#pragma once

#include "refrain/detail/box.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace refrain::data {

class BoxSet {
  public:
    BoxSet() noexcept = default;
    BoxSet(const Box& box) noexcept : bounds_(box.empty() ? Box{} : box) {}

    BoxSet(const BoxSet&) = default;
    BoxSet& operator=(const BoxSet&) = default;
    BoxSet(BoxSet&& other) noexcept  // moved-from: empty
        : bounds_(std::exchange(other.bounds_, Box{})), boxes_(std::move(other.boxes_)) {
        other.boxes_.clear();
    }
    BoxSet& operator=(BoxSet&& other) noexcept {
        const Box bounds = std::exchange(other.bounds_, Box{});
        boxes_ = std::exchange(other.boxes_, {});
        bounds_ = bounds;
        return *this;
    }
    ~BoxSet() = default;

    /// The union of boxes that may overlap, in any order.
    [[nodiscard]] static BoxSet of_boxes(std::span<const Box> boxes);
    /// The set of the given points, which may repeat; sorts `points`.
    [[nodiscard]] static BoxSet of_points(std::vector<Coordinates>& points);
    /// The union of many sets at once.
    [[nodiscard]] static BoxSet unite_all(std::span<const BoxSet> sets);

    [[nodiscard]] bool empty() const noexcept { return bounds_.hi[0] <= bounds_.lo[0]; }
    /// Whether the set is one box, or empty.
    [[nodiscard]] bool is_box() const noexcept { return boxes_.empty(); }
    /// The smallest box that contains the set.
    [[nodiscard]] const Box& bounds() const noexcept { return bounds_; }
    /// In lexicographic order; valid while the set lives and is not assigned to.
    [[nodiscard]] std::span<const Box> boxes() const noexcept {
        if (!boxes_.empty()) return boxes_;
        return {&bounds_, empty() ? std::size_t{0} : std::size_t{1}};
    }
    [[nodiscard]] std::int64_t volume() const noexcept;

    [[nodiscard]] bool contains(const Coordinates& point) const noexcept {
        if (!bounds_.contains(point)) return false;
        return is_box() || contains_slow(Box{point, {point[0] + 1, point[1] + 1, point[2] + 1}});
    }
    [[nodiscard]] bool contains(const BoxSet& other) const noexcept {
        if (!bounds_.contains(other.bounds_)) return false;
        return is_box() || contains_slow(other);
    }
    [[nodiscard]] bool overlaps(const BoxSet& other) const noexcept {
        if (!bounds_.overlaps(other.bounds_)) return false;
        return (is_box() && other.is_box()) || overlaps_slow(other);
    }

    [[nodiscard]] BoxSet unite(const BoxSet& other) const {
        if (is_box() && bounds_.contains(other.bounds_)) return *this;
        if (other.is_box() && other.bounds_.contains(bounds_)) return other;
        return unite_slow(other);
    }
    [[nodiscard]] BoxSet intersect(const BoxSet& other) const {
        if (is_box() && other.is_box()) return bounds_.intersection(other.bounds_);
        return intersect_slow(other);
    }
    /// The points of this set that are not in `other`.
    [[nodiscard]] BoxSet subtract(const BoxSet& other) const {
        if (!bounds_.overlaps(other.bounds_)) return *this;
        if (other.is_box() && other.bounds_.contains(bounds_)) return {};
        return subtract_slow(other);
    }

    /// Equal sets have equal hashes, in every run and on every machine.
    [[nodiscard]] std::uint64_t hash() const noexcept;
    /// "{[0,2)x[0,3), [2,3)x[0,1)}"; a single box is printed without braces.
    [[nodiscard]] std::string to_string(int rank) const;

    friend bool operator==(const BoxSet& a, const BoxSet& b) noexcept {
        return a.bounds_ == b.bounds_ && a.boxes_ == b.boxes_;
    }

  private:
    /// `normal` must be in normal form.
    explicit BoxSet(std::vector<Box>&& normal);

    [[nodiscard]] bool contains_slow(const BoxSet& other) const noexcept;
    [[nodiscard]] bool overlaps_slow(const BoxSet& other) const noexcept;
    [[nodiscard]] BoxSet unite_slow(const BoxSet& other) const;
    [[nodiscard]] BoxSet intersect_slow(const BoxSet& other) const;
    [[nodiscard]] BoxSet subtract_slow(const BoxSet& other) const;

    Box bounds_;              ///< if there is only one box, that box
    std::vector<Box> boxes_;  ///< empty if there is only one box or none
};

}  // namespace refrain::data
