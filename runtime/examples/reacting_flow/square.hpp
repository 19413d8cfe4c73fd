/// The partitions of the fields.
///
///     tiles       a tile of all quantities
///     of[k]       the same tile of quantity k alone
///     around[k]   that tile with the points that the differences read, periodic
///     legacy      the same tile in the layout of the legacy code
#pragma once

#include "refrain/refrain.hpp"

#include <cstdint>
#include <vector>

#include "reacting_flow/problem.hpp"
#include "reacting_flow/tasks.hpp"

namespace reacting_flow {

/// A partition of fields of any number of quantities, by the colours of the square's tiles.
using Cut = refrain::Partition<3, 2>;

namespace detail {

/// Tiles of quantities `first` to `last`, of fields (k, j, i) of `count` quantities.
[[nodiscard]] inline Cut cut_fields(const refrain::Partition<2>& tiles, int count, int first,
                                    int last) {
    std::vector<refrain::Rect<3>> list;
    for (const refrain::Point<2> colour : tiles.colours()) {
        const refrain::Rect<2> tile = tiles[colour].bounds();
        list.push_back({{first, tile.lo[0], tile.lo[1]}, {last, tile.hi[0], tile.hi[1]}});
    }
    const refrain::Rect<2> square = tiles.space();
    return refrain::rectangles(refrain::extents(count, square.hi[0], square.hi[1]), tiles.colours(),
                               list);
}

/// Tiles of all quantities, of fields (j, i, k).
[[nodiscard]] inline Cut cut_legacy(const refrain::Partition<2>& tiles, int count) {
    std::vector<refrain::Rect<3>> list;
    for (const refrain::Point<2> colour : tiles.colours()) {
        const refrain::Rect<2> tile = tiles[colour].bounds();
        list.push_back({{tile.lo[0], tile.lo[1], 0}, {tile.hi[0], tile.hi[1], count}});
    }
    const refrain::Rect<2> square = tiles.space();
    return refrain::rectangles(refrain::extents(square.hi[0], square.hi[1], count), tiles.colours(),
                               list);
}

}  // namespace detail

class Square {
  public:
    Square(const Problem& problem, std::int64_t tile_count)
        : Square(refrain::tiles(refrain::extents(problem.size(), problem.size()),
                                {tile_count, tile_count}),
                 problem.quantities()) {}

    refrain::Rect<2> colours;
    Cut tiles;
    Cut velocity;  // two quantities: along x and along y
    Cut legacy;
    std::vector<Cut> of;
    std::vector<Cut> around;

  private:
    Square(const refrain::Partition<2>& square_tiles, int quantities)
        : colours(square_tiles.colours()),
          tiles(detail::cut_fields(square_tiles, quantities, 0, quantities)),
          velocity(detail::cut_fields(square_tiles, 2, 0, 2)),
          legacy(detail::cut_legacy(square_tiles, quantities)) {
        using refrain::Boundary;
        const refrain::Point<3> far{0, reach, reach};
        for (int k = 0; k < quantities; ++k) {
            of.push_back(detail::cut_fields(square_tiles, quantities, k, k + 1));
            around.push_back(refrain::halo(
                of.back(), far, far, {Boundary::clipped, Boundary::periodic, Boundary::periodic}));
        }
    }
};

}  // namespace reacting_flow
