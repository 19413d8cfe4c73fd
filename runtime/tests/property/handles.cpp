#include "property/handles.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "property/launch_door.hpp"
#include "property/subsets.hpp"

namespace refrain::property {
namespace {

template <int R>
Point<R> point_from(const Coordinates& c) {
    return data::point_of<R>(c);
}

template <int R>
std::vector<Rect<R>> rects_from(const std::vector<Box>& boxes) {
    std::vector<Rect<R>> rects;
    for (const Box& box : boxes) rects.push_back(data::rect_of<R>(box));
    return rects;
}

template <int R>
std::vector<IndexSpace<R>> index_spaces_from(const Space& space,
                                             const std::vector<Elements>& subsets) {
    std::vector<IndexSpace<R>> spaces;
    for (const Elements subset : subsets) {
        std::vector<Point<R>> points;
        for (int e = 0; e < space.size(); ++e)
            if ((subset >> e & 1) != 0) points.push_back(point_from<R>(point_of_element(space, e)));
        spaces.push_back(IndexSpace<R>::of_points(points));
    }
    return spaces;
}

template <int R, int C>
AnyPartition listed(const CreatePartition& create, const Space& space) {
    const Rect<R> bounds = data::rect_of<R>(space.bounds);
    const Rect<C> colours = data::rect_of<C>(create.colours);
    if (create.kind == PartitionKind::rectangles)
        return rectangles(bounds, colours, rects_from<R>(create.rectangles));
    if (create.kind == PartitionKind::subsets)
        return subsets(bounds, colours, index_spaces_from<R>(space, create.subsets));
    return whole(bounds, colours);
}

template <int R>
AnyPartition plain(const CreatePartition& create, const Space& space) {
    const Rect<R> bounds = data::rect_of<R>(space.bounds);
    switch (create.kind) {
        case PartitionKind::tiles:
            return tiles(bounds, point_from<R>(create.counts));
        case PartitionKind::tiles_of_extent:
            return tiles_of_extent(bounds, point_from<R>(create.counts));
        case PartitionKind::rows:
            if constexpr (R == 2) return rows(bounds, create.counts[0]);
            break;
        case PartitionKind::columns:
            if constexpr (R == 2) return columns(bounds, create.counts[0]);
            break;
        default:
            if (create.colour_rank == 1) return listed<R, 1>(create, space);
            if (create.colour_rank == 2) return listed<R, 2>(create, space);
            return listed<R, 3>(create, space);
    }
    throw std::logic_error("rows and columns are for spaces of rank 2");
}

template <int R, int C>
AnyPartition grown(const CreatePartition& create, const Partition<R, C>& interior) {
    const Boundary boundary = create.periodic ? Boundary::periodic : Boundary::clipped;
    const Point<R> low = point_from<R>(create.low);
    const Point<R> high = point_from<R>(create.high);
    if (create.kind == PartitionKind::ghost) return ghost(interior, low, high, boundary);
    return halo(interior, low, high, boundary);
}

/// Of what elements of type T may point to; 0 if they do not.
template <class T>
constexpr int rank_of_target = std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::int32_t>;
template <int R>
constexpr int rank_of_target<Point<R>> = R;

AnyPartition pointed(Runtime& runtime, const CreatePartition& create, const PartitionParts& parts) {
    return std::visit(
        [&]<class T, int R, int P, int C>(const Region<T, R>& pointers,
                                          const Partition<P, C>& of) -> AnyPartition {
            if constexpr (constexpr int target = rank_of_target<T>; target != 0) {
                if constexpr (P == R)
                    if (create.kind == PartitionKind::image)
                        return runtime.image(data::rect_of<target>(parts.space.bounds), of,
                                             pointers);
                if constexpr (P == target)
                    if (create.kind == PartitionKind::preimage)
                        return runtime.preimage(pointers, of);
            }
            throw std::logic_error(
                "image needs a partition of the pointers' rank, preimage one of their target's");
        },
        *parts.pointers, *parts.of);
}

template <class T, int R>
std::vector<std::uint64_t> bits_of(const HostView<T, R>& view) {
    std::vector<std::uint64_t> bits;
    for (const auto& value : view.elements())
        bits.push_back(ElementOf<std::remove_const_t<T>>::word(value));
    return bits;
}

}  // namespace

std::int64_t AnyFuture::get(int point) const {
    if (!is_map) return single.get();
    if (point >= map.domain().volume()) return map.get(Point<3>::all(-1));  // outside of the domain
    return map.get(point_from<3>(data::point_at(data::box_of(map.domain()), point)));
}

AnyRegion create_region(Runtime& runtime, const Space& space, const ValueRange& range,
                        const char* name) {
    return with_element_type(range, [&]<class T>(std::type_identity<T>) {
        const auto create = [&]<int R>(std::integral_constant<int, R>) -> AnyRegion {
            if constexpr (std::is_constructible_v<AnyRegion, Region<T, R>>)
                return runtime.create_region<T>(data::rect_of<R>(space.bounds), name);
            else
                throw std::logic_error("no region of this rank has such elements");
        };
        if (space.rank == 1) return create(std::integral_constant<int, 1>{});
        if (space.rank == 2) return create(std::integral_constant<int, 2>{});
        return create(std::integral_constant<int, 3>{});
    });
}

regions::RegionRoot* root_of(const AnyRegion& region) {
    return std::visit([](const auto& handle) { return handle.root(); }, region);
}

AnyPartition create_partition(Runtime& runtime, const CreatePartition& create,
                              const PartitionParts& parts) {
    if (parts.pointers != nullptr) return pointed(runtime, create, parts);
    if (parts.of != nullptr)
        return std::visit([&](const auto& interior) { return grown(create, interior); }, *parts.of);
    if (parts.space.rank == 1) return plain<1>(create, parts.space);
    if (parts.space.rank == 2) return plain<2>(create, parts.space);
    return plain<3>(create, parts.space);
}

const data::PartitionData* data_of(const AnyPartition& partition) {
    return std::visit([](const auto& handle) { return &handle.data(); }, partition);
}

AnyFuture make_future(Runtime& runtime, const Launch& launch) {
    AnyFuture future;
    future.is_map = launch.index;
    const auto count = static_cast<std::size_t>(point_count(launch));
    regions::FutureState* state = new_future(runtime, sizeof(std::int64_t), count);
    if (launch.index)
        future.map = FutureMap<std::int64_t, 3>(state, data::rect_of<3>(launch.domain));
    else
        future.single = Future<std::int64_t>(state);
    return future;
}

void fill(Runtime& runtime, const AnyRegion& region, const AnyPartition* partition,
          std::int64_t value, LaunchSite site) {
    std::visit(
        [&]<class T, int R>(const Region<T, R>& target) {
            const T element = [&] {
                if constexpr (std::is_same_v<T, double>)
                    return static_cast<double>(value);
                else
                    return ElementOf<T>::from(static_cast<std::uint64_t>(value));
            }();
            if (partition == nullptr) return runtime.fill(target, element, site);
            std::visit(
                [&]<int P, int C>(const Partition<P, C>& pieces) {
                    if constexpr (P == R) runtime.fill(target, pieces, element, site);
                },
                *partition);
        },
        region);
}

std::vector<std::uint64_t> read_all(Runtime& runtime, const AnyRegion& region) {
    return elements_of(open_view(runtime, region));
}

AnyView open_view(Runtime& runtime, const AnyRegion& region) {
    return std::visit([&](const auto& source) -> AnyView { return runtime.read(source); }, region);
}

std::vector<std::uint64_t> elements_of(const AnyView& view) {
    return std::visit([](const auto& opened) { return bits_of(opened); }, view);
}

void write_all(Runtime& runtime, const AnyRegion& region, bool keeps_old,
               const std::function<void(int, std::uint64_t&)>& change) {
    std::visit(
        [&]<class T, int R>(const Region<T, R>& target) {
            const HostView<T, R> view =
                keeps_old ? runtime.read_write(target) : runtime.write(target);
            const auto elements = view.elements();
            for (std::size_t e = 0; e < elements.size(); ++e) {
                std::uint64_t bits = keeps_old ? ElementOf<T>::word(elements[e]) : 0;
                change(static_cast<int>(e), bits);
                elements[e] = ElementOf<T>::from(bits);
            }
        },
        region);
}

}  // namespace refrain::property
