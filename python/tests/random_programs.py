#!/usr/bin/python3
"""Random NumPy programs, run by NumPy and by Refrain: every value must agree.

    tools/fuzz --arrays --seconds 600            every mode in turn, fresh seeds
    tools/fuzz --arrays --mode two-tasks --seed 17 --count 1
    tools/fuzz --arrays --show 17                the program of a seed
    tools/fuzz --arrays --replay FILE            a program from a file

A program is a list of lines. The generator runs each line by NumPy when it writes it, so that it knows shapes and types
of what there is. Then the same lines run here. Compared are, for each line, the type of the exception it raised, and the
values it recorded; at the end all variables: kind (array or scalar), dtype, shape, bits. Functions, complex products and
sums and products whose order is not NumPy's are recorded with a tolerance, and never used further, so that all else must be equal in
bits. A failing seed is printed, and its program is shrunk to the lines that matter.
"""

import argparse
import faulthandler
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as real

MODES = {
    "one": dict(REFRAIN_WORKERS="1"),
    "two": dict(REFRAIN_WORKERS="2"),
    "one-tasks": dict(REFRAIN_WORKERS="1", tune=dict(at_once_bytes=0, tile_bytes=64)),
    "two-tasks": dict(REFRAIN_WORKERS="2", tune=dict(at_once_bytes=0, tile_bytes=64)),
    "four-tasks": dict(REFRAIN_WORKERS="4", tune=dict(at_once_bytes=0, tile_bytes=16)),
    "two-untraced": dict(REFRAIN_WORKERS="2", REFRAIN_AUTO_TRACE="off", tune=dict(at_once_bytes=0, tile_bytes=64)),
    "two-mined": dict(REFRAIN_WORKERS="2", REFRAIN_RECOGNISER="mined", REFRAIN_SYNCHRONOUS_MINING="on",
                      REFRAIN_MULTI_SCALE_FACTOR="16", REFRAIN_TRACE_MIN_LENGTH="3",
                      tune=dict(at_once_bytes=0, tile_bytes=64)),
    "two-short-traces": dict(REFRAIN_WORKERS="2", REFRAIN_TRACE_MIN_LENGTH="2", tune=dict(at_once_bytes=0, tile_bytes=64)),
}

INTEGERS = "int8 uint8 int16 uint16 int32 uint32 int64 uint64".split()
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]
DTYPES = ["bool", *INTEGERS, *FLOATS, *COMPLEX]
LIKELY = ["float64"] * 8 + ["float32"] * 2 + ["int64"] * 3 + ["bool"]

# Functions whose results may differ in the last bits.
FUNCTIONS = """
    exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh cbrt
""".split()
FUNCTIONS2 = "arctan2 hypot logaddexp logaddexp2 power float_power".split()
UNARY = """
    negative positive absolute fabs sign square sqrt reciprocal conjugate floor ceil trunc rint logical_not invert
    isnan isinf isfinite signbit deg2rad rad2deg
""".split()
BINARY = """
    add subtract multiply true_divide floor_divide remainder fmod maximum minimum fmax fmin less less_equal greater
    greater_equal equal not_equal logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor left_shift
    right_shift copysign heaviside gcd lcm
""".split()
# What is not defined, or differs, for complex numbers.
INEXACT_COMPLEX = set("multiply true_divide square sqrt reciprocal absolute sign".split())
CONVERTS_WITHIN = re.compile(r"casting='unsafe'|dtype='int64'")
OPERATORS = "+ - * / // % < <= > >= == != & | ^ << >>".split()


def data(seed, shape, dtype):
    """Values for an array: small numbers, some of them special."""
    source = real.random.Generator(real.random.PCG64(seed))
    kind = real.dtype(dtype).kind
    if kind == "b":
        return source.integers(0, 2, shape).astype(bool)
    if kind in "iu":
        return source.integers(0 if kind == "u" else -9, 10, shape).astype(dtype)
    values = source.standard_normal(shape) * 4
    if seed % 3 == 0:
        values = real.rint(values)
    values = real.asarray(values)
    if seed % 5 == 0 and values.size:
        flat = values.reshape(-1)
        for special in (real.nan, real.inf, -real.inf, -0.0, 0.0):
            flat[source.integers(0, flat.size)] = special
    if kind == "c":
        values = values + 1j * source.standard_normal(shape)
    return values.astype(dtype)


class Run:
    """What a program did under one module."""

    def __init__(self, module):
        self.module = module
        # A generator and a legacy one, with seeds, so that lines can be left out.
        self.names = {"np": module, "real": real, "data": data, "record": self.record,
                      "g": module.random.default_rng(5), "r": module.random.RandomState(6)}
        self.events = []
        self.line = -1
        self.said = []  # what NumPy warned of in the last line, where invalid values are watched

    def record(self, value, tolerance=0):
        self.events.append((self.line, dump(value), tolerance))

    def step(self, number, text, invalid="ignore"):
        self.line = number
        try:
            with warnings.catch_warnings(record=True) as self.said, real.errstate(all="ignore", invalid=invalid):
                warnings.simplefilter("ignore")
                warnings.filterwarnings("always", "invalid value", RuntimeWarning)
                exec(text, self.names)
        except Exception as error:
            self.events.append((number, ("raises", exception_name(error)), 0))
            self.last_error = error
            return False
        return True

    def variables(self):
        return {name: value for name, value in self.names.items() if name[:1] in "abs" and name[1:].isdigit()}

    def finish(self):
        for name, value in sorted(self.variables().items()):
            self.line = f"end: {name}"
            try:
                self.record(value)
            except Exception as error:
                self.events.append((self.line, ("raises", exception_name(error)), 0))
        return self.events


