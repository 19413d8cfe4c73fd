#include "states/group.hpp"

#include "analysis/table_bytes.hpp"
#include "base/assertion.hpp"
#include "base/hash.hpp"

#include <algorithm>
#include <utility>

namespace refrain::states {
namespace {

void add(base::Hasher& hasher, const Parts& parts) {
    for (const Part& part : parts) {
        hasher.add(part.point);
        hasher.add(part.elements.hash());
    }
    hasher.add(parts.size());
}
std::uint64_t hash_of(const Use& use) {
    base::Hasher hasher(use.usage.word());
    add(hasher, use.parts);
    return hasher.finish().low;
}

analysis::RequirementShape usage_of(const analysis::RequirementShape& shape) {
    return {analysis::FootprintId::none, shape.privilege, shape.reduction};
}

/// Finds what any point uses and overwrites.
void complete(JointAccess& access) {
    std::vector<data::BoxSet> overwritten, used;
    for (const Use& use : access.uses)
        for (const Part& part : use.parts) {
            used.push_back(part.elements);
            if (overwrites(use.usage.privilege)) overwritten.push_back(part.elements);
        }
    access.overwritten = data::BoxSet::unite_all(overwritten);
    access.used = data::BoxSet::unite_all(used);
}

data::BoxSet relative(const data::BoxSet& elements, const data::Box& cell) {
    std::vector<data::Box> inside;
    for (const data::Box& box : elements.boxes()) {
        const data::Box common = box.intersection(cell);
        if (!common.empty()) inside.push_back(common.relative_to(cell.lo));
    }
    return inside.size() == 1 ? data::BoxSet(inside.front()) : data::BoxSet::of_boxes(inside);
}

/// Calls visit(cell, part) for each piece of each part, points in order.
template <class Visit>
void for_each_piece(const Parts& parts, const analysis::CellGrid& grid, Visit&& visit) {
    for (const Part& part : parts)
        for (const std::uint32_t cell : grid.cells_touched(part.elements)) {
            data::BoxSet inside = relative(part.elements, grid.cell(cell));
            if (!inside.empty()) visit(cell, Part{part.point, std::move(inside)});
        }
}

}  // namespace

JointAccess join(std::span<const analysis::RequirementShape> shapes,
                 const analysis::FootprintTable& footprints) {
    REFRAIN_ASSERT(!shapes.empty(), "an access has no requirement");
    JointAccess access;
    std::vector<data::BoxSet> overwritten, used;
    for (const analysis::RequirementShape& shape : shapes) {
        const analysis::Footprint& footprint = footprints.get(shape.footprint);
        access.points = static_cast<std::uint32_t>(footprint.subsets.size());
        Use& use = access.uses.emplace_back(Use{usage_of(shape), {}});
        for (std::uint32_t point = 0; point < access.points; ++point)
            if (!footprint.subsets[point].empty())
                use.parts.push_back({point, footprint.subsets[point]});
        used.push_back(footprint.all);
        if (overwrites(shape.privilege)) overwritten.push_back(footprint.all);
    }
    access.overwritten = data::BoxSet::unite_all(overwritten);
    access.used = data::BoxSet::unite_all(used);
    return access;
}

JointAccess single(const analysis::RequirementShape& shape, const data::BoxSet& elements) {
    JointAccess access;
    access.uses.push_back({usage_of(shape), {{0, elements}}});
    access.points = 1;
    access.used = elements;
    if (overwrites(shape.privilege)) access.overwritten = elements;
    return access;
}

Group beginning(const Use& use, std::uint32_t points) {
    const bool writes = overwrites(use.usage.privilege);
    Group group;
    group.usage = use.usage;
    if (writes) group.usage.privilege = Privilege::read_write;
    group.points = points;
    group.live = use.parts;
    if (writes) group.fresh = group.live;
    return group;
}

Group need(const Use& use, std::uint32_t points) {
    return {use.usage, points, use.parts,
            use.usage.privilege == Privilege::write ? use.parts : Parts{}};
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

std::map<std::uint32_t, JointAccess> pieces(const JointAccess& access,
                                            const analysis::CellGrid& grid) {
    std::map<std::uint32_t, JointAccess> all;
    for (const Use& use : access.uses) {
        std::map<std::uint32_t, Parts> parts;
        for_each_piece(use.parts, grid, [&](std::uint32_t cell, Part&& part) {
            parts[cell].push_back(std::move(part));
        });
        for (auto& [cell, own] : parts) all[cell].uses.push_back({use.usage, std::move(own)});
    }
    for (auto& [cell, piece] : all) {
        auto& uses = piece.uses;  // in an order that does not depend on the whole
        std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
            return std::pair(a.usage.word(), hash_of(a)) < std::pair(b.usage.word(), hash_of(b));
        });
        uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
        piece.points = access.points;
        complete(piece);
    }
    return all;
}

std::map<std::uint32_t, Group> pieces(const Group& group, const analysis::CellGrid& grid) {
    std::map<std::uint32_t, Group> all;
    for_each_piece(group.live, grid, [&](std::uint32_t cell, Part&& part) {
        all[cell].live.push_back(std::move(part));
    });
    for_each_piece(group.fresh, grid, [&](std::uint32_t cell, Part&& part) {
        all[cell].fresh.push_back(std::move(part));
    });
    for (auto& [cell, piece] : all) {
        piece.usage = group.usage;
        piece.points = group.points;
    }
    return all;
}

std::uint64_t hash_of(const Group& group) {
    base::Hasher hasher(group.usage.word());
    hasher.add(group.points);
    add(hasher, group.live);
    add(hasher, group.fresh);
    return hasher.finish().low;
}

std::uint64_t hash_of(const JointAccess& access) {
    base::Hasher hasher(access.points);
    for (const Use& use : access.uses) hasher.add(hash_of(use));
    return hasher.finish().low;
}

std::size_t bytes_of(const Group& group) {
    return sizeof(Group) + bytes_of(group.live) + bytes_of(group.fresh);
}

std::size_t bytes_of(const JointAccess& access) {
    std::size_t bytes = sizeof(JointAccess) + analysis::held_bytes(access.uses) +
                        access.overwritten.shared_bytes() + access.used.shared_bytes();
    for (const Use& use : access.uses) bytes += bytes_of(use.parts);
    return bytes;
}

}  // namespace refrain::states
