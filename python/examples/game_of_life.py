"""Conway's game of life on a torus."""

import argparse

import numpy as np


def step(cells):
    """The cells after one generation; a border of the opposite side's cells makes the torus."""
    padded = np.empty((cells.shape[0] + 2, cells.shape[1] + 2), dtype=np.int8)
    padded[1:-1, 1:-1] = cells
    padded[0, 1:-1], padded[-1, 1:-1] = cells[-1], cells[0]
    padded[:, 0], padded[:, -1] = padded[:, -2], padded[:, 1]
    neighbours = np.zeros(cells.shape, dtype=np.int8)
    for down in range(3):
        for right in range(3):
            if (down, right) != (1, 1):
                neighbours += padded[down : down + cells.shape[0], right : right + cells.shape[1]]
    return (neighbours == 3) | cells & (neighbours == 2)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--size", type=int, default=100)
    options.add_argument("--steps", type=int, default=100)
    options.add_argument("--save", metavar="FILE.npz")
    given = options.parse_args()
    place = np.arange(given.size * given.size).reshape(given.size, given.size)
    cells = (place * place + 3 * place) % 11 % 3 == 1
    for _ in range(given.steps):
        cells = step(cells)
    print(f"{given.size} x {given.size} cells, {given.steps} generations: {cells.sum()} live")
    if given.save:
        np.savez(given.save, cells=cells)


if __name__ == "__main__":
    main()