def exception_name(error):
    for kind in type(error).__mro__:
        if kind.__module__ in ("builtins", "numpy") or kind.__name__.startswith("_UFunc"):
            return kind.__name__
    return type(error).__name__


def dump(value):
    """A value as plain data: kind, type, shape, elements as a NumPy array."""
    if isinstance(value, real.ndarray):
        return ("array", str(value.dtype), tuple(value.shape), real.array(value, copy=True, order="C", subok=False))
    if isinstance(value, real.generic):
        return ("scalar", str(value.dtype), (), real.array(value.item(), dtype=value.dtype))
    if isinstance(value, (tuple, list)):
        return ("sequence", type(value).__name__, (), [dump(item) for item in value])
    return ("object", type(value).__name__, (), repr(value))


def difference(expected, got, tolerance):
    """What differs between two dumps; empty if nothing that matters."""
    if expected[0] == "raises" or got[0] == "raises":
        return "" if expected == got else f"NumPy: {expected[:2]}, here: {got[:2]}"
    if expected[:3] != got[:3]:
        return f"NumPy: {expected[:3]}, here: {got[:3]}"
    if expected[0] == "object":
        return "" if expected[3] == got[3] else f"NumPy: {expected[3]}, here: {got[3]}"
    if expected[0] == "sequence":
        for one, other in zip(expected[3], got[3]):
            found = difference(one, other, tolerance)
            if found:
                return found
        return "" if len(expected[3]) == len(got[3]) else "lengths differ"
    one, other = expected[3], got[3]
    if same_bits(one, other):
        return ""
    if tolerance and one.dtype.kind in "fc":
        with real.errstate(all="ignore"):
            step = tolerance * real.finfo(one.dtype).eps
            size = real.abs(one)
            near = real.abs(one - other) <= step * size + tolerance * real.finfo(one.dtype).smallest_subnormal
            near |= (one == other) | ~real.isfinite(one) & ~real.isfinite(other)
        if near.all():
            return ""
    return f"NumPy: {one.tolist()!r:.600}\n      here: {other.tolist()!r:.600}"


def same_bits(one, other):
    if one.dtype.kind not in "fc":
        return one.tobytes() == other.tobytes()
    one, other = (value.reshape(-1).view(value.real.dtype) for value in (one, other))
    nan = real.isnan(one)
    if not (nan == real.isnan(other)).all():
        return False
    return one[~nan].tobytes() == other[~nan].tobytes()  # a NaN is a NaN


def first_difference(expected, got):
    for index in range(max(len(expected), len(got))):
        if index >= len(expected) or index >= len(got):
            event = expected[index] if index < len(expected) else got[index]
            who = "only NumPy" if index < len(expected) else "only here"
            return f"line {event[0]}: {who}: {str(event[1])[:200]}"
        one, other = expected[index], got[index]
        if one[0] != other[0]:
            return f"NumPy at line {one[0]}: {str(one[1])[:200]}; here at line {other[0]}: {str(other[1])[:200]}"
        found = difference(one[1], other[1], one[2])
        if found:
            return f"line {one[0]}: {found}"
    return ""


