#pragma once

#include "analysis/access_history.hpp"
#include "analysis/footprint.hpp"
#include "regions/region_root.hpp"
#include "regions/region_table.hpp"

#include <concepts>
#include <cstdint>
#include <span>

namespace refrain::regions {

/// One region argument of an operation, as far as taints need to know it.
struct RegionAccess {
    RegionRoot& region;
    Privilege privilege;
    const analysis::Footprint& footprint;  // the elements that each point uses
    /// The operator, if contributions fold in any order; null for every other access.
    const data::ReductionFunctions* unordered_reduction;
};

/// Elements whose values a failure made wrong.
///
/// While a failed operation is in the graph, its failure travels along edges. When it retires, its
/// regions remember the elements that it should have written, their taints, until something overwrites
/// them. A point of a later operation that would see tainted elements is skipped.
///
///     op1 writes x[0, 8) and fails at x[4, 8)    taint x[4, 8)
///     op2 writes x[6, 9)                         taint x[4, 6)
///     op3 reads x[0, 4) | x[4, 8)                point 1 is skipped
///
/// Threads:  the launching thread only.
class Taints {
  public:
    /// What a failed operation leaves behind.
    struct Failed {
        graph::OperationNumber operation;  // it retires now,
        graph::OperationNumber newest;     // and operations up to this one were issued since
        Failure* failure;
        std::span<const std::uint32_t> points;  // those that failed or were skipped
    };

    Taints(analysis::AccessHistory& history, const analysis::FootprintTable& footprints,
           RegionTable& regions)
        : history_(history), footprints_(footprints), regions_(regions) {}

    /// Taints what `failed` should have written through one of its accesses, less what operations
    /// issued since overwrite.
    void record(const Failed& failed, const RegionAccess& access);
    /// Whether any region is tainted.
    [[nodiscard]] bool any() const { return regions_.taints() != 0; }

    /// Calls visit(point, failure) for each taint that a point of an operation would see through
    /// `access`.
    template <std::invocable<std::uint32_t, Failure&> Visit>
    static void for_each_tainted_point(const RegionAccess& access, Visit&& visit);
    /// An operation that is about to run overwrites the whole footprint.
    static void overwrite(RegionRoot& region, const analysis::Footprint& footprint) {
        overwrite(region, footprint.all);
    }
    /// The host overwrites these elements.
    static void overwrite(RegionRoot& region, const data::BoxSet& elements);
    /// The host overwrites all elements.
    static void clear(RegionRoot& region);
    /// The failure behind the region's oldest taint, or null if it has none.
    [[nodiscard]] static Failure* failure_of(const RegionRoot& region);

  private:
    /// What operations after `operation`, up to `newest`, leave of `elements`.
    [[nodiscard]] data::BoxSet not_overwritten(data::BoxSet elements, const RegionRoot& region,
                                               const Failed& failed) const;

    analysis::AccessHistory& history_;
    const analysis::FootprintTable& footprints_;
    RegionTable& regions_;
};

template <std::invocable<std::uint32_t, Failure&> Visit>
void Taints::for_each_tainted_point(const RegionAccess& access, Visit&& visit) {
    if (access.privilege == Privilege::write) return;
    for (const RegionRoot::Taint& taint : access.region.taints) {
        if (taint.reduction != nullptr && taint.reduction == access.unordered_reduction) continue;
        const auto& subsets = access.footprint.subsets;
        for (std::uint32_t point = 0; point < subsets.size(); ++point)
            if (subsets[point].overlaps(taint.elements)) visit(point, *taint.failure);
    }
}

}  // namespace refrain::regions
