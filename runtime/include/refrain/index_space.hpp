/// A finite set of R-dimensional points as disjoint rectangles in a normal form.
///
///     IndexSpace<1> a = Rect<1>{0, 10};
///     IndexSpace<1> b{Rect<1>{8, 12}, Rect<1>{20, 22}};
///     IndexSpace<1> both = a | b;              // prints {[0,12), [20,22)}
///     both.volume()                            -> 14
///     (a & b) == IndexSpace<1>{Rect<1>{8, 10}}
///     for (Rect<1> r : both.rects()) ...       // [0,12) [20,22)
///     for (Point<1> p : both.points()) ...     // 0 1 ... 11 20 21
///
/// Invariants: == compares sets, however they were made. A single rectangle allocates nothing.
/// Errors: UsageError if the volume of a rectangle, or of the bounds, exceeds 2^63-1.
/// Complexity: for n and m rectangles: |, &, - O(n + m + result), contains and overlaps O(n + m),
///     volume and == O(n); construction O(n log n) from tiles or intervals (see data::BoxSet).
/// Threads: a value; concurrent reads are safe.
#pragma once

#include "refrain/detail/box_set.hpp"
#include "refrain/rect.hpp"

#include <cstddef>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace refrain {

namespace data {

/// A range over the rectangles of a set. The set must outlive it.
template <int R>
class RectRange {
  public:
    class Iterator {
      public:
        using value_type = Rect<R>;
        using reference = Rect<R>;
        using pointer = const Rect<R>*;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag;
        using iterator_concept = std::forward_iterator_tag;

        Iterator() noexcept = default;
        explicit Iterator(const Box* at) noexcept : at_(at) {}
        [[nodiscard]] Rect<R> operator*() const noexcept { return rect_of<R>(*at_); }
        Iterator& operator++() noexcept {
            ++at_;
            return *this;
        }
        Iterator operator++(int) noexcept { return Iterator(at_++); }
        friend bool operator==(const Iterator&, const Iterator&) noexcept = default;

      private:
        const Box* at_ = nullptr;
    };

    explicit RectRange(std::span<const Box> boxes) noexcept : boxes_(boxes) {}
    [[nodiscard]] Iterator begin() const noexcept { return Iterator(boxes_.data()); }
    [[nodiscard]] Iterator end() const noexcept { return Iterator(boxes_.data() + boxes_.size()); }
    [[nodiscard]] std::size_t size() const noexcept { return boxes_.size(); }
    [[nodiscard]] bool empty() const noexcept { return boxes_.empty(); }
    [[nodiscard]] Rect<R> operator[](std::size_t i) const noexcept { return rect_of<R>(boxes_[i]); }

  private:
    std::span<const Box> boxes_;
};

/// A range over the points of a set: rectangle by rectangle, each in row-major order. The set must
/// outlive it.
template <int R>
class PointRange {
  public:
    class Iterator {
      public:
        using value_type = Point<R>;
        using reference = Point<R>;
        using pointer = const Point<R>*;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag;
        using iterator_concept = std::forward_iterator_tag;

        Iterator() noexcept = default;
        Iterator(const Box* box, const Box* last) noexcept : box_(box), last_(last) { enter(); }
        [[nodiscard]] Point<R> operator*() const noexcept { return *point_; }
        Iterator& operator++() noexcept {
            if (++point_ == rect_.end()) {
                ++box_;
                enter();
            }
            return *this;
        }
        Iterator operator++(int) noexcept {
            Iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const Iterator& a, const Iterator& b) noexcept {
            return a.box_ == b.box_ && (a.box_ == a.last_ || a.point_ == b.point_);
        }

      private:
        /// Starts with the first point of the current box.
        void enter() noexcept {
            if (box_ == last_) return;
            rect_ = rect_of<R>(*box_);
            point_ = rect_.begin();
        }

        const Box* box_ = nullptr;
        const Box* last_ = nullptr;
        Rect<R> rect_{};
        typename Rect<R>::Iterator point_{};
    };

    explicit PointRange(std::span<const Box> boxes) noexcept : boxes_(boxes) {}
    [[nodiscard]] Iterator begin() const noexcept {
        return Iterator(boxes_.data(), boxes_.data() + boxes_.size());
    }
    [[nodiscard]] Iterator end() const noexcept {
        const Box* const last = boxes_.data() + boxes_.size();
        return Iterator(last, last);
    }
    /// Calls f(Point<R>) for each point, in the same order: Rect::for_each of each rectangle.
    template <class F>
    [[gnu::always_inline]] void for_each(F&& f) const {
        for (const Box& box : boxes_) rect_of<R>(box).for_each(f);
    }

