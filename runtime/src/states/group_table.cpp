#include "states/group_table.hpp"

#include "analysis/overlap_sweep.hpp"
#include "analysis/table_bytes.hpp"
#include "base/hash.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace refrain::states {

using analysis::PatternId;
using analysis::PatternTable;

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
    : footprints_(footprints), patterns_(patterns), groups_(1), bounds_(1), steps_(64) {}

GroupId GroupTable::intern(Group group) {
    if (group.live.empty()) return GroupId::nothing;
    const std::uint64_t hash = hash_of(group);
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto entry = first; entry != last; ++entry)
        if (get(entry->second) == group) return entry->second;
    const auto id = static_cast<GroupId>(groups_.size());
    bytes_ += bytes_of(group) + analysis::bytes_per_entry<decltype(by_hash_)>;
    bounds_.push_back(bounds_of_parts(group.live));
    groups_.push_back(std::move(group));
    by_hash_.emplace(hash, id);
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
    const auto [first, last] = numbered_by_hash_.equal_range(hash);
    for (auto entry = first; entry != last; ++entry)
        if (numbered_[entry->second].shapes == shapes) return AccessKey::of_number(entry->second);
    KnownAccess access = learn(join(shapes, footprints_));
    access.shapes = shapes;
    return add(std::move(access), hash);
}

AccessKey GroupTable::key_of(JointAccess piece) {
    const std::uint64_t hash = hash_of(piece);
    const auto [first, last] = numbered_by_hash_.equal_range(hash);
    for (auto entry = first; entry != last; ++entry) {
        const KnownAccess& known = numbered_[entry->second];
        if (known.shapes.empty() && known.joint.points == piece.points &&
            known.joint.uses == piece.uses)
            return AccessKey::of_number(entry->second);
    }
    return add(learn(std::move(piece)), hash);
}

AccessKey GroupTable::add(KnownAccess access, std::uint64_t hash) {
    const auto number = static_cast<std::uint32_t>(numbered_.size());
    bytes_ += analysis::bytes_per_entry<decltype(numbered_by_hash_)> +
              analysis::held_bytes(access.shapes);
    numbered_.push_back(std::move(access));
    numbered_by_hash_.emplace(hash, number);
    return AccessKey::of_number(number);
}

GroupTable::KnownAccess& GroupTable::access_of(AccessKey key) {
    if (key.is_number()) return numbered_[key.number()];
    const auto known = single_.find(key.word);
    if (known != single_.end()) return known->second;
    const auto shape = std::bit_cast<analysis::RequirementShape>(key.word);
    bytes_ += analysis::bytes_per_entry<decltype(single_)>;
    return single_.emplace(key.word, learn(join({&shape, 1}, footprints_))).first->second;
}

GroupTable::KnownAccess GroupTable::learn(JointAccess joint) {
    KnownAccess known;
    for (const Use& use : joint.uses) {
        const GroupId group = intern(beginning(use, joint.points));
        if (group != GroupId::nothing) known.beginnings.push_back(group);
    }
    std::sort(known.beginnings.begin(), known.beginnings.end());
    known.beginnings.erase(std::unique(known.beginnings.begin(), known.beginnings.end()),
                           known.beginnings.end());
    bytes_ += sizeof(KnownAccess) + bytes_of(joint) + analysis::held_bytes(known.beginnings) +
              2 * analysis::bytes_per_block;
    known.joint = std::move(joint);
    return known;
}

GroupTable::Step GroupTable::step(GroupId group, AccessKey access) {
    if (const KnownStep& known = place_of(group, access); known.group == group) return known.step;
    if (2 * ++step_count_ > steps_.size()) grow();
    const Step step = compute(get(group), access_of(access).joint);
    place_of(group, access) = {access, group, step};
    return step;
}

GroupTable::KnownStep& GroupTable::place_of(GroupId group, AccessKey access) {
    const std::uint64_t hash = base::mix(access.word ^ static_cast<std::uint64_t>(group) << 40);
    std::size_t at = static_cast<std::size_t>(hash) & (steps_.size() - 1);
    while (steps_[at].group != GroupId::nothing &&
           !(steps_[at].group == group && steps_[at].access == access))
        at = (at + 1) & (steps_.size() - 1);
    return steps_[at];
}

void GroupTable::grow() {
    std::vector<KnownStep> old(2 * steps_.size());
    old.swap(steps_);
    for (const KnownStep& known : old)
        if (known.group != GroupId::nothing) place_of(known.group, known.access) = known;
}

GroupTable::Step GroupTable::compute(const Group& group, const JointAccess& access) {
    std::vector<PatternTable::Pair> data, order;
    for (const Use& use : access.uses) {
        const Parts* parts = awaited(group, use.usage);
        if (parts == nullptr) continue;
        auto& pairs = carries_data(group.usage, use.usage) ? data : order;
        const analysis::OverlapSweep users(use.parts);
        for (const Part& part : *parts)
            users.overlapping(part.elements, [&](std::uint32_t user) {
                pairs.push_back({part.point, use.parts[user].point});
            });
    }
    Step step;
    step.data = patterns_.intern(group.points, access.points, std::move(data));
    step.order =
        patterns_.minus(patterns_.intern(group.points, access.points, std::move(order)), step.data);
    step.left = intern(cut(group, access));
    return step;
}

std::size_t GroupTable::bytes() const {
    return bytes_ + analysis::held_bytes(bounds_) + analysis::held_bytes(steps_);
}

}  // namespace refrain::states
