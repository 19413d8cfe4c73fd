/// The oracle of point sets: a std::set of points.
#pragma once

#include "refrain/detail/box_set.hpp"
#include "refrain/index_space.hpp"

#include <random>
#include <set>
#include <vector>

namespace refrain::data {

using PointSet = std::set<Coordinates>;

inline PointSet points_of(const Box& box) {
    PointSet points;
    for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i)
        for (std::int64_t j = box.lo[1]; j < box.hi[1]; ++j)
            for (std::int64_t k = box.lo[2]; k < box.hi[2]; ++k) points.insert({i, j, k});
    return points;
}

inline PointSet points_of(const BoxSet& set) {
    PointSet points;
    for (const Box& box : set.boxes()) points.merge(points_of(box));
    return points;
}

template <int R>
std::set<Point<R>> points_of(const IndexSpace<R>& space) {
    std::set<Point<R>> points;
    for (const Point<R>& p : space.points()) points.insert(p);
    return points;
}

/// Up to `boxes_max` boxes within `grid`, which may overlap.
inline std::vector<Box> random_boxes(std::mt19937_64& random, const Box& grid,
                                     std::size_t boxes_max) {
    std::vector<Box> boxes(random() % (boxes_max + 1));
    for (Box& box : boxes) {
        for (int d = 0; d < rank_max; ++d) {
            const auto extent = static_cast<std::uint64_t>(grid.extent(d));
            const auto a = static_cast<std::int64_t>(random() % extent);
            const auto b = static_cast<std::int64_t>(random() % extent);
            box.lo[d] = grid.lo[d] + std::min(a, b);
            box.hi[d] = grid.lo[d] + std::max(a, b) + 1;
        }
    }
    return boxes;
}

inline PointSet points_of(const std::vector<Box>& boxes) {
    PointSet points;
    for (const Box& box : boxes) points.merge(points_of(box));
    return points;
}

}  // namespace refrain::data
