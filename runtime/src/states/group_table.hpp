#pragma once

#include "analysis/pattern_table.hpp"
#include "base/gradual_map.hpp"
#include "base/gradual_vector.hpp"
#include "base/hash.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "states/access_key.hpp"
#include "states/group.hpp"

namespace refrain::states {

/// Interning id of a group; `nothing` has no live element.
enum class GroupId : std::uint32_t { nothing = 0 };

/// Interns groups and accesses, and memoises what an access makes of a group: all geometry is here.
///
/// Complexity:  step is a look-up from the second call per group and access on.
/// Threads:     the launching thread only.
class GroupTable {
  public:
    /// What one access does with one group.
    struct Step {
        analysis::PatternId data = analysis::PatternId::none;   // where values flow
        analysis::PatternId order = analysis::PatternId::none;  // the other points that must wait
        GroupId left = GroupId::nothing;                        // the group afterwards
    };

    GroupTable(const analysis::FootprintTable& footprints, analysis::PatternTable& patterns);

    [[nodiscard]] Step step(GroupId group, AccessKey access) {
        return look_up(forward_, group, access, &GroupTable::find_step);
    }
    /// The same backwards: what a later requirement, of which `need` is left, waits for in an earlier
    /// access, and what is left of it before that.
    [[nodiscard]] Step step_back(GroupId need, AccessKey earlier) {
        return look_up(backward_, need, earlier, &GroupTable::find_step_back);
    }
    /// What the requirement waits for in a group.
    [[nodiscard]] Step meet(GroupId need, GroupId group) {
        return look_up(meetings_, need, AccessKey::of_group(static_cast<std::uint32_t>(group)),
                       &GroupTable::find_meeting);
    }
    /// The smallest box around what an access uses.
    [[nodiscard]] const data::Box& bounds_of(AccessKey access) { return get(access).used.bounds(); }
    /// The smallest box around what is live of a group.
    [[nodiscard]] const data::Box& bounds_of(GroupId group) const {
        return bounds_[static_cast<std::uint32_t>(group)];
    }
    /// Whether an access within these bounds may change the group. If not, the group stays, and the
    /// access does not wait for it.
    [[nodiscard]] bool may_change(GroupId group, const data::Box& bounds) const {
        return bounds_of(group).overlaps(bounds);
    }
    /// The groups that an access begins as, ascending. Valid while the table lives.
    [[nodiscard]] const std::vector<GroupId>& beginnings(AccessKey access);
    [[nodiscard]] const JointAccess& get(AccessKey access) { return known(access).joint; }
    /// What a log of accesses needs to know of one. The reference is valid while the table lives.
    struct Outline {
        std::vector<GroupId> needs;   // of each requirement
        std::uint32_t commuting = 0;  // as LoggedAccess::commuting
        bool only_reads = false;
        bool only_overwrites = false;
    };
    [[nodiscard]] const Outline& outline(AccessKey access) {
        RecentOutline& recent = recent_[access.word * 0x9e3779b97f4a7c15U >> 58];
        if (recent.outline == nullptr || !(recent.access == access)) [[unlikely]]
            recent = {access, &find_outline(access)};
        return *recent.outline;
    }

    /// The key of several requirements of one operation on one region. Sorts `shapes`.
    [[nodiscard]] AccessKey key_of(std::vector<analysis::RequirementShape>& shapes);
    /// The key of an access given by its content: a piece of another one.
    [[nodiscard]] AccessKey key_of(JointAccess piece);
    /// The key here of an access of another table.
    [[nodiscard]] AccessKey adopt(AccessKey access, GroupTable& from);
    /// The same as get, without remembering it.
    [[nodiscard]] JointAccess compute(AccessKey access) const;

    [[nodiscard]] const Group& get(GroupId id) const {
        return groups_[static_cast<std::uint32_t>(id)];
    }
    GroupId intern(Group group);

    [[nodiscard]] std::size_t size() const { return groups_.size() - 1; }
    [[nodiscard]] std::size_t bytes() const;

  private:
    struct KnownAccess {
        JointAccess joint;
        std::vector<GroupId> beginnings;   // empty: not asked for yet, or nothing
        std::unique_ptr<Outline> outline;  // null: not asked for yet
    };
    struct Numbered {
        std::vector<analysis::RequirementShape> shapes;  // ascending; none: given by content
        std::unique_ptr<KnownAccess> known;              // null: not asked for yet
    };
    struct StepKey {
        AccessKey access{};
        GroupId group = GroupId::nothing;

        bool operator==(const StepKey&) const = default;
    };
    struct HashStepKey {
        [[nodiscard]] std::uint64_t operator()(const StepKey& key) const noexcept {
            const std::uint64_t id = static_cast<std::uint64_t>(key.group) * 0x9e3779b97f4a7c15U;
            return (key.access.word ^ id) * 0xd6e8feb86659fd93U >> 32;
        }
    };
    using Steps = base::GradualMap<StepKey, Step, HashStepKey>;
    using Find = Step (GroupTable::*)(const Group& group, AccessKey access);
    [[nodiscard]] Step look_up(Steps& steps, GroupId group, AccessKey access, Find find) {
        if (const Step* known = steps.find({access, group})) [[likely]]
            return *known;
        return add_step(steps, group, access, find);
    }
    Step add_step(Steps& steps, GroupId group, AccessKey access, Find find);
    [[nodiscard]] Step find_step(const Group& group, AccessKey access);
    [[nodiscard]] Step find_step_back(const Group& need, AccessKey earlier);
    [[nodiscard]] Step find_meeting(const Group& need, AccessKey group);
    struct Launches {
        std::uint32_t earlier_points, later_points;
    };
    /// Adds the pairs of an earlier and a later point with a common element.
    void add_conflicts(Step& step, const Launches& launches, const Parts& earlier,
                       const Parts& later, bool carries_data);
    [[nodiscard]] KnownAccess& known(AccessKey key);
    [[nodiscard]] const Outline& find_outline(AccessKey access);
    void intern_all(const JointAccess& access, Group (*group_of)(const Use&, std::uint32_t),
                    std::vector<GroupId>& ids);
    [[nodiscard]] AccessKey add(Numbered access, std::uint64_t hash);

    const analysis::FootprintTable& footprints_;
    analysis::PatternTable& patterns_;
    std::deque<Group> groups_;               // addresses stay
    base::GradualVector<data::Box> bounds_;  // of the live elements, by group
    base::GradualMap<std::uint64_t, GroupId> by_hash_;
    base::GradualMap<std::uint64_t, KnownAccess> single_;  // by key, which is the shape
    base::GradualVector<Numbered> numbered_;               // by number
    base::GradualMap<std::uint64_t, std::uint32_t> numbered_by_hash_;
    struct RecentOutline {
        AccessKey access{};
        const Outline* outline = nullptr;
    };
    std::array<RecentOutline, 64> recent_;
    Steps forward_, backward_, meetings_;
    std::size_t bytes_ = 0;
};

}  // namespace refrain::states
