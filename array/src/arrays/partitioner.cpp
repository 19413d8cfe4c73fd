#include "arrays/partitioner.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "arrays/launcher.hpp"

namespace refrain::array {

namespace {

constexpr std::size_t cuts_max = 4096;
constexpr std::size_t tilings_max = 4 * cuts_max;  // of cuts and of arrays

/// Whether the function sets elements, each of which must then be in one tile.
bool writes(const WorkUse& use) noexcept {
    return use.privilege != Privilege::read && use.privilege != Privilege::reduce;
}

/// Whether tasks would write what others of the launch use: the store has several uses, one of them a write.
bool may_conflict(const Work& work) {
    for (const WorkUse& a : work.uses) {
        for (const WorkUse& b : work.uses)
            if (&a != &b && a.array->same_store(*b.array) && a.privilege != Privilege::read)
                return true;
    }
    return false;
}

/// The parts of the region that the tiles of a view touch.
Cut::Use use_of(const WorkUse& use, const Tiling& tiling) {
    const Store& store = use.array->store();
    Cut::Use made{tiling.shared_from_this(), {}};
    std::vector<data::Box> boxes;
    for (const IndexBox& box : tiling.boxes) {
        boxes.push_back({.lo = {0, 0, 0}, .hi = {0, 0, 0}});
        if (box.is_empty()) continue;
        const RegionBox part = footprint(part_of(use.array->layout(), box), store.form->shape);
        made.exact = made.exact && part.exact;
        boxes.back() = box_of(part);
    }
    for (std::size_t a = 0; a < boxes.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) made.apart = made.apart && !boxes[a].overlaps(boxes[b]);
    made.partition = partition_into(boxes, *store.form);
    return made;
}

std::string line_of(const Constraint& constraint) {
    return constraint.line > 0 ? " in line " + std::to_string(constraint.line) : "";
}

/// A broadcast() of dimensions that its argument lacks.
void check_dimensions(const Work& work, const Constraint& constraint) {
    const auto use = static_cast<std::size_t>(constraint.from);
    const int rank = work.uses[use].array->rank();
    if (constraint.dims == all_dims || static_cast<int>(std::bit_width(constraint.dims)) <= rank)
        return;
    std::string dims;
    for (int d = 0; d < rank_max; ++d)
        if ((constraint.dims >> d & 1) != 0) dims += (dims.empty() ? "" : ", ") + std::to_string(d);
    throw ArrayError(
        ErrorKind::value,
        std::string("broadcast of work '") + work.name + "'" + line_of(constraint) + ": " +
            argument_of(work, use) + " of shape " + work.uses[use].array->shape().text() +
            " has rank " + std::to_string(rank) + ", but dims are {" + dims + "}; " +
            (rank == 0 ? "such an array is never cut: leave the constraint out"
                       : "name some of 0 to " + std::to_string(rank - 1) + ", or none for all"));
}

/// Whether the cut depends on elements that may change without a new version.
bool follows_open_pointers(const Work& work) {
    return std::any_of(work.constraints.begin(), work.constraints.end(), [&](const Constraint& c) {
        return c.kind == Constraint::Kind::image &&
               work.uses[static_cast<std::size_t>(c.from)].array->store().is_open();
    });
}

}  // namespace

std::string argument_of(const Work& work, std::size_t use) {
    const std::string_view name = work.uses[use].name;
    return "argument " + (name.empty() ? std::to_string(use) : "'" + std::string(name) + "'");
}

void check_constraints(const Work& work) {
    const auto count = static_cast<int>(work.uses.size());
    for (const Constraint& constraint : work.constraints) {
        const bool has_to = constraint.kind != Constraint::Kind::broadcast;
        if (constraint.from < 0 || constraint.from >= count ||
            (has_to && (constraint.to < 0 || constraint.to >= count)))
            throw ArrayError(
                ErrorKind::value,
                std::string("a constraint of work '") + work.name + "'" + line_of(constraint) +
                    " names an argument that it does not have: " + std::to_string(constraint.from) +
                    (has_to ? " or " + std::to_string(constraint.to) : "") + " of " +
                    std::to_string(count) + ", counted from 0");
        if (!has_to) check_dimensions(work, constraint);
    }
}

Layout part_of(const Layout& layout, const IndexBox& box) {
    Layout part = layout;
    const Extent* lo = box.lo.data();
    const Extent* hi = box.hi.data();
    const Extent* strides = part.strides.data();
    Extent* shape = part.shape.data();
    for (int d = 0; d < part.rank(); ++d) {
        shape[d] = std::max<Extent>(hi[d] - lo[d], 0);
        if (shape[d] > 0) part.offset += lo[d] * strides[d];
    }
    return part;
}

std::size_t Partitioner::KeyHash::operator()(const Key& key) const noexcept {
    std::uint64_t hash = key.size();
    for (const std::uint64_t word : key) hash = mixed(hash, word);
    return static_cast<std::size_t>(hash);
}

Partitioner::Key Partitioner::key_of(const Work& work, int tiles) {
    Key key{static_cast<std::uint64_t>(tiles)};
    const auto add = [&](std::int64_t word) { key.push_back(static_cast<std::uint64_t>(word)); };
    const auto add_all = [&](const Extents& extents) {
        add(extents.size());
        for (const Extent extent : extents) add(extent);
    };
    for (const Constraint& constraint : work.constraints) {
        add(static_cast<std::int64_t>(constraint.kind) | std::int64_t{constraint.from} << 8 |
            std::int64_t{constraint.to} << 16 | std::int64_t{constraint.dims} << 24);
        add_all(constraint.low);
        add_all(constraint.high);
        if (constraint.kind != Constraint::Kind::image) continue;
        const Store& pointers = work.uses[static_cast<std::size_t>(constraint.from)].array->store();
        key.push_back(pointers.uid);
        key.push_back(pointers.version());
    }
    for (const WorkUse& use : work.uses) {
        const Store& store = use.array->store();
        const Layout& layout = use.array->layout();
        add(layout.offset);
        add_all(layout.shape);
        add_all(layout.strides);
        add_all(store.form->shape);
        const Tiling* written = written_tiling(use.array->store(), use.array->layout());
        key.push_back(written == nullptr ? 0 : written->number + 1);
        key.push_back(static_cast<std::uint64_t>(use.privilege));
        std::uint64_t first = 0;  // the first use of its store
        while (!work.uses[first].array->same_store(*use.array)) ++first;
        key.push_back(first << 8 | static_cast<std::uint64_t>(store.form->dtype));
    }
    return key;
}

std::shared_ptr<const Cut> Partitioner::cut(const Work& work, int tiles) {
    if (may_conflict(work)) tiles = 1;
    if (cuts_.size() >= cuts_max || tilings_.size() >= tilings_max) {
        cuts_.clear();
        tilings_.forget_unused();
    }
    if (follows_open_pointers(work)) return std::make_shared<const Cut>(make(work, tiles));
    Key key = key_of(work, tiles);
    const auto found = cuts_.find(key);
    if (found != cuts_.end()) return found->second;
    auto made = std::make_shared<const Cut>(make(work, tiles));
    return cuts_.emplace(std::move(key), std::move(made)).first->second;
}

Cut Partitioner::make(const Work& work, int tiles) {
    Problem problem;
    for (const WorkUse& use : work.uses) {
        const Array& array = *use.array;
        const int number = problem.add(
            use.name.empty() ? "argument " + std::to_string(&use - work.uses.data())
                             : std::string(use.name),
            array.shape(), array.size() * static_cast<std::int64_t>(bytes_of(array.dtype())),
            written_tiling(array.store(), array.layout()));
        if (!writes(use)) problem.share(number);
    }
    for (const Constraint& constraint : work.constraints) {
        switch (constraint.kind) {
            case Constraint::Kind::align:
                problem.align(constraint.from, constraint.to, constraint.line);
                break;
            case Constraint::Kind::broadcast:
                problem.broadcast(constraint.from, constraint.dims);
                break;
            case Constraint::Kind::scale:
                problem.scale(constraint.from, constraint.to, constraint.low, constraint.line);
                break;
            case Constraint::Kind::bloat:
                problem.bloat(constraint.from, constraint.to, constraint.low, constraint.high,
                              constraint.line);
                break;
            case Constraint::Kind::image: {
                const Array& pointers = *work.uses[static_cast<std::size_t>(constraint.from)].array;
                const Array& target = *work.uses[static_cast<std::size_t>(constraint.to)].array;
                problem.image(
                    constraint.from, constraint.to,
                    [&](const Tiling& tiling) { return image(pointers, target, tiling); },
                    constraint.line);
            }
        }
    }
    const std::vector<const Tiling*> solution = problem.solve(tilings_, tiles);
    Cut cut;
    cut.tiles = tiles;
    const bool cuts = std::any_of(solution.begin(), solution.end(), [](const Tiling* tiling) {
        return !tiling->is_whole_along(~std::uint32_t{0});
    });
    if (tiles == 1 || !cuts) return {};
    for (std::size_t i = 0; i < solution.size(); ++i) {
        if (writes(work.uses[i]) && !solution[i]->divides)
            throw ArrayError(
                ErrorKind::value,
                std::string("work '") + work.name + "' writes " + argument_of(work, i) +
                    ", but the constraints do not put each of its elements into one tile");
        cut.uses.push_back(use_of(work.uses[i], *solution[i]));
        // Boxes of what lies scattered hold elements of other tiles.
        if (writes(work.uses[i]) && !cut.uses.back().apart) return {};
    }
    return cut;
}

std::vector<IndexBox> Partitioner::image(const Array& pointers, const Array& target,
                                         const Tiling& tiling) {
    if (pointers.dtype() != DType::int64 || target.rank() == 0)
        throw ArrayError(ErrorKind::type,
                         "image: pointers are of int64, and their target has a dimension");
    const Extent extent = target.shape()[0];
    std::vector<IndexBox> boxes;
    for (const IndexBox& box : tiling.boxes) {
        IndexBox reached{Extents(target.rank(), 0), target.shape()};
        reached.hi[0] = 0;
        if (!box.is_empty()) {
            const auto bounds = machine_.bounds_of(pointers.view(part_of(pointers.layout(), box)));
            if (bounds->first < 0 || bounds->second >= extent)
                throw ArrayError(
                    ErrorKind::index,
                    "image: index " +
                        std::to_string(bounds->first < 0 ? bounds->first : bounds->second) +
                        " is out of bounds for axis 0 with size " + std::to_string(extent));
            reached.lo[0] = bounds->first;
            reached.hi[0] = bounds->second + 1;
        }
        boxes.push_back(std::move(reached));
    }
    return boxes;
}

}  // namespace refrain::array
