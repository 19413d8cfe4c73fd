/// The formulas of the method, shared by the tasks and the serial program, which differ in
/// everything else.
///
///     q = A p                              two numbers per iteration are global:
///     a = r.r / p.q                        r.r, the squared residual, and p.q, the curvature of
///     x = x + a p,  r' = r - a q           the energy x.Ax / 2 - b.x along p
///     p = r' + (r'.r' / r.r) p
#pragma once

#include <cmath>
#include <cstdint>

namespace cg {

/// The numbers that a convergence check reads.
struct Progress {
    double squared_residual = 0;
    double curvature = 0;
};

/// a / b, or zero if b is zero: once the residual is zero in the middle of a block of iterations,
/// the rest of the block changes nothing.
[[nodiscard]] inline double quotient(double a, double b) {
    return b == 0 ? 0 : a / b;
}

[[nodiscard]] inline bool has_converged(double squared_residual, double squared_at_first,
                                        double tolerance) {
    return squared_residual <= tolerance * tolerance * squared_at_first;
}

/// True if the numbers prove that the matrix is not positive definite: a negative curvature, or
/// NaN. No proof of the contrary.
[[nodiscard]] inline bool is_broken(const Progress& progress) {
    return progress.curvature < 0 || !std::isfinite(progress.squared_residual);
}

/// Element i of solution number `solve`: pseudo-random between -1 and 1 (splitmix64's mixing
/// function). The right-hand side is computed from it, so the solution is known.
[[nodiscard]] inline double known_solution(std::int64_t solve, std::int64_t i) {
    auto bits = static_cast<std::uint64_t>(solve + 1) * 0xd1342543de82ef95U +
                static_cast<std::uint64_t>(i + 1) * 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    bits ^= bits >> 31;
    return static_cast<double>(bits >> 11) * 0x1p-52 - 1;
}

}  // namespace cg
