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

using Cuts = std::vector<GroupCutter::Cut>;

/// Which boxes touch which cells, by cell, then by point.
void cut_along_cells(const Parts& parts, const analysis::CellGrid& grid, Cuts& cuts) {
    cuts.clear();
    for (const Part& part : parts)
        for (const data::Box& box : part.elements.boxes())
            grid.for_each_cell(box, [&](std::uint32_t cell) {
                cuts.push_back({cell, part.point, &box});
            });
    const auto comes_before = [](const auto& a, const auto& b) {
        return std::pair(a.cell, a.point) < std::pair(b.cell, b.point);
    };
    if (!std::is_sorted(cuts.begin(), cuts.end(), comes_before))
        std::sort(cuts.begin(), cuts.end(), comes_before);
}

/// What of these boxes lies in the cell, in coordinates relative to it.
data::BoxSet inside(const data::Box& cell, std::span<const GroupCutter::Cut> boxes) {
    const auto cut = [&](const GroupCutter::Cut& box) {
        return box.box->intersection(cell).relative_to(cell.lo);
    };
    if (boxes.size() == 1) return cut(boxes.front());
    std::vector<data::Box> all;
    for (const GroupCutter::Cut& box : boxes) all.push_back(cut(box));
    return data::BoxSet::of_boxes(all);
}

/// The parts in a cell, which begin at `next`. Moves it on.
Parts parts_in(std::uint32_t index, const analysis::CellGrid& grid, Cuts::const_iterator& next,
               const Cuts& cuts) {
    Parts parts;
    const data::Box cell = grid.cell(index);
    while (next != cuts.end() && next->cell == index) {
        const auto begin = next;
        while (next != cuts.end() && next->cell == index && next->point == begin->point) ++next;
        parts.push_back({begin->point, inside(cell, {begin, next})});
    }
    return parts;
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
    Cuts cuts;
    for (const Use& use : access.uses) {
        cut_along_cells(use.parts, grid, cuts);
        for (auto next = cuts.cbegin(); next != cuts.cend();) {
            const std::uint32_t cell = next->cell;
            all[cell].uses.push_back({use.usage, parts_in(cell, grid, next, cuts)});
        }
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

/// Fresh elements are live ones, so each cell with the former has some of the latter.
void GroupCutter::cut(const Group& group, const analysis::CellGrid& grid,
                      base::FunctionRef<void(std::uint32_t, Group&&)> visit) {
    cut_along_cells(group.live, grid, live_);
    cut_along_cells(group.fresh, grid, fresh_);
    auto fresh = fresh_.cbegin();
    for (auto live = live_.cbegin(); live != live_.cend();) {
        const std::uint32_t cell = live->cell;
        Group piece{group.usage, group.points, {}, {}};
        piece.live = parts_in(cell, grid, live, live_);
        piece.fresh = parts_in(cell, grid, fresh, fresh_);
        visit(cell, std::move(piece));
    }
    REFRAIN_ASSERT(fresh == fresh_.cend(), "elements are fresh that are not live");
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
