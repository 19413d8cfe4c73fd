"""A wave on a membrane with a slit wall: leapfrog in time, five points in space."""

import argparse

import numpy as np


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--size", type=int, default=100)
    options.add_argument("--steps", type=int, default=200)
    options.add_argument("--save", metavar="FILE.npz")
    given = options.parse_args()
    n = given.size
    now, before = np.zeros((n, n)), np.zeros((n, n))
    speed = np.full((n, n), 0.25)
    speed[n // 2, :] = 0.0
    speed[n // 2, n // 3 : n // 3 + 4] = 0.25
    for step in range(given.steps):
        after = np.zeros_like(now)
        after[1:-1, 1:-1] = (
            2.0 * now[1:-1, 1:-1]
            - before[1:-1, 1:-1]
            + speed[1:-1, 1:-1]
            * (now[2:, 1:-1] + now[:-2, 1:-1] + now[1:-1, 2:] + now[1:-1, :-2] - 4.0 * now[1:-1, 1:-1])
        )
        if step < 40:
            after[n // 4, n // 3 + 2] += 1.0 if step // 10 % 2 == 0 else -1.0
        before, now = now, after
    energy = np.sum((now - before) ** 2)
    print(f"{n} x {n} points, {given.steps} steps: from {now.min():.6f} to {now.max():.6f}, energy {energy:.9f}")
    if given.save:
        np.savez(given.save, now=now)


if __name__ == "__main__":
    main()
