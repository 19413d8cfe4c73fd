#include "arrays/work_launcher.hpp"

#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "arrays/few.hpp"
#include "arrays/folds.hpp"
#include "arrays/launcher.hpp"

namespace refrain::array {

namespace {

/// Where a task finds an array.
struct Found {
    std::byte* memory = nullptr;
    const data::Box* bounds = nullptr;  // of what is there; null: all of the root
};

/// So many arrays and fewer are seen without an allocation.
constexpr std::size_t views_few = 8;

/// What is seen of an array.
struct Placing {
    const Layout* layout;
    DType dtype;
    int tiled_axis;
    bool folds;
};
struct Tile {
    Extent tiles;
    Extent number;
    const Cut* cut;  // null: equal parts
};

/// Makes the views that a function is called with; `placing(i)` is of view i. Returns the tile's first index along
/// its axis.
template <class PlacingOf>
Extent place_views(std::span<WorkView> seen, const PlacingOf& placing_of,
                   std::span<const Found> found, const Tile& tile) {
    Extent tile_first = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const Placing placing = placing_of(i);
        WorkView& view = seen[i];
        view.layout = *placing.layout;
        view.begin = Extents(view.layout.rank(), 0);
        if (tile.cut != nullptr) {
            const IndexBox& box =
                tile.cut->uses[i].tiling->boxes[static_cast<std::size_t>(tile.number)];
            view.layout = part_of(*placing.layout, box);
            view.begin = box.lo;
        } else if (tile.tiles > 1 && placing.tiled_axis >= 0) {
            const int axis = placing.tiled_axis;
            const Extent extent = placing.layout->shape[axis];
            tile_first = first_of_part(extent, tile.tiles, tile.number);
            view.begin[axis] = tile_first;
            view.layout = placing.layout->slice(
                axis, tile_first, 1,
                first_of_part(extent, tile.tiles, tile.number + 1) - tile_first);
        }
        if (placing.folds && found[i].bounds != nullptr)
            view.layout = layout_within({found[i].bounds->lo, found[i].bounds->hi},
                                        placing.layout->shape, view.begin, view.layout.shape);
        view.address =
            found[i].memory + view.layout.offset * static_cast<Extent>(bytes_of(placing.dtype));
        view.layout.offset = 0;
        view.dtype = placing.dtype;
    }
    return tile_first;
}

/// What a task keeps of a call: layouts count from their roots.
struct Kept {
    struct Use {
        Layout layout;
        DType dtype = DType::float64;
        int tiled_axis = -1;
        bool folds = false;  // then the layout is that of the root
    };
    WorkFunction function = nullptr;
    Extent tiles = 1;  // equal parts, or those of the cut
    std::shared_ptr<const Cut> cut;
    std::vector<Use> uses;
    /// A parameter that is the value of a use, those after `views`.
    struct Deferred {
        DType dtype;
        WorkScalar::Into into;
        std::size_t at;
    };
    std::size_t views = 0;
    std::vector<Deferred> scalars;
    struct Parameters {
        std::vector<std::int64_t> numbers;
        alignas(16) std::array<std::byte, work_bytes_max> bytes{};
    };
    Parameters parameters;
    std::shared_ptr<const void> owner;

    Kept(const Work& work, const std::shared_ptr<const Cut>& how)
        : function(work.function),
          tiles(how != nullptr             ? how->tiles
                : work.constraints.empty() ? work.tiles
                                           : 1),
          cut(tiles > 1 ? how : nullptr),
          views(work.uses.size() - work.scalars.size()),
          owner(work.owner) {
        parameters.numbers.assign(work.numbers.begin(), work.numbers.end());
        for (const WorkScalar& scalar : work.scalars)
            scalars.push_back(
                {scalar.into == WorkScalar::Into::numbers ? DType::int64 : scalar.dtype,
                 scalar.into, scalar.at});
        uses.reserve(work.uses.size());
        for (const WorkUse& use : work.uses)
            uses.push_back({use.array->layout(), use.array->dtype(), use.tiled_axis,
                            use.privilege == Privilege::reduce});
        std::memcpy(parameters.bytes.data(), work.bytes, parameters.bytes.size());
    }

