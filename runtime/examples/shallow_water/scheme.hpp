/// The scheme at one cell or face, shared by the tasks and the serial program so that they round
/// alike; they differ in everything else.
///
///     dh/dt  + d(hu)/dx + d(hv)/dy                      = 0
///     d(hu)/dt + d(h u u + g h h / 2)/dx + d(h u v)/dy  = - g h db/dx
///     d(hv)/dt + d(h u v)/dx + d(h v v + g h h / 2)/dy  = - g h db/dy
///
/// with h the depth, (u, v) the velocity and b the height of the bed. Each cell has a linear
/// profile per axis, of h, of the surface w = h + b and of the velocity, with slopes limited by
/// minmod; the profiles on both sides of a face determine the flux through it.
///
/// Source: E. Audusse et al., "A fast and stable well-balanced scheme with hydrostatic
///     reconstruction for shallow water flows", SIAM J. Sci. Comput. 25(6), 2004. Fluxes are differences
///     from the pressure at rest (see momentum_rate), so water at rest gives exact zeros instead of
///     cancelling sums.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace shallow_water {

inline constexpr double gravity = 9.81;  // m/s^2

/// The Courant number. With 1/4 or less, the depth after a stage is a mean of depths with
/// non-negative weights: 1/2 because the profile of a cell has two halves, and 1/2 because only the
/// first stage of a step is checked.
inline constexpr double courant = 0.25;

/// Below this depth, in m, velocities are reduced instead of computed from momentum and depth,
/// which are both rounding errors there.
inline constexpr double film_depth = 1e-6;

/// The slope that makes no new extremes: the smaller of two differences, or zero if their signs
/// differ.
[[nodiscard]] inline double minmod(double a, double b) {
    if (a > 0 && b > 0) return std::min(a, b);
    if (a < 0 && b < 0) return std::max(a, b);
    return 0;
}

/// momentum / depth, reduced towards zero in a film, as in A. Kurganov and G. Petrova, Commun.
/// Math. Sci. 5(1), 2007.
[[nodiscard]] inline double velocity(double depth, double momentum) {
    if (depth >= film_depth) return momentum / depth;
    return 2 * depth * momentum / (depth * depth + film_depth * film_depth);
}

/// The number of cells per second that the fastest signals cross, along both axes together.
[[nodiscard]] inline double signal_rate(double depth, double u, double v, double cell) {
    return (std::abs(u) + std::abs(v) + 2 * std::sqrt(gravity * depth)) / cell;
}

/// A time of the flow, and the last time step.
struct Clock {
    double time = 0;
    double step = 0;
};

/// The next step: as long as the largest signal_rate allows, and not beyond the end time.
[[nodiscard]] inline Clock next_step(const Clock& before, double rate, double end) {
    const double allowed = rate > 0 ? courant / rate : 0;
    const double left = end - before.time;
    if (allowed >= left) return {end, left};
    return {before.time + allowed, allowed};
}

/// The water on one side of a face, from one cell's profile. `along` is the velocity through the
/// face, `across` the other component.
struct Side {
    double depth, surface, along, across;

    /// The mirrored water behind a wall, which flows towards this side.
    [[nodiscard]] Side mirrored() const { return {depth, surface, -along, across}; }
};

/// A cell's profile at its face towards lower (-1/2) or higher (+1/2) coordinates.
[[nodiscard]] inline Side side_of(const Side& centre, const Side& slope, double towards) {
    return {centre.depth + towards * slope.depth, centre.surface + towards * slope.surface,
            centre.along + towards * slope.along, centre.across + towards * slope.across};
}

/// The flux through a face. The momentum along the axis excludes the pressure of water at rest on
/// the face, which differs between the two sides where the bed jumps.
struct FaceFlux {
    double mass = 0;
    double along_low = 0;   // seen by the cell at lower coordinates
    double along_high = 0;  // seen by the cell at higher coordinates
    double across = 0;
};

/// Bounds of the signal speeds at a face; zero is between them.
struct Fan {
    double low, high;

    Fan(double depth_low, double u_low, double depth_high, double u_high) {
        const double c_low = std::sqrt(gravity * depth_low);
        const double c_high = std::sqrt(gravity * depth_high);
        low = std::min(u_low - c_low, u_high - c_high);
        high = std::max(u_low + c_low, u_high + c_high);
        if (depth_low <= 0) low = u_high - 2 * c_high;  // a front on dry ground is faster
        if (depth_high <= 0) high = u_low + 2 * c_low;
        low = std::min(low, 0.0);
        high = std::max(high, 0.0);
    }

    /// The HLL flux of a quantity, from its fluxes and values on both sides.
    [[nodiscard]] double flux(double f_low, double f_high, double q_low, double q_high) const {
        return (high * f_low - low * f_high + low * high * (q_high - q_low)) / (high - low);
    }
};

/// The flux between two cells, for the water above the higher of the two beds.
[[nodiscard]] inline FaceFlux flux_between(const Side& low, const Side& high) {
    const double bed = std::max(low.surface - low.depth, high.surface - high.depth);
    const double h_low = std::max(low.surface - bed, 0.0);
    const double h_high = std::max(high.surface - bed, 0.0);
    if (h_low <= 0 && h_high <= 0) return {};
    const Fan fan(h_low, low.along, h_high, high.along);
    const double m_low = h_low * low.along;
    const double m_high = h_high * high.along;
    const double pressure_jump = gravity / 2 * (h_high * h_high - h_low * h_low);
    FaceFlux flux;
    flux.mass = fan.flux(m_low, m_high, h_low, h_high);
    flux.along_low =
        fan.flux(m_low * low.along, m_high * high.along + pressure_jump, m_low, m_high);
    flux.along_high = flux.along_low - pressure_jump;
    flux.across = fan.flux(m_low * low.across, m_high * high.across, h_low * low.across,
                           h_high * high.across);
    return flux;
}

/// The rate of the depth, from the mass through the four faces of a cell.
[[nodiscard]] inline double depth_rate(double west, double east, double south, double north,
                                       double cell) {
    return -((east - west) + (north - south)) / cell;
}

/// The rate of a momentum component. `low` and `high` are the fluxes that the two faces along that
/// component show to the cell (along_high of the lower face, along_low of the higher one), `first`
/// and `second` the fluxes through the other two faces.
///
/// The pressure at rest on the two faces and the slope of the bed between them sum to g h times the
/// slope of the surface, for the cell's own linear profile: zero on a level surface, where the
/// fluxes are zero too.
[[nodiscard]] inline double momentum_rate(double low, double high, double first, double second,
                                          double depth, double surface_slope, double cell) {
    return -((high - low) + (second - first) + gravity * depth * surface_slope) / cell;
}

/// A stage of a Runge-Kutta method that averages Euler steps, and so is as stable as they are.
struct Stage {
    double of_start, of_step;

    [[nodiscard]] double next(double start, double last, double rate, double step) const {
        return of_start * start + of_step * (last + step * rate);
    }
    /// Clamps the depth at zero: only rounding makes it negative.
    [[nodiscard]] double next_depth(double start, double last, double rate, double step) const {
        return std::max(next(start, last, rate, step), 0.0);
    }
};

}  // namespace shallow_water
