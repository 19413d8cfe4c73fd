#include "refrain/array/layout.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace refrain::array {

namespace {

Extents without(const Extents& values, int axis) {
    Extents rest(values.size() - 1, 0);
    std::copy_n(values.begin(), axis, rest.begin());
    std::copy(values.begin() + axis + 1, values.end(), rest.begin() + axis);
    return rest;
}
Extents with(const Extents& values, int axis, Extent value) {
    Extents more(values.size() + 1, value);
    std::copy_n(values.begin(), axis, more.begin());
    std::copy(values.begin() + axis, values.end(), more.begin() + axis + 1);
    return more;
}

/// An axis that counts: of more than one element.
struct Axis {
    Extent extent;
    Extent stride;
};
/// The axes of more than one element, in order.
std::vector<Axis> axes_that_count(const Layout& view) {
    std::vector<Axis> axes;
    for (int i = 0; i < view.rank(); ++i)
        if (view.shape[i] != 1) axes.push_back({view.shape[i], view.strides[i]});
    return axes;
}

/// Whether the axes, in this order, are one: stepping the earlier once is stepping the later
/// (`by_columns`: the other way round) through all of its elements.
bool runs_on(const Axis& outer, const Axis& inner) noexcept {
    return outer.stride == inner.stride * inner.extent;
}

}  // namespace

Layout Layout::row_major(const Extents& shape) {
    Layout layout{shape, Extents(shape.size(), 0), 0};
    Extent stride = 1;
    for (int i = shape.size(); i-- > 0;) {
        layout.strides[i] = stride;
        stride *= std::max<Extent>(shape[i], 1);
    }
    return layout;
}

Layout Layout::column_major(const Extents& shape) {
    Layout layout{shape, Extents(shape.size(), 0), 0};
    Extent stride = 1;
    for (int i = 0; i < shape.size(); ++i) {
        layout.strides[i] = stride;
        stride *= std::max<Extent>(shape[i], 1);
    }
    return layout;
}

bool Layout::is_row_major() const noexcept {
    Extent stride = 1;
    bool contiguous = true;
    for (int i = rank(); i-- > 0;) {
        if (shape[i] == 0) return true;
        if (shape[i] == 1) continue;
        contiguous = contiguous && strides[i] == stride;
        stride *= shape[i];
    }
    return contiguous;
}

bool Layout::is_column_major() const noexcept {
    Extent stride = 1;
    bool contiguous = true;
    for (int i = 0; i < rank(); ++i) {
        if (shape[i] == 0) return true;
        if (shape[i] == 1) continue;
        contiguous = contiguous && strides[i] == stride;
        stride *= shape[i];
    }
    return contiguous;
}

std::optional<std::pair<Extent, Extent>> Layout::hull() const noexcept {
    Extent least = offset;
    Extent greatest = offset;
    for (int i = 0; i < rank(); ++i) {
        if (shape[i] == 0) return std::nullopt;
        const Extent reach = (shape[i] - 1) * strides[i];
        (reach < 0 ? least : greatest) += reach;
    }
    return std::pair(least, greatest);
}

bool Layout::may_repeat_elements() const noexcept {
    std::array<Axis, rank_max> axes{};
    int count = 0;
    for (int i = 0; i < rank(); ++i) {
        if (shape[i] == 0) return false;
        if (shape[i] > 1)
            axes[static_cast<std::size_t>(count++)] = {shape[i], std::abs(strides[i])};
    }
    const auto end = axes.begin() + count;
    std::sort(axes.begin(), end, [](const Axis& a, const Axis& b) { return a.stride < b.stride; });
    Extent reach = 0;  // of the axes with smaller strides together
    for (auto axis = axes.begin(); axis != end; ++axis) {
        if (axis->stride <= reach) return true;
        reach += (axis->extent - 1) * axis->stride;
    }
    return false;
}

Layout Layout::slice(int axis, Extent start, Extent step, Extent count) const {
    Layout layout = *this;
    if (count > 0) layout.offset += start * strides[axis];
    layout.shape[axis] = count;
    layout.strides[axis] *= step;
    return layout;
}

Layout Layout::at(int axis, Extent index) const {
    return {without(shape, axis), without(strides, axis), offset + index * strides[axis]};
}

Layout Layout::with_axis(int axis) const {
    return {with(shape, axis, 1), with(strides, axis, 0), offset};
}

