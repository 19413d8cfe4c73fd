/// The same method as plain loops over whole arrays, without runtime and temporaries: each cell
/// computes what it needs from its neighbours. The reference for the check.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shallow_water/config.hpp"
#include "shallow_water/scheme.hpp"

namespace shallow_water {

/// A field of the basin as an ordinary array.
class Array {
  public:
    explicit Array(std::int64_t size)
        : size_(size), values_(static_cast<std::size_t>(size * size), 0.0) {}

    [[nodiscard]] double& operator()(std::int64_t j, std::int64_t i) {
        return values_[static_cast<std::size_t>(j * size_ + i)];
    }
    [[nodiscard]] double operator()(std::int64_t j, std::int64_t i) const {
        return values_[static_cast<std::size_t>(j * size_ + i)];
    }
    [[nodiscard]] std::span<const double> values() const { return values_; }

  private:
    std::int64_t size_;
    std::vector<double> values_;
};

/// The conserved quantities.
struct State {
    Array h, hu, hv;
};

/// The result of a run.
struct Solution {
    State state;
    double time = 0;
    std::int64_t steps = 0;
};

class SerialSolver {
  public:
    explicit SerialSolver(const Config& config)
        : config_(config), test_(config.test_case()), bed_(config.size), state_{bed_, bed_, bed_} {
        for_cells([&](auto j, auto i) {
            const Water water = test_.water(j, i, 0);
            bed_(j, i) = test_.bed(j, i);
            state_.h(j, i) = water.depth;
            state_.hu(j, i) = water.depth * water.u;
            state_.hv(j, i) = water.depth * water.v;
        });
    }

    [[nodiscard]] Solution solve() {
        std::int64_t steps = 0;
        while (steps < config_.steps) {
            clock_ = next_step(clock_, fastest_rate(), test_.end_time());
            const State start = state_;
            for (const Stage& stage : config_.method()) advance(stage, start);
            if (++steps % config_.look_every == 0 && clock_.time >= test_.end_time()) break;
        }
        return {state_, clock_.time, steps};
    }

  private:
    /// An axis: the step from one cell to the next, in i or in j.
    struct Axis {
        std::int64_t dj, di;
    };
    static constexpr Axis along_x{0, 1};
    static constexpr Axis along_y{1, 0};

    template <class F>
    void for_cells(const F& f) const {
        for (std::int64_t j = 0; j < config_.size; ++j)
            for (std::int64_t i = 0; i < config_.size; ++i) f(j, i);
    }
    [[nodiscard]] bool is_inside(std::int64_t j, std::int64_t i) const {
        return j >= 0 && j < config_.size && i >= 0 && i < config_.size;
    }

    [[nodiscard]] Side centre(Axis axis, std::int64_t j, std::int64_t i) const {
        const double h = state_.h(j, i);
        const double u = velocity(h, state_.hu(j, i));
        const double v = velocity(h, state_.hv(j, i));
        return {h, h + bed_(j, i), axis.di != 0 ? u : v, axis.di != 0 ? v : u};
    }
    /// The slope of a cell's profile; next to a wall it is zero.
    [[nodiscard]] Side slope(Axis axis, std::int64_t j, std::int64_t i) const {
        if (!is_inside(j - axis.dj, i - axis.di) || !is_inside(j + axis.dj, i + axis.di))
            return {0, 0, 0, 0};
        const Side low = centre(axis, j - axis.dj, i - axis.di);
        const Side here = centre(axis, j, i);
        const Side high = centre(axis, j + axis.dj, i + axis.di);
        return {minmod(here.depth - low.depth, high.depth - here.depth),
                minmod(here.surface - low.surface, high.surface - here.surface),
                minmod(here.along - low.along, high.along - here.along),
                minmod(here.across - low.across, high.across - here.across)};
    }
    [[nodiscard]] Side side(Axis axis, std::int64_t j, std::int64_t i, double towards) const {
        return side_of(centre(axis, j, i), slope(axis, j, i), towards);
    }
    /// The flux through the face between cell (j, i) and the one before it.
    [[nodiscard]] FaceFlux flux(Axis axis, std::int64_t j, std::int64_t i) const {
        const std::int64_t before_j = j - axis.dj;
        const std::int64_t before_i = i - axis.di;
        if (!is_inside(before_j, before_i)) {
            const Side high = side(axis, j, i, -0.5);
            return flux_between(high.mirrored(), high);
        }
        const Side low = side(axis, before_j, before_i, 0.5);
        return flux_between(low, is_inside(j, i) ? side(axis, j, i, -0.5) : low.mirrored());
    }

    void advance(const Stage& stage, const State& start) {
        State next = state_;
        const double dt = clock_.step;
        for_cells([&](auto j, auto i) {
            const FaceFlux west = flux(along_x, j, i);
            const FaceFlux east = flux(along_x, j, i + 1);
            const FaceFlux south = flux(along_y, j, i);
            const FaceFlux north = flux(along_y, j + 1, i);
            const double h = state_.h(j, i);
            const double cell = test_.cell();
            const double rise = depth_rate(west.mass, east.mass, south.mass, north.mass, cell);
            const double push_x =
                momentum_rate(west.along_high, east.along_low, south.across, north.across, h,
                              slope(along_x, j, i).surface, cell);
            const double push_y = momentum_rate(south.along_high, north.along_low, west.across,
                                                east.across, h, slope(along_y, j, i).surface, cell);
            next.h(j, i) = stage.next_depth(start.h(j, i), h, rise, dt);
            next.hu(j, i) = stage.next(start.hu(j, i), state_.hu(j, i), push_x, dt);
            next.hv(j, i) = stage.next(start.hv(j, i), state_.hv(j, i), push_y, dt);
        });
        state_ = next;
    }

    [[nodiscard]] double fastest_rate() const {
        double fastest = 0;
        for_cells([&](auto j, auto i) {
            const Side water = centre(along_x, j, i);
            fastest = std::max(fastest,
                               signal_rate(water.depth, water.along, water.across, test_.cell()));
        });
        return fastest;
    }

    Config config_;
    TestCase test_;
    Array bed_;
    State state_;
    Clock clock_;
};

}  // namespace shallow_water
