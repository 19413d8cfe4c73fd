"""Flow past a cylinder by the lattice Boltzmann method: nine populations that stream and collide."""

import argparse

import numpy as np

VELOCITIES = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
WEIGHTS = [4 / 9] + [1 / 9] * 4 + [1 / 36] * 4
OPPOSITE = [0, 3, 4, 1, 2, 7, 8, 5, 6]


def equilibrium(rho, ux, uy):
    square = 1.5 * (ux**2 + uy**2)
    result = np.empty((9, *rho.shape))
    for i, (cx, cy) in enumerate(VELOCITIES):
        cu = 3.0 * (cx * ux + cy * uy)
        result[i] = WEIGHTS[i] * rho * (1.0 + cu + 0.5 * cu**2 - square)
    return result


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--size", type=int, default=32, help="points across the channel; it is three times as long")
    options.add_argument("--steps", type=int, default=100)
    options.add_argument("--save", metavar="FILE.npz")
    given = options.parse_args()
    height, length = given.size, 3 * given.size
    x, y = np.arange(length)[:, None], np.arange(height)[None, :]
    solid = (x - length // 4) ** 2 + (y - height / 2) ** 2 < (height / 8) ** 2
    f = equilibrium(np.ones((length, height)), 0.1 + 0.001 * (y % 3) + 0.0 * x, np.zeros((length, height)))
    omega = 1.7
    for _ in range(given.steps):
        for i, (cx, cy) in enumerate(VELOCITIES):
            f[i] = np.roll(np.roll(f[i], cx, axis=0), cy, axis=1)
        bounced = f[OPPOSITE]
        rho = f.sum(axis=0)
        ux = (f[1] + f[5] + f[8] - f[3] - f[6] - f[7]) / rho
        uy = (f[2] + f[5] + f[6] - f[4] - f[7] - f[8]) / rho
        f -= omega * (f - equilibrium(rho, ux, uy))
        f[:] = np.where(solid, bounced, f)
    speed = np.sqrt(ux**2 + uy**2) * ~solid
    print(f"{length} x {height} points, {given.steps} steps: mass {rho.sum():.6f}, fastest {speed.max():.6f}")
    if given.save:
        np.savez(given.save, rho=rho, ux=ux, uy=uy)


if __name__ == "__main__":
    main()