    void call(std::span<const Found> found, Extent tile) const {
        Few<WorkView, views_few> seen(views);
        const Extent first =
            place_views(seen.all(),
                        [&](std::size_t i) {
                            const Use& use = uses[i];
                            return Placing{&use.layout, use.dtype, use.tiled_axis, use.folds};
                        },
                        found, {tiles, tile, cut.get()});
        const auto called_with = [&](const Parameters& with) {
            function({seen.all(), with.bytes.data(), with.numbers, first, owner.get()});
        };
        if (scalars.empty()) [[likely]]
            called_with(parameters);
        else
            called_with(with_values(found));
    }

    /// The parameters, with the values of the scalars.
    [[nodiscard]] Parameters with_values(std::span<const Found> found) const {
        Parameters all = parameters;
        for (std::size_t i = 0; i < scalars.size(); ++i) {
            const Use& use = uses[views + i];
            const std::size_t bytes = bytes_of(use.dtype);
            Scalar value{.dtype = use.dtype};
            std::memcpy(value.bytes.data(),
                        found[views + i].memory + use.layout.offset * static_cast<Extent>(bytes),
                        bytes);
            if (value.dtype == DType::uint64 && scalars[i].dtype == DType::int64 &&
                value.as<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
                throw ArrayError(ErrorKind::value,
                                 "the value " + std::to_string(value.as<std::uint64_t>()) +
                                     " of a scalar is beyond int64, which the parameter is; pass "
                                     "it as uint64, or as an array that is read");
            value = converted(value, scalars[i].dtype);
            if (scalars[i].into == WorkScalar::Into::numbers)
                all.numbers[scalars[i].at] = value.as<std::int64_t>();
            else
                std::memcpy(all.bytes.data() + scalars[i].at, value.bytes.data(),
                            bytes_of(value.dtype));
        }
        return all;
    }
};

struct Closure {
    std::unique_ptr<const Kept> kept;
};

void run_task(const runtime::TaskFrame& frame) {
    const Kept& kept = *static_cast<const Closure*>(frame.closure)->kept;
    std::array<Found, work_uses_max> found{};
    for (std::size_t i = 0; i < kept.uses.size(); ++i)
        found[i] = {static_cast<std::byte*>(frame.arguments[i].elements),
                    frame.arguments[i].bounds};
    kept.call({found.data(), kept.uses.size()}, kept.tiles > 1 ? frame.point[0] : 0);
}

/// The part of its store that each tile uses; empty: all of it. `exact`: no box holds other elements.
dynamic::AnyPartition partition_of(const WorkUse& use, Extent tiles, bool& exact) {
    const Store& store = use.array->store();
    const Layout& layout = use.array->layout();
    const bool tiled = tiles > 1 && use.tiled_axis >= 0;
    std::vector<data::Box> boxes;
    exact = true;
    for (Extent tile = 0; tile < (tiled ? tiles : 1); ++tile) {
        RegionBox box;
        if (tiled) {
            const Extent extent = layout.shape[use.tiled_axis];
            const Extent first = first_of_part(extent, tiles, tile);
            box = footprint(layout.slice(use.tiled_axis, first, 1,
                                         first_of_part(extent, tiles, tile + 1) - first),
                            store.form->shape);
        } else {
            box = footprint(layout, store.form->shape);
        }
        exact = exact && box.exact;
        boxes.push_back(box_of(box));
    }
    if (!tiled) boxes.resize(static_cast<std::size_t>(tiles), boxes.front());
    return partition_into(boxes, *store.form);
}

}  // namespace

void WorkLauncher::launch(const Work& work, const Site& site,
                          const std::shared_ptr<const Cut>& cut) {
    std::array<dynamic::RegionUse, work_uses_max> uses;
    std::array<dynamic::AnyPartition, work_uses_max> partitions;
    std::array<Privilege, work_uses_max> privileges{};
    const std::size_t count = work.uses.size();
    Closure closure{std::make_unique<const Kept>(work, cut)};
    const Kept& kept = *closure.kept;
    for (std::size_t i = 0; i < count; ++i) {
        const WorkUse& use = work.uses[i];
        Store& store = use.array->store();
        if (!store.in_region) stores_.put_into_region(store);
        bool exact = true;
        if (kept.cut != nullptr) {
            partitions[i] = kept.cut->uses[i].partition;
            exact = kept.cut->uses[i].exact;
        } else {
            partitions[i] = partition_of(use, kept.tiles, exact);
        }
        privileges[i] =
            use.privilege == Privilege::write && !exact ? Privilege::read_write : use.privilege;
        uses[i] = partitions[i] && kept.tiles == 1 ? dynamic::use(store.region, partitions[i], 0)
                                                   : dynamic::use(store.region, partitions[i]);
    }
    const dynamic::TaskKind& kind = kind_of(work, kept.tiles > 1, {privileges.data(), count});
    const LaunchSite where = resolver_.has_value()
                                 ? LaunchSite(kind.name(), *resolver_, site.words[0],
                                              static_cast<std::uint32_t>(site.words[1]))
                                 : kind.site("", 0);
    const auto domain = kept.tiles > 1 ? dynamic::line(kept.tiles) : dynamic::single_task;
    const std::shared_ptr<const Cut> by = kept.cut;  // the task takes the closure away
    dynamic::launch(runtime_, kind, where, domain, {uses.data(), count}, &closure);
    for (std::size_t i = 0; i < count; ++i) {
        const WorkUse& use = work.uses[i];
        Store& store = use.array->store();
        store.note_launch(use.privilege);
        if (use.privilege == Privilege::read || use.privilege == Privilege::reduce) continue;
        if (by != nullptr && use.array->layout() == Layout::row_major(store.form->shape))
            store.key = by->uses[i].tiling;
    }
}

const dynamic::TaskKind& WorkLauncher::kind_of(const Work& work, bool tiled,
                                               std::span<const Privilege> privileges) {
    std::vector<std::uintptr_t> key{reinterpret_cast<std::uintptr_t>(work.function),
                                    reinterpret_cast<std::uintptr_t>(work.name), tiled ? 1U : 0U};
    std::vector<dynamic::Requirement> requirements;
    for (std::size_t i = 0; i < privileges.size(); ++i) {
        const data::ReductionFunctions* fold = nullptr;
        if (privileges[i] == Privilege::reduce)
            fold = fold_of(work.uses[i].fold, work.uses[i].array->dtype());
        key.push_back(static_cast<std::uintptr_t>(privileges[i]));
        key.push_back(reinterpret_cast<std::uintptr_t>(fold));
        requirements.push_back({.privilege = privileges[i], .reduction = fold});
    }
    const auto found = kinds_.find(key);
    if (found != kinds_.end()) return found->second;
    dynamic::TaskDescription description;
    description.name = work.name;
    description.function = &run_task;
    description.domain_rank = tiled ? 1 : 0;
    description.requirements = requirements;
    description.closure = {
        .bytes = sizeof(Closure),
        .align = alignof(Closure),
        .move = [](void* to,
                   void* from) { new (to) Closure(std::move(*static_cast<Closure*>(from))); },
        .destroy = [](void* closure) { static_cast<Closure*>(closure)->~Closure(); }};
    return kinds_.emplace(std::move(key), dynamic::TaskKind(description)).first->second;
}

void run_here(const Work& work) {
    Few<Found, views_few> found(work.uses.size());
    for (std::size_t i = 0; i < work.uses.size(); ++i)
        found[i].memory = work.uses[i].array->store().memory_for(work.uses[i].privilege);
    if (!work.scalars.empty()) {
        const Kept kept(work, nullptr);
        for (Extent tile = 0; tile < kept.tiles; ++tile) kept.call(found.all(), tile);
        return;
    }
    const Extent tiles = work.constraints.empty() ? work.tiles : 1;
    Few<WorkView, views_few> seen(work.uses.size());
    for (Extent tile = 0; tile < tiles; ++tile) {
        const Extent first =
            place_views(seen.all(),
                        [&](std::size_t i) {
                            const WorkUse& use = work.uses[i];
                            return Placing{&use.array->layout(), use.array->dtype(), use.tiled_axis,
                                           use.privilege == Privilege::reduce};
                        },
                        found.all(), {tiles, tile, nullptr});
        work.function({seen.all(), work.bytes, work.numbers, first, work.owner.get()});
    }
}

}  // namespace refrain::array