class Generator:
    """Writes a program: each line is run by NumPy as it is written."""

    def __init__(self, seed, lines=40):
        self.random = random.Random(seed)
        self.run = Run(real)
        self.lines = []
        self.counter = 0
        self.limit = lines
        self.small = self.random.random() < 0.7  # else some extents that reach past tiles

    # Choices.

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, items):
        return self.random.choice(items)

    def arrays(self, condition=lambda value: True):
        return sorted(name for name, value in self.run.variables().items() if isinstance(value, real.ndarray) and condition(value))

    def scalars(self):
        return sorted(name for name, value in self.run.variables().items() if isinstance(value, real.generic))

    def value(self, name):
        return self.run.names[name]

    def fresh(self, letter="a"):
        self.counter += 1
        return f"{letter}{self.counter}"

    def dtype(self):
        return self.pick(LIKELY) if self.chance(0.75) else self.pick(DTYPES)

    def shape(self):
        rank = self.pick([0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 5, 8])
        if self.arrays() and self.chance(0.5):
            shape = list(self.value(self.pick(self.arrays())).shape)
            for dim in range(len(shape)):
                if self.chance(0.15):
                    shape[dim] = 1
            return tuple(shape)
        extents = [1, 2, 3, 4, 5, 6, 7] if rank < 4 else [1, 1, 2, 2, 3]
        if not self.small and rank in (1, 2):
            extents = [1, 2, 8, 9, 33, 130, 300] if rank == 1 else [1, 3, 8, 17, 40]
        return tuple(0 if self.chance(0.02) else self.pick(extents) for _ in range(rank))

    # Writing.

    def add(self, text):
        before = set(self.run.names)
        self.run.step(len(self.lines), text, invalid="warn")
        if self.has_converted_what_has_no_integer(text):
            self.run = Run(real)
            for number, line in enumerate(self.lines):
                self.run.step(number, line)
            return
        self.lines.append(text)
        for name in set(self.run.names) - before:
            value = self.run.names[name]
            # Object arrays and the like are nobody's business; large ones take time.
            if isinstance(value, real.ndarray) and (value.dtype.name not in DTYPES or value.size > 20000):
                del self.run.names[name]
                self.lines.append(f"del {name}")

    def has_converted_what_has_no_integer(self, text):
        """Whether the line has just made an integer of a NaN or of a number that its type does not have. C leaves open what that
        is: compilers differ, and so do NumPy's loops over few and over many elements. NumPy says so from 1.24 on."""
        def is_within(said):  # of a conversion in a ufunc, NumPy says no more than that a value was invalid
            return CONVERTS_WITHIN.search(text) and said.startswith("invalid value")

        messages = [str(warning.message) for warning in self.run.said]
        return any(said == "invalid value encountered in cast" or is_within(said) for said in messages)

    def literal(self, seed_free=False):
        return self.pick(["0", "1", "2", "-1", "3", "0.5", "-2.5", "1.0", "True", "300", "1e300", "2.0", "np.float64(1.5)",
                          "np.int64(3)", "np.float32(0.1)", "np.int8(5)", "1j" if self.chance(0.2) else "7"])

    def operand(self, shape=None):
        """Something to compute with, that fits the shape more often than not."""
        choice = self.random.random()
        if choice < 0.2:
            return self.literal()
        if choice < 0.3 and self.scalars():
            return self.pick(self.scalars())
        if shape is not None and self.chance(0.9):
            def fits(value):
                try:
                    return real.broadcast_shapes(value.shape, shape) is not None
                except ValueError:
                    return False

            names = self.arrays(fits)
        else:
            names = self.arrays()
        if not names:
            return self.literal()
        name = self.pick(names)
        return self.view_of(name) if self.chance(0.15) else name

    def view_of(self, name):
        """An expression for a view of an array."""
        value = self.value(name)
        rank = value.ndim
        choice = self.pick(["slice"] * 8 + ["T", "transpose", "newaxis", "reshape", "ravel", "ellipsis", "swapaxes", "squeeze",
                                            "broadcast", "diagonal", "flip"])
        if choice == "T":
            return f"{name}.T"
        if choice == "transpose" and rank > 1:
            return f"{name}.transpose({', '.join(map(str, self.random.sample(range(rank), rank)))})"
        if choice == "newaxis":
            return f"{name}[{self.pick(['None', '..., None', 'None, ...'])}]"
        if choice == "reshape":
            return f"{name}.reshape({self.reshaped(value)})"
        if choice == "ravel":
            return f"{name}.{self.pick(['ravel()', 'flatten()', 'reshape(-1)'])}"
        if choice == "swapaxes" and rank > 1:
            return f"{name}.swapaxes({self.random.randrange(rank)}, {self.random.randrange(-rank, rank)})"
        if choice == "squeeze":
            return f"{name}.squeeze()"
        if choice == "broadcast" and rank < 4:
            return f"np.broadcast_to({name}, {(self.pick([1, 2, 3]), *value.shape)})"
        if choice == "diagonal" and rank > 1:
            return f"{name}.diagonal({self.pick([0, 0, 1, -1])})"
        if choice == "flip" and rank > 0:
            return f"np.flip({name}, {self.random.randrange(rank)})"
        return f"{name}[{self.index(value)}]"

    def reshaped(self, value):
        size = value.size
        if self.chance(0.05):
            return f"({size + 1},)"
        factors = []
        left = size
        while left > 1 and len(factors) < 4:
            divisors = [d for d in range(1, left + 1) if left % d == 0][:12]
            factor = self.pick(divisors)
            factors.append(factor)
            left //= factor
        factors.append(left)
        self.random.shuffle(factors)
        if factors and self.chance(0.3) and size:
            factors[self.random.randrange(len(factors))] = -1
        return "(" + ", ".join(map(str, factors)) + ",)"

    def slice(self, extent):
        def place():
            return "" if self.chance(0.4) else str(self.random.randint(-extent - 1, extent + 1))

        step = "" if self.chance(0.6) else ":" + str(self.pick([1, 2, 3, -1, -1, -2]))
        return f"{place()}:{place()}{step}"

    def index(self, value):
        """A basic index; now and then one that does not exist."""
        parts = []
        for extent in value.shape[: self.random.randint(0, value.ndim)]:
            choice = self.random.random()
            if choice < 0.65 or extent == 0:
                parts.append(self.slice(extent))
            elif choice < 0.97:
                parts.append(str(self.random.randrange(-extent, extent)))
            else:
                parts.append(str(extent))
        if self.chance(0.2):
            parts.insert(0, "...") if self.chance(0.5) and len(parts) < value.ndim else parts.append("...")
        if self.chance(0.1):
            parts.insert(self.random.randint(0, len(parts)), "None")
        if not parts:
            return "..."
        return ", ".join(parts) + ("," if len(parts) == 1 and self.chance(0.1) else "")

    # Statements.

    def create(self):
        name, shape, dtype = self.fresh(), self.shape(), self.dtype()
        kind = self.pick(["data"] * 6 + ["zeros", "ones", "full", "arange", "linspace", "like", "list", "outside", "float_arange"])
        seed = self.random.randrange(10000)
        if kind in ("zeros", "ones"):
            return f"{name} = np.{kind}({shape}, {dtype!r})"
        if kind == "full":
            return f"{name} = np.full({shape}, {self.literal()}{f', {dtype!r}' if self.chance(0.5) else ''})"
        if kind == "arange":
            ends = sorted(self.random.sample(range(-5, 15), 2))
            return f"{name} = np.arange({ends[0]}, {ends[1]}, {self.pick([1, 1, 2, 3])}, {self.pick(['int', 'float', repr(dtype)])})"
        if kind == "float_arange":
            return f"{name} = np.arange({self.pick([0, 0.5, -1.25])}, {self.pick([3, 7.1, 12.0])}, {self.pick([0.1, 0.3, 1.7])})"
        if kind == "linspace":
            return f"{name} = np.linspace({self.pick([0, -1, 0.1])}, {self.pick([1, 3.7, -2])}, {self.pick([1, 2, 5, 11])})"
        if kind == "like" and self.arrays():
            other = self.pick(self.arrays())
            return f"{name} = np.{self.pick(['zeros_like', 'ones_like'])}({other})"
        if kind == "list":
            return f"{name} = np.array({real.asarray(data(seed, self.pick([(3,), (2, 3)]), self.pick(LIKELY))).tolist()!r})".replace(
                "nan", "np.nan").replace("inf", "np.inf")
        if kind == "outside":
            return f"{name} = np.asarray(data({seed}, {shape}, {dtype!r}))"
        order = ", order='F'" if self.chance(0.1) else ""
        return f"{name} = np.array(data({seed}, {shape}, {dtype!r}){order})"

    def binary(self):
        left = self.operand()
        value = self.names_value(left)
        right = self.operand(getattr(value, "shape", ()))
        target = self.fresh()
        if left == "1j":  # docs/from_numpy.md: Python's complex == scalar is a bool of Python
            left, right = right, left
        if self.chance(0.7):
            expression = f"({left}) {self.pick(OPERATORS)} ({right})"
        else:
            expression = f"np.{self.pick(BINARY)}({left}, {right})"
        return self.bind(target, expression)

    def unary(self):
        operand = self.operand()
        if getattr(getattr(self.names_value(operand), "dtype", None), "kind", "") == "c":
            return f"record(np.{self.pick(UNARY)}({operand}), 64)"
        return self.bind(self.fresh(), f"np.{self.pick(UNARY)}({operand})" if self.chance(0.7) else f"{self.pick('-+~')}({operand})")

    def names_value(self, expression):
        try:
            with warnings.catch_warnings(), real.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                return eval(expression, dict(self.run.names))
        except Exception:
            return None

    def bind(self, target, expression):
        """An assignment, or a record with a tolerance where bits are not promised."""
        value = self.names_value(expression)
        if getattr(value, "dtype", None) is not None and value.dtype.kind == "c":
            return f"record({expression}, 64)"
        if value is None and self.chance(0.5):
            return f"record({expression})"
        return f"{target} = {expression}"

    def function(self):
        if self.chance(0.75):
            return f"record(np.{self.pick(FUNCTIONS)}({self.operand()}), 64)"
        left = self.operand()
        right = self.operand(getattr(self.names_value(left), "shape", ()))
        if self.chance(0.3):
            return f"record(({left}) ** {self.pick(['2', '0.5', '-1', '1', '0', '3', '2.0', '1.5'])}, 64)"
        function = self.pick(FUNCTIONS2)
        if function == "power" and self.is_negative_integer(right):
            right = "2"  # an error that depends on values
        return f"record(np.{function}({left}, {right}), 64)"

    def is_negative_integer(self, expression):
        value = self.names_value(expression)
        return value is None or real.asarray(value).dtype.kind in "iub" and bool((real.asarray(value) < 0).any())

    def reduction(self):
        names = self.arrays()
        if not names:
            return self.create()
        name = self.pick(names)
        expression = self.view_of(name) if self.chance(0.3) else name
        value = self.names_value(expression)
        if not isinstance(value, real.ndarray):
            return self.create()
        method = self.pick(["sum"] * 4 + "prod min max mean std var any all argmin argmax cumsum cumprod".split())
        rank = value.ndim
        options = []
        if rank and self.chance(0.6):
            axis = self.random.randrange(-rank, rank)
            if rank > 1 and self.chance(0.2) and method not in ("argmin", "argmax", "cumsum", "cumprod"):
                axis = tuple(self.random.sample(range(rank), 2))
            if self.chance(0.02):
                axis = rank
            options.append(f"axis={axis}")
        if self.chance(0.15) and method not in ("argmin", "argmax", "cumsum", "cumprod"):
            options.append("keepdims=True")
        if self.chance(0.1) and method in ("sum", "prod", "mean", "cumsum"):
            options.append(f"dtype={self.pick(['float64', 'float32', 'int64', 'complex128'])!r}")
        if self.chance(0.1) and method in ("std", "var"):
            options.append("ddof=1")
        if self.chance(0.5):
            call = f"np.{method}({', '.join([expression, *options])})"
        else:
            call = f"({expression}).{method}({', '.join(options)})"
        result = self.names_value(call)
        exact = getattr(result, "dtype", real.dtype(int)).kind in "biu" or method in ("min", "max", "cumsum") or (
            value.flags.c_contiguous and result is not None and result.dtype.kind == "f" and method != "prod" and len(options) == 0)
        if not exact:
            return f"record({call}, {max(64, 8 * value.size)})" if cancels_little(value, method) else f"s{self.counter} = 0"
        if method in ("min", "max") and result is not None and result.dtype.kind == "f":
            call += " + 0"  # which of two zeros it is depends on the processor
        if isinstance(result, real.generic):
            return f"{self.fresh('s')} = {call}"
        return f"{self.fresh()} = {call}"

    def inplace(self):
        names = self.arrays()
        if not names:
            return self.create()
        name = self.pick(names)
        value = self.value(name)
        target = name
        if value.ndim and self.chance(0.7):
            target = f"{name}[{self.index(value)}]"
        place = self.names_value(target)
        other = self.operand(getattr(place, "shape", ()))
        if self.chance(0.3):  # overlapping views of one array
            other = self.view_of(name)
        given = self.names_value(other)
        if isinstance(place, real.generic) and getattr(given, "ndim", 0):
            other = "2"  # NumPy makes a Python number of the array, each type in its own way
        if getattr(place, "dtype", real.dtype(bool)).kind == "c" or getattr(given, "dtype", real.dtype(bool)).kind == "c":
            return f"{target} = {other}"
        choice = self.random.random()
        if choice < 0.4:
            return f"{target} = {other}"
        if choice < 0.8 or target != name:
            return f"{target} {self.pick(['+=', '-=', '*=', '/=', '//=', '&=', '|=', '^=', '%='])} {other}"
        left = self.operand(value.shape)
        extra = ", casting='unsafe'" if self.chance(0.2) else ""
        if self.chance(0.3):
            # An output of its own: where it overlaps an input of another type, NumPy 1.24 writes what the mask excludes.
            out = self.fresh()
            return f"{out} = {name}.copy(); np.{self.pick(BINARY[:17])}({left}, {other}, out={out}, where={self.mask(value)}{extra})"
        return f"np.{self.pick(BINARY[:17])}({left}, {other}, out={name}{extra})"

    def mask(self, value):
        fitting = self.arrays(lambda other: other.dtype == bool and other.shape == value.shape)
        return self.pick(fitting) if fitting else f"np.array(data({self.random.randrange(99)}, {value.shape}, 'bool'))"

    def fancy(self):
        names = self.arrays(lambda value: value.ndim > 0 and value.size > 0)
        if not names:
            return self.create()
        name = self.pick(names)
        value = self.value(name)
        choice = self.random.random()
        rows = [self.random.randrange(-value.shape[0], value.shape[0]) for _ in range(self.pick([0, 1, 2, 3]))]
        last = [self.random.randrange(-value.shape[-1], value.shape[-1]) for _ in rows]
        keys = [self.mask(value), str(rows), f"np.array({rows}, dtype=int)", f"{rows}, ...", f"..., {last}", f"None, {rows}",
                f"np.array({rows}, dtype=int)[:, None]"]
        if value.ndim > 1:
            keys += [f"{rows}, ..., {last}", f"{rows}, {self.random.randrange(value.shape[1])}", f":, np.arange({value.shape[1]}) % 2 == 0"]
        key = self.pick(keys)
        if choice < 0.3:
            return f"{self.fresh()} = {name}[{key}]"
        if choice < 0.5:
            return f"{name}[{key}] = {self.literal()}"
        if choice < 0.6:
            exact = ["="] if value.dtype.kind == "b" else ["+=", "="] if value.dtype.kind == "c" else ["+=", "*=", "="]
            return f"{name}[{key}] {self.pick(exact)} {name}[{key}]"
        if choice < 0.7:
            return f"np.add.at({name}, {rows}, 1)"
        if choice < 0.9:
            axis = self.random.randrange(value.ndim)
            # Where NumPy sorts by AVX-512, the zeros of float32 lie in another order.
            sorted_ = f"({name} + 0)" if value.dtype == real.float32 else name
            return self.bind(self.fresh(), self.pick([
                f"np.sort({sorted_}, axis={axis})", f"np.argsort({name}, axis={axis})", f"np.argsort({name}, axis={axis}, kind='stable')",
                f"np.sort({sorted_}, axis=None)", f"np.unique({sorted_})", f"np.nonzero({name})[{axis}]", f"np.argwhere({name})",
                f"np.take({name}, {rows}, axis=0)", f"np.repeat({name}, 2, axis={axis})", f"np.searchsorted(np.sort({name}, axis=None), {name})",
                f"np.compress(np.arange({value.shape[0]}) % 2 == 0, {name}, axis=0)", f"np.partition({name}, {value.shape[axis] // 2}, axis={axis})",
                f"np.argpartition({name}, {value.shape[axis] - 1}, axis={axis})", f"np.pad({name}, 1)", f"np.flatnonzero({name})",
                f"np.take_along_axis({name}, np.argsort({name}, axis={axis}), {axis})",
            ]))
        shape = value.shape
        return self.bind(self.fresh(), f"np.where({self.mask(value)}, {name}, {self.operand(shape)})")

    def product(self):
        """Products of matrices: bits for integers, for floats what rounding may change."""
        names = self.arrays(lambda value: 0 < value.size <= 400 and value.dtype.kind in "biuf" and self.is_summable(value))
        if not names:
            return self.create()
        name = self.pick(names)
        left, rank = self.value(name), self.value(name).ndim
        fitting = [other for other in names if rank and self.value(other).ndim and
                   self.value(other).shape[-2 if self.value(other).ndim > 1 else 0] == left.shape[-1]]
        other = self.pick(fitting or [name])
        calls = [f"np.outer({name}, {other})", f"np.inner({name}, {name})", f"np.vdot({name}, {name})",
                 f"np.tensordot({name}, {name}, {rank})", f"np.einsum('...,...->...', {name}, {name})"]
        if rank:
            last = f"{name}.swapaxes(-1, {-min(rank, 2)})"
            calls += [f"{name} @ {last}", f"np.dot({name}, {last})", f"np.matmul({last}, {name})", f"np.dot({name}, 2)",
                      f"np.einsum('...i,...i->...', {name}, {name})", f"np.kron({name}, {name})" if left.size < 40 else f"{name} @ {last}"]
        if fitting:
            calls += [f"{name} @ {other}", f"np.dot({name}, {other})", f"np.matmul({name}, {other})"] * 2
        call = self.pick(calls)
        dtypes = {left.dtype, self.value(other).dtype}
        if any(dtype.kind == "f" for dtype in dtypes):
            return f"record({call}, 2048)"
        return self.bind(self.fresh(), call)

    @staticmethod
    def is_summable(value):
        """Whether no sum of products cancels or overflows: whole numbers, or none below 0."""
        with real.errstate(all="ignore"):
            if value.dtype.kind != "f":
                return True
            return bool((abs(value) < 1000).all()) and (bool((real.rint(value) == value).all()) or bool((value >= 0).all()))

    def draw(self):
        """Random numbers, whose bits are NumPy's."""
        names = self.arrays(lambda value: value.ndim > 0 and value.size > 0)
        name = self.pick(names) if names else None
        shape = self.shape()
        calls = [f"g.random({shape})", f"g.random({shape}, 'float32')", f"g.standard_normal({shape})", f"g.uniform(-1, 3, {shape})",
                 f"g.integers(-5, 9, {shape})", f"g.integers(0, 7, {shape}, {self.pick(INTEGERS)!r})", "g.permutation(9)",
                 f"g.exponential(2.0, {shape})", f"g.poisson(3.5, {shape})", f"g.binomial(9, 0.3, {shape})", f"g.choice(9, {shape})",
                 f"g.gamma(1.5, 2.0, {shape})", f"g.multinomial(9, [0.25, 0.5, 0.25], {self.pick([2, 3])})", "r.randn(3, 2)", "r.rand(7)",
                 f"r.standard_normal({shape})", f"r.randint(0, 9, {shape})", f"r.gamma(0.5, 2.0, {shape})", f"r.beta(2, 3, {shape})",
                 f"r.hypergeometric(9, 8, 7, {shape})", "r.permutation(5)", f"r.standard_t(3, {shape})", f"r.lognormal(0, 1, {shape})"]
        if name is not None:
            calls += [f"g.permutation({name})", f"g.normal({name}, 1)", f"g.normal({name}, {name})", f"g.uniform({name}, 10)",
                      f"g.poisson({name})", f"g.binomial({name}, 0.5)", f"g.permutation({name}, {self.random.randrange(self.value(name).ndim)})",
                      f"r.normal({name}, 2.0)", f"r.permutation({name})", f"r.exponential({name})", f"g.choice({name}, 3)"]
            if self.chance(0.2):
                return f"{self.pick('gr')}.shuffle({name})"
        if self.chance(0.1):
            return f"record({self.pick(['g.random()', 'g.integers(9)', 'g.normal()', 'r.rand()', 'r.randn()', 'g.bytes(5)', 'r.randint(7)'])})"
        return f"{self.fresh()} = {self.pick(calls)}"

    def scalar(self):
        names = self.arrays(lambda value: value.size > 0)
        if not names:
            return self.create()
        name = self.pick(names)
        value = self.value(name)
        place = ", ".join(str(self.random.randrange(-extent, extent)) for extent in value.shape)
        pick = f"{name}[{place}]" if value.ndim else f"{name}[()]"
        choice = self.random.random()
        if choice < 0.4 or not self.scalars():
            return f"{self.fresh('s')} = {pick}"
        one = self.pick(self.scalars())
        if choice < 0.6:
            other = self.pick([self.pick(self.scalars()), self.literal()])
            return self.bind(self.fresh("s"), f"{one} {self.pick(['+', '-', '*', '/', '<', '==', '//', '%'])} {other}")
        if choice < 0.7:
            return self.bind(self.fresh(), f"{name} {self.pick('+-*/')} {one}")
        return self.pick([f"record(repr({one}))", f"record(str({one}))", f"record(bool({one}))", f"record({one}.dtype)",
                          f"record(hash({one}) if {one} == {one} else 0)", f"record({one}.item())", f"record(f'{{{one}}}')", f"record({pick})",
                          f"record(isinstance({one}, np.generic))", f"record(isinstance({one}, float))", f"record({one}.ndim)"])

    def other(self):
        names = self.arrays()
        if not names:
            return self.create()
        name = self.pick(names)
        value = self.value(name)
        expression = self.view_of(name)
        return self.pick([
            f"{self.fresh()} = {expression}",
            f"{self.fresh()} = {expression}",
            f"{self.fresh()} = ({expression}).copy()",
            f"{self.fresh()} = {name}.astype({self.dtype()!r})" if value.dtype.kind != "f" or value.dtype.kind == "f" and
            self.is_tame(value) else f"record({name})",
            f"del {name}" if len(names) > 4 else f"record({name})",
            f"{name} = {self.pick(names)}",
            f"record({name})",
            f"record({name}.tolist())",
            f"record(len({name}))",
            f"record(bool({name}))",
            f"record(str({name}))",
            f"record(({expression}).shape)",
            f"real.asarray({name})[...] = {self.pick(['1', '0', '2'])}",
            f"record(real.asarray({name}))",
            f"{self.fresh('b')} = memoryview({name}); del b{self.counter}",
            f"record(list({name}))" if value.ndim else f"record({name})",
            f"record(np.asarray({name}) is {name})",
            f"record([x.shape for x in {name}])",
            # NumPy promises no stride of an axis of extent 1.
            f"record([s for s, n in zip({name}.strides, {name}.shape) if n > 1])" if value.flags.c_contiguous and value.size else f"record({name}.size)",
            f"{self.fresh()} = np.concatenate([{name}, {name}])",
            f"{self.fresh()} = np.stack([{name}, {name}])",
            f"{self.fresh()} = np.roll({name}, 1)",
            f"{name}.fill({self.pick(['0', '1', '2'])})",
            f"{self.fresh()} = np.clip({name}, 0, 3)" if value.dtype.kind != "c" else f"record({name})",
            f"{self.fresh()} = abs({name})" if value.dtype.kind != "c" else f"record({name})",
        ])

    @staticmethod
    def is_tame(value):
        """Whether casts to integers are defined."""
        with real.errstate(all="ignore"):
            return bool((real.isfinite(value) & (value > -1) & (value < 100)).all())

    def loop(self):
        """A body of lines, several times: what the runtime is there to find."""
        body = [self.statement() for _ in range(self.random.randint(2, 4))]
        body = [line for line in body if not line.startswith(("record", "del")) and self.keeps_type(line)][:3]
        return [line for _ in range(self.random.randint(5, 25)) for line in body]

    def keeps_type(self, line):
        """Whether a name that the line binds again has the same type then: each line of a loop is written for types."""
        name, equals, expression = line.partition(" = ")
        if not equals or name not in self.run.names:
            return True
        return getattr(self.names_value(expression), "dtype", None) == getattr(self.value(name), "dtype", None)

    def statement(self):
        kinds = [(self.binary, 6), (self.unary, 2), (self.function, 1), (self.reduction, 3), (self.inplace, 6), (self.fancy, 3),
                 (self.scalar, 2), (self.other, 4), (self.create, 1), (self.product, 2), (self.draw, 2)]
        (make,) = self.random.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])
        return make()

    def program(self):
        for _ in range(3):
            self.add(self.create())
        while len(self.lines) < self.limit:
            if self.chance(0.05):
                for line in self.loop():
                    self.add(line)
            else:
                self.add(self.statement())
        return self.lines


