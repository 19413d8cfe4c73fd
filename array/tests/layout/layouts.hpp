/// Random views of a root, and their elements one by one.
#pragma once

#include "refrain/array/layout.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace layouts {

using namespace refrain::array;  // NOLINT: a header of tests

/// The elements' numbers in row-major order.
inline std::vector<Extent> elements(const Layout& view) {
    std::vector<Extent> all;
    if (view.size() == 0) return all;
    Extents index(view.rank(), 0);
    for (;;) {
        Extent at = view.offset;
        for (int i = 0; i < view.rank(); ++i) at += index[i] * view.strides[i];
        all.push_back(at);
        int axis = view.rank();
        while (axis > 0 && ++index[axis - 1] == view.shape[axis - 1]) index[--axis] = 0;
        if (axis == 0) return all;
    }
}
inline std::set<Extent> element_set(const Layout& view) {
    const std::vector<Extent> all = elements(view);
    return {all.begin(), all.end()};
}

class Views {
  public:
    explicit Views(unsigned seed) : random_(seed) {}

    Extent below(Extent end) { return std::uniform_int_distribution<Extent>(0, end - 1)(random_); }

    Extents shape(int rank) {
        Extents shape(rank, 1);
        Extent size = 1;
        for (int i = 0; i < rank; ++i) {
            shape[i] = 1 + below(size > 200 ? 2 : 6);
            size *= shape[i];
        }
        return shape;
    }
    /// A view of a view ... of the root.
    Layout view_of(const Extents& root) {
        Layout view = Layout::row_major(root);
        for (Extent changes = below(5); changes-- > 0;) change(view);
        return view;
    }

  private:
    void change(Layout& view) {
        if (view.rank() == 0) {
            if (below(4) == 0) view = view.with_axis(0);
            return;
        }
        const int axis = static_cast<int>(below(view.rank()));
        switch (below(7)) {
            case 0:
            case 1: {  // a slice
                const Extent extent = view.shape[axis];
                if (extent == 0) return;
                const Extent start = below(extent);
                const Extent step = 1 + below(3);
                const bool backwards = below(2) == 0;
                const Extent room = (backwards ? start : extent - 1 - start) / step;
                view = view.slice(axis, start, backwards ? -step : step, below(room + 2));
                return;
            }
            case 2:
                if (view.shape[axis] > 0) view = view.at(axis, below(view.shape[axis]));
                return;
            case 3: {
                std::vector<int> axes(static_cast<std::size_t>(view.rank()));
                for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<int>(i);
                std::shuffle(axes.begin(), axes.end(), random_);
                view = view.transposed(axes);
                return;
            }
            case 4: {
                const int other = static_cast<int>(below(view.rank()));
                if (other != axis) view = view.diagonal(below(5) - 2, axis, other);
                return;
            }
            case 5: {
                Extents shape = view.shape;
                if (shape[axis] == 1) shape[axis] = 1 + below(4);
                view = *view.broadcast_to(shape);
                return;
            }
            default: {
                const Extent divisor = 1 + below(4);
                Extents flat{view.size() / divisor, divisor};
                if (view.size() % divisor != 0) flat = Extents{view.size()};
                if (const auto reshaped = view.reshaped(flat, below(2) == 0)) view = *reshaped;
            }
        }
    }

    std::mt19937 random_;
};

}  // namespace layouts
