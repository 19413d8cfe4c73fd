#pragma once

#include "analysis/access_history.hpp"

#include <cstdint>
#include <vector>

#include "states/group_table.hpp"
#include "states/member_lists.hpp"

namespace refrain::states {

/// Private mode of a region or cell: it keeps the groups it was left with, and a log of all accesses
/// since, uncut.
///
///     log, newest first             op60 writes [0,8): needs [0,8)
///       op59 reads  [0,4)           waits for op59; still needs [0,8), of writers [4,8)
///       op58 writes [0,6)           waits for op58 on [4,6); still needs [6,8)
///       op57 writes [2,8)           waits for op57 on [6,8); needs nothing more: the end
///       op56 ...                    not looked at
///
/// An access passes the log backwards, newest first, and then the groups, with what it still *needs*:
/// a group of its own usage, cut by rule T2 (region_states.hpp) as if time ran backwards. On each
/// element it stops where T2 would have cut the earlier group, so it finds what T1 finds in the state
/// that the log would lead to; and it ends when nothing is needed any more. A step is remembered per
/// need and logged access. A logged access is gone when its like overwrites all that it used.
///
/// Complexity:  a look-up per logged access that is passed. The log is at most a window old.
/// Threads:     the launching thread only.
class AccessLog {
  public:
    using Cell = analysis::CellState;

    /// Sources are added to `found`.
    AccessLog(const MemberLists& lists, std::vector<analysis::Source>& found)
        : lists_(lists), found_(found) {}

    /// The cell goes private with these groups, which its slots belong to.
    static void begin(Cell& cell, const std::vector<GroupId>& groups);
    /// Gives the log's memory back. The cell is in no state.
    static void end(Cell& cell);
    /// All that used the cell has finished.
    static void forget(Cell& cell);
    /// The cell's ids become those of `present`.
    void renew(Cell& cell, GroupTable& present, GroupTable& previous);

    /// Finds what the newest operation waits for, and adds its access.
    void add(Cell& cell, AccessKey access, GroupTable& groups);
    /// The same for the host before operation `now`; adds nothing.
    void ask(Cell& cell, AccessKey access, GroupTable& groups, analysis::OperationNumber now);

    /// What is left of each access, newest first, given all that came later: visit(group, members).
    template <class Visit>
    void for_each_group(const Cell& cell, GroupTable& groups, Visit&& visit) const;

  private:
    void append(Cell& cell, analysis::LoggedAccess access);
    void tidy(Cell& cell);
    void find_sources(Cell& cell, AccessKey access, const GroupTable::Outline& outline,
                      GroupTable& groups);
    [[nodiscard]] GroupId step_back(GroupId need, const analysis::LoggedAccess& earlier,
                                    GroupTable& groups);
    [[nodiscard]] GroupId pass_changes(const Cell& cell, GroupId need, GroupTable& groups);
    [[nodiscard]] GroupId pass_all(Cell& cell, GroupId need, AccessKey access,
                                   const GroupTable::Outline& outline, GroupTable& groups);
    void add_sources(Member members, analysis::PatternId pattern, bool carries_data);

    const MemberLists& lists_;
    std::vector<analysis::Source>& found_;
    analysis::OperationNumber now_ = 0;  // the operation, or the next one, that is asked about
};

template <class Visit>
void AccessLog::for_each_group(const Cell& cell, GroupTable& groups, Visit&& visit) const {
    JointAccess later;
    const auto visit_rest = [&](GroupId group, Member members) {
        const GroupId left = groups.intern(cut(groups.get(group), later));
        if (left != GroupId::nothing) visit(left, members);
    };
    for (auto access = cell.log.rbegin(); access != cell.log.rend(); ++access) {
        if (!lists_.is_living(access->operation)) return;
        if (access->is_gone) continue;
        const JointAccess& joint = groups.get(AccessKey{access->access});
        if (later.overwritten.contains(joint.used)) continue;
        for (const GroupId own : groups.beginnings(AccessKey{access->access}))
            visit_rest(own, {access->operation, nullptr});
        later.overwritten = later.overwritten.unite(joint.overwritten);
        later.used = later.used.unite(joint.used);
    }
    for (std::size_t slot = 0; slot < cell.slots.size(); ++slot)
        if (lists_.is_living(cell.slots[slot].operation))
            visit_rest(static_cast<GroupId>(cell.private_groups[slot]), cell.slots[slot]);
}

}  // namespace refrain::states
