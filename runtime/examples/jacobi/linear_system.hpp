/// Synthetic linear systems with a known rate of convergence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace jacobi {

using Values = std::vector<double>;

/// A x = b with A = R + diag(d); matrices row by row.
struct LinearSystem {
    std::size_t size = 0;
    Values off_diagonal;  // R: zeros on the diagonal
    Values diagonal;      // d
    Values right;         // b
};

/// A random dense system that is strictly diagonally dominant.
///
/// The elements of R are positive, and each d_i is the sum of its row divided by `contraction`.
/// Each iteration multiplies the error by diag(d)^-1 R, whose rows sum to `contraction`; so that is
/// its maximum norm, and after k iterations an error of e is at most contraction^k e.
[[nodiscard]] inline LinearSystem make_system(std::size_t size, double contraction) {
    LinearSystem system{size, Values(size * size), Values(size), Values(size)};
    std::mt19937_64 bits(20250330);
    const auto uniform = [&] { return static_cast<double>(bits() >> 11) * 0x1p-53; };
    for (std::size_t i = 0; i < size; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < size; ++j) {
            if (j == i) continue;
            system.off_diagonal[i * size + j] = 0.5 + uniform();
            sum += system.off_diagonal[i * size + j];
        }
        system.diagonal[i] = sum / contraction;
        system.right[i] = static_cast<double>(size) * (uniform() - 0.5);
    }
    return system;
}

}  // namespace jacobi
