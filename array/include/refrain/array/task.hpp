/// Tasks of one's own: a function over the memory of whole arrays, for what is no loop over elements.
///
///     void reverse(const TaskCall& call) {          // views[0] is written, views[1] is read
///         const TaskView& to = call.views[0];
///         const TaskView& from = call.views[1];
///         const Extent n = to.size();
///         for (Extent i = 0; i < n; ++i) *to.at<double>(i) = *from.at<double>(n - 1 - i);
///     }
///     const Task reversing{"reverse", reverse};
///     machine.run(reversing, {to}, {from});
///
/// Threads: a body may run on any thread; it must not throw, and touch nothing but its views.
///
// room: kernels
#pragma once

#include "refrain/array/dtype.hpp"
#include "refrain/array/layout.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace refrain::array {

/// An array in memory.
struct TaskView {
    std::byte* address = nullptr;    // of the element of index 0
    const Layout* layout = nullptr;  // strides in elements; the offset is in the address
    DType dtype = DType::float64;

    [[nodiscard]] int rank() const noexcept { return layout->rank(); }
    [[nodiscard]] Extent size() const noexcept { return layout->size(); }
    [[nodiscard]] Extent extent(int axis) const noexcept { return layout->shape[axis]; }
    /// Bytes from an index of the axis to the next one.
    [[nodiscard]] Extent step(int axis) const noexcept {
        return layout->strides[axis] * static_cast<Extent>(bytes_of(dtype));
    }
    /// Element `index` of an array of rank 1.
    template <class T>
    [[nodiscard]] T* at(Extent index) const noexcept {
        return reinterpret_cast<T*>(address) + index * layout->strides[0];
    }
};

/// What the body of a task is called with.
struct TaskCall {
    std::span<const TaskView> views;        // those that are written, then those that are read
    std::span<const std::int64_t> numbers;  // whatever else it needs to know
};

/// A kind of tasks. Lives as long as the process.
struct Task {
    const char* name;
    void (*body)(const TaskCall& call);
    /// What an element costs, in bytes touched: decides what is computed at once.
    int cost = 1;
};

/// A task of the library, by its name, such as "sort" (kernels/): what the Python module stands on. Null
/// if there is none.
[[nodiscard]] const Task* task_named(std::string_view name) noexcept;

}  // namespace refrain::array
