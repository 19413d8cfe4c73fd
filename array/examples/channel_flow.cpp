/// Channel flow with arrays: the incompressible Navier-Stokes equations between two walls, on a grid
/// of 41 x 41 points, as NumPy programs write it; compared with plain loops, bit for bit.

#include "refrain/array/operators.hpp"

#include <cstdio>
#include <cstring>
#include <vector>

using namespace refrain::array;

namespace {

constexpr Extent n = 41;
constexpr int steps = 10;
constexpr int sweeps = 20;
constexpr double h = 2.0 / (n - 1);
constexpr double dt = 0.01, rho = 1.0, nu = 0.1, force = 1.0;

struct Field {
    std::vector<double> values = std::vector<double>(n * n, 0.0);
    double& operator()(Extent i, Extent j) { return values[static_cast<std::size_t>(i * n + j)]; }
};

/// The pressure: averages of neighbours, walls above and below, free ends left and right.
void sweep(Array& p, const Array& b) {
    const Array old = p.machine().copy(p);
    const Slice inner(1, -1);
    p[{inner, inner}] = (old[{inner, Slice::from(2)}] + old[{inner, Slice::to(-2)}] +
                         old[{Slice::from(2), inner}] + old[{Slice::to(-2), inner}]) *
                            0.25 -
                        b[{inner, inner}];
    p[{0}] = p[{1}];
    p[{-1}] = p[{-2}];
}

void sweep(Field& p, Field& b) {
    Field old = p;
    for (Extent i = 1; i < n - 1; ++i) {
        for (Extent j = 1; j < n - 1; ++j)
            p(i, j) =
                (old(i, j + 1) + old(i, j - 1) + old(i + 1, j) + old(i - 1, j)) * 0.25 - b(i, j);
    }
    for (Extent j = 0; j < n; ++j) p(0, j) = p(1, j);
    for (Extent j = 0; j < n; ++j) p(n - 1, j) = p(n - 2, j);
}

/// The velocity along the channel.
void advance(Array& u, const Array& p) {
    const Array old = u.machine().copy(u);
    const Slice inner(1, -1);
    const Array here = old[{inner, inner}];
    u[{inner, inner}] =
        here - here * (dt / h) * (here - old[{inner, Slice::to(-2)}]) -
        (p[{inner, Slice::from(2)}] - p[{inner, Slice::to(-2)}]) * (dt / (2 * rho * h)) +
        (old[{Slice::from(2), inner}] - here * 2.0 + old[{Slice::to(-2), inner}]) *
            (nu * dt / (h * h)) +
        force * dt;
}

void advance(Field& u, Field& p) {
    Field old = u;
    for (Extent i = 1; i < n - 1; ++i) {
        for (Extent j = 1; j < n - 1; ++j) {
            const double here = old(i, j);
            u(i, j) = here - here * (dt / h) * (here - old(i, j - 1)) -
                      (p(i, j + 1) - p(i, j - 1)) * (dt / (2 * rho * h)) +
                      (old(i + 1, j) - here * 2.0 + old(i - 1, j)) * (nu * dt / (h * h)) +
                      force * dt;
        }
    }
}

/// The source of the pressure.
Array source(const Array& u) {
    Array b = u.machine().zeros({n, n}, DType::float64);
    const Slice inner(1, -1);
    b[{inner, inner}] =
        square((u[{inner, Slice::from(2)}] - u[{inner, Slice::to(-2)}]) / (2 * h)) * (h * h / 4);
    return b;
}

Field source(Field& u) {
    Field b;
    for (Extent i = 1; i < n - 1; ++i) {
        for (Extent j = 1; j < n - 1; ++j) {
            const double slope = (u(i, j + 1) - u(i, j - 1)) / (2 * h);
            b(i, j) = slope * slope * (h * h / 4);
        }
    }
    return b;
}

}  // namespace

int main(int argc, char** argv) {
    Machine machine(argc, argv);
    Array u = machine.zeros({n, n}, DType::float64);
    Array p = machine.zeros({n, n}, DType::float64);
    Field expected_u, expected_p;
    for (int step = 0; step < steps; ++step) {
        const Array b = source(u);
        Field expected_b = source(expected_u);
        for (int i = 0; i < sweeps; ++i) {
            sweep(p, b);
            sweep(expected_p, expected_b);
        }
        advance(u, p);
        advance(expected_u, expected_p);
    }
    std::vector<double> seen(n * n);
    machine.copy_to(u, seen.data());
    const bool equal =
        std::memcmp(seen.data(), expected_u.values.data(), seen.size() * sizeof(double)) == 0;
    std::printf("%d steps, mean velocity %.6f, %s\n", steps, machine.item(mean(u)).as<double>(),
                equal ? "bits as the loops have them" : "DIFFERS from the loops");
    return equal ? 0 : 1;
}
