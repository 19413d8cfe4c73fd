#pragma once

#include "analysis/requirement_shape.hpp"

#include <cstdint>
#include <unordered_map>

namespace refrain::analysis {

/// Whether points of one launch would disturb one another: they run in parallel, so none may write
/// what another uses.
///
///     p writes tile p, p reads tile p with a halo of the same region
///     -> interferes: the halo is part of another point's tile
///
/// Complexity:  a look-up after the first time per pair of shapes.
/// Threads:     the launching thread only.
class Interference {
  public:
    explicit Interference(const FootprintTable& footprints) : footprints_(footprints) {}

    /// One requirement with itself.
    [[nodiscard]] bool among_points(const RequirementShape& shape) const {
        return overwrites(shape.privilege) && !footprints_.get(shape.footprint).disjoint;
    }
    /// Two requirements of one launch on one region: different points, a common element, and they
    /// do not commute.
    [[nodiscard]] bool between(const RequirementShape& a, const RequirementShape& b);
    void clear() { known_.clear(); }

  private:
    [[nodiscard]] bool compute(const RequirementShape& a, const RequirementShape& b) const;

    const FootprintTable& footprints_;
    // By the two footprints: do different points meet?
    std::unordered_map<std::uint64_t, bool> known_;
};

}  // namespace refrain::analysis
