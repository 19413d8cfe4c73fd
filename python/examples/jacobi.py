"""Solves a dense linear system by Jacobi's method: a matrix-vector product and a division in each step."""

import argparse

import numpy as np


def jacobi(matrix, b, steps):
    diagonal = np.diag(matrix)
    rest = matrix - np.diagflat(diagonal)
    x = np.zeros_like(b)
    for _ in range(steps):
        x = (b - rest @ x) / diagonal
    return x


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--size", type=int, default=200, help="unknowns")
    options.add_argument("--steps", type=int, default=50)
    options.add_argument("--save", metavar="FILE.npz")
    given = options.parse_args()
    n = given.size
    row = np.arange(n)
    matrix = 1.0 / (1.0 + (row[:, None] - row[None, :]) ** 2)
    matrix[row, row] = 4.0
    b = 1.0 + row % 7
    x = jacobi(matrix, b, given.steps)
    residual = np.abs(matrix @ x - b).max()
    print(f"{n} unknowns, {given.steps} steps: residual {residual:.3e}")
    if given.save:
        np.savez(given.save, x=x)


if __name__ == "__main__":
    main()
