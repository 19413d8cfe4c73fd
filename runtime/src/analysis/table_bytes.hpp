#pragma once

#include <cstddef>

namespace refrain::analysis {

/// How the tables of the analysis count their memory: all of them by these functions, each in its
/// `bytes()`. Pipeline and OperationBuilder add them up, and Core compares the sum with the option
/// analysis-bytes.
///
/// A node of a map: the entry, links and hash, what malloc adds, and its share of the buckets.
template <class Map>
inline constexpr std::size_t bytes_per_entry = sizeof(typename Map::value_type) + 6 * sizeof(void*);

/// A vector's own memory.
template <class Vector>
[[nodiscard]] std::size_t held_bytes(const Vector& vector) {
    return vector.capacity() * sizeof(typename Vector::value_type);
}

/// Empties a container and gives its memory back, which clear() does not.
template <class Container>
void free_all(Container& container) {
    Container().swap(container);
}

/// A block of memory of its own: what malloc adds.
inline constexpr std::size_t bytes_per_block = 2 * sizeof(void*);

}  // namespace refrain::analysis
