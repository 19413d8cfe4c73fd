#include "states/group_table.hpp"

#include "analysis/point_conflicts.hpp"
#include "analysis/table_bytes.hpp"
#include "base/hash.hpp"

#include <algorithm>
#include <utility>

namespace refrain::states {

using analysis::PatternId;

namespace {

data::Box bounds_of_parts(const Parts& parts) {
    data::Box all = parts.front().elements.bounds();
    for (const Part& part : parts) {
        const data::Box& box = part.elements.bounds();
        for (std::size_t d = 0; d < all.lo.size(); ++d) {
            all.lo[d] = std::min(all.lo[d], box.lo[d]);
            all.hi[d] = std::max(all.hi[d], box.hi[d]);
        }
    }
    return all;
}

}  // namespace

GroupTable::GroupTable(const analysis::FootprintTable& footprints, analysis::PatternTable& patterns)
    : footprints_(footprints), patterns_(patterns), groups_(1) {
    bounds_.emplace_back();  // of nothing
}

GroupId GroupTable::intern(Group group) {
    if (group.live.empty()) return GroupId::nothing;
    const std::uint64_t hash = hash_of(group);
    const auto is_same = [&](GroupId id) { return get(id) == group; };
    if (const GroupId* known = by_hash_.find_if(hash, is_same)) return *known;
    const auto id = static_cast<GroupId>(groups_.size());
    bytes_ += bytes_of(group);
    bounds_.emplace_back(bounds_of_parts(group.live));
    groups_.push_back(std::move(group));
    by_hash_.add(hash, id);
    return id;
}

AccessKey GroupTable::key_of(std::vector<analysis::RequirementShape>& shapes) {
    std::sort(shapes.begin(), shapes.end(),
              [](const auto& a, const auto& b) { return a.word() < b.word(); });
    shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());
    if (shapes.size() == 1) return AccessKey::of(shapes.front());
    base::Hasher hasher;
    for (const auto& shape : shapes) hasher.add(shape.word());
    const std::uint64_t hash = hasher.finish().low;
    const auto is_same = [&](std::uint32_t number) { return numbered_[number].shapes == shapes; };
    if (const std::uint32_t* number = numbered_by_hash_.find_if(hash, is_same))
        return AccessKey::of_number(*number);
    return add({shapes, nullptr}, hash);
}

AccessKey GroupTable::key_of(JointAccess piece) {
    const std::uint64_t hash = hash_of(piece);
    const auto is_same = [&](std::uint32_t number) {
        const Numbered& numbered = numbered_[number];
        return numbered.shapes.empty() && numbered.known->joint.points == piece.points &&
               numbered.known->joint.uses == piece.uses;
    };
    if (const std::uint32_t* number = numbered_by_hash_.find_if(hash, is_same))
        return AccessKey::of_number(*number);
    bytes_ += sizeof(KnownAccess) + bytes_of(piece);
    return add({{}, std::make_unique<KnownAccess>(KnownAccess{std::move(piece), {}, nullptr})},
               hash);
}

AccessKey GroupTable::add(Numbered access, std::uint64_t hash) {
    const auto number = static_cast<std::uint32_t>(numbered_.size());
    bytes_ += analysis::held_bytes(access.shapes) + 2 * analysis::bytes_per_block;
    numbered_.emplace_back(std::move(access));
    numbered_by_hash_.add(hash, number);
    return AccessKey::of_number(number);
}

AccessKey GroupTable::adopt(AccessKey access, GroupTable& from) {
    if (!access.is_number()) return access;
    const Numbered& numbered = from.numbered_[access.number()];
    if (numbered.shapes.empty()) return key_of(numbered.known->joint);
    std::vector<analysis::RequirementShape> shapes = numbered.shapes;
    return key_of(shapes);
}

JointAccess GroupTable::compute(AccessKey access) const {
    if (access.is_number()) {
        const Numbered& numbered = numbered_[access.number()];
        return numbered.shapes.empty() ? numbered.known->joint : join(numbered.shapes, footprints_);
    }
    const analysis::RequirementShape shape = access.shape();
    return join({&shape, 1}, footprints_);
}

