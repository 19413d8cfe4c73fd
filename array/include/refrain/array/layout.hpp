/// Where the elements of a view lie: a root's elements are numbered row-major from 0; a view is an
/// offset, extents and signed strides, all counted in elements of the root.
///
// room: layout
#pragma once

#include "refrain/error.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace refrain::array {

inline constexpr int rank_max = 32;
using Extent = std::int64_t;

/// A short list of extents, strides or axes; up to four lie inside.
class Extents {
  public:
    Extents() noexcept = default;
    Extents(std::initializer_list<Extent> values)
        : Extents(std::span(values.begin(), values.size())) {}
    explicit Extents(std::span<const Extent> values);
    Extents(int count, Extent value) : count_(count) {
        if (count_ > inside)
            fill_outside(value);
        else
            for (int i = 0; i < inside; ++i) inside_[i] = i < count_ ? value : 0;
    }
    Extents(const Extents& other) : count_(other.count_) {
        if (count_ > inside)
            copy_outside(other);
        else
            std::memcpy(inside_, other.inside_, sizeof inside_);
    }
    Extents(Extents&& other) noexcept { take(other); }
    Extents& operator=(Extents other) noexcept {
        if (count_ > inside) delete[] outside_;
        take(other);
        return *this;
    }
    ~Extents() {
        if (count_ > inside) delete[] outside_;
    }

    [[nodiscard]] int size() const noexcept { return count_; }
    [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
    [[nodiscard]] const Extent* data() const noexcept {
        return count_ > inside ? outside_ : inside_;
    }
    [[nodiscard]] Extent* data() noexcept { return count_ > inside ? outside_ : inside_; }
    [[nodiscard]] const Extent* begin() const noexcept { return data(); }
    [[nodiscard]] const Extent* end() const noexcept { return data() + count_; }
    [[nodiscard]] Extent* begin() noexcept { return data(); }
    [[nodiscard]] Extent* end() noexcept { return data() + count_; }
    [[nodiscard]] Extent operator[](int i) const noexcept { return data()[i]; }
    [[nodiscard]] Extent& operator[](int i) noexcept { return data()[i]; }
    operator std::span<const Extent>() const noexcept {
        return {data(), static_cast<std::size_t>(count_)};
    }
    friend bool operator==(const Extents& a, const Extents& b) noexcept {
        if (a.count_ != b.count_) return false;
        if (a.count_ > inside) return equal_outside(a, b);
        // All four at once, whatever the count: those beyond it are 0.
        std::uint64_t differ = 0;
        for (int i = 0; i < inside; ++i)
            differ |= static_cast<std::uint64_t>(a.inside_[i] ^ b.inside_[i]);
        return differ == 0;
    }
    /// "(3,4)", "(3,)", "()", as NumPy's messages have shapes.
    [[nodiscard]] std::string text() const;

  private:
    [[nodiscard]] static bool equal_outside(const Extents& a, const Extents& b) noexcept;
    void fill_outside(Extent value);
    void copy_outside(const Extents& other);
    void take(Extents& other) noexcept {
        count_ = std::exchange(other.count_, 0);
        std::memcpy(inside_, other.inside_, sizeof inside_);  // or the pointer, which lies there
        std::memset(other.inside_, 0, sizeof inside_);
    }

    static constexpr int inside = 4;
    int count_ = 0;
    union {  // of those inside, the ones from `count_` on are 0
        Extent inside_[inside] = {};
        Extent* outside_;
    };
};

/// Shape, strides and offset of a view. A value; every function returns another one.
struct Layout {
    Extents shape;
    Extents strides;
    Extent offset = 0;

    [[nodiscard]] static Layout row_major(const Extents& shape);
    [[nodiscard]] static Layout column_major(const Extents& shape);

    [[nodiscard]] int rank() const noexcept { return shape.size(); }
    /// The number of elements; 1 for rank 0.
    [[nodiscard]] Extent size() const noexcept {
        Extent size = 1;
        for (const Extent extent : shape) size *= extent;
        return size;
    }
    [[nodiscard]] bool is_row_major() const noexcept;     // contiguous; NumPy's C_CONTIGUOUS
    [[nodiscard]] bool is_column_major() const noexcept;  // NumPy's F_CONTIGUOUS
    /// The least and the greatest element number; nothing if a dimension has extent 0.
    [[nodiscard]] std::optional<std::pair<Extent, Extent>> hull() const noexcept;
    /// Whether two indices may name the same element: a stride of 0, or overlapping windows. May say
    /// yes where none do.
    [[nodiscard]] bool may_repeat_elements() const noexcept;

    /// `count` elements of an axis from index `start` in steps of `step`; none of the indices may lie
    /// outside.
    [[nodiscard]] Layout slice(int axis, Extent start, Extent step, Extent count) const;
    /// The elements at `index` of the axis, which goes away.
    [[nodiscard]] Layout at(int axis, Extent index) const;
    [[nodiscard]] Layout with_axis(int axis) const;  // of extent 1, before `axis`
    [[nodiscard]] Layout transposed(std::span<const int> axes) const;
    [[nodiscard]] Layout transposed() const;
    [[nodiscard]] Layout diagonal(Extent offset, int axis1,
                                  int axis2) const;  // becomes the last axis
    /// As numpy.broadcast_to; nothing if the shapes do not fit.
    [[nodiscard]] std::optional<Layout> broadcast_to(const Extents& shape) const;
    /// The same elements in row-major (`by_columns`: column-major) order under another shape of the
    /// same size, without a copy; nothing where NumPy copies.
    [[nodiscard]] std::optional<Layout> reshaped(const Extents& shape,
                                                 bool by_columns = false) const;
    friend bool operator==(const Layout&, const Layout&) = default;
};

/// numpy.broadcast_shapes; nothing if they do not fit.
[[nodiscard]] std::optional<Extents> broadcast_shapes(std::span<const Extents> shapes);
/// Whether two views of one root may share an element: congruent strides and hulls are looked at. May
/// say yes where they share none.
[[nodiscard]] bool may_overlap(const Layout& a, const Layout& b);

/// The first element of a tile along an axis of that extent: equal parts, the longer ones first.
[[nodiscard]] constexpr Extent first_of_part(Extent extent, Extent parts, Extent part) noexcept {
    const Extent longer = extent % parts;
    return extent / parts * part + (part < longer ? part : longer);
}

/// Elements of a root as a box of the region that holds it: `lo` and `hi` per dimension, `hi` excluded.
struct RegionBox {
    std::array<Extent, 3> lo{};
    std::array<Extent, 3> hi{};
    bool exact = true;  // else it holds other elements as well
    friend bool operator==(const RegionBox&, const RegionBox&) = default;
};
/// The extents of the region for a root of that shape: its own up to rank 3, above groups of adjacent
/// dimensions; at least 1 each, since a region has no extents of 0.
[[nodiscard]] Extents region_shape(const Extents& root);
/// The elements that a view touches: exact where a box can say it, else the hull.
[[nodiscard]] RegionBox footprint(const Layout& view, const Extents& root);
/// Where a part of a root lies in memory that holds a box of the root's region only, row-major: of index `first` and
/// that shape. The box holds the part.
[[nodiscard]] Layout layout_within(const RegionBox& held, const Extents& root, const Extents& first,
                                   const Extents& shape);

}  // namespace refrain::array
