"""Bodies that attract one another, each of them all others: leapfrog in time."""

import argparse

import numpy as np


def accelerations(position, mass):
    apart = position[None, :, :] - position[:, None, :]
    distance2 = (apart * apart).sum(axis=2) + 0.01  # softened
    pull = mass[None, :] / (distance2 * np.sqrt(distance2))
    return (apart * pull[:, :, None]).sum(axis=1)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--size", type=int, default=64, help="bodies")
    options.add_argument("--steps", type=int, default=50)
    options.add_argument("--save", metavar="FILE.npz")
    given = options.parse_args()
    n = given.size
    place = np.arange(3 * n).reshape(n, 3)
    position = (place * 37 % 101) / 50.0 - 1.0
    velocity = np.zeros((n, 3))
    mass = 1.0 / n + np.zeros(n)
    dt = 0.01
    pull = accelerations(position, mass)
    for _ in range(given.steps):
        velocity += 0.5 * dt * pull
        position += dt * velocity
        pull = accelerations(position, mass)
        velocity += 0.5 * dt * pull
    kinetic = 0.5 * np.sum(mass[:, None] * velocity * velocity)
    print(f"{n} bodies, {given.steps} steps: kinetic energy {kinetic:.9f}, centre {np.abs(position.mean(axis=0)).max():.6f}")
    if given.save:
        np.savez(given.save, position=position, velocity=velocity)


if __name__ == "__main__":
    main()
