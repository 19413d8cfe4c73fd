"""The commonest functions beside NumPy, from one element to ten million: run in a process of its own."""

import json
import os
import sys
import time
import warnings

import numpy as real
from measure import in_turns, nothing, ratios

# x, y: float64 in (0, 1); s: x, sorted; i: int64 in [0, n); m, k: bool; q: of shape (sqrt n, sqrt n)
ELEMENTWISE = """
x + y
x - y
x * y
x / y
x // y
x % y
x ** 2
-x
abs(x)
x > y
x == y
m & k
~m
i + 1
i * i
np.add(x, 2.0)
np.sqrt(x)
np.square(x)
np.exp(x)
np.log(x)
np.log10(x)
np.log1p(x)
np.sin(x)
np.cos(x)
np.tanh(x)
np.arctan(x)
np.power(x, 1.5)
np.maximum(x, y)
np.minimum(x, y)
np.clip(x, 0.2, 0.8)
np.where(m, x, y)
np.floor(x)
np.sign(x)
np.isnan(x)
np.isfinite(x)
x.astype(np.float32)
""".strip().split("\n")
OTHERS = """
x.sum()
x.mean()
x.std()
x.max()
x.min()
x.argmax()
m.any()
m.all()
q.sum(axis=0)
q.sum(axis=1)
np.cumsum(x)
np.dot(x, y)
np.zeros(n)
np.arange(n)
np.linspace(0, 1, n)
x.copy()
np.concatenate((x, y))
x[m]
x[i]
np.nonzero(m)
np.sort(x)
np.argsort(x)
np.searchsorted(s, x)
np.diff(x)
""".strip().split("\n")
HOT = ELEMENTWISE + OTHERS
SETUP = """
source = real.random.default_rng(1)
x, y, s = (source.random(n) + 1e-9 for _ in range(3))
s.sort()
i = source.integers(0, n, n)
m, k = x > 0.5, y > 0.5
q = x[: int(n**0.5) ** 2].reshape(int(n**0.5), -1)
"""


def names_of(module, n):
    """The same values for either side, in memory of its own."""
    names = {"real": real, "n": n}
    exec(SETUP, names)
    for name in "xysimkq":
        names[name] = module.array(names[name])
    names["np"] = module
    return names


def compare(texts, sizes, rounds, seconds, clock):
    import refrain
    import refrain.numpy as ours

    warnings.simplefilter("ignore")
    found = {}
    for n in sizes:
        print(f"functions of n = {n} ...", file=sys.stderr, flush=True)
        sides = [("here", names_of(ours, n), refrain.wait), ("numpy", names_of(real, n), nothing)]
        for text in texts:
            taken = in_turns({side: (text, names, finish) for side, names, finish in sides}, rounds, seconds, clock)
            found[f"{text}, n = {n}"] = {"here_ns": taken["here"], "numpy_ns": taken["numpy"],
                                         "ratio": ratios(taken, "here", "numpy")}
    return found


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    wanted = {"hot60": HOT, "large": ELEMENTWISE}[given["what"]]
    if given.get("match"):
        wanted = [text for text in wanted if given["match"] in text]
    # One worker is one thread: what the process computes, whoever else uses the machine.
    clock = time.process_time_ns if os.environ.get("REFRAIN_WORKERS") == "1" else time.perf_counter_ns
    print(json.dumps(compare(wanted, given["sizes"], given["rounds"], given["seconds"], clock)))
