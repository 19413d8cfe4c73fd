#include "states/group.hpp"

#include "analysis/table_bytes.hpp"
#include "base/assertion.hpp"

#include <algorithm>

namespace refrain::states {
namespace {

void subtract(Parts& from, const data::BoxSet& what) {
    for (Part& part : from) part.elements = part.elements.subtract(what);
    std::erase_if(from, [](const Part& part) { return part.elements.empty(); });
}

std::uint64_t hash_of(const Parts& parts, std::uint64_t hash) {
    for (const Part& part : parts) {
        hash = (hash ^ part.elements.hash() ^ part.point) * 0xff51afd7ed558ccdU;
        hash ^= hash >> 33;
    }
    return hash * 0x9e3779b97f4a7c15U;
}

std::size_t bytes_of(const Parts& parts) {
    std::size_t bytes = analysis::held_bytes(parts) + analysis::bytes_per_block;
    for (const Part& part : parts)
        if (!part.elements.is_box())
            bytes += part.elements.boxes().size_bytes() + analysis::bytes_per_block;
    return bytes;
}

}  // namespace

JointAccess join(std::vector<analysis::RequirementShape> shapes,
                 const analysis::FootprintTable& footprints) {
    REFRAIN_ASSERT(!shapes.empty(), "an access has no requirement");
    JointAccess access;
    std::vector<data::BoxSet> overwritten, used;
    for (const analysis::RequirementShape& shape : shapes) {
        const analysis::Footprint& footprint = footprints.get(shape.footprint);
        access.points = static_cast<std::uint32_t>(footprint.subsets.size());
        used.push_back(footprint.all);
        if (overwrites(shape.privilege)) overwritten.push_back(footprint.all);
    }
    access.overwritten = data::BoxSet::unite_all(overwritten);
    access.used = data::BoxSet::unite_all(used);
    access.shapes = std::move(shapes);
    return access;
}

Group beginning(const analysis::RequirementShape& shape,
                const analysis::FootprintTable& footprints) {
    const bool writes = overwrites(shape.privilege);
    Group group;
    group.usage = {analysis::FootprintId::none, writes ? Privilege::read_write : shape.privilege,
                   shape.reduction};
    const auto& subsets = footprints.get(shape.footprint).subsets;
    group.points = static_cast<std::uint32_t>(subsets.size());
    for (std::uint32_t point = 0; point < group.points; ++point)
        if (!subsets[point].empty()) group.live.push_back({point, subsets[point]});
    if (writes) group.fresh = group.live;
    return group;
}

Group cut(Group group, const JointAccess& access) {
    subtract(group.live, access.overwritten);
    subtract(group.fresh, access.used);
    return group;
}

const Parts* awaited(const Group& group, const analysis::RequirementShape& later) {
    if (commute(group.usage, later)) return nullptr;
    const bool orders_only =
        overwrites(group.usage.privilege) && later.privilege == Privilege::write;
    return orders_only ? &group.fresh : &group.live;
}

std::uint64_t hash_of(const Group& group) {
    const std::uint64_t start = group.usage.word() ^ std::uint64_t{group.points} << 8;
    return hash_of(group.fresh, hash_of(group.live, start * 0xd6e8feb86659fd93U));
}

std::size_t bytes_of(const Group& group) {
    return sizeof(Group) + bytes_of(group.live) + bytes_of(group.fresh);
}

}  // namespace refrain::states
