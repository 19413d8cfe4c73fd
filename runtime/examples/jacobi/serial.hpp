/// The references for the check: the same method and a direct one, without any runtime.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "common/comparison.hpp"
#include "jacobi/linear_system.hpp"

namespace jacobi {

/// Jacobi's method, starting from zero. Sums in the order of the columns, like the tasks, so
/// results are equal to the bit.
[[nodiscard]] inline Values solve_by_jacobi(const LinearSystem& system, std::int64_t steps) {
    Values x(system.size, 0.0);
    Values next(system.size);
    for (std::int64_t step = 0; step < steps; ++step) {
        for (std::size_t i = 0; i < system.size; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < system.size; ++j)
                sum += system.off_diagonal[i * system.size + j] * x[j];
            next[i] = (system.right[i] - sum) / system.diagonal[i];
        }
        x.swap(next);
    }
    return x;
}

/// Gaussian elimination without pivoting, which a diagonally dominant matrix does not need: the
/// remaining matrix stays diagonally dominant, and no element grows beyond twice the largest.
[[nodiscard]] inline Values solve_by_elimination(const LinearSystem& system) {
    const std::size_t n = system.size;
    Values a = system.off_diagonal;
    Values x = system.right;
    for (std::size_t i = 0; i < n; ++i) a[i * n + i] = system.diagonal[i];
    for (std::size_t pivot = 0; pivot < n; ++pivot) {
        for (std::size_t i = pivot + 1; i < n; ++i) {
            const double factor = a[i * n + pivot] / a[pivot * n + pivot];
            for (std::size_t j = pivot; j < n; ++j) a[i * n + j] -= factor * a[pivot * n + j];
            x[i] -= factor * x[pivot];
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t j = i + 1; j < n; ++j) x[i] -= a[i * n + j] * x[j];
        x[i] /= a[i * n + i];
    }
    return x;
}

[[nodiscard]] inline double distance(const Values& a, const Values& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

[[nodiscard]] inline double norm(const Values& a) {
    return distance(a, Values(a.size(), 0.0));
}

/// The allowed error of an iterate: what the method leaves of the first error, which is the
/// solution itself, plus rounding. An iteration rounds n + 2 times, and the following ones amplify
/// that by 1 / (1 - contraction); elimination loses no more on a matrix with condition at most (1 +
/// contraction) / (1 - contraction).
[[nodiscard]] inline double tolerance(const Values& solution, double contraction,
                                      std::int64_t steps) {
    const double left = std::pow(contraction, static_cast<double>(steps));
    const double rounding = static_cast<double>(solution.size() + 2) *
                            std::numeric_limits<double>::epsilon() * 4 / (1 - contraction);
    return norm(solution) * (left + rounding);
}

/// The expected results, computed once.
class Expected {
  public:
    Expected(const LinearSystem& system, double contraction, std::int64_t steps)
        : iterate_(solve_by_jacobi(system, steps)),
          solution_(solve_by_elimination(system)),
          tolerance_(tolerance(solution_, contraction, steps)) {}

    /// Errors: WrongResult.
    void check(const Values& x) const {
        for (std::size_t i = 0; i < x.size(); ++i)
            if (x[i] != iterate_[i])
                throw example::WrongResult("x[" + std::to_string(i) + "] is " +
                                           std::to_string(x[i]) + ", but serially " +
                                           std::to_string(iterate_[i]));
        const double error = distance(x, solution_);
        if (!(error <= tolerance_))
            throw example::WrongResult("x is " + std::to_string(error) +
                                       " away from the direct solution, more than the allowed " +
                                       std::to_string(tolerance_));
    }

  private:
    Values iterate_, solution_;
    double tolerance_;
};

}  // namespace jacobi
