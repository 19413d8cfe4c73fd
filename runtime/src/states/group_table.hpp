#pragma once

#include "analysis/pattern_table.hpp"

#include <cstdint>
#include <deque>
#include <unordered_map>
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

    [[nodiscard]] Step step(GroupId group, AccessKey access);
    /// The smallest box around what an access uses.
    [[nodiscard]] const data::Box& bounds_of(AccessKey access) {
        return access_of(access).joint.used.bounds();
    }
    [[nodiscard]] const data::Box& bounds_of_group(GroupId group) const {
        return bounds_[static_cast<std::uint32_t>(group)];
    }
    /// Whether an access within these bounds may change the group. If not, the group stays, and the
    /// access does not wait for it.
    [[nodiscard]] bool may_change(GroupId group, const data::Box& bounds) const {
        return bounds_[static_cast<std::uint32_t>(group)].overlaps(bounds);
    }
    /// The groups that an access begins as, ascending. Valid while the table lives.
    [[nodiscard]] const std::vector<GroupId>& beginnings(AccessKey access) {
        return access_of(access).beginnings;
    }
    /// The key of several requirements of one operation on one region. Sorts `shapes`.
    [[nodiscard]] AccessKey key_of(std::vector<analysis::RequirementShape>& shapes);
    /// The key of an access given by its content: a piece of another one.
    [[nodiscard]] AccessKey key_of(JointAccess piece);
    [[nodiscard]] const JointAccess& get(AccessKey access) { return access_of(access).joint; }

    [[nodiscard]] const Group& get(GroupId id) const {
        return groups_[static_cast<std::uint32_t>(id)];
    }
    GroupId intern(Group group);

    [[nodiscard]] std::size_t size() const { return groups_.size() - 1; }
    [[nodiscard]] std::size_t bytes() const;

  private:
    struct KnownAccess {
        std::vector<analysis::RequirementShape> shapes;  // ascending; none: given by content
        JointAccess joint;
        std::vector<GroupId> beginnings;
    };
    struct KnownStep {
        AccessKey access{};
        GroupId group = GroupId::nothing;  // nothing: the place is free
        Step step;
    };
    [[nodiscard]] KnownStep& place_of(GroupId group, AccessKey access);
    void grow();

    KnownAccess& access_of(AccessKey key);
    [[nodiscard]] KnownAccess learn(JointAccess joint);
    AccessKey add(KnownAccess access, std::uint64_t hash);
    [[nodiscard]] Step compute(const Group& group, const JointAccess& access);

    const analysis::FootprintTable& footprints_;
    analysis::PatternTable& patterns_;
    std::deque<Group> groups_;       // addresses stay
    std::vector<data::Box> bounds_;  // of the live elements, by group
    std::unordered_multimap<std::uint64_t, GroupId> by_hash_;
    std::unordered_map<std::uint64_t, KnownAccess> single_;  // by key, which is the shape
    std::deque<KnownAccess> numbered_;                       // by number
    std::unordered_multimap<std::uint64_t, std::uint32_t> numbered_by_hash_;
    std::vector<KnownStep> steps_;  // open addressing; at most half of them are used
    std::size_t step_count_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace refrain::states
