/// The channel, the fluid in it, and the grid on it.
///
///            wall: u = v = 0, dp/dy = 0
///     y = 2  +----------------------+
///            |   force -->          |   what leaves on the right comes in on the left
///     y = 0  +----------------------+
///            x = 0              x = 2
///            wall
///
/// Fields are stored by rows: element (j, i) is at x = i dx, y = j dy. Rows 0 and ny - 1 are the
/// walls. Columns 0 and nx - 1 are neighbours, so dx = 2 / nx; dy = 2 / (ny - 1).
///
/// Source: step 12 of L. A. Barba and G. F. Forsyth, "CFD Python: the 12 steps to Navier-Stokes
///     equations", Journal of Open Source Education 1(9), 2018. README.md lists the differences.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace channel_flow {

struct Channel {
    static constexpr double length = 2;
    static constexpr double height = 2;
    static constexpr double density = 1;
    static constexpr double viscosity = 0.1;
    static constexpr double force = 1;            // along the channel, per unit of mass
    static constexpr double eddy_strength = 0.5;  // of the initial flow

    std::int64_t nx, ny;
    double dx, dy, dt;

    Channel(std::int64_t along, std::int64_t across)
        : nx(along),
          ny(across),
          dx(length / static_cast<double>(along)),
          dy(height / static_cast<double>(across - 1)),
          dt(stable_time_step()) {}

    [[nodiscard]] double x(std::int64_t i) const { return static_cast<double>(i) * dx; }
    [[nodiscard]] double y(std::int64_t j) const { return static_cast<double>(j) * dy; }
    [[nodiscard]] bool is_wall(std::int64_t j) const { return j == 0 || j == ny - 1; }

    /// The initial flow: two eddies, from the stream function strength sin(2 pi x / length) sin(pi
    /// y / height)^2. Divergence-free, at rest on the walls.
    [[nodiscard]] double eddy_u(std::int64_t j, std::int64_t i) const {
        return is_wall(j) ? 0
                          : eddy_u_max() * std::sin(wave * x(i)) *
                                std::sin(2 * std::numbers::pi * y(j) / height);
    }
    [[nodiscard]] double eddy_v(std::int64_t j, std::int64_t i) const {
        if (is_wall(j)) return 0;
        const double across = std::sin(std::numbers::pi * y(j) / height);
        return -eddy_v_max() * std::cos(wave * x(i)) * across * across;
    }

    /// The steady flow: Poiseuille's parabola. Central differences are exact for it, so it is the
    /// steady state of the scheme as well as of the equations.
    [[nodiscard]] double steady_u(std::int64_t j) const {
        return force / (2 * viscosity) * y(j) * (height - y(j));
    }
    /// Decay rate of the slowest mode of the difference from the steady flow, per unit of time: the
    /// lowest eigenvalue of the viscous term between the walls.
    [[nodiscard]] double slowest_decay() const {
        const double s = std::sin(std::numbers::pi * dy / (2 * height));
        return 4 * viscosity * s * s / (dy * dy);
    }

  private:
    static constexpr double wave = 2 * std::numbers::pi / length;
    static constexpr double eddy_u_max() { return eddy_strength * std::numbers::pi / height; }
    static constexpr double eddy_v_max() { return eddy_strength * wave; }

    /// With upwind differences and forward Euler steps, the new velocity at a point is
    ///
    ///     (1 - dt (|u|/dx + |v|/dy + 2 nu/dx^2 + 2 nu/dy^2)) times the old one
    ///      + weights >= 0 times its neighbours - pressure gradient + force,
    ///
    /// and the weights sum to one. While the first weight is not negative either, the step is an
    /// average and makes no new extremes. That bounds dt; one tenth is the safety margin. |u| is at
    /// most that of the eddies plus that of the steady state, which the force approaches from
    /// below.
    [[nodiscard]] double stable_time_step() const {
        const double u_max = eddy_u_max() + force * height * height / (8 * viscosity);
        const double v_max = eddy_v_max();
        return 0.9 / (u_max / dx + v_max / dy + 2 * viscosity * (1 / (dx * dx) + 1 / (dy * dy)));
    }
};

}  // namespace channel_flow
