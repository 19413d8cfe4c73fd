"""Particles on a grid, by tasks of its own: particles.c, compiled into a plug-in.

    python3 particles.py particles.so
"""

import sys

import refrain
import refrain.numpy as np

CELLS = 1 << 16


def step(tasks, cells):
    """How strong the smoothed density is where each particle lies, and the density on a grid half as fine."""
    grid, smoothed, coarse = np.zeros(CELLS), np.empty(CELLS), np.empty(CELLS // 2)
    forces = np.empty(cells.size)
    tasks.deposit(read=[cells], reduced=[grid])
    tasks.smooth([smoothed], [grid], numbers=[CELLS])
    tasks.coarsen([coarse], [grid])
    tasks.gather([forces], [cells, smoothed])
    return forces, coarse


if __name__ == "__main__":
    tasks = refrain.plugin(sys.argv[1])
    cells = np.random.default_rng(1).integers(0, CELLS, 1_000_000)
    forces, coarse = step(tasks, cells)
    print(f"{tasks}\n{int(coarse.sum())} particles, mean force {float(forces.mean()):.6f}")
