"""The Mandelbrot set, in real arithmetic: how long each point takes to escape."""

import argparse

import numpy as np


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--size", type=int, default=150, help="points from top to bottom")
    options.add_argument("--steps", type=int, default=60)
    options.add_argument("--save", metavar="FILE.npz")
    given = options.parse_args()
    cx = np.linspace(-2.2, 0.8, 3 * given.size // 2)[None, :]
    cy = np.linspace(-1.0, 1.0, given.size)[:, None]
    x, y = np.zeros((given.size, cx.shape[1])), np.zeros((given.size, cx.shape[1]))
    escaped_at = np.zeros(x.shape, dtype=np.int32)
    for _ in range(given.steps):
        x, y = x * x - y * y + cx, 2.0 * x * y + cy
        inside = x * x + y * y <= 4.0
        escaped_at += inside
        x, y = np.where(inside, x, 4.0), np.where(inside, y, 4.0)
    print(f"{escaped_at.shape} points, {given.steps} steps: {np.sum(escaped_at == given.steps)} never escape")
    if given.save:
        np.savez(given.save, escaped_at=escaped_at)


if __name__ == "__main__":
    main()
