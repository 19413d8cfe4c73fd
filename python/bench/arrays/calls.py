"""What single calls cost, in time of the calling thread: run in a process of its own, which prints one JSON object."""

import json
import time

import numpy as real
from measure import in_turns, nothing, ratios


def figures(rounds, seconds, quick):
    import refrain
    import refrain.numpy as ours

    found = {}

    def compare(key, statement, setup, finish=refrain.wait):
        sides = {}
        for side, module, done in (("here", ours, finish), ("numpy", real, nothing)):
            names = {"np": module}
            exec(setup, names)
            sides[side] = (statement, names, done)
        taken = in_turns(sides, rounds, seconds, time.thread_time_ns)
        found[key] = {"here_ns": taken["here"], "numpy_ns": taken["numpy"], "ratio": ratios(taken, "here", "numpy")}
        return sides, taken

    compare("view", "u[1:-1, 1:-1]", "u = np.zeros((64, 64))")
    compare("item_read", "x[5]", "x = np.arange(64.0)")
    compare("item_write", "x[5] = 2.5", "x = np.arange(64.0)")
    compare("add", "x + y", "x = np.arange(8.0); y = np.arange(8.0)")
    setup = "zeros = np.zeros(1024); y = np.ones(1024); local = 'x = zeros'"
    compare("tiny", "x += 2 * y", setup)
    found.update(peers("tiny", {"numpy": ("x += 2 * y", setup), "numexpr": ("ne('x + 2 * y', out=x)", setup),
                                "numba": ("jit(x, y)", setup)}, rounds, seconds))
    return found


def peers(key, statements, rounds, seconds):
    """numexpr and numba where they are installed, beside NumPy."""
    names = {"np": real}
    try:
        import numexpr

        numexpr.set_num_threads(1)
        names["ne"] = numexpr.evaluate
    except ImportError:
        statements.pop("numexpr")
    try:
        import numba

        def body(x, y):
            for i in range(x.size):
                x[i] += 2 * y[i]

        names["jit"] = numba.njit(body)
    except ImportError:
        statements.pop("numba")
    sides = {}
    for side, (statement, setup) in statements.items():
        own = dict(names)
        exec(setup, own)
        sides[side] = (statement, own, nothing)
    taken = in_turns(sides, rounds, seconds, time.thread_time_ns)
    return {f"{key}_{side}": {"numpy_ns": taken["numpy"], "here_ns": taken[side], "ratio": ratios(taken, side, "numpy")}
            for side in taken if side != "numpy"}


def record_figures(rounds, seconds, quick):
    """From Python to a record: the sink drops what it is handed."""
    from refrain import _core

    _core.tune(at_once_bytes=0)
    import refrain.numpy as ours

    _core.discard_operations(True)
    sides = {}
    for side, module in (("here", ours), ("numpy", real)):
        names = {"np": module}
        exec("x = np.empty(8); y = np.empty(8)", names)
        sides[side] = ("x + y", names, nothing)
    taken = in_turns(sides, rounds, seconds, time.thread_time_ns)
    return {"record": {"here_ns": taken["here"], "numpy_ns": taken["numpy"], "ratio": ratios(taken, "here", "numpy")}}


if __name__ == "__main__":
    import sys

    given = json.loads(sys.argv[1])
    measure = {"calls": figures, "record": record_figures}[given["what"]]
    print(json.dumps(measure(given["rounds"], given["seconds"], given["quick"])))
