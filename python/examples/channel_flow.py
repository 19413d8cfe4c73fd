"""Flow through a channel that a pressure gradient drives: the Navier-Stokes equations of an incompressible fluid.

The last of the "12 steps to Navier-Stokes" (Barba and Forsyth, 2018): finite differences, explicit in time, and in each
step some Jacobi sweeps of a Poisson equation for the pressure. The channel is periodic in x and has walls in y.

    refrain python channel_flow.py --size 128 --steps 100
"""

import argparse

import numpy as np


def build_up_b(b, rho, dt, u, v, dx, dy):
    """The source of the pressure equation, from the velocities."""
    dudx = (u[1:-1, 2:] - u[1:-1, 0:-2]) / (2 * dx)
    dvdy = (v[2:, 1:-1] - v[0:-2, 1:-1]) / (2 * dy)
    dudy = (u[2:, 1:-1] - u[0:-2, 1:-1]) / (2 * dy)
    dvdx = (v[1:-1, 2:] - v[1:-1, 0:-2]) / (2 * dx)
    b[1:-1, 1:-1] = rho * (1 / dt * (dudx + dvdy) - dudx**2 - 2 * dudy * dvdx - dvdy**2)
    # Periodic in x: the last column's right neighbour is the first column.
    dudx = (u[1:-1, 0] - u[1:-1, -2]) / (2 * dx)
    dvdy = (v[2:, -1] - v[0:-2, -1]) / (2 * dy)
    dudy = (u[2:, -1] - u[0:-2, -1]) / (2 * dy)
    dvdx = (v[1:-1, 0] - v[1:-1, -2]) / (2 * dx)
    b[1:-1, -1] = rho * (1 / dt * (dudx + dvdy) - dudx**2 - 2 * dudy * dvdx - dvdy**2)
    dudx = (u[1:-1, 1] - u[1:-1, -1]) / (2 * dx)
    dvdy = (v[2:, 0] - v[0:-2, 0]) / (2 * dy)
    dudy = (u[2:, 0] - u[0:-2, 0]) / (2 * dy)
    dvdx = (v[1:-1, 1] - v[1:-1, -1]) / (2 * dx)
    b[1:-1, 0] = rho * (1 / dt * (dudx + dvdy) - dudx**2 - 2 * dudy * dvdx - dvdy**2)
    return b


def pressure_poisson(p, b, dx, dy, sweeps):
    pn = np.empty_like(p)
    scale = 2 * (dx**2 + dy**2)
    source = dx**2 * dy**2 / scale
    for _ in range(sweeps):
        pn[:] = p
        p[1:-1, 1:-1] = (
            (pn[1:-1, 2:] + pn[1:-1, 0:-2]) * dy**2 + (pn[2:, 1:-1] + pn[0:-2, 1:-1]) * dx**2
        ) / scale - source * b[1:-1, 1:-1]
        p[1:-1, -1] = (
            (pn[1:-1, 0] + pn[1:-1, -2]) * dy**2 + (pn[2:, -1] + pn[0:-2, -1]) * dx**2
        ) / scale - source * b[1:-1, -1]
        p[1:-1, 0] = (
            (pn[1:-1, 1] + pn[1:-1, -1]) * dy**2 + (pn[2:, 0] + pn[0:-2, 0]) * dx**2
        ) / scale - source * b[1:-1, 0]
        p[-1, :] = p[-2, :]  # no gradient at the walls
        p[0, :] = p[1, :]
    return p


def advance(w, un, vn, here, left, right, below, above, gradient, dt, dx, dy, nu):
    """One velocity after a step, at the points `here`, from its own old values w and those of both velocities."""
    return (
        w[here]
        - un[here] * dt / dx * (w[here] - w[left])
        - vn[here] * dt / dy * (w[here] - w[below])
        - gradient
        + nu
        * (dt / dx**2 * (w[right] - 2 * w[here] + w[left]) + dt / dy**2 * (w[above] - 2 * w[here] + w[below]))
    )


def places():
    """For the inner, the last and the first columns: here, left, right, below, above."""
    inner, low, high = slice(1, -1), slice(0, -2), slice(2, None)
    yield (inner, inner), (inner, low), (inner, high), (low, inner), (high, inner)
    yield (inner, -1), (inner, -2), (inner, 0), (low, -1), (high, -1)
    yield (inner, 0), (inner, -1), (inner, 1), (low, 0), (high, 0)


def channel_flow(size, steps, sweeps, rho=1.0, nu=0.1, force=1.0):
    dx = dy = 2 / (size - 1)
    dt = 0.2 * dx**2 / nu
    u, v, p, b = (np.zeros((size, size)) for _ in range(4))
    x, y = np.meshgrid(np.linspace(0, 2, size), np.linspace(0, 2, size))
    v += x * (x - 1) * (2 - x) * y * (2 - y)  # a swirl, which the flow carries away
    for _ in range(steps):
        un, vn = u.copy(), v.copy()
        b = build_up_b(b, rho, dt, u, v, dx, dy)
        p = pressure_poisson(p, b, dx, dy, sweeps)
        for here, left, right, below, above in places():
            dpdx = dt / (2 * rho * dx) * (p[right] - p[left])
            dpdy = dt / (2 * rho * dy) * (p[above] - p[below])
            u[here] = advance(un, un, vn, here, left, right, below, above, dpdx, dt, dx, dy, nu) + force * dt
            v[here] = advance(vn, un, vn, here, left, right, below, above, dpdy, dt, dx, dy, nu)
        u[0, :] = u[-1, :] = v[0, :] = v[-1, :] = 0
    return u, v, p


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--size", type=int, default=41, help="points in each direction")
    options.add_argument("--steps", type=int, default=50)
    options.add_argument("--sweeps", type=int, default=50, help="of the pressure equation, in each step")
    options.add_argument("--save", metavar="FILE.npz", help="writes the fields")
    given = options.parse_args()
    u, v, p = channel_flow(given.size, given.steps, given.sweeps)
    print(f"{given.size} x {given.size} points, {given.steps} steps of {given.sweeps} sweeps")
    print(f"mean flow {u.mean():.6f}, fastest {np.max(u):.6f}, pressure from {p.min():.3e} to {p.max():.3e}")
    if given.save:
        np.savez(given.save, u=u, v=v, p=p)


if __name__ == "__main__":
    main()
