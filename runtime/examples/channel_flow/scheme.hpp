/// The scheme at one point, shared by the tasks and the serial program so that they round alike;
/// they differ in everything else.
///
///     du/dt + u du/dx + v du/dy = -1/rho dp/dx + nu (d2u/dx2 + d2u/dy2) + F
///     dv/dt + u dv/dx + v dv/dy = -1/rho dp/dy + nu (d2v/dx2 + d2v/dy2)
///     d2p/dx2 + d2p/dy2 = source(u, v)           such that the next velocity has no divergence
#pragma once

#include "channel_flow/channel.hpp"

namespace channel_flow {

/// A value and its four neighbours.
struct Star {
    double centre, west, east, south, north;
};

/// The right-hand side of the equation for the pressure:
/// rho (div/dt - (du/dx)^2 - 2 du/dy dv/dx - (dv/dy)^2), in central differences.
struct PressureSource {
    double density, per_dt, per_2dx, per_2dy;

    explicit PressureSource(const Channel& c)
        : density(Channel::density),
          per_dt(1 / c.dt),
          per_2dx(1 / (2 * c.dx)),
          per_2dy(1 / (2 * c.dy)) {}

    [[nodiscard]] double operator()(const Star& u, const Star& v) const {
        const double ux = (u.east - u.west) * per_2dx;
        const double uy = (u.north - u.south) * per_2dy;
        const double vx = (v.east - v.west) * per_2dx;
        const double vy = (v.north - v.south) * per_2dy;
        return density * ((ux + vy) * per_dt - ux * ux - 2 * (uy * vx) - vy * vy);
    }
};

/// One step in pseudo-time towards the pressure: the value that the neighbours of a point imply.
/// The pressure is defined up to a constant, which drifts; only differences are used.
struct PressureRelaxation {
    double of_x, of_y, of_source;

    explicit PressureRelaxation(const Channel& c) {
        const double xx = c.dx * c.dx;
        const double yy = c.dy * c.dy;
        of_x = yy / (2 * (xx + yy));
        of_y = xx / (2 * (xx + yy));
        of_source = xx * yy / (2 * (xx + yy));
    }

    [[nodiscard]] double operator()(const Star& p, double source) const {
        return (p.east + p.west) * of_x + (p.north + p.south) * of_y - source * of_source;
    }
};

/// One time step of a component of the velocity: upwind differences for convection, which are
/// stable in every direction of flow; central differences for the rest.
struct Momentum {
    double dt_per_dx, dt_per_dy;             // convection
    double diffusion_x, diffusion_y;         // nu dt / dx^2
    double pressure_x, pressure_y, impulse;  // dt / (2 rho dx), F dt

    explicit Momentum(const Channel& c)
        : dt_per_dx(c.dt / c.dx),
          dt_per_dy(c.dt / c.dy),
          diffusion_x(Channel::viscosity * c.dt / (c.dx * c.dx)),
          diffusion_y(Channel::viscosity * c.dt / (c.dy * c.dy)),
          pressure_x(c.dt / (2 * Channel::density * c.dx)),
          pressure_y(c.dt / (2 * Channel::density * c.dy)),
          impulse(Channel::force * c.dt) {}

    [[nodiscard]] double next_u(const Star& u, const Star& v, const Star& p) const {
        return transported(u, u.centre, v.centre) - pressure_x * (p.east - p.west) + impulse;
    }
    [[nodiscard]] double next_v(const Star& u, const Star& v, const Star& p) const {
        return transported(v, u.centre, v.centre) - pressure_y * (p.north - p.south);
    }

  private:
    [[nodiscard]] double transported(const Star& w, double u, double v) const {
        const double along = u > 0 ? w.centre - w.west : w.east - w.centre;
        const double across = v > 0 ? w.centre - w.south : w.north - w.centre;
        return w.centre - u * dt_per_dx * along - v * dt_per_dy * across +
               diffusion_x * (w.east - 2 * w.centre + w.west) +
               diffusion_y * (w.north - 2 * w.centre + w.south);
    }
};

}  // namespace channel_flow
