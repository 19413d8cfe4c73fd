/// The same method as plain loops over whole arrays, without any runtime: the reference for the
/// check.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "channel_flow/config.hpp"
#include "channel_flow/scheme.hpp"
#include "common/comparison.hpp"

namespace channel_flow {

/// A field of the channel as an ordinary array.
class Array {
  public:
    explicit Array(const Channel& channel)
        : nx_(channel.nx), values_(static_cast<std::size_t>(channel.nx * channel.ny), 0.0) {}

    [[nodiscard]] double& operator()(std::int64_t j, std::int64_t i) {
        return values_[static_cast<std::size_t>(j * nx_ + i)];
    }
    [[nodiscard]] double operator()(std::int64_t j, std::int64_t i) const {
        return values_[static_cast<std::size_t>(j * nx_ + i)];
    }
    [[nodiscard]] Star star(std::int64_t j, std::int64_t i) const {
        const std::int64_t west = i == 0 ? nx_ - 1 : i - 1;
        const std::int64_t east = i == nx_ - 1 ? 0 : i + 1;
        const Array& field = *this;
        return {field(j, i), field(j, west), field(j, east), field(j - 1, i), field(j + 1, i)};
    }
    [[nodiscard]] std::span<const double> values() const { return values_; }

  private:
    std::int64_t nx_;
    std::vector<double> values_;
};

/// Velocity and pressure after `steps` steps.
struct State {
    Array u, v, p;
    std::int64_t steps = 0;
    double largest_change = 0;  // in the last checked step

    explicit State(const Channel& channel) : u(channel), v(channel), p(channel) {
        for (std::int64_t j = 0; j < channel.ny; ++j)
            for (std::int64_t i = 0; i < channel.nx; ++i) {
                u(j, i) = channel.eddy_u(j, i);
                v(j, i) = channel.eddy_v(j, i);
            }
    }
};

class SerialSolver {
  public:
    explicit SerialSolver(const Config& config)
        : config_(config),
          channel_(config.channel()),
          state_(channel_),
          old_(state_),
          b_(channel_) {}

    [[nodiscard]] const State& solve() {
        while (state_.steps < config_.steps) {
            compute_source();
            for (std::int64_t k = 0; k < config_.pressure_iterations; ++k) relax_pressure();
            advance_velocity();
            ++state_.steps;
            if (state_.steps % config_.check_every != 0) continue;
            state_.largest_change = largest_change();
            if (state_.largest_change <= config_.largest_change_allowed()) break;
        }
        return state_;
    }

  private:
    template <class F>
    void for_inner_points(const F& f) const {
        for (std::int64_t j = 1; j < channel_.ny - 1; ++j)
            for (std::int64_t i = 0; i < channel_.nx; ++i) f(j, i);
    }

    void compute_source() {
        const PressureSource scheme(channel_);
        for_inner_points(
            [&](auto j, auto i) { b_(j, i) = scheme(state_.u.star(j, i), state_.v.star(j, i)); });
    }

    void relax_pressure() {
        const PressureRelaxation scheme(channel_);
        std::swap(state_.p, old_.p);
        for_inner_points(
            [&](auto j, auto i) { state_.p(j, i) = scheme(old_.p.star(j, i), b_(j, i)); });
        for (std::int64_t i = 0; i < channel_.nx; ++i) {
            state_.p(0, i) = state_.p(1, i);
            state_.p(channel_.ny - 1, i) = state_.p(channel_.ny - 2, i);
        }
    }

    void advance_velocity() {
        const Momentum scheme(channel_);
        std::swap(state_.u, old_.u);
        std::swap(state_.v, old_.v);
        for_inner_points([&](auto j, auto i) {
            const Star u = old_.u.star(j, i);
            const Star v = old_.v.star(j, i);
            const Star p = state_.p.star(j, i);
            state_.u(j, i) = scheme.next_u(u, v, p);
            state_.v(j, i) = scheme.next_v(u, v, p);
        });
    }

    [[nodiscard]] double largest_change() const {
        double change = 0;
        for_inner_points([&](auto j, auto i) {
            change = std::max({change, std::abs(state_.u(j, i) - old_.u(j, i)),
                               std::abs(state_.v(j, i) - old_.v(j, i))});
        });
        return change;
    }

    Config config_;
    Channel channel_;
    State state_, old_;
    Array b_;
};

namespace detail {

inline void check_equal(const char* name, std::span<const double> found,
                        std::span<const double> expected, std::int64_t nx) {
    for (std::size_t k = 0; k < found.size(); ++k) {
        if (found[k] == expected[k]) continue;
        const auto at = static_cast<std::int64_t>(k);
        throw example::WrongResult(std::string(name) + "(" + std::to_string(at / nx) + "," +
                                   std::to_string(at % nx) + ") is " + std::to_string(found[k]) +
                                   ", but serially " + std::to_string(expected[k]));
    }
}

}  // namespace detail

/// Checks that the serial flow is as close to Poiseuille's parabola as its largest change in a step
/// implies: the slowest mode of the difference decays at slowest_decay() per unit of time, all
/// others faster.
///
/// Errors: WrongResult.
inline void check_against_parabola(const Channel& channel, const State& state) {
    const double allowed = 1.1 * state.largest_change / (channel.dt * channel.slowest_decay());
    for (std::int64_t j = 0; j < channel.ny; ++j) {
        for (std::int64_t i = 0; i < channel.nx; ++i) {
            const double error = std::abs(state.u(j, i) - channel.steady_u(j));
            if (error <= allowed && std::abs(state.v(j, i)) <= allowed) continue;
            throw example::WrongResult("the flow has settled, but at (" + std::to_string(j) + "," +
                                       std::to_string(i) +
                                       ") u = " + std::to_string(state.u(j, i)) +
                                       ", v = " + std::to_string(state.v(j, i)) +
                                       " instead of u = " + std::to_string(channel.steady_u(j)) +
                                       ", v = 0 up to " + std::to_string(allowed));
        }
    }
}

/// The serial result, checked against Poiseuille's flow if it has settled.
[[nodiscard]] inline State expected_state(const Config& config) {
    SerialSolver solver(config);
    State state = solver.solve();
    if (state.steps < config.steps) check_against_parabola(config.channel(), state);
    return state;
}

}  // namespace channel_flow
