#pragma once

#include "analysis/footprint.hpp"
#include "refrain/privilege.hpp"

#include <bit>
#include <cstdint>

namespace refrain::analysis {

/// A requirement without its region: the elements that each point touches, and how it uses them.
struct RequirementShape {
    FootprintId footprint = FootprintId::none;
    std::uint16_t reduction = 0;  // operator number; 0 unless privilege is reduce
    Privilege privilege = Privilege::read;
    std::uint8_t reserved = 0;  // instead of padding: shapes are compared as one word

    constexpr RequirementShape() = default;
    constexpr RequirementShape(FootprintId touched, Privilege used, std::uint16_t with = 0)
        : footprint(touched), reduction(with), privilege(used) {}

    friend constexpr bool operator==(const RequirementShape& a, const RequirementShape& b) {
        return a.word() == b.word();
    }
    [[nodiscard]] constexpr std::uint64_t word() const {
        return std::bit_cast<std::uint64_t>(*this);
    }
    /// Privilege and operator in one word.
    [[nodiscard]] constexpr std::uint32_t usage() const {
        return static_cast<std::uint32_t>(privilege) << 16 | reduction;
    }
};
static_assert(sizeof(RequirementShape) == 8);

/// Reads commute; so do reductions with the same operator.
[[nodiscard]] constexpr bool commute(const RequirementShape& a, const RequirementShape& b) {
    if (a.privilege != b.privilege) return false;
    return a.privilege == Privilege::read ||
           (a.privilege == Privilege::reduce && a.reduction == b.reduction);
}
/// Whether values of `earlier` flow into `later`: a true dependence.
[[nodiscard]] constexpr bool carries_data(const RequirementShape& earlier,
                                          const RequirementShape& later) {
    return later.privilege != Privilege::write && earlier.privilege != Privilege::read;
}

}  // namespace refrain::analysis