def cancels_little(value, method):
    """Whether a sum in another order is near: no cancellation worth mentioning."""
    with real.errstate(all="ignore"):
        if method in ("std", "var"):
            return value.size > 2 and bool(real.isfinite(value).all()) and abs(value).max() < 1e6 and real.var(value) > 1e-3
        if value.dtype.kind == "c" or not real.isfinite(value).all():
            return False
        return method == "prod" or bool((value >= 0).all())


def generate(seed):
    return Generator(seed).program()


def run_lines(lines, module):
    run = Run(module)
    for number, line in enumerate(lines):
        run.step(number, line)
    return run.finish()


def check(lines, ours):
    """What is different between NumPy and here; empty if nothing is."""
    return first_difference(run_lines(lines, real), run_lines(lines, ours))


# Processes: a mode is an environment, so each has a process of its own.

PATIENCE = 120  # seconds for one program, before its process ends and says where it stood


def check_with_patience(lines, ours):
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    try:
        return check(lines, ours)
    finally:
        faulthandler.cancel_dump_traceback_later()


def child(options):
    """Runs seeds one after the other, or the lines in a file; says what it does on standard output."""
    tune = json.loads(os.environ.get("FUZZ_TUNE", "null"))
    from refrain import RefrainFallbackWarning, _core

    if tune:
        _core.tune(**tune)
    import refrain.numpy as ours

    warnings.simplefilter("ignore", RefrainFallbackWarning)
    if options.lines:
        with open(options.lines) as stream:
            lines = stream.read().splitlines()
        found = check(lines, ours)
        print(json.dumps(dict(found=found)), flush=True)
        return 0
    end = time.monotonic() + options.seconds
    seed = options.seed
    while time.monotonic() < end and seed < options.seed + options.count:
        print(json.dumps(dict(seed=seed)), flush=True)
        lines = generate(seed)
        found = check_with_patience(lines, ours)
        if found:
            shrunk = lines if options.no_shrink else shrink(lines, lambda candidate: check_with_patience(candidate, ours))
            print(json.dumps(dict(seed=seed, found=found, shrunk=shrunk, where=check_with_patience(shrunk, ours))), flush=True)
        seed += 1
    return 0


