"""Pi, and the price of an Asian option, by random numbers."""

import argparse

import numpy as np


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--size", type=int, default=20000, help="samples")
    options.add_argument("--steps", type=int, default=12, help="of each path of the option's price")
    options.add_argument("--save", metavar="FILE.npz")
    given = options.parse_args()
    source = np.random.default_rng(2023)
    x, y = source.random(given.size), source.random(given.size)
    pi = 4.0 * np.mean(x * x + y * y <= 1.0)
    drift, spread = (0.03 - 0.5 * 0.2**2) / given.steps, 0.2 / given.steps**0.5
    price = np.full(given.size, 100.0)
    total = np.zeros(given.size)
    for _ in range(given.steps):
        price = price * (1.0 + drift + spread * source.standard_normal(given.size))
        total += price
    payoff = np.maximum(total / given.steps - 100.0, 0.0)
    print(f"{given.size} samples: pi {pi:.6f}, option {payoff.mean():.6f} +- {payoff.std() / given.size**0.5:.6f}")
    if given.save:
        np.savez(given.save, price=price, payoff=payoff, pi=pi)


if __name__ == "__main__":
    main()
