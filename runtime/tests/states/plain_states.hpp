/// Region states in the plainest code: sets of elements as bits, nothing interned, nothing
/// remembered. It can be told to read a rule more loosely than it is meant.
#pragma once

#include "analysis/access_program.hpp"
#include "analysis/dependence_oracle.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace refrain::states::testing {

using analysis::testing::AccessProgram;
using analysis::testing::DependenceOracle;
using analysis::testing::Edges;
using analysis::testing::Elements;
using analysis::testing::Use;

/// How the rules are read. Each but the first is wrong.
enum class Reading {
    exact,
    groups_of_equal_shape_are_one,  ///< although one of them was cut since
    requirements_come_one_after_the_other,
    reductions_cover,
    readers_hide_the_writer,
    readers_replace_their_like,
    lists_are_joined_end_to_end,
    the_residue_is_the_launchs,  ///< not each point's
    nothing_is_fresh,            ///< a writer waits for writers that others waited for
};

class PlainStates {
  public:
    PlainStates(const AccessProgram& program, std::size_t window, Reading reading)
        : program_(program), window_(window), reading_(reading), regions_(program.regions.size()) {}

    /// Launches the next step and returns what it waits for.
    Edges launch_next() {
        const auto& step = program_.steps[launched_];
        for (const std::size_t region : step.renewed_before) regions_[region].clear();
        edges_.clear();
        for (std::size_t region = 0; region < regions_.size(); ++region) {
            std::vector<Use> access;
            for (const Use& use : step.uses)
                if (use.region == region) access.push_back(use);
            if (reading_ == Reading::requirements_come_one_after_the_other)
                for (const Use& use : access) make_transition(regions_[region], {use});
            else
                make_transition(regions_[region], access);
        }
        ++launched_;
        return DependenceOracle::normalised(std::move(edges_));
    }

  private:
    struct Group {
        Use shape;  // as what it began
        std::vector<Elements> live, fresh;
        std::vector<std::size_t> slot;  // newest first
    };
    using Groups = std::vector<Group>;

    void make_transition(Groups& groups, const std::vector<Use>& access) {
        for (const Use& use : access)
            for (const Group& group : groups) find_sources(group, use);
        Elements overwritten = 0, used = 0, read = 0;
        for (const Use& use : access)
            for (const Elements elements : use.elements) {
                used |= elements;
                if (overwrites(use.privilege)) overwritten |= elements;
                if (use.privilege == Privilege::reduce && reading_ == Reading::reductions_cover)
                    overwritten |= elements;
                if (use.privilege == Privilege::read) read |= elements;
            }
        for (Group& group : groups) {
            Elements lost = overwritten;
            if (reading_ == Reading::readers_hide_the_writer && writes(group)) lost |= read;
            for (Elements& elements : group.live) elements &= ~lost;
            for (Elements& elements : group.fresh) elements &= ~used;
        }
        for (const Use& use : access) begin_group(groups, use);
        join_equal_groups(groups);
    }

    void find_sources(const Group& group, const Use& use) {
        if (commute(group.shape, use)) return;
        const bool orders_only = writes(group) && use.privilege == Privilege::write &&
                                 reading_ != Reading::nothing_is_fresh;
        auto awaited = orders_only ? group.fresh : group.live;
        if (reading_ == Reading::the_residue_is_the_launchs) {
            Elements all = 0;
            for (const Elements elements : awaited) all |= elements;
            for (std::size_t point = 0; point < awaited.size(); ++point)
                awaited[point] = group.shape.elements[point] == 0 ? 0 : all;
        }
        const bool data =
            group.shape.privilege != Privilege::read && use.privilege != Privilege::write;
        for (const std::size_t member : group.slot) {
            if (launched_ - member >= window_) break;  // finished, and so have all behind it
            if (member == launched_) continue;         // itself, if requirements come one by one
            for (std::uint32_t source = 0; source < awaited.size(); ++source)
                for (std::uint32_t target = 0; target < use.elements.size(); ++target)
                    if ((awaited[source] & use.elements[target]) != 0)
                        edges_.push_back({member, source, target, data});
        }
    }

    void begin_group(Groups& groups, const Use& use) {
        const auto same_shape = [&](const Group& group) {
            return group.shape.privilege == use.privilege &&
                   group.shape.reduction == use.reduction && group.shape.elements == use.elements;
        };
        const auto like = std::find_if(groups.begin(), groups.end(), same_shape);
        if (reading_ == Reading::groups_of_equal_shape_are_one && like != groups.end())
            like->slot.insert(like->slot.begin(), launched_);
        else if (reading_ == Reading::readers_replace_their_like && like != groups.end() &&
                 use.privilege == Privilege::read)
            *like = {use, use.elements, {}, {launched_}};
        else
            groups.push_back({use,
                              use.elements,
                              overwrites(use.privilege) ? use.elements : std::vector<Elements>(),
                              {launched_}});
    }

    void join_equal_groups(Groups& groups) {
        Groups joined;
        for (Group& group : groups) {
            if (std::all_of(group.live.begin(), group.live.end(),
                            [](Elements elements) { return elements == 0; }))
                continue;
            const auto like = std::find_if(joined.begin(), joined.end(), [&](const Group& other) {
                return are_equal(group, other);
            });
            if (like == joined.end())
                joined.push_back(std::move(group));
            else
                join(like->slot, group.slot);
        }
        groups = std::move(joined);
    }

    [[nodiscard]] static bool writes(const Group& group) {
        return overwrites(group.shape.privilege);
    }
    [[nodiscard]] static bool are_equal(const Group& a, const Group& b) {
        const bool same_class =
            (writes(a) && writes(b)) ||
            (a.shape.privilege == b.shape.privilege && a.shape.reduction == b.shape.reduction);
        return same_class && a.live == b.live && a.fresh == b.fresh;
    }
    void join(std::vector<std::size_t>& slot, const std::vector<std::size_t>& other) const {
        slot.insert(slot.end(), other.begin(), other.end());
        if (reading_ == Reading::lists_are_joined_end_to_end) return;
        std::sort(slot.begin(), slot.end(), std::greater<>());
        slot.erase(std::unique(slot.begin(), slot.end()), slot.end());
    }

    const AccessProgram& program_;
    std::size_t window_;
    Reading reading_;
    std::vector<Groups> regions_;
    std::size_t launched_ = 0;
    Edges edges_;
};

}  // namespace refrain::states::testing
