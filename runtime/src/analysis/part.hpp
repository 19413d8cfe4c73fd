#pragma once

#include "analysis/table_bytes.hpp"
#include "refrain/detail/box_set.hpp"

#include <cstdint>
#include <vector>

namespace refrain::analysis {

/// Elements of one point of a launch.
struct Part {
    std::uint32_t point;
    data::BoxSet elements;  // not empty
    friend bool operator==(const Part&, const Part&) = default;
};

/// By ascending point; without points that have no elements.
using Parts = std::vector<Part>;

/// Takes elements from every point.
inline void subtract(Parts& from, const data::BoxSet& what) {
    for (Part& part : from) part.elements = part.elements.subtract(what);
    std::erase_if(from, [](const Part& part) { return part.elements.empty(); });
}

[[nodiscard]] inline std::size_t bytes_of(const Parts& parts) {
    std::size_t bytes = held_bytes(parts) + bytes_per_block;
    for (const Part& part : parts) bytes += part.elements.shared_bytes();
    return bytes;
}

}  // namespace refrain::analysis
