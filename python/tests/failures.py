"""Tasks that fail because they are told to, one line each: whether the error names the line. Prints JSON."""

import json
import re
import sys

from refrain import _core

_core.tune(at_once_bytes=0, tile_bytes=64)

import refrain.numpy as np

# What is launched; the line below a `fail` is the one that the error has to name.
LINES = """
b = a + 1
b = 2 * a
a += 1
a[1:] = a[:-1]
b = a[::2] * a[1::2]
b = np.sqrt(a)
b = a.sum()
b = a.sum(axis=0)
b = np.add.accumulate(a)
b = a.astype(np.float32)
b = np.where(a > 3, a, 0)
a.fill(7)
a[2] = 5
b = a.argmax()
b = np.arange(50) + 0
b = a.mean() + 1
b = a.reshape(5, 2).T + 1
b = a.copy()
b = np.clip(a, 2, 3)
b = np.roll(a, 1)
""".strip().split("\n")


def report():
    not_named = []
    for number, line in enumerate(LINES, 1):
        names = {"np": np, "a": np.arange(10.0)}
        _core.wait()
        # Two lines: a helper that is the program's own, called from elsewhere, has its own line.
        code = compile("\n" * (number - 1) + line, "failing.py", "exec")
        _core.fail_operation(1)
        try:
            exec(code, names)
            _core.wait()
            error = None
        except RuntimeError as raised:
            error = raised
        finally:
            _core.fail_operation(0)
        if error is None or not re.search(rf"\bfailing\.py:{number}\b", str(error)):
            not_named.append({"line": line, "error": str(error)})
    return {"all": len(LINES), "named": len(LINES) - len(not_named), "not_named": not_named}


if __name__ == "__main__":
    print(json.dumps(report()))
    sys.stdout.flush()
