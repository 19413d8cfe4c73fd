#include "refrain/array/layout.hpp"

#include <algorithm>
#include <cstdlib>

namespace refrain::array {

namespace {

using Digits = std::array<Extent, 3>;

/// Distances in a root as steps along the dimensions of its region.
class Region {
  public:
    explicit Region(const Extents& shape) noexcept : rank_(shape.size()) {
        Extent stride = 1;
        for (int i = rank_; i-- > 0;) {
            extent(i) = shape[i];
            strides_[at(i)] = stride;
            stride *= shape[i];
        }
    }
    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] Extent extent(int i) const noexcept { return extents_[at(i)]; }

    /// Steps of the sign of the distance: 3 = 0 rows + 3 columns of 4.
    [[nodiscard]] Digits towards_zero(Extent distance) const noexcept {
        Digits digits{};
        for (int i = 0; i < rank_; ++i) {
            digits[at(i)] = distance / strides_[at(i)];
            distance %= strides_[at(i)];
        }
        return digits;
    }
    /// The shortest steps: 3 = 1 row - 1 column of 4.
    [[nodiscard]] Digits nearest(Extent distance) const noexcept {
        Digits digits{};
        for (int i = 0; i < rank_; ++i) {
            const Extent stride = strides_[at(i)];
            const Extent half = distance < 0 ? -(stride / 2) : stride / 2;
            digits[at(i)] = (distance + half) / stride;
            distance -= digits[at(i)] * stride;
        }
        return digits;
    }
    /// Whether that many such steps can fit.
    [[nodiscard]] bool holds(const Digits& step, Extent count) const noexcept {
        for (int i = 0; i < rank_; ++i)
            if (std::abs(step[at(i)]) * count >= extents_[at(i)]) return false;
        return true;
    }

    static std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }

  private:
    Extent& extent(int i) noexcept { return extents_[at(i)]; }
    int rank_;
    Digits extents_{};
    Digits strides_{};
};

/// The box of the elements from number `least` to `greatest`.
RegionBox box_of_range(const Region& region, Extent least, Extent greatest) {
    const Digits low = region.towards_zero(least);
    const Digits high = region.towards_zero(greatest);
    RegionBox box;
    box.hi.fill(1);
    bool one = true;  // so far all elements have the same coordinates
    for (int i = 0; i < region.rank(); ++i) {
        const std::size_t at = Region::at(i);
        box.lo[at] = one ? low[at] : 0;
        box.hi[at] = one ? high[at] + 1 : region.extent(i);
        one = one && low[at] == high[at];
    }
    return box;
}

/// The box that the view's axes span if none of them runs over the edge of a dimension.
std::optional<RegionBox> box_of_axes(const Region& region, const Layout& view) {
    Digits low = region.towards_zero(view.offset);
    Digits high = low;
    for (int axis = 0; axis < view.rank(); ++axis) {
        const Extent steps = view.shape[axis] - 1;
        if (steps == 0) continue;
        Digits step = region.towards_zero(view.strides[axis]);
        if (!region.holds(step, steps)) step = region.nearest(view.strides[axis]);
        for (int i = 0; i < region.rank(); ++i) {
            const Extent reach = step[Region::at(i)] * steps;
            (reach < 0 ? low : high)[Region::at(i)] += reach;
        }
    }
    RegionBox box;
    box.hi.fill(1);
    for (int i = 0; i < region.rank(); ++i) {
        const std::size_t at = Region::at(i);
        if (low[at] < 0 || high[at] >= region.extent(i)) return std::nullopt;
        box.lo[at] = low[at];
        box.hi[at] = high[at] + 1;
    }
    return box;
}

Extent volume(const RegionBox& box) noexcept {
    Extent volume = 1;
    for (std::size_t i = 0; i < box.lo.size(); ++i) volume *= box.hi[i] - box.lo[i];
    return volume;
}

/// Whether the view has that many different elements; may deny it.
bool has_elements(const Layout& view, Extent count) {
    Layout moving = view;  // without the axes that only repeat
    for (int i = 0; i < moving.rank(); ++i)
        if (moving.strides[i] == 0) moving.shape[i] = 1;
    return moving.size() == count && !moving.may_repeat_elements();
}

}  // namespace

Extents region_shape(const Extents& root) {
    constexpr int rank_of_regions = 3;
    std::vector<Extent> extents(root.begin(), root.end());
    if (root.size() > rank_of_regions) {
        extents.erase(std::remove(extents.begin(), extents.end(), 1), extents.end());
        while (extents.size() > rank_of_regions) {
            const Extent last = extents.back();
            extents.pop_back();
            extents.back() *= last;
        }
    }
    if (extents.empty()) extents.push_back(1);
    for (Extent& extent : extents) extent = std::max<Extent>(extent, 1);
    return Extents(extents);
}

RegionBox footprint(const Layout& view, const Extents& root) {
    const auto hull = view.hull();
    if (!hull) return RegionBox{};  // no element: the empty box is exact
    const Region region(region_shape(root));
    auto box = box_of_axes(region, view);
    if (!box) box = box_of_range(region, hull->first, hull->second);
    box->exact = has_elements(view, volume(*box));
    return *box;
}

Layout layout_within(const RegionBox& held, const Extents& root, const Extents& first,
                     const Extents& shape) {
    Digits steps{};  // from one to the next along each dimension of the region
    Extent step = 1;
    for (std::size_t i = held.lo.size(); i-- > 0;) {
        steps[i] = step;
        step *= held.hi[i] - held.lo[i];
    }
    const Region region(region_shape(root));
    const Layout whole = Layout::row_major(root);
    Layout layout{shape, Extents(shape.size(), 0), 0};
    for (int axis = 0; axis < shape.size(); ++axis) {
        // A step along an axis is a fixed number of steps along one dimension: the axes of a group are adjacent.
        const Digits digits = region.towards_zero(whole.strides[axis]);
        for (int i = 0; i < region.rank() && root[axis] > 1; ++i)
            layout.strides[axis] += digits[Region::at(i)] * steps[Region::at(i)];
        layout.offset += first[axis] * layout.strides[axis];
    }
    for (std::size_t i = 0; i < steps.size(); ++i) layout.offset -= held.lo[i] * steps[i];
    return layout;
}

}  // namespace refrain::array
