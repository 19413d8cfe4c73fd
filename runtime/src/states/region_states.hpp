#pragma once

#include "analysis/access_history.hpp"
#include "analysis/source_merge.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "states/access_log.hpp"
#include "states/member_lists.hpp"
#include "states/piece_table.hpp"
#include "states/state_table.hpp"
#include "states/state_watch.hpp"

namespace refrain::states {

/// Dependence analysis without a walk: every region is in a state, and an access is a transition,
/// found by geometry once and looked up from then on.
///
///     state      an interned set of groups                                    (StateTable)
///     group      usage, live elements, fresh elements, per point; interned    (GroupTable)
///     slot       per group of a region's state, the operations that are in it (MemberLists)
///     access     all that one operation does with one region                  (AccessKey)
///
/// Transition of a state S and an access a:
///   T1  Sources. Each requirement of a waits for each group that it does not commute with, on common
///       elements: of an overwriting group's fresh elements if it is `write`, else of the live ones.
///       Data flow unless the group reads or the requirement is `write`.
///   T2  Cut. The groups of S lose what a overwrites from `live`, and what a uses from `fresh`. A
///       group without live elements is gone.
///   T3  Join. The requirements of a are added, whole. Equal groups become one, and their lists are
///       merged by age.
///
/// Invariants, per region:
///   I1  An earlier requirement with live elements is in the slot of the group that equals what is
///       left of it, unless its operation is a window or more ago; slots name nobody else.
///   I2  A slot names its operations newest first, so that reading ends at the first finished one.
///
/// Exactness. T2 and T3 keep I1: `live` is what no later operation has overwritten, `fresh` what none
/// has used. So T1 finds, element by element, the pairs that DependenceWalk defines: x precedes p
/// directly if they conflict on an element that nobody in between overwrites or, if p only writes and
/// x wrote, nobody in between uses. Its argument that the closure of these pairs is that of all
/// conflicts holds, and so does the one about data.
///
/// The state suffices. What becomes of a group depends on the group and the access alone. Equal
/// groups behave alike for ever, whatever they began as, so a transition is a function of S and a:
/// whatever came before, under whatever names.
///
/// A group whose operations have all finished may be dropped at any time, which is done where a
/// transition is not known. A region unused for a window is back in the empty state.
///
/// Cells. A region of which pieces are used independently has the product of the pieces' states. Where
/// half of its uses meet no known transition, it is divided: it has a state per cell of a grid
/// (CellState), in coordinates relative to the cell, so that cells that are used alike share states
/// and transitions. An access is cut along the cells (PieceTable). As every element lies in one cell,
/// the dependences are the union of those found in the cells. A region becomes one again where many
/// accesses use most cells and one of them overwrites every element: what it leaves is its own.
///
/// Private mode. Where no grid fits, or states multiply within a cell, the region or cell goes
/// private: it keeps a log of its accesses, which an access passes backwards, as a walk does
/// (AccessLog, which says why that is exact). States are tried again at growing intervals: then what
/// is left of each logged access is computed, and that is the state.
///
/// Full tables are forgotten: those in use become the previous generation, and a region takes over
/// its groups from there when it is used again. That happens at most once in a window, so all
/// operations of a region that was not used for a whole generation have finished, and it needs none.
///
/// Complexity:  a known transition costs a comparison, a source per unfinished member that must be
///              waited for, and the moves of slots; in a divided region that per cell, and a look-up.
///              In private mode an access costs a look-up per logged access that it passes.
/// Threads:     the launching thread only.
class RegionStates {
  public:
    struct Limits {
        std::size_t bytes = std::size_t{192} << 20;  // of tables, before they are forgotten
        std::uint32_t looked_at = 64;                // uses between two looks at a region's misses
        std::uint32_t private_max = 1U << 16;        // uses in private mode before states are tried
        std::int64_t pieces = 8;                     // divide only if at least this many pieces fit
        std::uint64_t coarse_rounds = 16;            // join after this many accesses to all cells,
        std::uint64_t coarse_share = 8;              // this many times as many as to single cells
    };
    struct Counters {
        std::uint64_t known = 0;      // accesses by a transition that was known
        std::uint64_t found = 0;      // by one that was not
        std::uint64_t privately = 0;  // in private mode
        std::uint64_t forgotten = 0;  // generations of tables
        std::uint64_t divided = 0;    // regions, as often as it happened
        std::uint64_t joined = 0;     // likewise
    };

    /// `window` is a power of two.
    RegionStates(std::uint32_t window, const analysis::FootprintTable& footprints,
                 analysis::PatternTable& patterns, const Limits& limits);
    RegionStates(std::uint32_t window, const analysis::FootprintTable& footprints,
                 analysis::PatternTable& patterns)
        : RegionStates(window, footprints, patterns, Limits{}) {}

    /// What operation `number`, the successor of the previous one, waits for. Valid until the next
    /// call.
    std::span<const analysis::Source> dependences(
        analysis::OperationNumber number, std::span<const analysis::RequirementShape> shapes,
        std::span<analysis::RegionHistory* const> regions);
    /// What the host must wait for before it uses a region as `shape` says. Changes no state. `now` is
    /// the number of the next operation. Valid until the next call.
    std::span<const analysis::Source> dependences_of_host(analysis::OperationNumber now,
                                                          const analysis::RequirementShape& shape,
                                                          analysis::RegionHistory& region);

