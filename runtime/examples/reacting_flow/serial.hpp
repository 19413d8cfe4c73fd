/// The same method as plain loops over whole arrays, without any runtime: the reference for the
/// check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reacting_flow/config.hpp"
#include "reacting_flow/legacy.hpp"
#include "reacting_flow/problem.hpp"
#include "reacting_flow/scheme.hpp"

namespace reacting_flow {

/// All quantities as an ordinary array: one field of n rows after another.
class Array {
  public:
    Array(std::int64_t size, int quantities)
        : size_(size), values_(static_cast<std::size_t>(quantities * size * size), 0.0) {}

    [[nodiscard]] double& operator()(int k, std::int64_t j, std::int64_t i) {
        return values_[index(k, j, i)];
    }
    [[nodiscard]] double operator()(int k, std::int64_t j, std::int64_t i) const {
        return values_[index(k, j, i)];
    }
    [[nodiscard]] std::span<const double> values() const { return values_; }

  private:
    [[nodiscard]] std::size_t index(int k, std::int64_t j, std::int64_t i) const {
        return static_cast<std::size_t>((k * size_ + j) * size_ + i);
    }

    std::int64_t size_;
    std::vector<double> values_;
};

/// The result of a run.
struct Solution {
    Array state;
    std::vector<double> peak_temperatures;  // the log of the legacy code
};

class SerialSolver {
  public:
    explicit SerialSolver(const Config& config)
        : config_(config),
          problem_(config.problem()),
          legacy_(config.size, problem_.quantities()),
          state_(config.size, problem_.quantities()),
          register_(state_),
          rate_(state_) {
        for_quantities([&](int k, auto j, auto i) { state_(k, j, i) = problem_.initial(k, j, i); });
    }

    [[nodiscard]] Solution solve() {
        for (std::int64_t step = 1; step <= config_.steps; ++step) {
            for (const Stage& stage : runge_kutta) advance(stage);
            if (hand_off_follows(step)) hand_off();
        }
        return {state_, legacy_.peak_temperatures()};
    }

  private:
    template <class F>
    void for_points(const F& f) const {
        for (std::int64_t j = 0; j < config_.size; ++j)
            for (std::int64_t i = 0; i < config_.size; ++i) f(j, i);
    }
    template <class F>
    void for_quantities(const F& f) const {
        for (int k = 0; k < problem_.quantities(); ++k)
            for_points([&](auto j, auto i) { f(k, j, i); });
    }
    [[nodiscard]] std::int64_t around(std::int64_t index) const {
        return (index + config_.size) % config_.size;
    }

    void advance(const Stage& stage) {
        for_points([&](auto j, auto i) {
            problem_.mechanism().find_rates([&](int k) { return state_(k, j, i); },
                                            state_(problem_.species(), j, i),
                                            [&](int k) -> double& { return rate_(k, j, i); });
        });
        const Transport transport = problem_.transport();
        for_quantities([&](int k, auto j, auto i) {
            const Velocity velocity = problem_.velocity(j, i);
            rate_(k, j, i) += transport(
                velocity.u, velocity.v, [&](int m) { return state_(k, j, around(i + m)); },
                [&](int m) { return state_(k, around(j + m), i); });
        });
        for_quantities([&](int k, auto j, auto i) {
            stage.advance(state_(k, j, i), register_(k, j, i), rate_(k, j, i), problem_.dt());
        });
    }

    void hand_off() {
        const auto quantities = static_cast<std::int64_t>(problem_.quantities());
        std::vector<double> fields(state_.values().size());
        const auto field = [&](int k, std::int64_t j, std::int64_t i) -> double& {
            return fields[static_cast<std::size_t>((j * config_.size + i) * quantities + k)];
        };
        for_quantities([&](int k, auto j, auto i) { field(k, j, i) = state_(k, j, i); });
        legacy_.run(fields);
        for_quantities([&](int k, auto j, auto i) { state_(k, j, i) = field(k, j, i); });
    }

    Config config_;
    Problem problem_;
    LegacyCode legacy_;
    Array state_, register_, rate_;
};

}  // namespace reacting_flow
