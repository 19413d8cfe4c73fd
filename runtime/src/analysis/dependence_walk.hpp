#pragma once

#include "analysis/access_history.hpp"
#include "analysis/walk_table.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace refrain::analysis {

/// Dependence analysis: a walk backwards over the accesses of a region, with the geometry
/// remembered.
///
/// walk(n, j) starts at the link of requirement j of operation n and goes from operation to
/// operation over the accesses of its region. At each operation m it takes all of m's accesses to
/// the region together:
///   - every pair of points that conflict on elements still needed becomes an edge;
///   - then what m covers is no longer needed (WalkTable says what and why).
/// It stops when
///   S1  nothing is needed any more;
///   S2  m has a requirement of the same shape, and the two commute: what that one waits for on
///       elements that are still needed, n waits for, and nothing else can be behind it;
///   S3  the chain begins;
///   S4  the next access is a window or more ago, and so finished.
///
/// Exactness. Let x be an earlier access that conflicts with point p of n on element e. If x lies
/// before a write of e at m that the walk has seen, x conflicts with that write, so x precedes it
/// (induction), and the write precedes p by an edge found at m. The same holds for a read or
/// reduction m of e when n only writes and x writes. If x lies before an S2 stop at (m, j'), some
/// point of m touches e in the same way as p, so x conflicts with it and is in, or precedes a
/// member of, its list; and each member of the list conflicts with p's twin on elements that p
/// touches too, so no edge is false. What the list has only on elements that were covered since
/// is left out: it precedes the cover. So an edge carries data exactly if some element that flows
/// along it was not overwritten on the way, and lists do not grow. Otherwise the walk reaches x and finds the edge. An edge is
/// found only for a conflict on a common element.
///
/// With a chain per cell (CellGrid) the requirement is cut along the cells, each part walks the
/// chain of its cell, and the argument holds for each part.
///
/// Complexity:  a step or two per requirement for programs of index launches; O(accesses to the
///              same cells since they were last overwritten) at most.
/// Threads:     the launching thread only.
class DependenceWalk {
  public:
    /// When a region is divided, and when it becomes whole again.
    struct Limits {
        std::uint32_t usual_misses = 4;    // hops past accesses to other elements in a usual walk
        std::uint32_t long_walks = 256;    // so many in all, in longer walks, divide a region
        std::int64_t pieces = 16;          // and so many of the piece that is used fit into it
        std::uint64_t coarse_rounds = 16;  // accesses to all cells before it is whole again
    };
    DependenceWalk(AccessHistory& history, WalkTable& table, const FootprintTable& footprints,
                   const Limits& limits)
        : history_(history), table_(table), footprints_(footprints), limits_(limits) {}
    DependenceWalk(AccessHistory& history, WalkTable& table, const FootprintTable& footprints)
        : DependenceWalk(history, table, footprints, Limits{}) {}

    /// Finds what requirement `index` of operation `number` waits for and keeps it with the access,
    /// together with how far back the walk looked. The access has been linked.
    const Access& walk(OperationNumber number, std::uint32_t index, RegionHistory& region);

    /// Gives the access of an operation the sources `found` and those that it inherits from `twin`,
    /// as a walk that came there with `needed` did before. False if it inherits none: then it refers
    /// to `found`.
    bool resume(OperationNumber number, Access& access, std::span<const Source> found,
                AccessRef twin, NeededId needed);

    /// What the host must wait for before it may use `needed` elements of a region as `shape` says;
    /// nothing is recorded. `now` is the number that the next operation will get.
    std::span<const Source> walk_for_host(OperationNumber now, const RequirementShape& shape,
                                          RegionHistory& region);

    [[nodiscard]] std::uint64_t hops() const { return hops_; }
    [[nodiscard]] std::uint64_t splits() const { return splits_; }
    [[nodiscard]] std::uint64_t merges() const { return merges_; }
    void forget_footprints();

  private:
    struct Position {
        OperationNumber now;     // distances are from here
        OperationNumber newest;  // the youngest operation that has been appended
        RequirementShape shape;
        AccessRef at;
        std::uint32_t cell;
        NeededId needed;
        NeededId start;  // what was needed at first
    };
    /// A twin that the walk along one of several chains ended at.
    struct MetTwin {
        AccessRef twin;
        NeededId needed;
    };
    void begin_account(OperationNumber number);
    void walk_chain(Position position);
    void ends(const Position& position, std::uint64_t distance);
    /// Everything at one operation; moves on to the one before.
    void visit(Position& position);
    /// The other requirements of the operation on the same chain; the twin among them, or the one
    /// known already.
    std::uint32_t visit_siblings(Position& position, std::span<const Access> accesses,
                                 std::uint32_t distance, std::uint32_t index,
                                 NeededId needed_before, std::uint32_t twin);
    [[nodiscard]] static const ChainLink& link_of(const Access& access, std::uint32_t cell);
    void meet(AccessRef twin, const Position& position);
    void inherit(AccessRef twin, const Position& position);
    void inherit_needed(const Access& twin, const Position& position, std::uint32_t distance);
    void join_chains(const Position& position);
    void inherit_from_met_twins(Position position);
    void join_sources(const Position& position);
    void keep_sources(OperationNumber number, Access& access);
    void consider_split(RegionHistory& region, const RequirementShape& shape);
    void consider_merge(RegionHistory& region, const RequirementShape& shape, AccessRef self);
    void split(RegionHistory& region, const data::Box& piece);

    AccessHistory& history_;
    WalkTable& table_;
    const FootprintTable& footprints_;
    Limits limits_;
    std::vector<Source> found_;
    OperationNumber oldest_seen_ = 0;
    bool saw_beginning_ = false;
    bool several_chains_ = false;
    OperationNumber oldest_visited_ = 0;
    std::uint32_t own_reach_ = 0;
    std::uint32_t twin_reach_ = 0;
    bool met_beginning_ = false;
    AccessRef twin_;
    NeededId needed_at_twin_ = NeededId::nothing;
    std::vector<MetTwin> met_twins_;
    std::vector<NeededId> united_;
    std::uint32_t twins_ = 0;
    std::uint32_t own_found_ = 0;
    std::uint32_t misses_ = 0;  // hops that found nothing
    std::uint64_t hops_ = 0;
    std::uint64_t splits_ = 0;
    std::uint64_t merges_ = 0;
    std::vector<std::unique_ptr<CellGrid>> grids_;  // shared by regions of equal bounds
};

}  // namespace refrain::analysis
