"""A drop falls into a basin: the shallow water equations, by the method of Lax and Wendroff."""

import argparse

import numpy as np

GRAVITY = 9.8


def reflect(h, hu, hv):
    """Walls on all sides."""
    h[0, :], h[-1, :], h[:, 0], h[:, -1] = h[1, :], h[-2, :], h[:, 1], h[:, -2]
    hu[0, :], hu[-1, :], hu[:, 0], hu[:, -1] = -hu[1, :], -hu[-2, :], hu[:, 1], hu[:, -2]
    hv[0, :], hv[-1, :], hv[:, 0], hv[:, -1] = hv[1, :], hv[-2, :], -hv[:, 1], -hv[:, -2]


def flux(h, normal, other):
    return normal, normal**2 / h + 0.5 * GRAVITY * h**2, normal * other / h


def advance(h, hu, hv, dt, dx):
    r = dt / dx
    # Half a step, between the points along either axis.
    low, high, inner = slice(0, -1), slice(1, None), slice(1, -1)
    state = (h, hu, hv)
    fx = flux(h, hu, hv)
    gy = flux(h, hv, hu)
    gy = (gy[0], gy[2], gy[1])
    halfx = [0.5 * (q[high, inner] + q[low, inner]) - 0.5 * r * (f[high, inner] - f[low, inner]) for q, f in zip(state, fx)]
    halfy = [0.5 * (q[inner, high] + q[inner, low]) - 0.5 * r * (g[inner, high] - g[inner, low]) for q, g in zip(state, gy)]
    fx = flux(halfx[0], halfx[1], halfx[2])
    gy = flux(halfy[0], halfy[2], halfy[1])
    gy = (gy[0], gy[2], gy[1])
    for q, f, g in zip(state, fx, gy):
        q[inner, inner] -= r * (f[high, :] - f[low, :]) + r * (g[:, high] - g[:, low])


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--size", type=int, default=64)
    options.add_argument("--steps", type=int, default=100)
    options.add_argument("--save", metavar="FILE.npz")
    given = options.parse_args()
    n = given.size
    x = np.linspace(-1.0, 1.0, n)
    distance = x[:, None] ** 2 + x[None, :] ** 2
    h = 1.0 + 0.5 * np.maximum(0.0, 1.0 - 4.0 * distance) ** 2
    hu, hv = np.zeros_like(h), np.zeros_like(h)
    for _ in range(given.steps):
        reflect(h, hu, hv)
        advance(h, hu, hv, 0.1 / n, 2.0 / n)
    reflect(h, hu, hv)
    print(f"{n} x {n} points, {given.steps} steps: height from {h.min():.6f} to {h.max():.6f}, volume {h.sum():.9f}")
    if given.save:
        np.savez(given.save, h=h, hu=hu, hv=hv)


if __name__ == "__main__":
    main()