Layout Layout::transposed(std::span<const int> axes) const {
    Layout layout = *this;
    for (int i = 0; i < rank(); ++i) {
        const int from = axes[static_cast<std::size_t>(i)];
        layout.shape[i] = shape[from];
        layout.strides[i] = strides[from];
    }
    return layout;
}

Layout Layout::transposed() const {
    Layout layout = *this;
    std::reverse(layout.shape.begin(), layout.shape.end());
    std::reverse(layout.strides.begin(), layout.strides.end());
    return layout;
}

Layout Layout::diagonal(Extent shift, int axis1, int axis2) const {
    const Extent skip1 = shift < 0 ? -shift : 0;
    const Extent skip2 = shift > 0 ? shift : 0;
    const Extent count = std::max<Extent>(0, std::min(shape[axis1] - skip1, shape[axis2] - skip2));
    const Extent stride = strides[axis1] + strides[axis2];
    const Extent first =
        count > 0 ? offset + skip1 * strides[axis1] + skip2 * strides[axis2] : offset;
    const int later = std::max(axis1, axis2);
    const int earlier = std::min(axis1, axis2);
    const Extents other_extents = without(without(shape, later), earlier);
    const Extents other_strides = without(without(strides, later), earlier);
    return {with(other_extents, other_extents.size(), count),
            with(other_strides, other_strides.size(), stride), first};
}

std::optional<Layout> Layout::broadcast_to(const Extents& target) const {
    const int added = target.size() - rank();
    if (added < 0) return std::nullopt;
    Layout layout{target, Extents(target.size(), 0), offset};
    for (int i = 0; i < rank(); ++i) {
        if (shape[i] == target[added + i])
            layout.strides[added + i] = strides[i];
        else if (shape[i] != 1)
            return std::nullopt;
    }
    return layout;
}

std::optional<Layout> Layout::reshaped(const Extents& target, bool by_columns) const {
    Extent elements = 1;
    for (const Extent extent : target)
        if (__builtin_mul_overflow(elements, extent, &elements)) return std::nullopt;
    if (elements != size()) return std::nullopt;
    if (target == shape) return *this;
    if (by_columns ? is_column_major() : is_row_major()) {
        Layout layout = by_columns ? column_major(target) : row_major(target);
        layout.offset = offset;
        return layout;
    }
    // Not empty from here on, and not contiguous. Column order is row order of the transposed.
    const Layout source = by_columns ? transposed() : *this;
    Extents shape_wanted = target;
    if (by_columns) std::reverse(shape_wanted.begin(), shape_wanted.end());

    // Each shortest run of new axes has as many elements as a run of old ones; the old ones must be
    // one axis, which the new ones divide.
    const std::vector<Axis> old_axes = axes_that_count(source);
    Layout layout{shape_wanted, Extents(shape_wanted.size(), 0), offset};
    std::size_t old_end = 0;
    int wanted_end = 0;
    while (wanted_end < shape_wanted.size() && old_end < old_axes.size()) {
        const int wanted_begin = wanted_end;
        Extent old_size = old_axes[old_end++].extent;
        Extent wanted_size = shape_wanted[wanted_end++];
        while (old_size != wanted_size) {
            if (wanted_size < old_size) {
                wanted_size *= shape_wanted[wanted_end++];
            } else {
                if (!runs_on(old_axes[old_end - 1], old_axes[old_end])) return std::nullopt;
                old_size *= old_axes[old_end++].extent;
            }
        }
        Extent stride = old_axes[old_end - 1].stride;
        for (int i = wanted_end; i-- > wanted_begin;) {
            layout.strides[i] = stride;
            stride *= shape_wanted[i];
        }
    }
    // Axes of one element that are left over: any stride would do.
    const Extent last = wanted_end > 0 ? layout.strides[wanted_end - 1] : 1;
    for (int i = wanted_end; i < shape_wanted.size(); ++i) layout.strides[i] = last;
    return by_columns ? layout.transposed() : layout;
}

std::optional<Extents> broadcast_shapes(std::span<const Extents> shapes) {
    int rank = 0;
    for (const Extents& shape : shapes) rank = std::max(rank, shape.size());
    Extents result(rank, 1);
    for (const Extents& shape : shapes)
        for (int i = 0; i < shape.size(); ++i) {
            Extent& extent = result[rank - shape.size() + i];
            if (shape[i] == 1) continue;
            if (extent != 1 && extent != shape[i]) return std::nullopt;
            extent = shape[i];
        }
    return result;
}

}  // namespace refrain::array
