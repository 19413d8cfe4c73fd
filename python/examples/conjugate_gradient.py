"""Poisson's equation on a square by conjugate gradients: the matrix is a function of slices, scalars stay arrays' business."""

import argparse

import numpy as np


def laplacian(u):
    """Five points, zero outside."""
    result = 4.0 * u
    result[1:, :] -= u[:-1, :]
    result[:-1, :] -= u[1:, :]
    result[:, 1:] -= u[:, :-1]
    result[:, :-1] -= u[:, 1:]
    return result


def conjugate_gradient(b, steps):
    x = np.zeros_like(b)
    r = b.copy()
    p = r.copy()
    rs = np.sum(r * r)
    for _ in range(steps):
        q = laplacian(p)
        alpha = rs / np.sum(p * q)
        x += alpha * p
        r -= alpha * q
        rs_new = np.sum(r * r)
        p = r + rs_new / rs * p
        rs = rs_new
    return x, rs


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--size", type=int, default=64, help="points in each direction")
    options.add_argument("--steps", type=int, default=60)
    options.add_argument("--save", metavar="FILE.npz")
    given = options.parse_args()
    x = np.linspace(0.0, 1.0, given.size)
    b = np.outer(x * (1.0 - x), x)
    u, rs = conjugate_gradient(b, given.steps)
    print(f"{given.size} x {given.size} points, {given.steps} steps: residual {float(rs) ** 0.5:.3e}, peak {u.max():.6f}")
    if given.save:
        np.savez(given.save, u=u, rs=rs)


if __name__ == "__main__":
    main()
