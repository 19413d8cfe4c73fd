/// The tasks of the program; each computes one tile of its results.
///
/// Cells are numbered (j, i) in every view. So are faces: along an axis, face p is between cell p -
/// 1 and cell p, so there is one face more than there are cells.
#pragma once

#include "refrain/refrain.hpp"

#include <algorithm>
#include <cstdint>

#include "shallow_water/scheme.hpp"

namespace shallow_water {

using Field = refrain::Region<double, 2>;
using Tile = refrain::View<double, 2>;
using ConstTile = refrain::View<const double, 2>;
using Place = refrain::Point<2>;

/// The field dimension of each axis of the basin.
enum class Axis { y = 0, x = 1 };

/// The offset to the next cell along an axis.
[[nodiscard]] inline Place one_along(Axis axis) {
    return axis == Axis::x ? Place{0, 1} : Place{1, 0};
}

/// w = h + b.
struct FindSurface {
    void operator()(Tile surface, ConstTile depth, ConstTile bed) const {
        for (const Place at : surface.domain()) surface[at] = depth[at] + bed[at];
    }
};

struct FindVelocity {
    void operator()(Tile result, ConstTile depth, ConstTile momentum) const {
        for (const Place at : result.domain()) result[at] = velocity(depth[at], momentum[at]);
    }
};

/// Slopes of a field's profiles along an axis, in values per cell; zero for cells next to a wall.
struct LimitSlopes {
    Axis axis;

    void operator()(Tile slope, ConstTile field) const {
        const Place one = one_along(axis);
        const refrain::Rect<2> basin = field.region_bounds();
        for (const Place at : slope.domain()) {
            const bool is_inner = basin.contains(at - one) && basin.contains(at + one);
            slope[at] =
                is_inner ? minmod(field[at] - field[at - one], field[at + one] - field[at]) : 0;
        }
    }
};

/// The fields that a flux needs from the cells on both sides of a face.
struct Profiles {
    ConstTile depth, surface, along, across;

    [[nodiscard]] Side at(Place cell) const {
        return {depth[cell], surface[cell], along[cell], across[cell]};
    }
};

/// The flux through each face across an axis, in the four fields of FaceFlux.
struct FindFlux {
    Axis axis;

    void operator()(Tile mass, Tile along_low, Tile along_high, Tile across, ConstTile depth,
                    ConstTile surface, ConstTile along, ConstTile across_velocity,
                    ConstTile depth_slope, ConstTile surface_slope, ConstTile along_slope,
                    ConstTile across_slope) const {
        const Profiles centres{depth, surface, along, across_velocity};
        const Profiles slopes{depth_slope, surface_slope, along_slope, across_slope};
        for (const Place face : mass.domain()) {
            const FaceFlux flux = through(face, centres, slopes);
            mass[face] = flux.mass;
            along_low[face] = flux.along_low;
            along_high[face] = flux.along_high;
            across[face] = flux.across;
        }
    }

  private:
    /// A wall reflects.
    [[nodiscard]] FaceFlux through(Place face, const Profiles& centres,
                                   const Profiles& slopes) const {
        const refrain::Rect<2> basin = centres.depth.region_bounds();
        const Place before = face - one_along(axis);
        const auto side = [&](Place cell, double towards) {
            return side_of(centres.at(cell), slopes.at(cell), towards);
        };
        if (!basin.contains(before))
            return flux_between(side(face, -0.5).mirrored(), side(face, -0.5));
        if (!basin.contains(face))
            return flux_between(side(before, 0.5), side(before, 0.5).mirrored());
        return flux_between(side(before, 0.5), side(face, -0.5));
    }
};

struct FindDepthRate {
    double cell;

    void operator()(Tile rate, ConstTile mass_x, ConstTile mass_y) const {
        const Place east = one_along(Axis::x);
        const Place north = one_along(Axis::y);
        for (const Place at : rate.domain())
            rate[at] =
                depth_rate(mass_x[at], mass_x[at + east], mass_y[at], mass_y[at + north], cell);
    }
};

/// The rate of the momentum along an axis; `across` is its flux through the faces along the other
/// axis.
struct FindMomentumRate {
    Axis axis;
    double cell;

    void operator()(Tile rate, ConstTile along_low, ConstTile along_high, ConstTile across,
                    ConstTile depth, ConstTile surface_slope) const {
        const Place next = one_along(axis);
        const Place beside = one_along(axis == Axis::x ? Axis::y : Axis::x);
        for (const Place at : rate.domain())
            rate[at] = momentum_rate(along_high[at], along_low[at + next], across[at],
                                     across[at + beside], depth[at], surface_slope[at], cell);
    }
};

/// A Runge-Kutta stage for one momentum component. The step comes as a future.
struct AdvanceMomentum {
    Stage stage;

    void operator()(Tile next, ConstTile start, ConstTile last, ConstTile rate, Clock clock) const {
        for (const Place at : next.domain())
            next[at] = stage.next(start[at], last[at], rate[at], clock.step);
    }
};

struct AdvanceDepth {
    Stage stage;

    void operator()(Tile next, ConstTile start, ConstTile last, ConstTile rate, Clock clock) const {
        for (const Place at : next.domain())
            next[at] = stage.next_depth(start[at], last[at], rate[at], clock.step);
    }
};

/// A maximum does not depend on the order in which tiles contribute.
struct FindFastestRate {
    double cell;

    void operator()(refrain::ReduceView<refrain::Maximum, double, 1> fastest, ConstTile depth,
                    ConstTile u, ConstTile v) const {
        double rate = 0;
        for (const Place at : depth.domain())
            rate = std::max(rate, signal_rate(depth[at], u[at], v[at], cell));
        fastest.reduce(0, rate);
    }
};

struct ChooseStep {
    double end_time;

    [[nodiscard]] Clock operator()(refrain::View<const double, 1> fastest, Clock before) const {
        return next_step(before, fastest[0], end_time);
    }
};

}  // namespace shallow_water