GroupTable::KnownAccess& GroupTable::known(AccessKey key) {
    const auto learn = [&] {
        KnownAccess access{compute(key), {}, nullptr};
        bytes_ += bytes_of(access.joint);
        return access;
    };
    if (key.is_number()) {
        auto& numbered = numbered_[key.number()].known;
        if (numbered == nullptr) {
            numbered = std::make_unique<KnownAccess>(learn());
            bytes_ += sizeof(KnownAccess);
        }
        return *numbered;
    }
    KnownAccess* single = single_.find(key.word);
    return single != nullptr ? *single : single_.add(key.word, learn());
}

const std::vector<GroupId>& GroupTable::beginnings(AccessKey access) {
    KnownAccess& own = known(access);
    if (own.beginnings.empty()) intern_all(own.joint, beginning, own.beginnings);
    return own.beginnings;
}

const GroupTable::Outline& GroupTable::find_outline(AccessKey access) {
    KnownAccess& own = known(access);
    if (own.outline != nullptr) return *own.outline;
    own.outline = std::make_unique<Outline>();
    Outline& outline = *own.outline;
    bytes_ += sizeof outline + analysis::bytes_per_block;
    intern_all(own.joint, need, outline.needs);
    const auto& uses = own.joint.uses;
    const auto all = [&](auto&& holds) { return std::all_of(uses.begin(), uses.end(), holds); };
    outline.only_reads = all([](const Use& use) { return use.usage.privilege == Privilege::read; });
    outline.only_overwrites = all([](const Use& use) { return overwrites(use.usage.privilege); });
    if (!uses.empty() && all([&](const Use& use) { return commute(use.usage, uses[0].usage); }))
        outline.commuting = uses[0].usage.usage() + 1;
    return outline;
}

void GroupTable::intern_all(const JointAccess& access, Group (*group_of)(const Use&, std::uint32_t),
                            std::vector<GroupId>& ids) {
    for (const Use& use : access.uses) {
        const GroupId group = intern(group_of(use, access.points));
        if (group != GroupId::nothing) ids.push_back(group);
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    bytes_ += analysis::held_bytes(ids) + analysis::bytes_per_block;
}

GroupTable::Step GroupTable::add_step(Steps& steps, GroupId group, AccessKey access, Find find) {
    const Step step = (this->*find)(get(group), access);
    return steps.add({access, group}, step);
}

GroupTable::Step GroupTable::find_step(const Group& group, AccessKey key) {
    const JointAccess& access = get(key);
    const Launches launches{group.points, access.points};
    Step step;
    for (const Use& use : access.uses)
        if (const Parts* parts = awaited(group, use.usage))
            add_conflicts(step, launches, *parts, use.parts, carries_data(group.usage, use.usage));
    step.order = patterns_.minus(step.order, step.data);
    step.left = intern(cut(group, access));
    return step;
}

GroupTable::Step GroupTable::find_step_back(const Group& need, AccessKey key) {
    const JointAccess& access = get(key);
    const Launches launches{access.points, need.points};
    Step step;
    for (const Use& use : access.uses) {
        if (commute(use.usage, need.usage)) continue;
        const bool orders_only =
            overwrites(use.usage.privilege) && need.usage.privilege == Privilege::write;
        add_conflicts(step, launches, use.parts, orders_only ? need.fresh : need.live,
                      carries_data(use.usage, need.usage));
    }
    step.order = patterns_.minus(step.order, step.data);
    step.left = intern(cut(need, access));
    return step;
}

GroupTable::Step GroupTable::find_meeting(const Group& need, AccessKey key) {
    const Group& group = get(static_cast<GroupId>(key.number()));
    Step step;
    if (const Parts* parts = awaited(group, need.usage))
        add_conflicts(step, {group.points, need.points}, *parts,
                      parts == &group.fresh ? need.fresh : need.live,
                      carries_data(group.usage, need.usage));
    return step;
}

void GroupTable::add_conflicts(Step& step, const Launches& launches, const Parts& earlier,
                               const Parts& later, bool carries_data) {
    PatternId& pattern = carries_data ? step.data : step.order;
    const PatternId added = patterns_.intern(analysis::point_conflicts(
        {launches.earlier_points, earlier}, {launches.later_points, later}));
    pattern = patterns_.unite(pattern, added);
}

std::size_t GroupTable::bytes() const {
    return bytes_ + bounds_.bytes() + by_hash_.bytes() + single_.bytes() + numbered_.bytes() +
           numbered_by_hash_.bytes() + forward_.bytes() + backward_.bytes() + meetings_.bytes();
}

}  // namespace refrain::states
