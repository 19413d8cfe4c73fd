/// The partitions of the basin's cells and faces into tiles.
///
///     cells   | 0 | 1 | 2 | 3 |       tiles    [0,2) [2,4)
///     faces   0   1   2   3   4       own      [0,2) [2,5)      the last tile owns the last face
///                                     around   [0,3) [2,5)      all faces of a tile's cells
#pragma once

#include "refrain/refrain.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "shallow_water/tasks.hpp"

namespace shallow_water {

class Basin {
  public:
    /// Partitions for one axis, all with the colours of the tiles.
    struct Faces {
        refrain::Partition<2> neighbours;  // of cells: a tile and the cells next to it
        refrain::Partition<2> own;         // of faces
        refrain::Partition<2> around;      // of faces
    };

    Basin(std::int64_t size, std::int64_t tile_count)
        : tiles(refrain::tiles(refrain::extents(size, size), {tile_count, tile_count})),
          along_x(faces_along(Axis::x)),
          along_y(faces_along(Axis::y)) {}

    [[nodiscard]] const Faces& along(Axis axis) const {
        return axis == Axis::x ? along_x : along_y;
    }
    [[nodiscard]] Field cells_of(refrain::Runtime& runtime, const char* name = "") const {
        return runtime.create_region<double>(tiles.space(), name);
    }

    refrain::Partition<2> tiles;
    Faces along_x, along_y;

  private:
    [[nodiscard]] Faces faces_along(Axis axis) const {
        const Place one = one_along(axis);
        const int d = static_cast<int>(axis);
        refrain::Rect<2> faces = tiles.space();
        faces.hi = faces.hi + one;
        std::vector<refrain::Rect<2>> own;
        std::vector<refrain::Rect<2>> around;
        for (const Place colour : tiles.colours()) {
            refrain::Rect<2> tile = tiles[colour].bounds();
            own.push_back({tile.lo, tile.hi[d] == tiles.space().hi[d] ? tile.hi + one : tile.hi});
            around.push_back({tile.lo, tile.hi + one});
        }
        return {refrain::halo(tiles, one), refrain::rectangles(faces, tiles.colours(), own),
                refrain::rectangles(faces, tiles.colours(), around)};
    }
};

}  // namespace shallow_water
