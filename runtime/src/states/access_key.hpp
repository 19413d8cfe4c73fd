#pragma once

#include "analysis/requirement_shape.hpp"

#include <bit>
#include <cstdint>

namespace refrain::states {

/// Names all that one operation does with one region or cell. Equal keys mean equal requirements: one
/// requirement on a whole region is its own key, all else gets a number from the GroupTable.
struct AccessKey {
    std::uint64_t word = 0;

    [[nodiscard]] static AccessKey of(const analysis::RequirementShape& shape) {
        return {shape.word()};
    }
    [[nodiscard]] static AccessKey of_number(std::uint32_t number) { return {mark | number}; }
    /// A word for a group in the place of an access.
    [[nodiscard]] static AccessKey of_group(std::uint32_t group) { return {group_mark | group}; }
    [[nodiscard]] bool is_number() const { return (word & mark) != 0; }
    /// Precondition: it is no number.
    [[nodiscard]] analysis::RequirementShape shape() const {
        return std::bit_cast<analysis::RequirementShape>(word);
    }
    [[nodiscard]] std::uint32_t number() const { return static_cast<std::uint32_t>(word); }
    friend bool operator==(AccessKey, AccessKey) = default;

  private:
    // In RequirementShape::reserved:
    static constexpr std::uint64_t mark = std::uint64_t{1} << 63;
    static constexpr std::uint64_t group_mark = std::uint64_t{1} << 62;
};
static_assert(std::endian::native == std::endian::little, "the reserved byte is the highest");

}  // namespace refrain::states
