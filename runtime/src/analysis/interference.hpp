#pragma once

#include "analysis/requirement_shape.hpp"
#include "analysis/table_bytes.hpp"
#include "base/gradual_map.hpp"

#include <cstdint>

namespace refrain::analysis {

/// Tells whether points of one launch interfere: they run in parallel, so no point may write what
/// another one uses.
///
///     each point p writes tile p and reads tile p with a halo, both of one region
///     -> interference: the halo overlaps another point's tile
///
/// Complexity:  a look-up from the second call per pair of shapes on.
/// Threads:     the launching thread only.
class Interference {
  public:
    explicit Interference(const FootprintTable& footprints) : footprints_(footprints) {}

    /// Whether two points interfere through this requirement.
    [[nodiscard]] bool among_points(const RequirementShape& shape) const {
        return overwrites(shape.privilege) && !footprints_.get(shape.footprint).disjoint;
    }
    /// The same for two requirements of one launch on one region: they do not commute, and two
    /// different points touch a common element through them.
    [[nodiscard]] bool between(const RequirementShape& a, const RequirementShape& b);
    void clear() { free_all(known_); }
    [[nodiscard]] std::size_t bytes() const { return known_.bytes(); }

  private:
    [[nodiscard]] bool compute(const RequirementShape& a, const RequirementShape& b) const;

    const FootprintTable& footprints_;
    // By footprint pair: whether different points touch a common element.
    base::GradualMap<std::uint64_t, bool> known_;
};

}  // namespace refrain::analysis
