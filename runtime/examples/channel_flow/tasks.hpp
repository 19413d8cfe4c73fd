/// The tasks of the program; each computes one tile of its first argument from tiles with halos of
/// the others.
///
/// All views use the coordinates of the channel: (j, i) is the same point in every view. Halos are
/// periodic along the channel, so the western neighbour of column 0 is column nx - 1.
#pragma once

#include "refrain/refrain.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "channel_flow/scheme.hpp"

namespace channel_flow {

using Field = refrain::Region<double, 2>;
using Tile = refrain::View<double, 2>;
using ConstTile = refrain::View<const double, 2>;

/// The extents of a tile, and of the channel.
struct TileShape {
    std::int64_t j_begin, j_end, i_begin, i_end, ny, nx;

    explicit TileShape(const Tile& tile)
        : j_begin(tile.domain().lo[0]),
          j_end(tile.domain().hi[0]),
          i_begin(tile.domain().lo[1]),
          i_end(tile.domain().hi[1]),
          ny(tile.region_bounds().extent(0)),
          nx(tile.region_bounds().extent(1)) {}

    [[nodiscard]] bool has_lower_wall() const { return j_begin == 0; }
    [[nodiscard]] bool has_upper_wall() const { return j_end == ny; }

    /// Calls f(j) for each row that is not a wall.
    template <class F>
    void for_inner_rows(const F& f) const {
        for (auto j = std::max<std::int64_t>(j_begin, 1); j < std::min(j_end, ny - 1); ++j) f(j);
    }
    /// Calls f(west, i, east) for each column. Only the outermost columns may have neighbours at
    /// the other end of the channel, so compilers can vectorise the loop between them.
    template <class F>
    void for_columns(const F& f) const {
        const std::int64_t last = i_end - 1;
        f(i_begin == 0 ? nx - 1 : i_begin - 1, i_begin, i_begin + 1 == nx ? 0 : i_begin + 1);
        for (std::int64_t i = i_begin + 1; i < last; ++i) f(i - 1, i, i + 1);
        if (last > i_begin) f(last - 1, last, last + 1 == nx ? 0 : last + 1);
    }
};

[[nodiscard]] inline Star star(const ConstTile& field, std::int64_t j, std::int64_t west,
                               std::int64_t i, std::int64_t east) {
    return {field(j, i), field(j, west), field(j, east), field(j - 1, i), field(j + 1, i)};
}

/// On the walls, where it is not used, the source is zero.
struct ComputePressureSource {
    PressureSource scheme;

    void operator()(Tile source, ConstTile u, ConstTile v) const {
        const TileShape tile(source);
        tile.for_inner_rows([&](auto j) {
            tile.for_columns([&](auto west, auto i, auto east) {
                source(j, i) = scheme(star(u, j, west, i, east), star(v, j, west, i, east));
            });
        });
        for (auto i = tile.i_begin; i < tile.i_end; ++i) {
            if (tile.has_lower_wall()) source(0, i) = 0;
            if (tile.has_upper_wall()) source(tile.ny - 1, i) = 0;
        }
    }
};

/// dp/dy = 0 on the walls: the pressure there equals that of the adjacent row.
struct RelaxPressure {
    PressureRelaxation scheme;

    void operator()(Tile next, ConstTile p, ConstTile source) const {
        const TileShape tile(next);
        tile.for_inner_rows([&](auto j) {
            tile.for_columns([&](auto west, auto i, auto east) {
                next(j, i) = scheme(star(p, j, west, i, east), source(j, i));
            });
        });
        for (auto i = tile.i_begin; i < tile.i_end; ++i) {
            if (tile.has_lower_wall()) next(0, i) = next(1, i);
            if (tile.has_upper_wall()) next(tile.ny - 1, i) = next(tile.ny - 2, i);
        }
    }
};

/// The fluid rests on the walls.
struct AdvanceVelocity {
    Momentum scheme;

    void operator()(Tile next_u, Tile next_v, ConstTile u, ConstTile v, ConstTile p) const {
        const TileShape tile(next_u);
        tile.for_inner_rows([&](auto j) {
            tile.for_columns([&](auto west, auto i, auto east) {
                const Star us = star(u, j, west, i, east);
                const Star vs = star(v, j, west, i, east);
                const Star ps = star(p, j, west, i, east);
                next_u(j, i) = scheme.next_u(us, vs, ps);
                next_v(j, i) = scheme.next_v(us, vs, ps);
            });
        });
        for (auto i = tile.i_begin; i < tile.i_end; ++i) {
            if (tile.has_lower_wall()) next_u(0, i) = next_v(0, i) = 0;
            if (tile.has_upper_wall()) next_u(tile.ny - 1, i) = next_v(tile.ny - 1, i) = 0;
        }
    }
};

/// The largest change of a velocity component between two steps. A maximum does not depend on the
/// order in which tiles contribute.
struct FindLargestChange {
    void operator()(refrain::ReduceView<refrain::Maximum, double, 1> largest, ConstTile u,
                    ConstTile v, ConstTile old_u, ConstTile old_v) const {
        double change = 0;
        for (const refrain::Point<2> at : u.domain()) {
            change = std::max(change, std::abs(u[at] - old_u[at]));
            change = std::max(change, std::abs(v[at] - old_v[at]));
        }
        largest.reduce(0, change);
    }
};

}  // namespace channel_flow
