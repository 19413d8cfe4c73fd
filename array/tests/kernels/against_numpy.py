#!/usr/bin/env python3
"""Compares layouts, promotion and kernels with NumPy 1.24 on random cases, through a library of C functions.

    against_numpy.py LIBRARY [--seed N] [--rounds N] [unittest's arguments]
"""

import argparse
import ctypes
import itertools
import random
import sys
import unittest
import warnings

try:
    import numpy as np
except ImportError:
    print("SKIPPED: python3 has no numpy; run: apt-get install python3-numpy")
    sys.exit(77)
if not np.__version__.startswith("1.24."):
    print(f"SKIPPED: these are the results of NumPy 1.24, and python3 has {np.__version__}")
    sys.exit(77)

NAMES = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64 complex64 complex128".split()
TYPES = [np.dtype(name) for name in NAMES]
NUMBER = {t: i for i, t in enumerate(TYPES)}
BINARY = """add subtract multiply true_divide floor_divide remainder fmod power float_power maximum minimum fmax fmin
    less less_equal greater greater_equal equal not_equal logical_and logical_or logical_xor bitwise_and bitwise_or
    bitwise_xor left_shift right_shift arctan2 hypot copysign nextafter logaddexp logaddexp2 heaviside gcd lcm""".split()
UNARY = """negative positive absolute fabs sign square sqrt cbrt reciprocal conjugate exp exp2 expm1 log log2 log10 log1p
    sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh floor ceil trunc rint logical_not invert
    isnan isinf isfinite signbit deg2rad rad2deg""".split()
# Functions whose floating-point results are NumPy's bits; the others are within a few units in the last place.
EXACT = set("""add subtract multiply true_divide floor_divide remainder fmod maximum minimum fmax fmin less less_equal greater
    greater_equal equal not_equal logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor left_shift right_shift
    copysign nextafter heaviside gcd lcm negative positive absolute fabs sign square sqrt reciprocal conjugate floor ceil
    trunc rint logical_not invert isnan isinf isfinite signbit deg2rad rad2deg""".split())
ULPS = 4

probe = None
rng = None
random_numbers = None
rounds = 1


def longs(values):
    return (ctypes.c_int64 * max(len(values), 1))(*values)


def ints(values):
    return (ctypes.c_int * max(len(values), 1))(*values)


def bytes16(value):
    return np.asarray(value).tobytes().ljust(16, b"\0")


def special_values(dtype):
    """Values that programs meet: small ones, limits, zeros of both signs, infinities, NaN."""
    if dtype.kind == "b":
        return [False, True]
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        values = [0, 1, 2, 3, 7, 8, 31, 63, 64, 100, info.max, info.max - 1, info.min]
        if dtype.kind == "i":
            values += [-1, -2, -3, -7, info.min + 1]
        return [v for v in values if info.min <= v <= info.max]
    real = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.5, 3.0, 1e-3, 123.456, -7.0, 1e30, -1e-30, np.inf, -np.inf, np.nan]
    return real


def random_elements(dtype, count, special=True, small=False):
    if dtype.kind == "b":
        return random_numbers.integers(0, 2, count).astype(bool)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        low, high = (max(info.min, -20), 20) if small else (info.min, info.max)
        values = random_numbers.integers(low, high, count, dtype=dtype, endpoint=True)
    else:
        values = random_numbers.standard_normal(count) * 10.0 ** random_numbers.integers(-2, 3, count)
        if dtype.kind == "c":
            values = values + 1j * random_numbers.standard_normal(count)
        values = values.astype(dtype)
    if special and count:
        chosen = random_numbers.random(count) < 0.2
        pool = np.array(special_values(dtype), dtype)
        values[chosen] = pool[random_numbers.integers(0, len(pool), chosen.sum())]
    return values


def random_shape(rank, total=3000):
    shape = []
    for _ in range(rank):
        most = max(1, int(total / max(1, np.prod(shape, dtype=int))))
        shape.append(min(rng.choice([1, 1, 2, 3, 4, 5, 8, 9, 17, 40]), most))
    return tuple(shape)


def random_view(shape, dtype, special=True, small=False):
    """An array of that shape in one of the layouts that programs make."""
    rank = len(shape)
    if rank == 0:
        return random_elements(dtype, 1, special, small).reshape(())
    order = list(range(rank))
    if rng.random() < 0.5:
        rng.shuffle(order)
    steps = [rng.choice([1, 1, 1, 2, -1, 3, -2]) for _ in shape]
    pads = [rng.choice([0, 0, 1, 2]) for _ in shape]
    broadcast = [rng.random() < 0.1 and rank > 0 for _ in shape]
    extents = [1 if broadcast[axis] else shape[axis] * abs(steps[axis]) + pads[axis] for axis in order]
    count = int(np.prod(extents, dtype=int))
    root = random_elements(dtype, count, special, small).reshape(extents)
    back = [order.index(axis) for axis in range(rank)]
    view = root.transpose(back) if rank else root
    index = []
    for axis in range(rank):
        if broadcast[axis]:
            index.append(slice(None))
        elif steps[axis] > 0:
            index.append(slice(0, shape[axis] * steps[axis], steps[axis]))
        else:
            last = shape[axis] * -steps[axis] - 1
            index.append(slice(last, None, steps[axis]))
    view = view[tuple(index)]
    view = view[tuple(slice(0, 1) if broadcast[a] else slice(0, shape[a]) for a in range(rank))]
    return np.broadcast_to(view, shape) if any(broadcast) else view


