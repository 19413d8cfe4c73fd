/// Functions over whole arrays as tasks: what a library of its own is made of.
///
///     void scale(const WorkFrame& frame) {
///         const double factor = frame.parameters<double>();
///         double* to = frame.views[0].first<double>();          // shape and strides: .layout
///         ...
///     }
///     const WorkUse uses[] = {{&result, Privilege::write}, {&source, Privilege::read}};
///     machine.issue(Work{.name = "scale", .function = &scale, .uses = uses}.with(2.0));
///
/// A function is called on a worker, or at once if that is cheaper than handing it on and nothing that
/// it uses is pending: it may depend on its views and parameters only. With tiles it is called once per
/// tile, on the parts of the views that the tile has.
///
/// Errors:  UsageError for more than `work_uses_max` uses or `work_bytes_max` bytes; ArrayError for constraints
///          that cannot be satisfied, for a fold that elements do not have, and for a scalar of several elements
///          or of a type that cannot be cast. What a function throws comes
///          at once, or at the wait for what it should have written.
/// Threads: the launching thread; functions run on any.
#pragma once

#include "refrain/array/array.hpp"
#include "refrain/array/constraint.hpp"
#include "refrain/privilege.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

namespace refrain::array {

inline constexpr std::size_t work_uses_max = 64;
inline constexpr std::size_t work_bytes_max = 128;

/// An array in memory, or the part that a tile has; `layout.offset` is 0.
struct WorkView {
    std::byte* address = nullptr;  // of the element of index 0
    Layout layout;
    DType dtype = DType::float64;
    Extents begin{};  // the index in the array of the part's first element

    template <class T>
    [[nodiscard]] T* first() const noexcept {
        return reinterpret_cast<T*>(address);
    }
};

/// What a function is called with.
struct WorkFrame {
    std::span<const WorkView> views;  // in the order of the uses
    const std::byte* bytes = nullptr;
    std::span<const std::int64_t> numbers;
    Extent tile_first = 0;        // of the tile along its axis
    const void* owner = nullptr;  // Work::owner

    template <class T>
    [[nodiscard]] T parameters() const noexcept {
        T value;
        std::memcpy(&value, bytes, sizeof value);
        return value;
    }
};
using WorkFunction = void (*)(const WorkFrame& frame);

/// An array that a function uses: all elements are written where the privilege says so. With
/// Privilege::reduce the function folds values into elements, `to[i] += v` for the fold `add`, and sees no
/// others' values: several tiles may have the same element. In which order the parts that tiles have folded
/// are joined is not said.
struct WorkUse {
    const Array* array = nullptr;
    Privilege privilege = Privilege::read;
    int tiled_axis = -1;      // -1: every tile has the whole array
    Ufunc fold = Ufunc::add;  // of Privilege::reduce: add, multiply, minimum, maximum
    std::string_view name{};  // for messages; none: its number
};

/// A parameter whose value is still to come: that of an array with one element. The task waits for it, not the
/// caller. It is converted to `dtype`, and lies where the function looks for it when that is called.
struct WorkScalar {
    enum class Into : std::uint8_t { bytes, numbers };
    const Array* array = nullptr;
    DType dtype = DType::float64;  // numbers are of int64, whatever it says
    Into into = Into::bytes;
    std::size_t at = 0;       // the first byte of `bytes`, or the number of the number
    std::string_view name{};  // for messages; none: its number
};

/// One call of a function, or one per tile.
struct Work {
    const char* name = "";  // for reports; lives as long as the process
    WorkFunction function = nullptr;
    std::span<const WorkUse> uses;
    std::int64_t cost =
        0;  // in bytes that an elementwise function would touch in that time; 0: those of the arrays
    Extent tiles =
        1;  // equal parts of the tiled axes. A function of shapes: results may depend on it
    bool hashes_bytes =
        true;  // false: the parameters hold addresses, which differ between processes
    std::span<const std::int64_t> numbers;  // more parameters, copied: always hashed
    /// If there are any, tiles are as they say, as many as the machine and the size ask for, and `tiles` does
    /// not count. What is written must be in one tile each. Copied.
    std::span<const Constraint> constraints{};
    std::span<const WorkScalar> scalars{};  // copied; uses and scalars are `work_uses_max` at most
    std::shared_ptr<const void> owner{};    // kept as long as the function may be called
    std::byte bytes[work_bytes_max] = {};

    template <class T>
    [[nodiscard]] Work with(const T& parameters) && noexcept {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= work_bytes_max);
        std::memcpy(bytes, &parameters, sizeof parameters);
        return *this;
    }
};

}  // namespace refrain::array
