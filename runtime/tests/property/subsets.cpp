#include "property/subsets.hpp"

#include <algorithm>

#include "property/values.hpp"

namespace refrain::property {
namespace {

Box colours_of(const Coordinates& counts, int rank) {
    Box box{{0, 0, 0}, {1, 1, 1}};
    for (int d = 0; d < rank; ++d) box.hi[d] = counts[d];
    return box;
}

/// The start of tile `index` of `count` in [lo, hi): extents differ by at most one, larger tiles
/// come first.
std::int64_t tile_begin(std::int64_t lo, std::int64_t hi, std::int64_t count, std::int64_t index) {
    const std::int64_t extent = hi - lo;
    return lo + index * (extent / count) + std::min(index, extent % count);
}

Subsets cut(const Space& space, const Coordinates& counts, int colour_rank, int first_dimension) {
    Subsets result;
    result.colours = colours_of(counts, colour_rank);
    result.colour_rank = colour_rank;
    for (std::int64_t c = 0; c < result.colours.volume(); ++c) {
        const Coordinates colour = data::point_at(result.colours, c);
        Box tile = space.bounds;
        for (int d = 0; d < colour_rank; ++d) {
            const int along = first_dimension + d;
            const auto lo = space.bounds.lo[along];
            const auto hi = space.bounds.hi[along];
            tile.lo[along] = tile_begin(lo, hi, counts[d], colour[d]);
            tile.hi[along] = tile_begin(lo, hi, counts[d], colour[d] + 1);
        }
        result.of_colour.push_back(elements_of(space, tile));
    }
    return result;
}

Subsets cut_by_extent(const Space& space, const Coordinates& extents) {
    Coordinates counts{};
    for (int d = 0; d < space.rank; ++d)
        counts[d] = (space.bounds.extent(d) + extents[d] - 1) / extents[d];
    Subsets result;
    result.colours = colours_of(counts, space.rank);
    result.colour_rank = space.rank;
    for (std::int64_t c = 0; c < result.colours.volume(); ++c) {
        const Coordinates colour = data::point_at(result.colours, c);
        Box tile = space.bounds;
        for (int d = 0; d < space.rank; ++d) {
            tile.lo[d] = space.bounds.lo[d] + colour[d] * extents[d];
            tile.hi[d] = tile.lo[d] + extents[d];
        }
        result.of_colour.push_back(elements_of(space, tile));
    }
    return result;
}

/// The halo of a single element.
Elements neighbourhood(const Space& space, const Coordinates& centre, const CreatePartition& halo) {
    Elements found = 0;
    Coordinates low{}, high{};
    for (int d = 0; d < space.rank; ++d) {
        low[d] = halo.low[d];
        high[d] = halo.high[d];
    }
    for (std::int64_t i = -low[0]; i <= high[0]; ++i)
        for (std::int64_t j = -low[1]; j <= high[1]; ++j)
            for (std::int64_t k = -low[2]; k <= high[2]; ++k) {
                Coordinates p = {centre[0] + i, centre[1] + j, centre[2] + k};
                for (int d = 0; d < space.rank && halo.periodic; ++d) {
                    const std::int64_t extent = space.bounds.extent(d);
                    const std::int64_t offset = (p[d] - space.bounds.lo[d]) % extent;
                    p[d] = space.bounds.lo[d] + (offset + extent) % extent;
                }
                if (space.bounds.contains(p)) found |= Elements{1} << element_at(space, p);
            }
    return found;
}

Subsets grow(const Space& space, const CreatePartition& create, const Subsets& interior) {
    Subsets result = interior;
    for (Elements& subset : result.of_colour) {
        Elements grown = 0;
        for (int e = 0; e < space.size(); ++e)
            if ((subset >> e & 1) != 0)
                grown |= neighbourhood(space, point_of_element(space, e), create);
        subset = create.kind == PartitionKind::ghost ? grown & ~subset : grown;
    }
    return result;
}

/// The element of `space` that a pointer's value points to; -1: none.
int pointee(const Space& space, std::uint64_t bits) {
    const Coordinates p = unpacked(bits, space.rank);
    return space.bounds.contains(p) ? element_at(space, p) : -1;
}

Subsets follow(const Space& target, const Subsets& source,
               const std::vector<std::uint64_t>& values) {
    Subsets result = source;
    for (Elements& subset : result.of_colour) {
        Elements image = 0;
        for (std::size_t e = 0; e < values.size(); ++e)
            if ((subset >> e & 1) != 0) image |= Elements{1} << pointee(target, values[e]);
        subset = image;
    }
    return result;
}

Subsets follow_back(const Space& target, const Subsets& wanted,
                    const std::vector<std::uint64_t>& values) {
    Subsets result = wanted;
    for (Elements& subset : result.of_colour) {
        Elements preimage = 0;
        for (std::size_t e = 0; e < values.size(); ++e)
            if ((subset >> pointee(target, values[e]) & 1) != 0) preimage |= Elements{1} << e;
        subset = preimage;
    }
    return result;
}

Subsets listed(const Space& space, const CreatePartition& create) {
    Subsets result;
    result.colours = create.colours;
    result.colour_rank = create.colour_rank;
    result.of_colour = create.subsets;
    if (create.kind == PartitionKind::rectangles) {
        result.of_colour.clear();
        for (const Box& box : create.rectangles)
            result.of_colour.push_back(elements_of(space, box));
    }
    if (create.kind == PartitionKind::whole)
        result.of_colour.assign(static_cast<std::size_t>(create.colours.volume()), space.all());
    return result;
}

Subsets make(const CreatePartition& create, const SubsetSources& sources) {
    const Space& space = (*sources.spaces)[static_cast<std::size_t>(create.space)];
    switch (create.kind) {
        case PartitionKind::tiles:
            return cut(space, create.counts, space.rank, 0);
        case PartitionKind::tiles_of_extent:
            return cut_by_extent(space, create.counts);
        case PartitionKind::rows:
            return cut(space, create.counts, 1, 0);
        case PartitionKind::columns:
            return cut(space, create.counts, 1, 1);
        case PartitionKind::whole:
        case PartitionKind::rectangles:
        case PartitionKind::subsets:
            return listed(space, create);
        case PartitionKind::halo:
        case PartitionKind::ghost:
            return grow(space, create, *sources.of);
        case PartitionKind::image:
            return follow(space, *sources.of, *sources.values);
        case PartitionKind::preimage:
            return follow_back((*sources.spaces)[static_cast<std::size_t>(sources.of->space)],
                               *sources.of, *sources.values);
    }
    return {};
}

}  // namespace

Elements elements_of(const Space& space, const Box& box) {
    Elements elements = 0;
    for (int e = 0; e < space.size(); ++e)
        if (box.contains(point_of_element(space, e))) elements |= Elements{1} << e;
    return elements;
}

Coordinates point_of_element(const Space& space, int element) {
    return data::point_at(space.bounds, element);
}

int element_at(const Space& space, const Coordinates& point) {
    return static_cast<int>(data::linear_index(space.bounds, point));
}

Subsets make_subsets(const CreatePartition& create, const SubsetSources& sources) {
    Subsets result = make(create, sources);
    result.space = create.space;
    return result;
}

}  // namespace refrain::property
