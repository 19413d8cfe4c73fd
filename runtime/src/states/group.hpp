#pragma once

#include "analysis/cell_grid.hpp"
#include "analysis/part.hpp"
#include "analysis/requirement_shape.hpp"
#include "base/function_ref.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace refrain::states {

using analysis::Part;
using analysis::Parts;

/// What is left of an earlier requirement, per point of its launch: all that later operations need
/// to know of it. The shape that it began as is forgotten.
///
///     op1 writes [0,8)                    write, live [0,8), fresh [0,8)
///     op2 reads  [0,4)                    write, live [0,8), fresh [4,8)
///     op3 writes [2,6)                    write, live [0,2) and [6,8), fresh [6,8)
///
/// Invariants:  `fresh` is within `live`; only overwriting requirements have fresh elements.
struct Group {
    // How the elements were used, without a footprint. `write` counts as `read_write`: those that
    // come later cannot tell them apart.
    analysis::RequirementShape usage;
    std::uint32_t points = 0;  // of the launch
    Parts live;                // what it used and no later operation has overwritten
    Parts fresh;               // what it wrote and no later operation has used at all
    friend bool operator==(const Group&, const Group&) = default;
};

/// A requirement as the elements that each point touches, and how it uses them.
struct Use {
    analysis::RequirementShape usage;  // without a footprint
    Parts parts;
    friend bool operator==(const Use&, const Use&) = default;
};

/// All that one operation does with one region, or with one cell of it. The requirements of one
/// operation are no earlier uses for each other, so they are taken together.
struct JointAccess {
    std::vector<Use> uses;     // without repetition
    std::uint32_t points = 0;  // of the launch
    data::BoxSet overwritten;  // by any point
    data::BoxSet used;         // by any point
};

[[nodiscard]] JointAccess join(std::span<const analysis::RequirementShape> shapes,
                               const analysis::FootprintTable& footprints);
/// That of a single task with one requirement, like `shape` but on these elements, of which there are some.
[[nodiscard]] JointAccess single(const analysis::RequirementShape& shape,
                                 const data::BoxSet& elements);

/// The group that a requirement begins as. It has no live element if no point uses any.
[[nodiscard]] Group beginning(const Use& use, std::uint32_t points);

/// What a later requirement looks for: a group of its own usage, which `cut` shortens as earlier
/// accesses are passed, newest first. `live` are the elements whose earlier uses precede it directly;
/// `fresh` those whose earlier writers do if it is `write`. None if no point uses any element.
[[nodiscard]] Group need(const Use& use, std::uint32_t points);

/// What the group is after a later operation's access; what a need is before an earlier one.
[[nodiscard]] Group cut(Group group, const JointAccess& access);

/// The elements of the group that a later requirement waits for; null if the two commute.
[[nodiscard]] const Parts* awaited(const Group& group, const analysis::RequirementShape& later);

/// The pieces in the cells of a grid, by cell, in coordinates relative to the cell: equal pieces of
/// different cells are equal. Every element is in one piece.
///
///     cells of 16:   write [12,20) is, in cell 0, write [12,16), and in cell 1, write [0,4)
[[nodiscard]] std::map<std::uint32_t, JointAccess> pieces(const JointAccess& access,
                                                          const analysis::CellGrid& grid);
/// The same for one group after the other. A region is divided within one launch, so memory is used again.
class GroupCutter {
  public:
    /// Calls visit(cell, piece) by ascending cell.
    void cut(const Group& group, const analysis::CellGrid& grid,
             base::FunctionRef<void(std::uint32_t, Group&&)> visit);

    /// A box of a point touches a cell.
    struct Cut {
        std::uint32_t cell;
        std::uint32_t point;
        const data::Box* box;
    };

  private:
    std::vector<Cut> live_, fresh_;
};

/// A hash of the content.
[[nodiscard]] std::uint64_t hash_of(const Group& group);
[[nodiscard]] std::uint64_t hash_of(const JointAccess& access);
[[nodiscard]] std::size_t bytes_of(const Group& group);
[[nodiscard]] std::size_t bytes_of(const JointAccess& access);

}  // namespace refrain::states
