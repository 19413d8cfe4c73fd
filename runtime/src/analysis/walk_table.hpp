#pragma once

#include "analysis/access_history.hpp"
#include "analysis/cell_grid.hpp"
#include "analysis/part.hpp"
#include "analysis/pattern_table.hpp"
#include "analysis/requirement_shape.hpp"
#include "analysis/step_table.hpp"
#include "base/gradual_map.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace refrain::analysis {

/// Memoised geometry of one step of a walk.
///
/// A NeededId names what a walk still looks for, per point: *readers*, the elements whose earlier
/// readers and reductions matter, and *writers*, those whose earlier writers matter.
///
/// A walk for requirement n with `needed` elements visits access m. The pairs of points that
/// conflict and the elements still needed after m depend on shapes only, so both are computed once
/// per distinct combination and then looked up:
///
///     n writes [0,4), needed all of it;  m reads [2,6)     -> pattern {0 -> 0};  needed:
///                                                             readers [0,4), writers [0,2)
///     the same n;                        m writes [0,8)    -> pattern {0 -> 0};  needed: nothing
///
/// m *covers* elements, which are removed from `needed`:
///     m overwrites        what m writes, from readers and writers: earlier accesses precede m
///     m reads or reduces  what m uses, from writers, if n only writes: earlier writers precede m,
///                         and m precedes n. Nothing if n sees old values: data flows from the
///                         writer to n, and failure must travel along that edge.
///
/// Hot path: one probe of an open-addressing table, one cache line. Guarded by bench/overhead.
/// Threads:  the launching thread only.
class WalkTable {
  public:
    struct Step {
        PatternId pattern = PatternId::none;     // the conflicts with m
        NeededId remaining = NeededId::nothing;  // `needed` without what m covers
    };

    WalkTable(const FootprintTable& footprints, PatternTable& patterns);

    /// What a walk needs at its start: everything that the footprint touches.
    [[nodiscard]] NeededId start(FootprintId footprint) {
        const auto index = static_cast<std::uint32_t>(footprint);
        if (index < starts_.size() && starts_[index].known) [[likely]]
            return starts_[index].needed;
        return find_start(footprint);
    }
    /// The same, cut along a grid: one id per touched cell, in the order of CellGrid::cells_of.
    /// Valid until clear().
    [[nodiscard]] std::span<const NeededId> starts_in_cells(FootprintId footprint,
                                                            const CellGrid& grid);

    [[nodiscard]] Step step(const RequirementShape& n, NeededId needed, const RequirementShape& m) {
        const std::uint64_t first =
            static_cast<std::uint64_t>(needed) << 32 | static_cast<std::uint64_t>(m.footprint);
        const std::uint64_t second = static_cast<std::uint64_t>(n.usage()) << 32 | m.usage();
        if (const Step* known = steps_.find(first, second)) [[likely]]
            return *known;
        return probe(first, second, n, needed, m);
    }

    /// Intersection and union, point by point. Precondition: all are of the same launch.
    [[nodiscard]] NeededId intersect(NeededId a, NeededId b);
    [[nodiscard]] NeededId unite(std::span<const NeededId> all);

    [[nodiscard]] std::size_t entries() const { return steps_.size(); }
    [[nodiscard]] std::size_t bytes() const;
    void clear();

  private:
    struct Needed {
        std::uint32_t points = 0;  // launch size
        Parts readers, writers;
        friend bool operator==(const Needed&, const Needed&) = default;
    };
    struct Start {
        NeededId needed = NeededId::nothing;
        bool known = false;
    };
    struct GridFootprint {
        const CellGrid* grid;
        FootprintId footprint;
        friend bool operator==(const GridFootprint&, const GridFootprint&) = default;
    };
    struct HashOfGridFootprint {
        std::uint64_t operator()(const GridFootprint& key) const {
            const std::uint64_t grid = reinterpret_cast<std::uintptr_t>(key.grid) >> 6;
            return base::MixedHash<std::uint64_t>()(grid << 32 ^
                                                    static_cast<std::uint64_t>(key.footprint));
        }
    };
    Step probe(std::uint64_t first, std::uint64_t second, const RequirementShape& n,
               NeededId needed, const RequirementShape& m);
    Step compute(const RequirementShape& n, NeededId needed, const RequirementShape& m);
    [[nodiscard]] PatternId conflicts(const Parts& needed, std::uint32_t points, FootprintId m);
    NeededId find_start(FootprintId footprint);
    void cut_along_cells(FootprintId footprint, const CellGrid& grid,
                         std::vector<NeededId>& starts);
    NeededId intern(Needed needed);

    const FootprintTable& footprints_;
    PatternTable& patterns_;
    StepTable<Step> steps_;
    base::GradualVector<Needed> needed_;
    base::GradualMap<std::uint64_t, NeededId> needed_by_hash_;
    base::GradualVector<Start> starts_;  // by footprint
    base::GradualMap<GridFootprint, std::vector<NeededId>, HashOfGridFootprint> cell_starts_;
    base::GradualMap<std::uint64_t, NeededId> intersections_;
    std::map<std::vector<NeededId>, NeededId> unions_;
    std::size_t needed_bytes_ = 0;
};

}  // namespace refrain::analysis
