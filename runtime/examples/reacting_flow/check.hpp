/// The checks: a run equals the serial program to the bit, and the serial program matches what is
/// known of the mixture.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>

#include "common/comparison.hpp"
#include "reacting_flow/serial.hpp"

namespace reacting_flow {

namespace detail {

[[nodiscard]] inline std::string shortly(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

[[nodiscard]] inline std::string place(std::int64_t j, std::int64_t i) {
    return "(" + std::to_string(j) + "," + std::to_string(i) + ")";
}

}  // namespace detail

/// Checks that at each point the mass fractions sum to one, and so do temperature and enthalpy, up
/// to rounding: some epsilon per step, which grow with the square root of the number of steps
/// because their signs are random, and per term of the sum.
///
/// Errors: WrongResult.
inline void check_sums(const Config& config, const Solution& solution) {
    const Problem problem = config.problem();
    const double allowed = 8 * std::numeric_limits<double>::epsilon() *
                           (std::sqrt(static_cast<double>(config.steps)) + config.species);
    const auto check = [&](const char* name, double sum, std::int64_t j, std::int64_t i) {
        if (std::abs(sum - 1) <= allowed) return;
        throw example::WrongResult(std::string(name) + " at " + detail::place(j, i) +
                                   " differs from one by " + detail::shortly(sum - 1) +
                                   ", more than the allowed " + detail::shortly(allowed));
    };
    for (std::int64_t j = 0; j < config.size; ++j) {
        for (std::int64_t i = 0; i < config.size; ++i) {
            double mass = 0;
            double energy = solution.state(config.species, j, i);
            for (int k = 0; k < config.species; ++k) {
                mass += solution.state(k, j, i);
                energy += problem.mechanism().enthalpy(k) * solution.state(k, j, i);
            }
            check("the sum of the mass fractions", mass, j, i);
            check("the sum of temperature and enthalpy", energy, j, i);
        }
    }
}

/// The allowed error of a wave, relative to its initial amplitude. With k h the wave's phase from
/// point to point, differences of order eight leave (k h)^8 / 630 of the first derivative and (k
/// h)^8 / 3150 of the second; a step of order four leaves at most (lambda dt)^5 / 120; a filter
/// removes sin(k h / 2)^10 per axis. The wave decays, and so does its error.
[[nodiscard]] inline double wave_error_allowed(const Config& config) {
    const Problem problem = config.problem();
    const auto steps = static_cast<double>(config.steps);
    const double time = steps * problem.dt();
    const double kh = Problem::turn * problem.spacing();
    const double space =
        std::pow(kh, 8) * (Problem::wave_frequency() / 630 + Problem::wave_decay() / 3150);
    const double lambda = std::hypot(Problem::wave_frequency(), Problem::wave_decay());
    double filters = 0;
    for (std::int64_t step = 1; step <= config.steps; ++step) filters += hand_off_follows(step);
    const double left = time * space + steps * std::pow(lambda * problem.dt(), 5) / 120 +
                        filters * 2 * std::pow(std::sin(kh / 2), 10);
    const double rounding = 1e-13;
    return left * std::exp(-Problem::wave_decay() * time) + rounding;
}

/// The largest difference from the exact wave, relative to its initial amplitude.
[[nodiscard]] inline double wave_error(const Config& config, const Solution& solution) {
    const Problem problem = config.problem();
    const double time = static_cast<double>(config.steps) * problem.dt();
    double error = 0;
    for (int k = 0; k < config.species; ++k)
        for (std::int64_t j = 0; j < config.size; ++j)
            for (std::int64_t i = 0; i < config.size; ++i)
                error = std::max(
                    error, std::abs(solution.state(k, j, i) - problem.at_time(k, j, i, time)));
    return error * config.species;
}

/// Errors: WrongResult.
inline void check_against_theory(const Config& config, const Solution& solution) {
    check_sums(config, solution);
    if (!config.problem().is_wave()) return;
    const double error = wave_error(config, solution);
    const double allowed = wave_error_allowed(config);
    if (!(error <= allowed))
        throw example::WrongResult("the waves are " + detail::shortly(error) +
                                   " of their amplitude away from the exact ones, more than "
                                   "the allowed " +
                                   detail::shortly(allowed));
}

/// The serial result, computed once.
class Expected {
  public:
    explicit Expected(const Config& config)
        : config_(config), solution_(SerialSolver(config).solve()) {
        check_against_theory(config, solution_);
    }

    /// Errors: WrongResult.
    void check(const Solution& found) const {
        if (found.peak_temperatures != solution_.peak_temperatures)
            throw example::WrongResult(
                "the legacy code's log of peak temperatures differs from the serial one");
        for (int k = 0; k <= config_.species; ++k)
            for (std::int64_t j = 0; j < config_.size; ++j)
                for (std::int64_t i = 0; i < config_.size; ++i)
                    check_value(k, j, i, found.state(k, j, i));
    }

  private:
    void check_value(int k, std::int64_t j, std::int64_t i, double found) const {
        if (found == solution_.state(k, j, i)) return;
        const std::string name =
            k == config_.species ? "the temperature" : "mass fraction " + std::to_string(k);
        throw example::WrongResult(name + " at " + detail::place(j, i) + " is " +
                                   std::to_string(found) + ", but serially " +
                                   std::to_string(solution_.state(k, j, i)));
    }

    Config config_;
    Solution solution_;
};

}  // namespace reacting_flow