def operands_of(arrays, shape):
    """Addresses, strides and types as the library takes them."""
    views = [np.broadcast_to(a, shape) if a.shape != shape else a for a in arrays]
    addresses = (ctypes.c_void_p * len(arrays))(*[v.__array_interface__["data"][0] for v in views])
    strides = longs([s for v in views for s in v.strides])
    types = ints([NUMBER[v.dtype] for v in views])
    return addresses, strides, types, views


def ordered(bits, width):
    """Bits of floats as integers whose differences are units in the last place."""
    bits = bits.astype(object)
    top = 1 << (width - 1)
    return np.array([top - (b - top) if b >= top else b + top for b in map(int, bits.ravel())], dtype=object)


def ulps(a, b):
    if a.dtype.kind == "c":
        part = np.float32 if a.dtype == np.complex64 else np.float64
        return max(ulps(np.ascontiguousarray(a).ravel().view(part), np.ascontiguousarray(b).ravel().view(part)), 0)
    a, b = np.ascontiguousarray(a).ravel(), np.ascontiguousarray(b).ravel()
    keep = ~(np.isnan(a) & np.isnan(b))
    a, b = a[keep], b[keep]
    if not len(a):
        return 0
    unsigned = np.uint32 if a.dtype == np.float32 else np.uint64
    width = 8 * a.dtype.itemsize
    return max(abs(x - y) for x, y in zip(ordered(a.view(unsigned), width), ordered(b.view(unsigned), width)))


