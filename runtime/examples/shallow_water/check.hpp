/// The checks: a run equals the serial program to the bit, and the serial program matches what is
/// known of the flow.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <numbers>
#include <span>
#include <string>

#include "common/comparison.hpp"
#include "shallow_water/serial.hpp"

namespace shallow_water {

namespace detail {

inline void check_equal(const char* name, std::span<const double> found,
                        std::span<const double> expected, std::int64_t size) {
    for (std::size_t k = 0; k < found.size(); ++k) {
        if (found[k] == expected[k]) continue;
        const auto at = static_cast<std::int64_t>(k);
        throw example::WrongResult(std::string(name) + "(" + std::to_string(at / size) + "," +
                                   std::to_string(at % size) + ") is " + std::to_string(found[k]) +
                                   ", but serially " + std::to_string(expected[k]));
    }
}

[[nodiscard]] inline std::string shortly(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", value);
    return text;
}

}  // namespace detail

/// The sum of |h - exact h| over all cells, divided by the sum of exact h.
[[nodiscard]] inline double depth_error(const TestCase& test, const Solution& solution,
                                        std::int64_t size) {
    double error = 0;
    double all = 0;
    for (std::int64_t j = 0; j < size; ++j) {
        for (std::int64_t i = 0; i < size; ++i) {
            const double exact = test.water(j, i, solution.time).depth;
            error += std::abs(solution.state.h(j, i) - exact);
            all += exact;
        }
    }
    return error / all;
}

/// The allowed depth error. At a bore or a shore the scheme is of first order, so the error is that
/// of some cells out of all: for a dam 1.4; in the bowl 4, plus as many again per turn.
[[nodiscard]] inline double depth_error_allowed(const TestCase& test, const Solution& solution,
                                                std::int64_t size) {
    const auto n = static_cast<double>(size);
    if (test.is_dam()) return 1.4 / n;
    const double turns = solution.time * Bowl{}.frequency() / (2 * std::numbers::pi);
    return 4 * (1 + turns) / n;
}

/// Checks that water at rest stays at rest, up to rounding: a few epsilon per step, which grow with
/// the square root of the number of steps because their signs are random.
///
/// Errors: WrongResult.
inline void check_rest(const TestCase& test, const Solution& solution, std::int64_t size) {
    const double allowed = 8 * std::numeric_limits<double>::epsilon() *
                           (1 + std::sqrt(static_cast<double>(solution.steps))) *
                           TestCase::lake_level;
    for (std::int64_t j = 0; j < size; ++j) {
        for (std::int64_t i = 0; i < size; ++i) {
            const double off = std::abs(solution.state.h(j, i) - test.water(j, i, 0).depth);
            const double flow =
                std::max(std::abs(solution.state.hu(j, i)), std::abs(solution.state.hv(j, i)));
            if (off <= allowed && flow <= allowed) continue;
            throw example::WrongResult("the lake should be at rest, but at (" + std::to_string(j) +
                                       "," + std::to_string(i) + ") the depth is off by " +
                                       detail::shortly(off) + " and the discharge is " +
                                       detail::shortly(flow) + ", more than the allowed " +
                                       detail::shortly(allowed));
        }
    }
}

/// Checks that the volume of water is constant, up to rounding.
///
/// Errors: WrongResult.
inline void check_volume(const TestCase& test, const Solution& solution, std::int64_t size) {
    double before = 0;
    double after = 0;
    for (std::int64_t j = 0; j < size; ++j) {
        for (std::int64_t i = 0; i < size; ++i) {
            before += test.water(j, i, 0).depth;
            after += solution.state.h(j, i);
        }
    }
    const double allowed = 8 * std::numeric_limits<double>::epsilon() *
                           static_cast<double>(solution.steps + size * size) * before;
    if (!(std::abs(after - before) <= allowed))
        throw example::WrongResult(
            "the water in all cells has changed by " + detail::shortly(after - before) + " from " +
            detail::shortly(before) + ", more than the allowed " + detail::shortly(allowed));
}

/// Errors: WrongResult.
inline void check_against_theory(const Config& config, const Solution& solution) {
    const TestCase test = config.test_case();
    check_volume(test, solution, config.size);
    if (test.is_at_rest()) return check_rest(test, solution, config.size);
    const double error = depth_error(test, solution, config.size);
    const double allowed = depth_error_allowed(test, solution, config.size);
    if (!(error <= allowed))
        throw example::WrongResult("the depth is " + detail::shortly(error) +
                                   " away from the exact solution (sum of differences by sum of "
                                   "depths), more than the allowed " +
                                   detail::shortly(allowed));
}

/// The serial result, computed once.
class Expected {
  public:
    explicit Expected(const Config& config)
        : size_(config.size), solution_(SerialSolver(config).solve()) {
        check_against_theory(config, solution_);
    }

    /// Errors: WrongResult.
    void check(const Solution& found) const {
        if (found.steps != solution_.steps || found.time != solution_.time)
            throw example::WrongResult("time " + std::to_string(found.time) + " after " +
                                       std::to_string(found.steps) + " steps, but serially " +
                                       std::to_string(solution_.time) + " after " +
                                       std::to_string(solution_.steps));
        detail::check_equal("h", found.state.h.values(), solution_.state.h.values(), size_);
        detail::check_equal("hu", found.state.hu.values(), solution_.state.hu.values(), size_);
        detail::check_equal("hv", found.state.hv.values(), solution_.state.hv.values(), size_);
    }

  private:
    std::int64_t size_;
    Solution solution_;
};

}  // namespace shallow_water
