"""Heat in a rod, dealt out among ranks: rows by upper-case calls on buffers, what is no array by pickled calls in lower case.

mpirun -n 4 python3 heat.py [cells] [steps]
"""

import sys

import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
me, ranks = comm.Get_rank(), comm.Get_size()
settings = {"cells": int(sys.argv[1]) if len(sys.argv) > 1 else 400, "steps": int(sys.argv[2]) if len(sys.argv) > 2 else 50}
settings = comm.bcast(settings if me == 0 else None, root=0)
mine = settings["cells"] // ranks

row = comm.Create_cart([ranks], periods=[False])
before, after = row.Shift(0, 1)
heat = numpy.zeros(mine + 2)
if me == 0:
    heat[1] = 1000.0
changes = []
for step in range(settings["steps"]):
    requests = [row.Irecv(heat[:1], before, 1), row.Irecv(heat[-1:], after, 2),
                row.Isend(heat[1:2].copy(), before, 2), row.Isend(heat[-2:-1].copy(), after, 1)]
    MPI.Request.Waitall(requests)
    new = heat[1:-1] + 0.25 * (heat[:-2] - 2 * heat[1:-1] + heat[2:])
    change = numpy.array([numpy.abs(new - heat[1:-1]).max()])
    heat[1:-1] = new
    comm.Allreduce(MPI.IN_PLACE, change, MPI.MAX)
    changes.append(float(change[0]))

report = {"rank": me, "sum": float(heat[1:-1].sum())}
reports = comm.gather(report, root=0)
if me > 0:
    comm.send({"from": me, "last": changes[-1]}, dest=0, tag=7)
else:
    lasts = [comm.recv(source=other, tag=7)["last"] for other in range(1, ranks)]
    assert all(last == changes[-1] for last in lasts)
total = comm.allreduce(report["sum"])
if me == 0:
    assert abs(total - sum(each["sum"] for each in reports)) < 1e-9
    print(f"heat: {total:.6f} after {settings['steps']} steps")
row.Free()
