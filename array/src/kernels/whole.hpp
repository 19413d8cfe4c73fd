/// Tasks of the library over whole arrays (refrain/array/task.hpp): what is no loop over elements.
/// Their users check types, shapes and bounds first.
///
// room: kernels
#pragma once

#include "refrain/array/task.hpp"

#include <array>
#include <cstring>
#include <span>

namespace refrain::array::kernels {

/// The tables of each file, for task_named().
[[nodiscard]] std::span<const Task> selecting_tasks() noexcept;
[[nodiscard]] std::span<const Task> sorting_tasks() noexcept;
[[nodiscard]] std::span<const Task> searching_tasks() noexcept;
[[nodiscard]] std::span<const Task> counting_tasks() noexcept;
[[nodiscard]] std::span<const Task> folding_tasks() noexcept;

/// An element that is moved and not looked at.
template <std::size_t Bytes>
struct Element {
    std::array<std::byte, Bytes> bytes;
};
/// Calls body(Element<n>()) for elements of that size.
template <class Body>
void with_element(std::size_t bytes, const Body& body) {
    switch (bytes) {
        case 1:
            return body(Element<1>());
        case 2:
            return body(Element<2>());
        case 4:
            return body(Element<4>());
        case 8:
            return body(Element<8>());
        default:
            return body(Element<16>());
    }
}

/// Calls lane(addresses) for each index of the shape without an axis, in C order; `addresses` are of the
/// views' elements there. The views have the shape's axes; `axis` -1: none is left out.
template <std::size_t Count, class Lane>
void for_each_lane(const Extents& shape, int axis, const std::array<const TaskView*, Count>& views,
                   const Lane& lane) {
    std::array<std::byte*, Count> at;
    for (std::size_t v = 0; v < Count; ++v) at[v] = views[v]->address;
    const int rank = shape.size();
    for (int d = 0; d < rank; ++d)
        if (d != axis && shape[d] == 0) return;
    std::array<Extent, rank_max> index{};
    for (;;) {
        lane(at);
        int d = rank;
        for (;;) {
            if (--d < 0) return;
            if (d == axis) continue;
            const auto place = static_cast<std::size_t>(d);
            if (++index[place] < shape[d]) {
                for (std::size_t v = 0; v < Count; ++v) at[v] += views[v]->step(d);
                break;
            }
            for (std::size_t v = 0; v < Count; ++v) at[v] -= views[v]->step(d) * (shape[d] - 1);
            index[place] = 0;
        }
    }
}

}  // namespace refrain::array::kernels