    /// Forgets everything. All operations before `next` have finished, and every region has forgotten
    /// its accesses.
    void clear(analysis::OperationNumber next);
    /// Operations were analysed elsewhere, and those before `next` have finished. From `next` on they
    /// come here again; those that have finished may be left out. Keeps the tables.
    void resume(analysis::OperationNumber next) { lists_.forget_all_before(next); }

    /// Tells this of each access from now on; null: nobody.
    void tell(StateWatch* watch) { watch_ = watch; }
    /// What is left of earlier operations in a state of the present generation: "write [0,8); read
    /// [0,4)"; in a cell, in coordinates relative to it. Elements are given by the box around them.
    [[nodiscard]] std::string describe(std::uint32_t state) const;

    [[nodiscard]] const Counters& counters() const { return counters_; }
    [[nodiscard]] std::size_t states() const { return tables_->states.states(); }
    [[nodiscard]] std::size_t transitions() const { return tables_->states.transitions(); }
    /// Memory of the tables, without patterns and footprints, and of what regions keep.
    [[nodiscard]] std::size_t bytes() const;
    /// Of this, what regions keep: slots, logs and cells.
    [[nodiscard]] std::size_t bytes_of_regions() const { return *region_bytes_; }

  private:
    using Region = analysis::RegionState;
    using Cell = analysis::CellState;
    struct Tables {
        Tables(const analysis::FootprintTable& footprints, analysis::PatternTable& patterns)
            : groups(footprints, patterns), pieces(footprints, groups) {}
        GroupTable groups;
        StateTable states;
        PieceTable pieces;
        [[nodiscard]] std::size_t bytes() const {
            return groups.bytes() + states.bytes() + pieces.bytes();
        }
    };

    void analyse_several(std::span<const analysis::RequirementShape> shapes,
                         std::span<analysis::RegionHistory* const> regions);
    void analyse(analysis::RegionHistory& history, AccessKey access);
    /// Follows the transition if the state has a known one.
    [[nodiscard]] bool follow_known(Cell& cell, AccessKey access);
    /// Finds what is awaited in the log if the cell is in private mode, unless states are to be tried
    /// again.
    [[nodiscard]] bool pass_log(Cell& cell, AccessKey access);
    /// Follows the transition, which it may have to find first. True if the cell's states multiply.
    [[nodiscard]] bool analyse_slowly(Cell& cell, AccessKey access);
    void follow(Cell& cell, const KnownTransition& known, StateChange::How how);
    void add_sources(Member members, analysis::PatternId pattern, bool carries_data);
    void move_slots(Cell& cell, const Transition& transition);
    [[nodiscard]] bool note_miss(Cell& cell);

    // Divided regions.
    void analyse_cells(analysis::RegionHistory& history, AccessKey access);
    void note_piece(analysis::RegionHistory& history, AccessKey access);
    [[nodiscard]] bool can_divide(const analysis::RegionHistory& history) const;
    struct PieceInCell {
        std::uint32_t cell;
        GroupId group;
        std::uint32_t members;  // of which group of the region
    };
    void divide(analysis::RegionHistory& history);
    void add_pieces(GroupId group, const analysis::CellGrid& grid, std::uint32_t members,
                    std::vector<PieceInCell>& all);
    void consider_joining(analysis::RegionHistory& history, AccessKey access,
                          const PieceTable::Pieces& pieces);
    [[nodiscard]] const analysis::CellGrid& grid_of(const data::Box& bounds,
                                                    const data::Box& piece);

    void go_private(Cell& cell);
    void leave_private(Cell& cell);

    /// Makes the cell's ids those of the present tables.
    void make_present(Cell& cell);
    void take_over(Cell& cell);
    void drop_finished(Cell& cell);
    /// The cell's groups are those in joining_.
    void set_state(Cell& cell);
    template <class Visit>
    void for_each_group(const Cell& cell, Tables& tables, Visit&& visit) const;
    void ask(Cell& cell, AccessKey access);
    void forget_if_full();

    const analysis::FootprintTable& footprints_;
    analysis::PatternTable& patterns_;
    Limits limits_;
    MemberLists lists_;
    AccessLog log_;
    GroupCutter cutter_;
    std::shared_ptr<std::size_t> region_bytes_ = std::make_shared<std::size_t>(0);
    std::size_t grid_bytes_ = 0;                              // outlives grids_
    std::vector<std::unique_ptr<analysis::CellGrid>> grids_;  // shared by regions with equal bounds
    std::unique_ptr<Tables> tables_;
    std::unique_ptr<Tables> previous_;  // null: none
    std::uint32_t generation_ = 1;
    analysis::OperationNumber generation_began_ = 0;
    StateWatch* watch_ = nullptr;                      // null: nobody
    const analysis::RegionHistory* region_ = nullptr;  // that is being analysed
    analysis::OperationNumber now_ = 0;  // the operation, or the next one, that is asked about
    bool learned_ = false;               // this operation added to the tables
    analysis::SourceMerge merge_;
    std::vector<analysis::Source> found_;              // by this operation
    std::vector<analysis::RequirementShape> joint_;    // scratch
    analysis::CountedVector<Member> slots_;            // likewise
    std::vector<std::pair<GroupId, Member>> joining_;  // likewise
    Counters counters_;
};

}  // namespace refrain::states