def same_bits(a, b):
    """Equal in every bit; any NaN is as good as another."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.kind in "fc":
        part = {"f4": "f4", "f8": "f8", "c8": "f4", "c16": "f8"}[a.dtype.str[1:]]
        a, b = np.ascontiguousarray(a).ravel().view(part), np.ascontiguousarray(b).ravel().view(part)
        nan = np.isnan(a)
        return bool((nan == np.isnan(b)).all() and (a.view(f"u{a.itemsize}") == b.view(f"u{b.itemsize}"))[~nan].all())
    return bool((a == b).all())


def type_operands(operands):
    """Operands: arrays, or scalars, whose values are known."""
    types = [NUMBER[np.asarray(o).dtype] for o in operands]
    scalar = [int(np.ndim(o) == 0) for o in operands]
    values = b"".join(bytes16(o) if s else b"\0" * 16 for o, s in zip(operands, scalar))
    return len(operands), ints(types), ints(scalar), ints([1] * len(operands)), values


def resolve(name, operands, wanted=-1):
    result = ints([0, 0, 0])
    found = probe.probe_resolve(probe.probe_function(name.encode()), *type_operands(operands), wanted, result)
    return tuple(TYPES[i] for i in result) if found else None


def call(name, types, operands, out, where=None):
    arrays = [np.asarray(o) for o in operands] + [out] + ([where] if where is not None else [])
    shape = out.shape
    addresses, strides, dtypes, views = operands_of(arrays, shape)
    numbers = ints([NUMBER[t] for t in types])
    return probe.probe_elementwise(probe.probe_function(name.encode()), numbers, len(shape), longs(shape), len(arrays),
                                   addresses, strides, dtypes, int(where is not None))


class Types(unittest.TestCase):
    def test_promotion_and_casts_are_numpys_for_all_pairs(self):
        for a, b in itertools.product(TYPES, TYPES):
            self.assertEqual(TYPES[probe.probe_promote(NUMBER[a], NUMBER[b])], np.promote_types(a, b), (a, b))
            for number, casting in enumerate(["no", "safe", "same_kind", "unsafe"]):
                self.assertEqual(bool(probe.probe_can_cast(NUMBER[a], NUMBER[b], number)), np.can_cast(a, b, casting),
                                 (a, b, casting))

    def test_smallest_types_are_numpys(self):
        for t in TYPES:
            for value in np.array(special_values(t), t):
                expected = np.min_scalar_type(value)
                expected = {np.dtype("f2"): np.dtype("f4")}.get(expected, expected)
                self.assertEqual(TYPES[probe.probe_smallest(NUMBER[t], bytes16(value))], expected, repr(value))

    def test_result_types_of_arrays_and_scalars_are_numpys(self):
        for _ in range(2000 * rounds):
            operands = []
            for _ in range(rng.choice([1, 2, 2, 3])):
                t = rng.choice(TYPES)
                values = np.array(special_values(t), t)
                operands.append(rng.choice(list(values)) if rng.random() < 0.5 else values[:2])
            if rng.random() < 0.3:
                operands.append(rng.choice([3, 200, -1, 70000, 2.5, 1e300, 1j, True]))
            with np.errstate(all="ignore"):
                expected = np.result_type(*operands)
            counted = type_operands([np.asarray(o) if np.ndim(o) else np.asarray(o)[()] for o in operands])
            self.assertEqual(TYPES[probe.probe_result_type(*counted)], expected, [(np.asarray(o).dtype, o) for o in operands])
            if not probe.probe_needs_values(counted[0], counted[1], counted[2], counted[4]):
                unknown = (*counted[:3], ints([0] * counted[0]), counted[4])
                self.assertEqual(TYPES[probe.probe_result_type(*unknown)], expected, [(np.asarray(o).dtype, o) for o in operands])

    def check_resolve(self, name, operands, wanted=None):
        function = getattr(np, name)
        arguments = {} if wanted is None else {"dtype": wanted}
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = function(*operands, **arguments).dtype
        except TypeError:
            expected = None
        except ValueError:  # a negative power
            return
        ours = resolve(name, operands, -1 if wanted is None else NUMBER[np.dtype(wanted)])
        if expected is not None and expected.char == "e":
            expected = None
        described = f"{name}({', '.join(f'{np.asarray(o).dtype} {o!r}' for o in operands)}, dtype={wanted})"
        if expected is not None and expected == bool and ours is None and wanted is None:
            self.assertIn(True, [np.asarray(o).dtype.itemsize == 1 for o in operands], described)  # float16 inside
            return
        self.assertEqual(ours[2] if ours else None, expected, described)

    def test_resolved_types_are_numpys_for_arrays(self):
        for name, (a, b) in itertools.product(BINARY, itertools.product(TYPES, TYPES)):
            self.check_resolve(name, [np.ones(2, a), np.ones(2, b)])
        for name, a in itertools.product(UNARY, TYPES):
            self.check_resolve(name, [np.ones(2, a)])

    def test_resolved_types_are_numpys_for_scalars(self):
        scalars = [3, 200, -1, 70000, 2**40, 2**63, 1e300, 1j, True, np.float32(2)]
        for name, a, scalar in itertools.product(BINARY, TYPES, scalars):
            for operands in ([np.ones(2, a), scalar], [scalar, np.ones(2, a)]):
                self.check_resolve(name, operands)
        for name, scalar, other in itertools.product(BINARY, scalars, scalars):
            self.check_resolve(name, [scalar, other])

    def test_resolved_types_are_numpys_for_a_wanted_type(self):
        for name, a, wanted in itertools.product(BINARY, TYPES, TYPES):
            self.check_resolve(name, [np.ones(2, a), np.ones(2, a)], wanted)
        for name, a, wanted in itertools.product(UNARY, TYPES, TYPES):
            self.check_resolve(name, [np.ones(2, a)], wanted)

    def test_identities_and_orders_are_numpys(self):
        for name in BINARY:
            function = getattr(np, name)
            number = probe.probe_function(name.encode())
            result = ctypes.create_string_buffer(16)
            has = probe.probe_identity(number, NUMBER[np.dtype("i8")], result)
            if name not in ("logaddexp", "logaddexp2"):
                value = np.frombuffer(result.raw, "i8")[0] if has else None
                self.assertEqual(value, function.identity, name)
            try:
                function.reduce(np.ones((2, 2), "i8" if "f" not in function.types[0] and name not in ("arctan2",) else "f8"),
                                axis=(0, 1))
                reorderable = True
            except ValueError:
                reorderable = False
            except TypeError:
                continue
            self.assertEqual(bool(probe.probe_is_reorderable(number)), reorderable, name)


# Where functions are compared with longer precision, and values that raise a flag of each.
VECTOR_FUNCTIONS = {
    "exp": (-700, 700), "exp2": (-1000, 1000), "expm1": (-30, 30), "log": (1e-10, 1e10), "log2": (1e-10, 1e10),
    "log10": (1e-10, 1e10), "log1p": (-0.99, 100), "sin": (-100, 100), "cos": (-100, 100), "tan": (-100, 100),
    "arcsin": (-1, 1), "arccos": (-1, 1), "arctan": (-50, 50), "sinh": (-50, 50), "cosh": (-50, 50), "tanh": (-10, 10),
    "arcsinh": (-1000, 1000), "arccosh": (1, 1000), "arctanh": (-0.999, 0.999), "cbrt": (-1e6, 1e6)}
BINARY_VECTOR_FUNCTIONS = {"power": ((0.01, 50), (-20, 20)), "arctan2": ((-50, 50), (-50, 50)), "hypot": ((-1e5, 1e5), (-1e5, 1e5))}
DIVIDED, OVERFLOWED, UNDERFLOWED, INVALID = 1, 2, 4, 8
RAISED = [
    ("exp", 1e4, OVERFLOWED), ("exp", -1e4, UNDERFLOWED), ("exp", np.inf, 0), ("exp", -np.inf, 0), ("exp", np.nan, 0),
    ("exp2", 1e5, OVERFLOWED), ("expm1", 1e4, OVERFLOWED), ("expm1", -1e4, 0), ("expm1", 0.0, 0),
    ("log", 0.0, DIVIDED), ("log", -1.0, INVALID), ("log", np.inf, 0), ("log", 1.0, 0), ("log2", 0.0, DIVIDED),
    ("log10", -2.0, INVALID), ("log1p", -1.0, DIVIDED), ("log1p", -2.0, INVALID), ("sin", np.inf, INVALID), ("sin", -0.0, 0),
    ("cos", -np.inf, INVALID), ("tan", np.inf, INVALID), ("arcsin", 2.0, INVALID), ("arccos", -2.0, INVALID),
    ("arctan", np.inf, 0), ("sinh", 1e4, OVERFLOWED), ("cosh", -1e4, OVERFLOWED), ("tanh", np.inf, 0), ("tanh", -0.0, 0),
    ("arcsinh", -np.inf, 0), ("arccosh", 0.5, INVALID), ("arctanh", 1.0, DIVIDED), ("arctanh", 2.0, INVALID), ("cbrt", -0.0, 0)]
BINARY_RAISED = [
    ("power", 0.0, -1.0, DIVIDED), ("power", -2.0, 0.5, INVALID), ("power", 1e30, 1e30, OVERFLOWED), ("power", 1e-30, 1e30, UNDERFLOWED),
    ("power", np.nan, 0.0, 0), ("power", 0.0, 2.0, 0), ("power", -2.0, 3.0, 0), ("arctan2", 0.0, -0.0, 0), ("arctan2", -0.0, 1.0, 0),
    ("hypot", np.inf, np.nan, 0), ("hypot", 0.0, 0.0, 0)]


class Functions(unittest.TestCase):
    """Functions of real numbers, which some machines compute a register of elements at a time."""

    def compute(self, name, dtype, *inputs):
        out = np.empty(np.broadcast_shapes(*[i.shape for i in inputs]), dtype)
        flags = call(name, (dtype,) * 3, inputs, out)
        return out, flags

    def inputs(self, name, dtype, count):
        limits = BINARY_VECTOR_FUNCTIONS.get(name) or (VECTOR_FUNCTIONS[name],)
        scale = 0.1 if dtype == np.float32 and name in ("exp", "exp2") else 1
        return [random_numbers.uniform(low * scale, high * scale, count).astype(dtype) for low, high in limits]

    def each(self):
        return itertools.product([*VECTOR_FUNCTIONS, *BINARY_VECTOR_FUNCTIONS], [np.dtype("f4"), np.dtype("f8")])

    def test_values_are_within_four_units_in_the_last_place(self):
        for name, dtype in self.each():
            inputs = self.inputs(name, dtype, 4000 * rounds)
            out, flags = self.compute(name, dtype, *inputs)
            exact = getattr(np, name)(*[i.astype(np.longdouble) for i in inputs])
            errors = np.abs(out - exact) / np.spacing(np.abs(exact).astype(dtype)).astype(np.longdouble)
            worst = int(errors.argmax())
            self.assertLessEqual(errors[worst], ULPS, (name, dtype, [i[worst] for i in inputs]))
            self.assertEqual(flags, 0, (name, dtype))

    def test_a_subnormal_number_that_a_function_keeps_raises_nothing(self):
        probe.probe_loops.restype = ctypes.c_char_p
        if probe.probe_loops() == b"portable":
            self.skipTest("the C library raises underflow, here as in NumPy")
        for name in "expm1 log1p sin tan arcsin arctan sinh tanh arcsinh arctanh".split():
            for dtype, value in [("f4", 1e-45), ("f4", -1e-40), ("f8", 5e-324), ("f8", -1e-310)]:
                out, flags = self.compute(name, np.dtype(dtype), np.array([value], dtype))
                self.assertEqual((out[0], flags), (np.array(value, dtype), 0), (name, dtype, value))

    def test_a_subnormal_number_of_which_a_function_has_no_value_is_invalid(self):
        invalid = 8
        for name, sign in [("log", -1), ("log2", -1), ("log10", -1), ("arccosh", 1), ("arccosh", -1)]:
            for dtype, value in [("f4", 1e-45), ("f8", 5e-324)]:
                out, flags = self.compute(name, np.dtype(dtype), np.array([sign * value], dtype))
                self.assertEqual((np.isnan(out[0]), flags), (True, invalid), (name, dtype))

    def test_loops_for_avx512_are_as_near_as_they_say(self):
        # Where errors are greatest: for log below powers of 2, as the larger of two terms that it adds is above; for sin below
        # them, too, as the remainder of x is above.
        powers = 2.0 ** np.arange(-6, 10)
        spread = 1 + random_numbers.uniform(-0.07, 0.07, (200 * rounds, 1))
        numbers = np.concatenate([(np.exp(sign * powers) * spread).ravel() for sign in (-1, 1)])
        halves = 2.0 ** -np.arange(1, 7)
        remainders = halves + halves**3 / 6 * random_numbers.uniform(0, 1, (2000 * rounds, 1))
        angles = (random_numbers.integers(-300_000, 300_000, remainders.shape) * np.pi + remainders).ravel()
        exponents = random_numbers.uniform(-1, 1, len(numbers))
        # Far from zero: the quotient by pi has up to 45 bits, and the remainder may be small.
        far = np.exp2(random_numbers.uniform(15, 46, 4000 * rounds)) * random_numbers.choice([-1, 1], 4000 * rounds)
        multiples = np.concatenate([np.round(far / np.pi) * np.pi, far])
        small = np.exp2(random_numbers.uniform(-60, 60, 4000 * rounds))
        cancelled = random_numbers.uniform(0.0625, 0.064, 4000 * rounds)  # where the logarithm's terms have different signs
        beside_one = np.concatenate([cancelled, small, -np.minimum(small, 0.999), -1 + np.minimum(small + 1e-12, 0.5)])
        probe.probe_loops.restype = ctypes.c_char_p
        for name, limit, *inputs in [("log", 1.5, numbers), ("log10", 1.1, numbers), ("sin", 2.5, angles),
                                     ("sin", 2.5, multiples), ("log1p", 2, beside_one),
                                     ("power", 1.1, numbers, exponents)]:
            out, _ = self.compute(name, np.dtype("f8"), *inputs)
            exact = getattr(np, name)(*[i.astype(np.longdouble) for i in inputs])
            errors = np.abs(out - exact) / np.spacing(np.abs(exact).astype("f8")).astype(np.longdouble)
            worst = int(errors.argmax())
            if probe.probe_loops() != b"avx512":
                limit = ULPS
            self.assertLessEqual(errors[worst], limit, (name, [i[worst] for i in inputs]))

    def test_exp_is_near_wherever_its_result_is_an_ordinary_number(self):
        # The loops for AVX-512 have an exp of their own. At the ends, where the nearest multiple of ln 2 changes, around 0.
        dtype = np.dtype("f8")
        halves = (np.arange(-1022, 1024) + 0.5) * np.log(2)
        x = np.concatenate([random_numbers.uniform(-708.39, 709.78, 20_000 * rounds), random_numbers.uniform(-1, 1, 5_000),
                            halves, np.nextafter(halves, 1e3), np.nextafter(halves, -1e3), [709.782712893384, -708.396],
                            np.ldexp(random_numbers.uniform(-1, 1, 2_000), -random_numbers.integers(1, 1000, 2_000))])
        out, flags = self.compute("exp", dtype, x)
        exact = np.exp(x.astype(np.longdouble))
        errors = np.abs(out - exact) / np.spacing(exact.astype(dtype)).astype(np.longdouble)
        worst = int(errors.argmax())
        probe.probe_loops.restype = ctypes.c_char_p
        limit = 1.1 if probe.probe_loops() == b"avx512" else ULPS
        self.assertLessEqual(errors[worst], limit, x[worst])
        self.assertEqual(flags, 0)

    def test_a_value_does_not_depend_on_where_its_element_lies(self):
        for name, dtype in self.each():
            inputs = self.inputs(name, dtype, 400)
            for values in inputs:
                special = np.array(special_values(dtype), dtype)
                places = random_numbers.integers(0, len(values), 40)
                values[places] = special[random_numbers.integers(0, len(special), 40)]
            whole, _ = self.compute(name, dtype, *inputs)
            for _ in range(6 * rounds):
                first, count, step = rng.randrange(300), rng.randrange(1, 40), rng.choice([1, 1, 2, -1])
                part = slice(first, first + count * step, step) if step > 0 else slice(first + count, first, step)
                out, _ = self.compute(name, dtype, *[i[part] for i in inputs])
                self.assertTrue(same_bits(out, whole[part]), (name, dtype, part))
            order = random_numbers.permutation(400)
            out, _ = self.compute(name, dtype, *[np.ascontiguousarray(i[order]) for i in inputs])
            self.assertTrue(same_bits(out, whole[order]), (name, dtype))
            in_place = np.concatenate([inputs[0], inputs[0][:3]])
            views = [in_place[:400], *inputs[1:]]
            call(name, (dtype,) * 3, views, in_place[:400])
            self.assertTrue(same_bits(in_place[:400], whole), (name, dtype))
            self.assertTrue(same_bits(in_place[400:], inputs[0][:3]), (name, dtype))

    def test_special_values_are_the_c_librarys_and_raise_their_flags(self):
        for dtype, count in itertools.product([np.dtype("f4"), np.dtype("f8")], [1, 7, 16, 37]):
            for name, *values, expected in [*RAISED, *BINARY_RAISED]:
                inputs = [np.full(count, 0.5 if name != "arccosh" else 1.5, dtype) for _ in values]
                with np.errstate(all="ignore"):
                    special = [np.array(v).astype(dtype) for v in values]
                for i, v in zip(inputs, special):
                    i[count // 2] = v
                out, flags = self.compute(name, dtype, *inputs)
                self.assertEqual(flags, expected, (name, dtype, values))
                with np.errstate(all="ignore"):
                    wanted = getattr(np, name)(*[v.astype(np.longdouble) for v in special]).astype(dtype)
                self.assertTrue(same_bits(out[count // 2], wanted) or ulps(out[count // 2], wanted) <= ULPS,
                                (name, dtype, values, out[count // 2], wanted))
                if wanted == 0 or np.isinf(wanted):
                    self.assertTrue(same_bits(out[count // 2], wanted), (name, dtype, values))

    def test_powers_of_powers_follow_one_another(self):
        for dtype in (np.dtype("f4"), np.dtype("f8")):
            a = random_numbers.uniform(0.9, 1.1, 50).astype(dtype)
            out = np.empty_like(a)
            addresses, strides, dtypes, _ = operands_of([a, out], a.shape)
            probe.probe_accumulate(probe.probe_function(b"power"), 0, 1, longs(a.shape), addresses, strides, dtypes)
            self.assertTrue(np.allclose(out, np.power.accumulate(a), rtol=1e-4 if dtype == np.float32 else 1e-12))


class Elements(unittest.TestCase):
    def check(self, name, operands, out_dtype=None, where=None, in_place=False):
        function = getattr(np, name)
        types = resolve(name, operands)
        if types is None:
            return False
        shape = np.broadcast_shapes(*[np.shape(o) for o in operands])
        described = f"{name}{[(np.asarray(o).dtype.name, np.shape(o), np.asarray(o).strides) for o in operands]}"
        out_dtype = np.dtype(out_dtype) if out_dtype is not None else types[2]
        expected = random_view(shape, out_dtype).copy(order=rng.choice("CF"))
        out = expected.copy(order="K")
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                function(*operands, out=expected, casting="unsafe", where=True if where is None else where)
        except ValueError:
            self.assertTrue(call(name, types, operands, out, where) & 16, described)
            return True
        flags = call(name, types, operands, out, where)
        said = {str(w.message).split(" encountered")[0] for w in caught}
        exact = name in EXACT and not (types[0].kind == "c" and name in ("multiply", "square", "absolute"))  # NumPy fuses products there, on some machines
        if exact or types[2].kind not in "fc":
            self.assertTrue(same_bits(out, expected), f"{described}\n{operands}\n{out}\nNumPy: {expected}")
        elif types[0].kind != "c" and out_dtype == types[2]:
            if ulps(out, expected) > ULPS:  # NumPy errs by up to as much itself
                longer = expected.astype(np.longdouble)
                with np.errstate(all="ignore"):
                    function(*[np.asarray(o, np.longdouble) for o in operands], out=longer, where=True if where is None else where)
                expected = longer.astype(out.dtype)
            self.assertLessEqual(ulps(out, expected), ULPS, f"{described}\n{operands}\n{out}\nlonger: {expected}")
        else:
            with np.errstate(all="ignore"):
                self.assertTrue(np.allclose(out, expected, rtol=1e-4 if types[0] in (np.complex64, np.float32) else 1e-10,
                                            atol=1e-30, equal_nan=True)
                                or types[0].kind == "c", f"{described}\n{operands}\n{out}\nNumPy: {expected}")
        if exact and types[0].kind != "c" and out_dtype == types[2] and np.size(out):
            ours = {text for bit, text in ((1, "divide by zero"), (2, "overflow"), (8, "invalid value")) if flags & bit}
            self.assertEqual(ours, said, described)
        return True

    def test_all_pairs_of_types_give_numpys_elements(self):
        for name, (a, b) in itertools.product(BINARY, itertools.product(TYPES, TYPES)):
            self.check(name, [random_elements(a, 50), random_elements(b, 50)])
        for name, a in itertools.product(UNARY, TYPES):
            for count in (1, 7, 64, 1000):
                self.check(name, [random_elements(a, count)])

    def test_random_layouts_give_numpys_elements(self):
        for _ in range(1200 * rounds):
            name = rng.choice(BINARY + UNARY)
            rank = rng.choice([0, 1, 1, 2, 2, 2, 3, 4, 5, 8])
            shape = random_shape(rank)
            inputs = probe.probe_inputs(probe.probe_function(name.encode()))
            same = rng.choice(TYPES)
            operands = []
            for _ in range(inputs):
                dtype = same if rng.random() < 0.7 else rng.choice(TYPES)
                operands.append(random_view(shape, dtype, small=rng.random() < 0.5))
            if inputs == 2 and rng.random() < 0.3:
                operands[rng.randrange(2)] = rng.choice([2, 3, 0.5, True, np.float64(1.5), np.float32(0.1)])
            out = rng.choice(TYPES) if rng.random() < 0.2 else None
            if out is not None and out.kind in "biu":
                out = None  # conversions have their own test
            where = random_view(shape, np.dtype(bool)) if rng.random() < 0.2 else None
            self.check(name, operands, out, where)

    def test_outputs_may_be_inputs(self):
        for _ in range(300 * rounds):
            name = rng.choice(["add", "subtract", "multiply", "true_divide", "maximum", "minimum"])
            dtype = rng.choice([np.dtype("f4"), np.dtype("f8")])
            shape = random_shape(rng.choice([1, 2, 3]))
            a, b = random_elements(dtype, int(np.prod(shape))).reshape(shape), random_view(shape, dtype)
            expected = a.copy()
            with np.errstate(all="ignore"):
                getattr(np, name)(expected, b, out=expected)
            call(name, (dtype, dtype, dtype), [a, b], a)
            self.assertTrue(same_bits(a, expected), (name, dtype, shape))

    def test_conversions_are_numpys(self):
        for a, b in itertools.product(TYPES, TYPES):
            for _ in range(2 * rounds):
                shape = random_shape(rng.choice([1, 2, 3]))
                source = random_view(shape, a)
                with np.errstate(all="ignore"), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    if a.kind in "fc" and b.kind in "iu":  # what does not fit depends on the machine
                        source = np.clip(np.nan_to_num(source.real), 0 if b.kind == "u" else -100, 100).astype(a)
                    expected = source.astype(b)
                out = np.zeros(shape, b)
                addresses, strides, types, views = operands_of([source, out], shape)
                probe.probe_copy(len(shape), longs(shape), addresses, strides, types)
                self.assertTrue(same_bits(out, expected), (a, b, source, out, expected))
                if source.size:
                    result = ctypes.create_string_buffer(16)
                    probe.probe_converted(NUMBER[a], bytes16(source.ravel()[0]), NUMBER[b], result)
                    one = np.frombuffer(result.raw, b, 1)
                    self.assertTrue(same_bits(one, expected.ravel()[:1]), (a, b, source.ravel()[0], one))

    def test_select_is_where(self):
        for _ in range(300 * rounds):
            shape = random_shape(rng.choice([0, 1, 2, 3]))
            a, b = random_view(shape, rng.choice(TYPES)), random_view(shape, rng.choice(TYPES))
            condition = random_view(shape, rng.choice(TYPES))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = np.asarray(np.where(condition, a, b))
            out = np.zeros(shape, expected.dtype)
            addresses, strides, types, views = operands_of([condition, a, b, out], shape)
            probe.probe_select(len(shape), longs(shape), addresses, strides, types)
            self.assertTrue(same_bits(out, expected), (condition, a, b, out, expected))

    def test_ranges_are_aranges(self):
        for _ in range(300 * rounds):
            t = rng.choice(TYPES[1:11])
            start, step, count = rng.uniform(-10, 10), rng.uniform(0.1, 3), rng.randrange(2, 100)
            if t.kind in "iu":
                start, step, count = rng.randrange(0, 10), rng.randrange(1, 4), rng.randrange(2, 30)
            expected = np.arange(start, start + step * count, step, dtype=t)
            first = rng.randrange(len(expected))
            out = np.zeros(len(expected) - first, t)
            probe.probe_arange(NUMBER[t], bytes16(expected[0]), bytes16(expected[1]), first, len(out),
                               out.ctypes.data_as(ctypes.c_void_p))
            self.assertTrue(same_bits(out[max(0, 2 - first):], expected[max(2, first):]), (t, start, step))


def reduce(name, array, axes, out, where=None, initial=None):
    kept = [1 if a in axes else e for a, e in enumerate(array.shape)]
    arrays = [array, out.reshape(kept)] + ([where] if where is not None else [])
    addresses, strides, dtypes, views = operands_of(arrays, array.shape)
    return probe.probe_reduction(probe.probe_function(name.encode()), array.ndim, longs(array.shape), len(arrays), addresses,
                                 strides, dtypes, bytes16(np.asarray(initial, out.dtype)) if initial is not None else None)


class Reductions(unittest.TestCase):
    def check(self, name, array, axes, dtype=None, where=None, initial=None):
        function = getattr(np, name)
        number = probe.probe_function(name.encode())
        result = ints([0])
        found = probe.probe_resolve_reduction(number, NUMBER[array.dtype], -1 if dtype is None else NUMBER[np.dtype(dtype)], result)
        arguments = {}
        if where is not None:
            arguments["where"] = where
        if initial is not None:
            arguments["initial"] = initial
        described = f"{name}.reduce({array.dtype} {array.shape} strides {array.strides}, axis={axes}, dtype={dtype}, {arguments})"
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = np.asarray(function.reduce(array, axis=tuple(axes), dtype=dtype, **arguments))
        except TypeError:
            self.assertFalse(found, described)
            return
        except ValueError:
            return
        if expected.dtype.char == "e":
            return
        self.assertTrue(found, described)
        self.assertEqual(TYPES[result[0]], expected.dtype, described)
        out = np.zeros(expected.shape, expected.dtype)
        reduce(name, array, axes, out, where, initial)
        if name == "multiply" and expected.dtype.kind == "c" or name in ("hypot", "logaddexp", "logaddexp2"):
            with np.errstate(all="ignore"):
                self.assertTrue(np.allclose(out, expected, rtol=1e-4, equal_nan=True) or not np.isfinite(expected).all(), described)
        else:
            self.assertTrue(same_bits(out, expected), f"{described}\n{out}\nNumPy: {expected}")

    def test_sums_of_random_layouts_have_numpys_bits(self):
        for _ in range(1000 * rounds):
            rank = rng.choice([1, 1, 2, 2, 3, 4, 6])
            shape = random_shape(rank, rng.choice([100, 3000, 100000]))
            dtype = rng.choice([np.dtype(c) for c in ("f4", "f8", "c8", "c16", "f8")])
            array = random_view(shape, dtype, special=False)
            axes = sorted(rng.sample(range(rank), rng.randrange(1, rank + 1)))
            wanted = rng.choice([None, None, None, np.dtype("f8"), np.dtype("c16")])
            self.check("add", array, axes, wanted)

    def test_sums_of_long_runs_have_numpys_bits(self):
        for count in [0, 1, 7, 8, 127, 128, 129, 1000, 8191, 8192, 8193, 20000, 100003]:
            for dtype in ("f4", "f8", "c8", "c16"):
                array = random_elements(np.dtype(dtype), 2 * count, special=False)
                for view in (array[:count], array[::2], array[::-1]):
                    self.check("add", view, [0])
        for shape in [(3, 9000), (9000, 3), (20, 20000), (2, 3, 9001), (9001, 2, 3), (100, 101, 7)]:
            for dtype in ("f4", "f8"):
                array = random_elements(np.dtype(dtype), int(np.prod(shape)), special=False).reshape(shape)
                for view in (array, array[..., :-1], array[::-1], array.T, array[1:, ..., ::-1]):
                    for count in range(1, len(shape) + 1):
                        for axes in itertools.combinations(range(len(shape)), count):
                            self.check("add", view, list(axes))

    def test_sums_under_a_mask_have_numpys_bits(self):
        for _ in range(500 * rounds):
            rank = rng.choice([1, 2, 3])
            shape = random_shape(rank, 100000)
            dtype = rng.choice([np.dtype(c) for c in ("f4", "f8", "c16")])
            axes = sorted(rng.sample(range(rank), rng.randrange(1, rank + 1)))
            where = random_view(shape, np.dtype(bool))
            self.check("add", random_view(shape, dtype, special=False), axes, None, where, rng.choice([None, 2.5]))

    def test_reductions_of_all_types_are_numpys(self):
        names = """add multiply maximum minimum fmax fmin logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor
            gcd lcm hypot logaddexp subtract true_divide floor_divide""".split()
        for name, dtype in itertools.product(names, TYPES):
            for _ in range(2 * rounds):
                rank = rng.choice([1, 2, 3])
                shape = random_shape(rank, 500)
                few = name in ("maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or")
                array = random_view(shape, dtype, special=few, small=True)
                if few and dtype.kind in "fc":
                    array = np.where(array == 0, dtype.type(1), array)  # which zero is greater is left open
                axes = sorted(rng.sample(range(rank), rng.randrange(1, rank + 1)))
                self.check(name, array, axes)

    def test_accumulations_are_numpys(self):
        for _ in range(600 * rounds):
            name = rng.choice(["add", "multiply", "maximum", "minimum", "logical_or", "subtract"])
            dtype = rng.choice(TYPES)
            rank = rng.choice([1, 2, 3])
            shape = random_shape(rank)
            array = random_view(shape, dtype, special=False, small=True)
            axis = rng.randrange(rank)
            try:
                with np.errstate(all="ignore"):
                    expected = getattr(np, name).accumulate(array, axis=axis)
            except TypeError:
                continue
            out = np.zeros(shape, expected.dtype)
            addresses, strides, dtypes, views = operands_of([array, out], shape)
            probe.probe_accumulate(probe.probe_function(name.encode()), axis, rank, longs(shape), addresses, strides, dtypes)
            if name == "multiply" and dtype.kind == "c":
                continue
            self.assertTrue(same_bits(out, expected), (name, dtype, shape, axis, array.strides, array, out, expected))

    def test_positions_of_extremes_are_numpys(self):
        for _ in range(600 * rounds):
            dtype = rng.choice(TYPES)
            rank = rng.choice([1, 2, 3])
            shape = random_shape(rank)
            array = random_view(shape, dtype, special=rng.random() < 0.5, small=True)
            axis = rng.randrange(rank)
            for greatest, function in ((0, np.argmin), (1, np.argmax)):
                expected = function(array, axis=axis)
                out = np.zeros(np.shape(expected), "i8")
                kept = [1 if a == axis else e for a, e in enumerate(shape)]
                addresses, strides, dtypes, views = operands_of([array, out.reshape(kept)], shape)
                probe.probe_arg_extreme(greatest, axis, rank, longs(shape), addresses, strides, dtypes)
                self.assertTrue((out == expected).all(), (dtype, shape, axis, array, out, expected))


    def test_long_rows_are_numpys_wherever_the_element_lies_that_decides(self):
        for dtype, count in itertools.product(TYPES, [1, 15, 16, 63, 64, 65, 200, 1000]):
            for kind in ("up", "down", "equal", "random"):
                values = random_elements(dtype, count, special=False, small=True)
                values = {"up": np.sort(values), "down": np.sort(values)[::-1].copy(),
                          "equal": np.full(count, values[0]), "random": values}[kind]
                if kind == "equal" and dtype.kind == "b":
                    values[rng.randrange(count)] ^= True
                if kind == "random" and dtype.kind in "fc" and rng.random() < 0.3:
                    values[rng.randrange(count)] = np.nan
                out = np.zeros((), "i8")
                for greatest, function in ((0, np.argmin), (1, np.argmax)):
                    addresses, strides, dtypes, _ = operands_of([values, out], values.shape)
                    probe.probe_arg_extreme(greatest, 0, 1, longs(values.shape), addresses, strides, dtypes)
                    self.assertEqual(out, function(values), (dtype, count, kind, values))
                for name in ("maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or"):
                    if name.startswith("logical") and dtype.kind != "b":
                        continue
                    with np.errstate(all="ignore"):
                        expected = getattr(np, name).reduce(values)
                    found = np.zeros((), dtype)
                    reduce(name, values, (0,), found, initial=expected.dtype.type(name == "logical_and")
                           if name.startswith("logical") else None)
                    self.assertTrue(same_bits(found, np.asarray(expected)) or found == expected == 0, (name, dtype, count, kind))


class Layouts(unittest.TestCase):
    def random_bytes_view(self, rank=None):
        rank = rng.choice([0, 1, 2, 3, 4, 5]) if rank is None else rank
        shape = random_shape(rank, 300)
        if rank and rng.random() < 0.05:
            shape = shape[:-1] + (0,)
        return random_view(shape, np.dtype("u1"), special=False)

    def test_reshapes_copy_where_numpys_do(self):
        seen = [0, 0]
        for _ in range(1500 * rounds):
            view = self.random_bytes_view()
            size = view.size
            wanted, rest = [], max(size, 1)
            while rest > 1 and rng.random() < 0.9:
                divisor = rng.choice([d for d in range(1, rest + 1) if rest % d == 0])
                wanted.append(divisor)
                rest //= divisor
            wanted.append(rest if size else 0)
            rng.shuffle(wanted)
            for by_columns in (0, 1):
                expected = view.reshape(wanted, order="F" if by_columns else "C")
                shares = size == 0 or expected.__array_interface__["data"][0] == view.__array_interface__["data"][0]
                if size == 0:
                    continue
                strides = longs([0] * 40)
                rank = probe.probe_reshape(view.ndim, longs(view.shape), longs(view.strides), len(wanted), longs(wanted), by_columns,
                                           strides)
                described = (view.shape, view.strides, wanted, by_columns)
                seen[shares] += 1
                self.assertEqual(rank >= 0, shares, described)
                if shares:
                    ours = [s for s, e in zip(strides, wanted) if e != 1]
                    self.assertEqual(ours, [s for s, e in zip(expected.strides, wanted) if e != 1], described)
        self.assertGreater(min(seen), 100)

    def test_orders_are_numpys(self):
        for _ in range(2000 * rounds):
            view = self.random_bytes_view()
            ours = probe.probe_order(view.ndim, longs(view.shape), longs(view.strides))
            self.assertEqual(ours, view.flags.c_contiguous + 2 * view.flags.f_contiguous, (view.shape, view.strides))

    def test_overlaps_are_numpys(self):
        exact = 0
        for _ in range(1500 * rounds):
            shape = random_shape(rng.choice([1, 2, 3]), 400)
            root = np.zeros(shape, "u1")

            def part():
                view = root
                for axis, extent in enumerate(shape):
                    low = rng.randrange(extent)
                    cut = slice(low, rng.randrange(low, extent) + 1, rng.choice([1, 1, 2, 3]))
                    view = view[(slice(None),) * axis + (cut,)]
                return view.T if rng.random() < 0.3 else view

            a, b = part(), part()
            base = root.__array_interface__["data"][0]
            ours = probe.probe_overlap(a.ndim, longs(a.shape), longs(a.strides), a.__array_interface__["data"][0] - base,
                                       b.ndim, longs(b.shape), longs(b.strides), b.__array_interface__["data"][0] - base)
            expected = np.shares_memory(a, b)
            if expected:
                self.assertTrue(ours, (shape, a.shape, a.strides, b.shape, b.strides))
            exact += bool(ours) == expected
        self.assertGreater(exact, 0.99 * 1500 * rounds)


def main():
    global probe, rng, random_numbers, rounds
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1, help="times as many random cases")
    options, rest = parser.parse_known_args()
    probe = ctypes.CDLL(options.library)
    rng = random.Random(options.seed)
    random_numbers = np.random.default_rng(options.seed)
    rounds = options.rounds
    c_int, pointer, long = ctypes.c_int, ctypes.c_void_p, ctypes.c_int64
    probe.probe_arange.argtypes = [c_int, ctypes.c_char_p, ctypes.c_char_p, long, long, pointer]
    probe.probe_overlap.argtypes = [c_int, pointer, pointer, long, c_int, pointer, pointer, long]
    print(f"seed {options.seed}")
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
