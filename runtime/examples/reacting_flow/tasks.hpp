/// The tasks of the program; each works on one tile, of all quantities or of one.
///
/// Every view uses (k, j, i): quantity, row, column. Halos are periodic, so the neighbour of column
/// 0 is column n - 1.
#pragma once

#include "refrain/refrain.hpp"

#include <cstdint>

#include "reacting_flow/problem.hpp"
#include "reacting_flow/scheme.hpp"

namespace reacting_flow {

using Fields = refrain::Region<double, 3>;
using Tile = refrain::View<double, 3>;
using ConstTile = refrain::View<const double, 3>;
using Place = refrain::Point<3>;

/// Sets the rates to those of the reactions.
struct React {
    Mechanism mechanism;

    void operator()(Tile rate, ConstTile state) const {
        const refrain::Rect<3> tile = rate.domain();
        for (auto j = tile.lo[1]; j < tile.hi[1]; ++j)
            for (auto i = tile.lo[2]; i < tile.hi[2]; ++i)
                mechanism.find_rates([&](int k) { return state(k, j, i); },
                                     state(mechanism.species(), j, i),
                                     [&](int k) -> double& { return rate(k, j, i); });
    }
};

/// Adds transport by the flow to the rate of one quantity.
struct Carry {
    Transport transport;

    void operator()(Tile rate, ConstTile state, ConstTile velocity) const {
        const std::int64_t n = state.region_bounds().extent(1);
        const auto around = [n](std::int64_t index) { return (index + n) % n; };
        for (const Place at : rate.domain()) {
            const auto k = at[0];
            const auto j = at[1];
            const auto i = at[2];
            rate[at] += transport(
                velocity(0, j, i), velocity(1, j, i),
                [&](int m) { return state(k, j, around(i + m)); },
                [&](int m) { return state(k, around(j + m), i); });
        }
    }
};

/// A Runge-Kutta stage for all quantities.
struct Advance {
    Stage stage;
    double dt;

    void operator()(Tile state, Tile reg, ConstTile rate) const {
        for (const Place at : state.domain()) stage.advance(state[at], reg[at], rate[at], dt);
    }
};

/// Copies into the layout of the legacy code, (j, i, k).
struct Pack {
    void operator()(Tile legacy, ConstTile state) const {
        for (const Place at : state.domain()) legacy(at[1], at[2], at[0]) = state[at];
    }
};

/// Copies back.
struct Unpack {
    void operator()(Tile state, ConstTile legacy) const {
        for (const Place at : state.domain()) state[at] = legacy(at[1], at[2], at[0]);
    }
};

}  // namespace reacting_flow