def start(mode, arguments, errors=subprocess.PIPE):
    environment = dict(os.environ)
    settings = dict(MODES[mode])
    environment["FUZZ_TUNE"] = json.dumps(settings.pop("tune", None))
    environment.update(settings)
    return subprocess.Popen([sys.executable, __file__, "--child", *map(str, arguments)], env=environment, text=True,
                            stdout=subprocess.PIPE, stderr=errors)


def try_lines(mode, lines, seconds=60):
    """What is wrong with these lines in a process of their own: a difference, a signal, a hang; empty if nothing."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
        file.write("\n".join(lines))
        file.flush()
        process = start(mode, ["--lines", file.name])
        try:
            output, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return "hangs"
    if process.returncode != 0:
        return f"ends with status {process.returncode}: {essence(errors)}"
    return json.loads(output.splitlines()[-1])["found"]


def essence(errors):
    """Of what a process complained: the beginning of a sanitizer's report, whose end is a map of memory, or the end."""
    for start in ("==ERROR: ", ": runtime error: "):
        if start in errors:
            return errors[errors.rfind("\n", 0, errors.index(start)) + 1:][:3000]
    return errors[-800:]


def shrink(lines, fails, seconds=60):
    """Fewer lines for which `fails` still says something."""
    end = time.monotonic() + seconds
    size = max(1, len(lines) // 2)
    while size and time.monotonic() < end:
        place = 0
        shorter = False
        while place < len(lines) and time.monotonic() < end:
            candidate = lines[:place] + lines[place + size:]
            if candidate and fails(candidate):
                lines = candidate
                shorter = True
            else:
                place += size
        if not shorter or size > 1:
            size //= 2
    return lines


def fuzz_mode(mode, options, seconds):
    """Runs one mode for a while; the number of programs, and what failed."""
    more = ["--no-shrink"] if options.no_shrink else []
    seed, programs, failures = None, 0, []
    with tempfile.TemporaryFile("w+") as complaints:  # a pipe that nobody reads holds 64 KiB, and then the writer
        with start(mode, ["--seed", options.seed, "--count", options.count, "--seconds", seconds, *more], complaints) as process:
            try:
                for line in process.stdout:
                    event = json.loads(line)
                    if "found" in event:
                        failures.append(event)
                    else:
                        seed = event["seed"]
                        programs += 1
            except BaseException:
                process.kill()
                raise
        complaints.seek(0)
        errors = complaints.read()
    if process.returncode != 0:
        found = f"ends with status {process.returncode}: {essence(errors)}"
        if seed is None:
            raise RuntimeError(found)
        lines = generate(seed)
        if not options.no_shrink:
            lines = shrink(lines, lambda candidate: try_lines(mode, candidate, 20), 120)
        failures.append(dict(seed=seed, found=found, shrunk=lines, where=try_lines(mode, lines)))
    return programs, failures


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, help="of all modes together; 60, or what --count takes")
    options.add_argument("--seed", type=int, default=None, help="the first one; fresh ones if none is given")
    options.add_argument("--count", type=int, help="programs of each mode; as many as there is time for")
    options.add_argument("--mode", choices=list(MODES), action="append")
    options.add_argument("--show", type=int, metavar="SEED")
    options.add_argument("--replay", metavar="FILE")
    options.add_argument("--no-shrink", action="store_true")
    options.add_argument("--failures", type=int, default=5, help="how many to describe")
    options.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options.add_argument("--lines", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.seed is None:
        given.seed = int(time.time()) % 10**7 * 1000
    if given.seconds is None:
        given.seconds = 60 if given.count is None else math.inf
    if given.count is None:
        given.count = 10**9
    if given.child:
        return child(given)
    if given.show is not None:
        print("\n".join(generate(given.show)))
        return 0
    modes = given.mode or list(MODES)
    if given.replay:
        with open(given.replay) as stream:
            lines = stream.read().splitlines()
        status = 0
        for mode in modes:
            found = try_lines(mode, lines)
            print(f"{mode}: {found or 'the same'}")
            status |= bool(found)
        return status
    total, described, status = 0, 0, 0
    print(f"first seed {given.seed}", flush=True)
    for mode in modes:
        programs, failures = fuzz_mode(mode, given, given.seconds / len(modes))
        total += programs
        print(f"{mode}: {programs} programs, {len(failures)} failures", flush=True)
        for failure in failures:
            status = 1
            seed, found = failure["seed"], failure["found"]
            if described >= given.failures:
                print(f"  seed {seed}: {found.splitlines()[0][:160]}")
                continue
            described += 1
            print(f"\n  seed {seed} in mode {mode}: {found}")
            print("  shrunk to:\n      " + "\n      ".join(failure["shrunk"]))
            print(f"  where {failure['where']}", flush=True)
    print(f"{total} programs; {'no difference' if status == 0 else 'differences'}")
    return status


if __name__ == "__main__":
    sys.exit(main())
