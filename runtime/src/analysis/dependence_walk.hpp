#pragma once

#include "analysis/access_history.hpp"
#include "analysis/walk_table.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace refrain::analysis {

/// Dependence analysis: walks backwards over the accesses of a region; the geometry of each step is
/// memoised (WalkTable).
///
/// walk(n, j) starts at the link of requirement j of operation n and visits the operations that
/// used its region, newest first. At each operation m it handles all of m's accesses to the region
/// together:
///   - every pair of points that conflict on elements still needed becomes an edge;
///   - the elements that m covers are no longer needed (WalkTable defines covering).
/// It stops when
///   S1  nothing is needed any more;
///   S2  m has a requirement of the same shape that commutes with j, the *twin*: n inherits the
///       twin's sources on the elements still needed, and nothing else can precede the twin. One
///       that does not know its sources (AccessHistory::knows_sources) is passed like any other;
///   S3  the chain has no older access;
///   S4  the next access is a window or more ago, and so has finished.
///
/// Exactness. Let x be an earlier access that conflicts with point p of n on element e.
///   - x precedes a visited write of e at m: x conflicts with that write, so x precedes it
///     (induction), and the write precedes p by an edge found at m. The same holds for a visited
///     read or reduction of e at m if n only writes and x writes.
///   - x precedes an S2 stop at (m, j'): some point of m uses e in the same way as p, so x
///     conflicts with that point and is in its list, or precedes a member of it. No inherited edge
///     is false: each member of the list conflicts with p's twin on elements that p uses too. A
///     member that conflicts only on elements covered since is dropped; it precedes the cover. So
///     an edge carries data exactly if some element that flows along it was not overwritten on the
///     way, and lists do not grow.
///   - otherwise the walk visits x and finds the edge.
/// An edge is found only for a conflict on a common element.
///
/// With a chain per cell (CellGrid) the requirement is cut along the cells and each part walks the
/// chain of its cell; the argument holds for each part.
///
/// Complexity:  one or two hops per requirement in programs of index launches; at most O(accesses
///              to the same cells since they were last overwritten).
/// Threads:     the launching thread only.
class DependenceWalk {
  public:
    /// Thresholds for dividing a region into cells and for merging it again.
    struct Limits {
        std::uint32_t usual_misses = 4;    // a walk with more hops past other elements is long
        std::uint32_t long_walks = 256;    // divide after this many such hops in long walks
        std::int64_t pieces = 16;          // divide only if at least this many pieces fit
        std::uint64_t coarse_rounds = 16;  // merge after this many accesses to all cells
    };
    DependenceWalk(AccessHistory& history, WalkTable& table, const FootprintTable& footprints,
                   const Limits& limits)
        : history_(history), table_(table), footprints_(footprints), limits_(limits) {}
    DependenceWalk(AccessHistory& history, WalkTable& table, const FootprintTable& footprints)
        : DependenceWalk(history, table, footprints, Limits{}) {}

    /// Finds what requirement `index` of operation `number` waits for, and stores it in the access
    /// together with the walk's lookback. Precondition: the access is linked.
    const Access& walk(OperationNumber number, std::uint32_t index, RegionHistory& region);

    /// Gives the access the sources `own` plus those that a walk arriving at `twin` with `needed`
    /// inherits. Returns false if it inherits none; then the access refers to `own`, without a
    /// copy.
    bool resume(OperationNumber number, Access& access, std::span<const Source> own, AccessRef twin,
                NeededId needed);

    /// What the host must wait for before it uses a region as `shape` says. Records nothing. `now`
    /// is the number of the next operation.
    std::span<const Source> walk_for_host(OperationNumber now, const RequirementShape& shape,
                                          RegionHistory& region);

    [[nodiscard]] std::uint64_t hops() const { return hops_; }
    [[nodiscard]] std::uint64_t splits() const { return splits_; }
    [[nodiscard]] std::uint64_t merges() const { return merges_; }
    /// Memory of the grids, and of the chains of the regions that they divide.
    [[nodiscard]] std::size_t bytes() const;
    /// No region is divided any more, and the table has been cleared.
    void forget_grids();

  private:
    struct Position {
        OperationNumber now;     // distances count from here
        OperationNumber newest;  // the newest appended operation
        RequirementShape shape;
        AccessRef at{};
        std::uint32_t cell = CellGrid::whole;
        NeededId needed = NeededId::nothing;
        NeededId start = NeededId::nothing;  // `needed` at the start of the walk
    };
    /// Where the walk of one of several chains ended.
    struct TwinStop {
        AccessRef twin;
        NeededId needed;
    };
    void reset(OperationNumber number);
    void walk_chain(Position position);
    void note_chain_end(const Position& position, std::uint64_t distance);
    /// Handles one operation and moves on to the previous one.
    void visit(Position& position);
    /// Handles the operation's other requirements in the same chain. Returns the twin among them,
    /// else `twin`.
    std::uint32_t visit_siblings(Position& position, std::span<const Access> accesses,
                                 std::uint32_t distance, std::uint32_t index,
                                 NeededId needed_before, std::uint32_t twin);
    [[nodiscard]] static const ChainLink& link_of(const Access& access, std::uint32_t cell);
    void stop_at_twin(AccessRef twin, const Position& position);
    void inherit(AccessRef twin, const Position& position);
    void inherit_needed(const Access& twin, const Position& position, std::uint32_t distance);
    void join_chains(const Position& position);
    void inherit_from_twins(Position position);
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
    bool saw_beginning_ = false;  // directly or through inheritance
    bool several_chains_ = false;
    OperationNumber oldest_visited_ = 0;
    std::uint32_t own_lookback_ = 0;
    std::uint32_t twin_lookback_ = 0;
    bool met_beginning_ = false;  // directly, not through inheritance
    AccessRef twin_;
    NeededId needed_at_twin_ = NeededId::nothing;
    std::vector<TwinStop> twin_stops_;
    std::vector<NeededId> united_;
    std::uint32_t twins_ = 0;
    std::uint32_t own_count_ = 0;  // sources found before the first twin
    std::uint32_t misses_ = 0;     // hops that found nothing
    std::uint64_t hops_ = 0;
    std::uint64_t splits_ = 0;
    std::uint64_t merges_ = 0;
    std::size_t grid_bytes_ = 0;                    // outlives grids_
    std::vector<std::unique_ptr<CellGrid>> grids_;  // shared by regions with equal bounds
};

}  // namespace refrain::analysis
