#!/usr/bin/python3
"""Writes docs/coverage.md: every public callable of NumPy, and who computes it.

A name is *native* if an expression that uses it gives a result while everything that this package leaves to NumPy
raises an error. The expressions are those of test_functions.py, test_linalg.py and test_random.py, which compare their
results with NumPy's, and those made here for ufuncs and methods. A name without an expression, or whose expressions need NumPy, is counted as NumPy's.
"""

import os
import re
import sys
import warnings

import numpy as real

import refrain.numpy as ours
from refrain import _facts, _fallback
from test_functions import EXPRESSIONS, METHODS, names_of
from test_linalg import LINALG, operands, split
from test_random import LEGACY, NEARLY

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "coverage.md")


def public(module):
    """Names of what can be called and computes: no types, no deprecated aliases of Python's own."""
    for name in sorted(dir(module)):
        if name.startswith("_"):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = getattr(module, name)
        if callable(value) and not isinstance(value, type):
            yield name


def expressions():
    """Name of NumPy -> expressions that use it."""
    found = {}
    for text in EXPRESSIONS.split("\n"):
        match = re.match(r"np\.((?:\w+\.)?\w+)\(", text.strip())
        if match:
            found.setdefault(match.group(1), []).append(text.strip())
    for text in split(LINALG) + ["np.random." + text for text in split(LEGACY) + split(NEARLY)]:
        match = re.match(r"np\.((?:\w+\.)?\w+)\(", text)
        if match:
            found.setdefault(match.group(1), []).append(text)
    for name in public(real):
        value = getattr(real, name)
        if isinstance(value, real.ufunc) and name not in found:
            arguments = ["a", "a", "a"][: value.nin]
            found[name] = [f"np.{name}({', '.join(arguments)})", f"np.{name}({', '.join(['z'] * value.nin)})"]
    for text in METHODS.split("\n"):
        match = re.match(r"\w+\.(\w+)", text.strip())
        if match:
            found.setdefault("ndarray." + match.group(1), []).append(text.strip())
    return found


def is_native(texts):
    """Whether one of the expressions works without NumPy."""
    for text in texts:
        names = {**operands(ours), "x": ours.arange(8), **names_of(ours)}
        _fallback.FORBID = True
        try:
            eval(text, names)
            return True
        except Exception:
            continue
        finally:
            _fallback.FORBID = False
    return False


def main():
    warnings.simplefilter("ignore")
    found = expressions()
    parts = [("numpy", real, ""), ("numpy.ndarray", real.ndarray, "ndarray."), ("numpy.linalg", real.linalg, "linalg."),
             ("numpy.fft", real.fft, "fft."), ("numpy.random", real.random, "random.")]
    rows, lists, total, natives = [], [], 0, 0
    for title, module, prefix in parts:
        names = list(public(module))
        facts = [name for name in names if not prefix and name in _facts.NAMES]
        native = [name for name in names if name not in facts and is_native(found.get(prefix + name, []))]
        by_numpy = [name for name in names if name not in native and name not in facts]
        rows.append(f"| `{title}` | {len(native)} | {len(facts)} | {len(by_numpy)} |")
        by_design = f"NumPy's by design: {', '.join(facts)}.\n\n" if facts else ""
        lists.append(f"## {title}\n\nNative: {', '.join(native) or 'none'}.\n\n{by_design}By NumPy: {', '.join(by_numpy) or 'none'}.\n")
        total += len(names)
        natives += len(native)
    page = f"""# Coverage

Written by `tools/coverage` from the module itself, for NumPy {real.__version__}: {natives} of {total} public callables are
native. A name is native if it works while everything that is left to NumPy raises an error; it may still need NumPy for
some types or arguments. Names that are NumPy's by design are settings, facts about types, shapes and memory, text,
reading and writing: they compute nothing of elements. Every other name works by NumPy, on the same memory.

| part | native | NumPy's by design | by NumPy |
| --- | --- | --- | --- |
""" + "\n".join(rows) + "\n\n" + "\n".join(lists)
    with open(FILE, "w") as file:
        file.write(page.rstrip() + "\n")
    print(f"{natives} of {total} public callables are native; written to {os.path.relpath(FILE)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
