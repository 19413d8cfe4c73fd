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
/// Many scattered intervals of a line, as of an image, are kept as a bitmap (BitLine) where that is
/// smaller. Which of the two is a function of the set, too. boxes() of a bitmap makes the boxes at the
/// first call and keeps them, at 48 bytes for each; for_each_box does not.
///
/// Copies share the boxes or bits, which never change.
///
/// Hot path: a set of one box stores it inline and never allocates; operations on two such sets are
///     inline. Guarded by BoxSetCost.one_box_never_allocates.
///
/// Complexity: for n and m boxes: bounds, is_box O(1); volume, hash, == O(n); overlaps, contains
///     O(n + m) without allocation, O(log n + answer) against one box; unite, intersect, subtract
///     O(n + m + pieces); unite_all O(n log n) for intervals on a line and for tiles.
/// Threads: a value; concurrent reads are safe.
#pragma once

#include "refrain/detail/bit_line.hpp"
#include "refrain/detail/box.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace refrain::data {

class SetBody;

class BoxSet {
  public:
    BoxSet() noexcept = default;
    BoxSet(const Box& box) noexcept : bounds_(box.empty() ? Box{} : box) {}

    BoxSet(const BoxSet& other) noexcept : bounds_(other.bounds_), body_(other.body_) {
        if (body_ != nullptr) retain(body_);
    }
    BoxSet(BoxSet&& other) noexcept  // moved-from: empty
        : bounds_(std::exchange(other.bounds_, Box{})),
          body_(std::exchange(other.body_, nullptr)) {}
    BoxSet& operator=(const BoxSet& other) noexcept { return *this = BoxSet(other); }
    BoxSet& operator=(BoxSet&& other) noexcept {
        BoxSet moved(std::move(other));
        std::swap(bounds_, moved.bounds_);
        std::swap(body_, moved.body_);
        return *this;
    }
    ~BoxSet() {
        if (body_ != nullptr) release(body_);
    }

    /// The union of boxes that may overlap, in any order.
    [[nodiscard]] static BoxSet of_boxes(std::span<const Box> boxes);
    /// The set of the given points, which may repeat; sorts `points`.
    [[nodiscard]] static BoxSet of_points(std::vector<Coordinates>& points);
    /// The elements of a bitmap, on the first axis.
    [[nodiscard]] static BoxSet of_bits(BitLine bits);
    /// The union of many sets at once.
    [[nodiscard]] static BoxSet unite_all(std::span<const BoxSet> sets);

    [[nodiscard]] bool empty() const noexcept { return bounds_.hi[0] <= bounds_.lo[0]; }
    /// Whether the set is one box, or empty.
    [[nodiscard]] bool is_box() const noexcept { return body_ == nullptr; }
    /// The smallest box that contains the set.
    [[nodiscard]] const Box& bounds() const noexcept { return bounds_; }
    /// In lexicographic order; valid while the set lives and is not assigned to.
    [[nodiscard]] std::span<const Box> boxes() const noexcept {
        if (body_ != nullptr) return body_boxes();
        return {&bounds_, empty() ? std::size_t{0} : std::size_t{1}};
    }
    /// Calls f(box) for the same boxes, in the same order.
    template <class F>
    void for_each_box(const F& f) const {
        if (const BitLine* line = bits())
            line->for_each_run([&](std::int64_t lo, std::int64_t hi) {
                f(Box{{lo, 0, 0}, {hi, 1, 1}});
            });
        else
            for (const Box& box : boxes()) f(box);
    }
    /// The bitmap, if the set is kept as one, else null.
    [[nodiscard]] const BitLine* bits() const noexcept {
        return body_ == nullptr ? nullptr : body_bits();
    }
    /// Memory that the set shares with its copies.
    [[nodiscard]] std::size_t shared_bytes() const noexcept {
        return body_ == nullptr ? 0 : body_bytes();
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
        return a.bounds_ == b.bounds_ && (a.body_ == b.body_ || same_body(a, b));
    }

  private:
    /// `normal` must be in normal form.
    explicit BoxSet(std::vector<Box>&& normal);

    [[nodiscard]] bool contains_slow(const BoxSet& other) const noexcept;
    [[nodiscard]] bool overlaps_slow(const BoxSet& other) const noexcept;
    [[nodiscard]] BoxSet unite_slow(const BoxSet& other) const;
    [[nodiscard]] BoxSet intersect_slow(const BoxSet& other) const;
    [[nodiscard]] BoxSet subtract_slow(const BoxSet& other) const;

    static void retain(const SetBody* body) noexcept;
    static void release(const SetBody* body) noexcept;
    [[nodiscard]] static bool same_body(const BoxSet& a, const BoxSet& b) noexcept;
    [[nodiscard]] std::span<const Box> body_boxes() const noexcept;
    [[nodiscard]] const BitLine* body_bits() const noexcept;
    [[nodiscard]] std::size_t body_bytes() const noexcept;

    Box bounds_;  ///< if there is only one box, that box
    const SetBody* body_ =
        nullptr;  ///< null if there is only one box or none; owned with its copies
};

}  // namespace refrain::data
