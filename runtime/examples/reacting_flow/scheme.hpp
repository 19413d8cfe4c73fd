/// Differences in space and steps in time, shared by the tasks and the serial program so that they
/// round alike; they differ in everything else.
#pragma once

#include <array>

namespace reacting_flow {

/// Half the width of the difference stencils, in points.
inline constexpr int reach = 4;

/// Central differences of order eight. `f(m)` is the value m points ahead.
template <class F>
[[nodiscard]] double first_difference(const F& f) {
    constexpr std::array<double, reach> weight{4. / 5, -1. / 5, 4. / 105, -1. / 280};
    double sum = 0;
    for (int m = 1; m <= reach; ++m) sum += weight[m - 1] * (f(m) - f(-m));
    return sum;
}

template <class F>
[[nodiscard]] double second_difference(const F& f) {
    constexpr std::array<double, reach> weight{8. / 5, -1. / 5, 8. / 315, -1. / 560};
    double sum = -205. / 72 * f(0);
    for (int m = 1; m <= reach; ++m) sum += weight[m - 1] * (f(m) + f(-m));
    return sum;
}

/// Transport by flow and diffusion at a point:
/// - u df/dx - v df/dy + diffusivity (d2f/dx2 + d2f/dy2).
struct Transport {
    double per_spacing, diffusivity;

    /// `along_x(m)` and `along_y(m)` are the values m points ahead along the axes.
    template <class X, class Y>
    [[nodiscard]] double operator()(double u, double v, const X& along_x, const Y& along_y) const {
        const double carried = u * first_difference(along_x) + v * first_difference(along_y);
        const double diffused = second_difference(along_x) + second_difference(along_y);
        return (diffusivity * per_spacing * diffused - carried) * per_spacing;
    }
};

/// A stage of a Runge-Kutta method with one register besides the solution:
///
///     register = decay * register + dt * rate(solution);  solution += share * register
struct Stage {
    double decay, share;

    void advance(double& solution, double& reg, double rate, double dt) const {
        reg = decay * reg + dt * rate;
        solution += share * reg;
    }
};

/// Five stages, order four. The first stage overwrites the register.
///
/// Source: M. H. Carpenter and C. A. Kennedy, "Fourth-order 2N-storage Runge-Kutta schemes", NASA
///     TM 109112, 1994.
inline constexpr std::array<Stage, 5> runge_kutta{{
    {0, 1432997174477. / 9575080441755},
    {-567301805773. / 1357537059087, 5161836677717. / 13612068292357},
    {-2404267990393. / 2016746695238, 1720146321549. / 2090206949498},
    {-3550918686646. / 2091501179385, 3134564353537. / 4481467310338},
    {-1275806237668. / 842570457699, 2277821191437. / 14882151754819},
}};

}  // namespace reacting_flow
