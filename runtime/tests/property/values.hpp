/// What the tasks of random programs compute: functions of everything they read, so that one wrong
/// value anywhere shows, and small enough that sums are exact in any order.
///
///     key(task)  = mix of its code, scalar, point, futures, and of all values that it reads
///     written    = value_at(key, requirement, element)
///
/// A task reads everything first, then writes, then reduces, requirement by requirement; so a
/// program in which one task uses an element twice has one meaning.
#pragma once

#include "base/hash.hpp"

#include <bit>
#include <cstdint>

#include "property/program.hpp"

namespace refrain::property {

/// How values of a region are made from hashes.
struct ValueRange {
    ElementType type = ElementType::integer;
    std::int64_t first = 0;  // pointers: the first element that they may point to
    std::int64_t count = 1;  // and how many there are
    bool exact = true;       // whether reals are whole numbers, whose sums have no rounding
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
/// What one element read adds to a key; elements may come in any order.
[[nodiscard]] inline std::uint64_t part_of_key(std::size_t requirement, int element,
                                               std::uint64_t bits) {
    return base::mix(bits ^ base::mix(64 * requirement + static_cast<std::uint64_t>(element)));
}
[[nodiscard]] inline std::uint64_t value_at(std::uint64_t key, std::size_t requirement,
                                            int element) {
    return base::mix(key + 64 * requirement + static_cast<std::uint64_t>(element) + 1);
}
/// Tasks that change or reduce leave some elements alone.
[[nodiscard]] inline bool is_touched(std::uint64_t value) {
    return (value & 3) != 0;
}
[[nodiscard]] inline std::int64_t result_of(std::uint64_t key) {
    return static_cast<std::int64_t>(base::mix(key ^ 0x5eedU));
}
[[nodiscard]] inline std::uint64_t host_value(std::uint64_t seed, int element) {
    return base::mix(seed + static_cast<std::uint64_t>(element));
}

/// An operator that a program defines: a sum in the lower half, exclusive or in the upper.
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
