/// The same method as plain loops, without any runtime: the reference for the check.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "cg/config.hpp"
#include "cg/scheme.hpp"
#include "cg/sparse_matrix.hpp"
#include "common/comparison.hpp"
#include "common/number_text.hpp"

namespace cg {

/// The result: the last solution, and the number of iterations per right-hand side.
struct Outcome {
    std::vector<std::int64_t> iterations;
    Values x, b;
    Progress progress;
    bool converged = false;
};

[[nodiscard]] inline Values product_of(const SparseMatrix& matrix, const Values& v) {
    Values product;
    for (std::int64_t row = 0; row < matrix.size; ++row) {
        double sum = 0;
        for (std::int64_t e = matrix.begin(row); e < matrix.end(row); ++e) {
            const auto at = static_cast<std::size_t>(e);
            sum += matrix.values[at] * v[static_cast<std::size_t>(matrix.columns[at])];
        }
        product.push_back(sum);
    }
    return product;
}

/// Throws the same error as the program if the matrix turns out to be unsuitable.
inline void refuse_if_broken(const Progress& progress, std::int64_t iteration) {
    if (is_broken(progress))
        throw std::runtime_error(
            "after " + std::to_string(iteration) + " iterations the curvature is " +
            example::number_text(progress.curvature) + " and the squared residual " +
            example::number_text(progress.squared_residual) +
            ": the matrix is not positive definite");
}

class SerialSolver {
  public:
    SerialSolver(const Config& config, const SparseMatrix& matrix)
        : config_(config), matrix_(matrix), pieces_(pieces_of(matrix, config.pieces)) {}

    /// Solves for all right-hand sides.
    [[nodiscard]] Outcome solve() {
        for (std::int64_t number = 0; number < config_.solves; ++number) solve_one(number);
        return std::move(outcome_);
    }

  private:
    /// Sums piece by piece, like the tasks.
    [[nodiscard]] double dot(const Values& a, const Values& b) const {
        double total = 0;
        for (const Rows& rows : pieces_) {
            double sum = 0;
            for (auto i = static_cast<std::size_t>(rows.begin);
                 i < static_cast<std::size_t>(rows.end); ++i)
                sum += a[i] * b[i];
            total += sum;
        }
        return total;
    }

    void solve_one(std::int64_t number) {
        Values known;
        for (std::int64_t i = 0; i < matrix_.size; ++i) known.push_back(known_solution(number, i));
        outcome_.b = product_of(matrix_, known);
        outcome_.x.assign(known.size(), 0.0);
        r_ = p_ = outcome_.b;
        Progress& now = outcome_.progress;
        const double at_first = now.squared_residual = dot(r_, r_);
        outcome_.converged = false;
        std::int64_t k = 0;
        while (!outcome_.converged && k < config_.steps) {
            iterate();
            if (++k % config_.check_every != 0 && k < config_.steps) continue;
            refuse_if_broken(now, k);
            outcome_.converged = has_converged(now.squared_residual, at_first, config_.tolerance);
        }
        outcome_.iterations.push_back(k);
    }

    void iterate() {
        Progress& now = outcome_.progress;
        const Values q = product_of(matrix_, p_);
        now.curvature = dot(p_, q);
        const double a = quotient(now.squared_residual, now.curvature);
        for (std::size_t i = 0; i < q.size(); ++i) {
            outcome_.x[i] += a * p_[i];
            r_[i] -= a * q[i];
        }
        const double old = std::exchange(now.squared_residual, dot(r_, r_));
        const double b = quotient(now.squared_residual, old);
        for (std::size_t i = 0; i < q.size(); ++i) p_[i] = r_[i] + b * p_[i];
    }

    Config config_;
    const SparseMatrix& matrix_;
    std::vector<Rows> pieces_;
    Values r_, p_;
    Outcome outcome_;
};

[[nodiscard]] inline double norm(const Values& v) {
    double sum = 0;
    for (const double value : v) sum += value * value;
    return std::sqrt(sum);
}

/// The allowed distance between the residual that the iterations carry along and b - A x after k
/// iterations, by A. Greenbaum, Estimating the attainable accuracy of recursively computed residual
/// methods (SIAM J. Matrix Anal. Appl. 18(3), 1997), (9): eps |A| |x| ((k + 1) + (1 + c + k (10 + 2
/// c))) with c the elements per row times the square root of the number of rows; |x| grows with k
/// as x starts at zero.
[[nodiscard]] inline double drift_allowed(const SparseMatrix& matrix, const Values& x,
                                          std::int64_t iterations) {
    double largest_row_sum = 0;  // bounds |A|
    std::int64_t longest_row = 0;
    for (std::int64_t row = 0; row < matrix.size; ++row) {
        double sum = 0;
        for (std::int64_t e = matrix.begin(row); e < matrix.end(row); ++e)
            sum += std::abs(matrix.values[static_cast<std::size_t>(e)]);
        largest_row_sum = std::max(largest_row_sum, sum);
        longest_row = std::max(longest_row, matrix.end(row) - matrix.begin(row));
    }
    const double c = static_cast<double>(longest_row) * std::sqrt(static_cast<double>(matrix.size));
    const auto k = static_cast<double>(iterations);
    return std::numeric_limits<double>::epsilon() * largest_row_sum * norm(x) *
           (k + 1 + (1 + c + k * (10 + 2 * c)));
}

/// Checks that x solves the system as well as the outcome claims.
///
/// Errors: WrongResult.
inline void check_residual(const SparseMatrix& matrix, const Outcome& outcome) {
    Values residual = product_of(matrix, outcome.x);
    for (std::size_t i = 0; i < residual.size(); ++i) residual[i] = outcome.b[i] - residual[i];
    const double carried = std::sqrt(outcome.progress.squared_residual);
    const double drift = drift_allowed(matrix, outcome.x, outcome.iterations.back());
    if (std::abs(norm(residual) - carried) <= drift) return;
    throw example::WrongResult("b - A x has the norm " + example::number_text(norm(residual)) +
                               ", but the iterations ended with " + example::number_text(carried) +
                               "; they may differ by " + example::number_text(drift));
}

/// Checks that two runs that summed in the same order have the same outcome, to the bit.
///
/// Errors: WrongResult.
inline void check_equal(const Outcome& found, const Outcome& expected) {
    for (std::size_t i = 0; i < found.iterations.size(); ++i)
        if (found.iterations[i] != expected.iterations[i])
            throw example::WrongResult("right-hand side " + std::to_string(i) + " took " +
                                       std::to_string(found.iterations[i]) +
                                       " iterations, but serially " +
                                       std::to_string(expected.iterations[i]));
    for (std::size_t i = 0; i < found.x.size(); ++i)
        if (found.x[i] != expected.x[i])
            throw example::WrongResult("x[" + std::to_string(i) + "] is " +
                                       example::number_text(found.x[i]) + ", but serially " +
                                       example::number_text(expected.x[i]));
}

}  // namespace cg