  private:
    std::span<const Box> boxes_;
};

void print_set(std::ostream& out, const BoxSet& set, int rank);

}  // namespace data

template <int R>
class IndexSpace {
  public:
    static constexpr int rank = R;

    IndexSpace() noexcept = default;
    IndexSpace(const Rect<R>& rect) : set_(checked(rect)) {}
    /// The union of rectangles that may overlap.
    explicit IndexSpace(std::span<const Rect<R>> rects) {
        std::vector<data::Box> boxes;
        boxes.reserve(rects.size());
        for (const Rect<R>& r : rects) boxes.push_back(checked(r));
        set_ = data::BoxSet::of_boxes(boxes);
        data::checked_volume(set_.bounds(), R, "IndexSpace", "bounds of rects");
    }
    IndexSpace(std::initializer_list<Rect<R>> rects)
        : IndexSpace(std::span<const Rect<R>>(rects.begin(), rects.size())) {}
    /// The boxes of the set must be [0,1) in dimensions R and above.
    explicit IndexSpace(data::BoxSet set) noexcept : set_(std::move(set)) {}
    /// The set of the given points, in any order; points may repeat.
    /// Errors: UsageError if a coordinate is 2^63-1, or the volume of the bounds exceeds that.
    /// Complexity: O(n log n).
    [[nodiscard]] static IndexSpace of_points(std::span<const Point<R>> points) {
        std::vector<data::Coordinates> coordinates;
        coordinates.reserve(points.size());
        for (const Point<R>& p : points) {
            data::checked_point(p.coordinate, R, "IndexSpace::of_points", "points");
            coordinates.push_back(data::coordinates_of(p));
        }
        IndexSpace space(data::BoxSet::of_points(coordinates));
        data::checked_volume(space.set_.bounds(), R, "IndexSpace::of_points", "bounds of points");
        return space;
    }

    [[nodiscard]] bool empty() const noexcept { return set_.empty(); }
    [[nodiscard]] bool is_rect() const noexcept { return set_.is_box(); }
    [[nodiscard]] std::int64_t volume() const noexcept { return set_.volume(); }
    /// The smallest rectangle that contains the set.
    [[nodiscard]] Rect<R> bounds() const noexcept { return data::rect_of<R>(set_.bounds()); }
    [[nodiscard]] bool contains(const Point<R>& p) const noexcept {
        return set_.contains(data::coordinates_of(p));
    }
    [[nodiscard]] bool contains(const IndexSpace& other) const noexcept {
        return set_.contains(other.set_);
    }
    [[nodiscard]] bool overlaps(const IndexSpace& other) const noexcept {
        return set_.overlaps(other.set_);
    }

    /// Ranges over the rectangles and the points; the index space must outlive them.
    [[nodiscard]] data::RectRange<R> rects() const& noexcept {
        return data::RectRange<R>(set_.boxes());
    }
    [[nodiscard]] data::PointRange<R> points() const& noexcept {
        return data::PointRange<R>(set_.boxes());
    }
    data::RectRange<R> rects() const&& = delete;
    data::PointRange<R> points() const&& = delete;

    [[nodiscard]] friend IndexSpace operator|(const IndexSpace& a, const IndexSpace& b) {
        return IndexSpace(a.set_.unite(b.set_));
    }
    [[nodiscard]] friend IndexSpace operator&(const IndexSpace& a, const IndexSpace& b) {
        return IndexSpace(a.set_.intersect(b.set_));
    }
    /// The points of a that are not in b.
    [[nodiscard]] friend IndexSpace operator-(const IndexSpace& a, const IndexSpace& b) {
        return IndexSpace(a.set_.subtract(b.set_));
    }
    friend bool operator==(const IndexSpace& a, const IndexSpace& b) noexcept {
        return a.set_ == b.set_;
    }
    friend std::ostream& operator<<(std::ostream& out, const IndexSpace& s) {
        data::print_set(out, s.set_, R);
        return out;
    }

    [[nodiscard]] const data::BoxSet& set() const& noexcept { return set_; }
    [[nodiscard]] data::BoxSet set() && noexcept { return std::move(set_); }

  private:
    static data::Box checked(const Rect<R>& rect) {
        const data::Box box = data::box_of(rect);
        data::checked_volume(box, R, "IndexSpace", "rect");
        return box;
    }

    data::BoxSet set_;
};

template <int R>
[[nodiscard]] std::string to_string(const IndexSpace<R>& s) {
    return s.set().to_string(R);
}

}  // namespace refrain
