#pragma once

#include "base/prefetch.hpp"
#include "runtime/operation.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace refrain::runtime {

/// Lines that are asked for at once. Cores keep 10 to 20 on their way; what is asked for beyond waits for
/// those, and so does what tasks read meanwhile.
inline constexpr std::size_t fetched_lines_max = 16;

namespace fetched_lines {

/// How many elements of the box lie side by side from its first on, in memory of `all`.
[[nodiscard]] inline std::size_t side_by_side(const data::Box& box, const data::Box& all) {
    std::int64_t count = box.extent(2);
    if (count == all.extent(2)) {
        count *= box.extent(1);
        if (box.extent(1) == all.extent(1)) count *= box.extent(0);
    }
    return static_cast<std::size_t>(count);
}

/// The first of the elements that the point uses: those that lie side by side.
[[nodiscard]] inline std::span<const std::byte> begin_of(const Argument& argument,
                                                         std::uint32_t point) {
    const auto* elements = static_cast<const std::byte*>(argument.storage->elements());
    const data::Box& box = argument.footprint->subsets[point].bounds();
    if (elements == nullptr || box.empty()) return {};
    const std::size_t element_bytes = argument.storage->element_bytes();
    const auto index =
        static_cast<std::size_t>(data::linear_index(argument.storage->bounds(), box.lo));
    return {elements + index * element_bytes,
            side_by_side(box, argument.storage->bounds()) * element_bytes};
}

}  // namespace fetched_lines

/// Calls use(address, privilege) for each line of the elements that the points use: of each argument, point by
/// point, those that lie side by side from the first on, and fetched_lines_max lines in all. Bit i of
/// `points` stands for point first + i.
///
///     points 2 and 3 read bytes 56 to 72 and 128 to 136 of a region -> lines 0, 64 and 128
template <class Use>
void for_each_fetched_line(std::span<const Argument> arguments, std::uint32_t first,
                           std::uint64_t points, Use&& use) {
    std::size_t left_lines = fetched_lines_max;
    for (const Argument& argument : arguments) {
        const void* last = nullptr;
        for (std::uint64_t left = points; left != 0 && left_lines != 0; left &= left - 1) {
            const std::uint32_t point = first + static_cast<std::uint32_t>(std::countr_zero(left));
            const std::span<const std::byte> bytes = fetched_lines::begin_of(argument, point);
            if (bytes.data() == last) continue;  // all points read the same
            last = bytes.data();
            const std::size_t offset =
                reinterpret_cast<std::uintptr_t>(bytes.data()) % base::line_bytes;
            const std::size_t lines = std::min(
                (offset + bytes.size() + base::line_bytes - 1) / base::line_bytes, left_lines);
            for (std::size_t line = 0; line < lines; ++line)
                use(bytes.data() + line * base::line_bytes, argument.privilege);
            left_lines -= lines;
        }
    }
}

}  // namespace refrain::runtime
