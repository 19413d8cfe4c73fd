/// The values that tasks of random programs compute: functions of everything that they read, so
/// that one wrong value anywhere is visible, and small, so that sums are exact in any order.
///
///     key(task)  = mix of its code, scalar, point, futures, and of all values that it reads
///     written    = value_at(key, requirement, element)
///
/// A task first reads everything, then writes, then reduces, requirement by requirement. So a task
/// that uses an element through two requirements has a defined result.
#pragma once

#include "base/hash.hpp"

#include <bit>
#include <cstdint>

#include "property/program.hpp"

namespace refrain::property {

/// How hashes become values of a region.
struct ValueRange {
    ElementType type = ElementType::integer;
    std::int64_t first = 0;  // pointers: the first element that they may point to
    std::int64_t count = 1;  // pointers: the number of these elements
    bool exact = true;       // whether reals are integers, whose sums have no rounding
};

[[nodiscard]] inline std::uint64_t bits_from(const ValueRange& range, std::uint64_t hash) {
    const auto small = static_cast<std::int64_t>(hash >> 44);
    switch (range.type) {
        case ElementType::integer:
            return static_cast<std::uint64_t>(small);
        case ElementType::real: {
            const auto whole = static_cast<double>(small);
            return std::bit_cast<std::uint64_t>(range.exact ? whole : whole * 0.1);
        }
        case ElementType::pointer:
            break;
    }
    return static_cast<std::uint64_t>(range.first + small % range.count);
}

[[nodiscard]] inline std::uint64_t key_of_task(const Launch& launch, const Coordinates& point) {
    std::uint64_t key = base::mix(static_cast<std::uint64_t>(launch.task) + launch.scalar);
    for (const std::int64_t c : point) key = base::mix(key ^ static_cast<std::uint64_t>(c));
    return key;
}
[[nodiscard]] inline std::uint64_t with_future(std::uint64_t key, std::int64_t value) {
    return base::mix(key ^ static_cast<std::uint64_t>(value));
}
/// The contribution of one element to a key; independent of the order of elements.
[[nodiscard]] inline std::uint64_t part_of_key(std::size_t requirement, int element,
                                               std::uint64_t bits) {
    return base::mix(bits ^ base::mix(64 * requirement + static_cast<std::uint64_t>(element)));
}
[[nodiscard]] inline std::uint64_t value_at(std::uint64_t key, std::size_t requirement,
                                            int element) {
    return base::mix(key + 64 * requirement + static_cast<std::uint64_t>(element) + 1);
}
/// Tasks with read_write or reduce skip some elements.
[[nodiscard]] inline bool is_touched(std::uint64_t value) {
    return (value & 3) != 0;
}
[[nodiscard]] inline std::int64_t result_of(std::uint64_t key) {
    return static_cast<std::int64_t>(base::mix(key ^ 0x5eedU));
}
[[nodiscard]] inline std::uint64_t host_value(std::uint64_t seed, int element) {
    return base::mix(seed + static_cast<std::uint64_t>(element));
}

/// A user-defined operator: a sum in the lower half of the word, exclusive or in the upper.
struct Lanes {
    static std::int64_t identity() { return 0; }
    static void fold(std::int64_t& into, const std::int64_t& value) {
        const auto a = static_cast<std::uint64_t>(into);
        const auto b = static_cast<std::uint64_t>(value);
        constexpr std::uint64_t upper = 0xffffffff00000000U;
        into = static_cast<std::int64_t>(((a ^ b) & upper) | ((a + b) & ~upper));
    }
};

}  // namespace refrain::property
