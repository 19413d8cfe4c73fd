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
#include <stdexcept>

#include "property/program.hpp"

namespace refrain::property {

/// How hashes become values of a region.
struct ValueRange {
    ElementType type = ElementType::integer;
    Box target{{0, 0, 0}, {1, 1, 1}};  // pointers: the elements that they may point to
    int target_rank = 1;
    bool exact = true;  // whether reals are integers, whose sums have no rounding
};
[[nodiscard]] inline ValueRange range_of(const Program& program, const CreateRegion& create) {
    const Space& target = program.spaces[static_cast<std::size_t>(create.pointee)];
    return {create.type, target.bounds, target.rank, is_exact(program)};
}

/// A point of that rank as one word; each coordinate has an equal share of its bits.
[[nodiscard]] inline std::uint64_t packed(const Coordinates& point, int rank) {
    if (rank == 1) return static_cast<std::uint64_t>(point[0]);
    const int width = 64 / rank;
    std::uint64_t word = 0;
    for (int d = 0; d < rank; ++d) {
        const auto c = static_cast<std::uint64_t>(point[static_cast<std::size_t>(d)]);
        word |= (c << (64 - width) >> (64 - width)) << (d * width);
    }
    return word;
}
[[nodiscard]] inline Coordinates unpacked(std::uint64_t word, int rank) {
    if (rank == 1) return {static_cast<std::int64_t>(word), 0, 0};
    const int width = 64 / rank;
    Coordinates point{};
    for (int d = 0; d < rank; ++d) {
        const std::uint64_t c = word >> (d * width) << (64 - width);
        point[static_cast<std::size_t>(d)] = static_cast<std::int64_t>(c) >> (64 - width);
    }
    return point;
}

[[nodiscard]] inline std::uint64_t bits_from(const ValueRange& range, std::uint64_t hash) {
    const auto small = static_cast<std::int64_t>(hash >> 44);
    switch (range.type) {
        case ElementType::integer:
        case ElementType::block:
            return static_cast<std::uint64_t>(small);
        case ElementType::real: {
            const auto whole = static_cast<double>(small);
            return std::bit_cast<std::uint64_t>(range.exact ? whole : whole * 0.1);
        }
        case ElementType::pointer:
        case ElementType::short_pointer:
            break;
    }
    return packed(data::point_at(range.target, small % range.target.volume()), range.target_rank);
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

/// A user-defined operator: a sum in the lower half of the word, exclusive or in the upper. Throws
/// on one value, which tasks leave behind in what they have reduced.
struct Lanes {
    static constexpr std::int64_t refused = INT64_MIN + 17;

    static std::int64_t identity() { return 0; }
    static void fold(std::int64_t& into, const std::int64_t& value) {
        if (value == refused) throw std::range_error("planned failure of a fold");
        const auto a = static_cast<std::uint64_t>(into);
        const auto b = static_cast<std::uint64_t>(value);
        constexpr std::uint64_t upper = 0xffffffff00000000U;
        into = static_cast<std::int64_t>(((a ^ b) & upper) | ((a + b) & ~upper));
    }
};

}  // namespace refrain::property
