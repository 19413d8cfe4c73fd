"""Rules of NumPy's that programs rely on, and that hold at any size, on any tiles: a test by name for each.

The tests run here, where small operations are computed at once, and once more in a process where each is a task of small
tiles.
"""

import os
import sys
import unittest
import warnings

import numpy as real

import refrain
from refrain import _core
from support import run, same_bits

IN_TILES = os.environ.get("RULES_IN_TILES") == "1"
if IN_TILES:
    _core.tune(at_once_bytes=0, tile_bytes=64)

import refrain.numpy as np

LENGTHS = [*range(1, 20), 31, 63, 64, 65, 127, 128, 129, 135, 136, 137, 255, 256, 257, 1000, 1024, 4097, 20003]
FUNCTIONS = """
    exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh cbrt
""".split()


def both(text, **names):
    """What NumPy gives, and what we give. Arrays of NumPy's are ours on our side."""
    found = []
    for module in (real, np):
        own = {name: module.array(value) if isinstance(value, real.ndarray) else value for name, value in names.items()}
        found.append(eval(text, {"np": module, **own}))
    return found


def numbers(n, dtype="float64", seed=1):
    return (real.random.default_rng(seed).standard_normal(n) * 10.0 ** real.random.default_rng(seed).integers(-3, 4, n)).astype(dtype)


class Rules(unittest.TestCase):
    def assert_same(self, text, **names):
        expected, got = both(text, **names)
        for one, other in zip(*(value if isinstance(value, tuple) else (value,) for value in (expected, got))):
            self.assertEqual(isinstance(one, real.ndarray), isinstance(other, real.ndarray), text)
            self.assertTrue(same_bits(one, other), (text, one, other))


class Numbers(Rules):
    def test_a_product_and_a_sum_are_two_roundings(self):
        for dtype, small in (("float64", 2.0**-30), ("float32", 2.0**-14)):
            for n in (1, 7, 1000):
                x, y, z = (real.full(n, value, dtype) for value in (1 + small, 1 - small, -1))
                self.assertNotEqual(float(x.astype(real.longdouble)[0] * y[0] + z[0]), 0, "a fused operation would show")
                for text in ("x * y + z", "z + x * y", "x * y - (-z)", "np.add(np.multiply(x, y), z)"):
                    expected, got = both(text, x=x, y=y, z=z)
                    self.assertEqual(real.asarray(got).tolist(), [0.0] * n, text)
                    self.assertTrue(same_bits(expected, got))
                self.assert_same("(np.multiply(x, y, out=w), np.add(w, z, out=w))[1]", x=x, y=y, z=z, w=real.empty(n, dtype))

    def test_a_function_gives_an_element_the_same_bits_wherever_it_lies(self):
        for dtype in ("float64", "float32"):
            for name in FUNCTIONS:
                function = getattr(np, name)
                values = real.array([0.3, 0.77, 1.5, 0.999, 1.0001], dtype)
                if name in ("arcsin", "arccos", "arctanh"):
                    values = real.array([0.3, 0.77, 0.5, 0.999, 0.0001], dtype)
                elif name == "arccosh":
                    values = values + 1
                alone = [real.asarray(function(np.array(values[k : k + 1]))) [0] for k in range(5)]
                for n in (2, 3, 5, 8, 9, 16, 17, 33, 100):
                    for start in range(5):
                        places = (real.arange(n) + start) % 5
                        wide = real.zeros(3 * n, dtype)
                        wide[1::3] = values[places]
                        for x in (np.array(values[places]), np.array(wide)[1::3]):
                            got = real.asarray(function(x))
                            self.assertTrue(same_bits(got, real.array(alone)[places]), (name, dtype, n, start))

    def test_functions_err_by_at_most_4_units_in_the_last_place(self):
        x = real.linspace(0.001, 0.999, 5000)
        for name in FUNCTIONS:
            operand = x + 1 if name == "arccosh" else x * 5 if name in ("exp", "sinh", "cosh", "log", "sin", "cos") else x
            exact = getattr(real, name)(operand.astype(real.longdouble))
            got = real.asarray(getattr(np, name)(np.array(operand)))
            units = abs(got - exact) / real.spacing(abs(exact.astype(float)))
            self.assertLessEqual(float(units.max()), 4, name)

    def test_sums_of_contiguous_numbers_are_numpys_tree_at_any_length(self):
        for dtype in ("float64", "float32"):
            for n in LENGTHS:
                self.assert_same("x.sum()", x=numbers(n, dtype))
                self.assert_same("x[1:].sum()", x=numbers(n + 1, dtype))
                self.assert_same("np.add.reduce(x)", x=numbers(n, dtype))

    def test_means_and_variances_are_made_of_such_sums(self):
        for n in LENGTHS:
            x = numbers(n)
            self.assert_same("x.mean(), x.var(), x.std(), x.var(ddof=1) if x.size > 1 else 0", x=x)
            ours = np.array(x)
            self.assertTrue(same_bits(ours.mean(), ours.sum() / n))
            off = ours - ours.mean()
            self.assertTrue(same_bits(ours.var(), (off * off).sum() / n))

    def test_sums_of_other_layouts_and_axes_have_numpys_bits_where_rows_are_contiguous(self):
        for shape in ((3, 4), (5, 200), (200, 5), (40, 41), (3, 7, 130)):
            x = numbers(int(real.prod(shape))).reshape(shape)
            self.assert_same("x.sum(axis=-1)", x=x)
            self.assert_same("x.sum(axis=0)", x=x)
            self.assert_same("x.T.sum(axis=0)", x=x)
            self.assert_same("x.sum()", x=x)
            self.assert_same("x.mean(axis=0), x.var(axis=-1)", x=x)

    def test_arange_is_start_and_multiples_of_the_first_difference(self):
        for text in ("np.arange(0, 10, 0.1)", "np.arange(0.1, 50, 0.3)", "np.arange(-1, 1, 1 / 3)", "np.arange(1e16, 1e16 + 100, 3.0)",
                     "np.arange(5, 0, -0.7)", "np.arange(0, 1, 0.1, dtype='float32')"):
            self.assert_same(text)
        got = real.asarray(np.arange(0.1, 50, 0.3))
        self.assertTrue(same_bits(got, 0.1 + real.arange(got.size) * (got[1] - got[0])))

    def test_linspace_is_multiples_and_start_with_the_last_element_set(self):
        for text in ("np.linspace(0, 1, 7)", "np.linspace(0.1, 0.7, 1001)", "np.linspace(5, -3, 50, endpoint=False)", "np.linspace(2, 2, 5)",
                     "np.linspace(0, 1e-310, 9)", "np.linspace(1, 10, 1)"):
            self.assert_same(text)
        got = real.asarray(np.linspace(0.1, 0.7, 1001))
        self.assertTrue(same_bits(got[:-1], real.arange(1000) * ((0.7 - 0.1) / 1000) + 0.1))
        self.assertEqual(got[-1], 0.7)

    def test_products_and_quotients_of_complex_numbers_err_by_a_few_units(self):
        x, y = numbers(999) + 1j * numbers(999, seed=2), numbers(999, seed=3) + 1j * numbers(999, seed=4)
        for text in ("x * y", "x / y"):
            got = real.asarray(both(text, x=x, y=y)[1])
            exact = eval(text, dict(x=x.astype(real.clongdouble), y=y.astype(real.clongdouble)))
            self.assertLess(float((abs(got - exact) / abs(exact)).max()), 8 * real.finfo(float).eps)

    def test_arithmetic_roots_comparisons_and_integers_have_numpys_bits(self):
        special = real.array([0.0, -0.0, real.inf, -real.inf, real.nan, 5e-324, 1.8e308, -1.0])
        x, y = real.concatenate([special, numbers(200)]), real.concatenate([special[::-1], numbers(200, seed=2)])
        with real.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for operator in "+ - * / // % < <= == != >= >".split():
                for dtype in ("float64", "float32"):
                    self.assert_same(f"x {operator} y", x=x.astype(dtype), y=y.astype(dtype))
            for text in ("np.sqrt(x)", "np.minimum(x, y)", "np.maximum(x, y)", "np.fmin(x, y)", "np.fmax(x, y)", "abs(x)", "-x", "np.floor(x)",
                         "np.rint(x)", "np.sign(x)", "np.square(x)", "np.reciprocal(x)"):
                self.assert_same(text, x=x, y=y)
            for dtype in ("int8", "uint8", "int16", "uint32", "int64", "uint64"):
                i, j = ((real.arange(400) * step).astype(dtype) for step in (37, 101))
                for operator in "+ - * // % & | ^ << >> < ==".split():
                    self.assert_same(f"i {operator} (j % 7 if {operator!r} in ('<<', '>>') else j)", i=i, j=j)


class Types(Rules):
    def test_a_scalar_of_the_same_or_a_lower_kind_counts_by_its_smallest_type(self):
        i8, u8, f4, i4 = real.ones(3, "int8"), real.ones(3, "uint8"), real.ones(3, "float32"), real.ones(3, "int32")
        for text in ("i8 + 300", "i8 + 1", "i8 + (-1)", "u8 + 255", "u8 + 256", "u8 - 1", "u8 + (-1)", "f4 + 1e300", "f4 + 1.5", "f4 + 10**6",
                     "i4 + 2**40", "i8 + 1.5", "i8 * True", "u8 * np.int64(3)", "f4 * np.float64(3)", "i8 + np.array(300)", "f4 + 1j",
                     "f4 + np.array(1.5)", "u8 + np.array(-1)", "i8 / 3", "u8 // np.array(3)", "np.where(u8 > 0, u8, 300)", "i8 + np.uint8(200)"):
            with self.subTest(text):
                self.assert_same(text, i8=i8, u8=u8, f4=f4, i4=i4)

    def test_a_pending_scalar_is_read_only_where_its_value_decides_the_type(self):
        x, narrow, whole = np.ones(200_000), np.ones(200_000, "float32"), np.ones(200_000, "int8")
        total, count = x.sum(), np.arange(200_000).sum()
        before = refrain.statistics()["waits"]
        same = x / total * total - x.mean()
        self.assertEqual(same.dtype, real.dtype(float))
        self.assertEqual(refrain.statistics()["waits"], before, "of the same type: nothing to read")
        for array, scalar, dtype in ((narrow, total, "float32"), (whole, count, "int64")):
            self.assertEqual((array + scalar).dtype, real.dtype(dtype))
        if IN_TILES:  # nothing of it was known
            self.assertEqual(refrain.statistics()["waits"], before + 2)

    def test_reductions_elements_and_functions_of_rank_0_give_scalars(self):
        for text in ("x.sum()", "x[0]", "x[-1] + 1", "np.sqrt(np.array(2.0))", "np.array(1) + np.array(2)", "x.mean()", "i.sum()", "i[0]", "m.any()",
                     "(x > 1)[0]", "x.argmax()", "np.float32(1) + x[0]", "x.max() > 0", "c[0]"):
            with self.subTest(text):
                names = dict(x=real.arange(3.0), i=real.arange(3, dtype="int16"), m=real.ones(2, bool), c=real.ones(2, complex))
                expected, got = both(text, **names)
                self.assertIsInstance(got, real.generic)
                self.assertIsInstance(got, type(expected))
                self.assertEqual(isinstance(got, float), isinstance(expected, float))
                self.assertEqual((got.dtype, got, hash(got), str(got), repr(got), f"{got}"),
                                 (expected.dtype, expected, hash(expected), str(expected), repr(expected), f"{expected}"))
                with self.assertRaises(TypeError):
                    got[0] = 1

    def test_some_powers_are_other_functions_but_not_of_np_power(self):
        x = numbers(50)
        with real.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for exponent in ("2", "0.5", "-1", "1", "0", "2.0", "-1.0", "np.float64(2)"):
                self.assert_same(f"x ** {exponent}", x=x)
            self.assert_same("-1.0 * (np.array([-0.0]) ** 0.5)")  # sqrt(-0.0) is -0.0, power gives 0.0
            self.assertTrue(same_bits(*[real.asarray(value) for value in (np.array([-np.inf]) ** 0.5, np.array([np.nan]))]))
            self.assert_same("np.power(z, 0.5)", z=real.array([-0.0, -real.inf]))
            for text in ("i ** 2", "i ** 2.0", "i ** 0.5", "i ** 1", "i ** 0", "b ** 2", "f ** 2"):
                self.assertEqual(*(value.dtype for value in both(text, i=real.arange(5), b=real.ones(2, bool), f=real.ones(2, "f4"))), text)

    def test_operands_that_overlap_the_result_behave_as_if_copied_first(self):
        for program in ("a[1:] = a[:-1]", "a[:-1] = a[1:]", "a[:] = a[::-1]", "a[1:] += a[:-1]", "a[::2] -= a[1::2]", "np.add(a[1:], 1, out=a[:-1])",
                        "q[:] = q.T", "q += q.T", "q[1:, 1:] = q[:-1, :-1]", "np.multiply(q, q[0], out=q)", "a *= a[3]", "np.cumsum(a, out=a)",
                        "a[[1, 2, 3]] = a[[0, 1, 2]]", "np.sqrt(a[::-1], out=a)"):
            with self.subTest(program):
                found = []
                for module in (real, np):
                    names = dict(np=module, a=module.arange(200.0), q=module.arange(144.0).reshape(12, 12).copy())
                    exec(program, names)
                    found.append(real.concatenate([real.asarray(names["a"]), real.asarray(names["q"]).ravel()]))
                self.assertTrue(same_bits(*found))

    def test_minimum_and_maximum_propagate_nan_and_fmin_and_fmax_do_not(self):
        x, y = real.array([1, real.nan, 3, real.nan] * 9), real.array([2.0, 2.0, real.nan, real.nan] * 9)
        for text in ("np.minimum(x, y)", "np.maximum(x, y)", "np.fmin(x, y)", "np.fmax(x, y)", "x.min()", "x.max()", "np.fmin.reduce(x)",
                     "np.fmax.reduce(y)", "np.minimum.accumulate(x)", "np.nanmin(x)", "x.argmax()", "np.maximum.reduce(x[:1])"):
            self.assert_same(text, x=x, y=y)
        self.assertTrue(real.isnan(np.array(x).min()) and np.fmin.reduce(np.array(x)) == 1)

    def test_a_sum_of_booleans_is_or_and_a_difference_is_refused(self):
        m, k = real.array([True, True, False, False]), real.array([True, False, True, False])
        for text in ("m + k", "m * k", "np.add(m, k)", "m.sum()", "np.add.reduce(m, dtype=bool)", "m | k", "m ^ k", "m / 2", "abs(m)"):
            self.assert_same(text, m=m, k=k)
        for text in ("m - k", "-m", "np.subtract(m, k)", "np.negative(m)"):
            with self.assertRaisesRegex(TypeError, "is not supported"):
                eval(text, dict(np=np, m=np.array(m), k=np.array(k)))

    def test_integer_division_floors_and_by_zero_gives_0_and_warns(self):
        i, j = real.array([7, -7, 7, -7, 5, 0], "int32"), real.array([2, 2, -2, -2, 0, 0], "int32")
        for text in ("i // j", "i % j", "np.divmod(i, j)"):  # the last one warns as the other two
            warned = []
            for module in (real, np):
                with warnings.catch_warnings(record=True) as caught:
                    warnings.simplefilter("always")
                    result = eval(text, dict(np=module, i=module.array(i), j=module.array(j)))
                    result = [real.asarray(part).tolist() for part in (result if isinstance(result, tuple) else (result,))]
                said = {str(warning.message) for warning in caught if warning.category is RuntimeWarning}
                if "divmod" in text:
                    said = {message.replace("floor_divide", "divmod").replace("remainder", "divmod") for message in said}
                warned.append((result, said))
            self.assertEqual(warned[0], warned[1], text)
            self.assertEqual(warned[1][0][0][4], 0)
            self.assertTrue(warned[1][1])
        self.assertEqual(real.asarray(np.array(i) // np.array([2] * 6)).tolist(), [3, -4, 3, -4, 2, 0])


class Shapes(Rules):
    def test_arrays_have_up_to_32_dimensions(self):
        shape = (1, 2) * 4 + (1,) * 24
        x = real.arange(16.0).reshape(shape)
        for text in ("x + x", "x.sum()", "x.sum(axis=(1, 3))", "x.T", "x.reshape(-1)[::3]", "x[0, 1, ..., 0]", "np.swapaxes(x, 1, 31) * 2", "x.squeeze()",
                     "x[(slice(None, None, -1),) * 32]", "np.broadcast_to(x, shape[:8] + (3,) + (1,) * 23) + 1"):
            with self.subTest(text):
                self.assert_same(text, x=x, shape=shape)

    def test_extents_of_0_are_extents(self):
        for shape in ((0,), (0, 3), (3, 0), (2, 0, 4)):
            x = real.zeros(shape)
            for text in ("x + 1", "x.sum()", "x.sum(axis=0)", "x.sum(axis=-1)", "x.prod()", "x.T", "np.concatenate([x, x])", "x.reshape(0, 7)", "x[:, None]",
                         "x.any(), x.all()", "np.sort(x)", "x.cumsum()", "x.astype(int)", "x.copy()", "np.where(x > 0, x, 1)"):
                with self.subTest(text, shape=shape):
                    self.assert_same(text, x=x)

    def test_arrays_of_rank_0_are_arrays_until_a_function_makes_scalars_of_them(self):
        for text in ("np.array(3.0)", "x.reshape(())", "x[...]", "np.sin(x)", "x + x", "x.copy()", "x.T", "np.add(x, 1, out=np.array(0.0))", "x[()]", "x.item()",
                     "np.zeros(())", "np.broadcast_to(x, (2, 2))", "x[None]", "x.ravel()"):
            with self.subTest(text):
                self.assert_same(text, x=real.array(3.0))

    def test_views_have_any_offset_order_and_sign_of_strides(self):
        x = numbers(720).reshape(6, 8, 15)
        for view in ("x[::-1]", "x[2:, ::-2, 3:9:2]", "x.T", "x.transpose(1, 2, 0)[1:]", "x[:, 3][::-1, ::-1]", "np.broadcast_to(x[0], (4, 8, 15))",
                     "x.reshape(48, 15)[::7]", "x.diagonal()", "x[1].diagonal(2)", "np.asfortranarray(x)", "np.asfortranarray(x)[1:, :, ::3]",
                     "x[..., None, 4]", "x.swapaxes(0, 2)[::-4]"):
            with self.subTest(view):
                self.assert_same(f"{view} * 2 + 1", x=x)
                if "diagonal" not in view:  # the order of sums along other strides is not NumPy's
                    self.assert_same(f"{view}.sum(axis=0)", x=x)
                expected, got = both(view, x=x)
                self.assertEqual((expected.shape, expected.strides), (got.shape, got.strides))


class Values(Rules):
    def test_errors_that_depend_on_values_come_with_numpys_types(self):
        x = np.arange(10.0)
        for text, error, words in (
            ("x[np.array([3, 10])]", IndexError, "index 10 is out of bounds for axis 0 with size 10"),
            ("x.take([-11])", IndexError, "index -11 is out of bounds for axis 0 with size 10"),
            ("np.linalg.inv(np.zeros((3, 3)))", real.linalg.LinAlgError, "Singular matrix"),
            ("np.linalg.cholesky(-np.eye(3))", real.linalg.LinAlgError, "Matrix is not positive definite"),
            ("np.arange(3) ** np.array([1, 2, -1])", ValueError, "Integers to negative integer powers are not allowed"),
            ("np.bincount(np.array([1, -2]))", ValueError, "must have no negative elements"),
            ("np.repeat(x, np.arange(10) - 3)", ValueError, "may not contain negative values"),
        ):
            with self.subTest(text), self.assertRaisesRegex(error, words):
                float(real.asarray(eval(text, dict(np=np, x=x))).sum())

    def test_dropping_imaginary_parts_warns_in_the_call(self):
        c = np.array([1 + 2j, 3.0])
        for text in ("c.astype(float)", "c.astype('int8')", "np.array(c, dtype=float)", "np.zeros(2).__setitem__(slice(None), c)", "float(c[0])"):
            with self.subTest(text), self.assertWarnsRegex(real.ComplexWarning, "Casting complex values to real discards the imaginary part"):
                eval(text, dict(np=np, c=c))
        self.assertEqual(c.astype(bool).tolist(), [True, True])

    def test_a_random_number_is_the_upper_53_bits_of_one_draw(self):
        raw = real.random.PCG64(5).random_raw(1000)
        self.assertTrue(same_bits(np.random.Generator(np.random.PCG64(5)).random(1000), (raw >> real.uint64(11)) * 2.0**-53))

    def test_draws_of_a_serial_generator_are_one_operation_that_nobody_waits_for(self):
        source, legacy = np.random.default_rng(3), np.random.RandomState(4)
        x = source.standard_normal(200_000)
        float(x[0])
        before = refrain.statistics()
        x, y = source.standard_normal(200_000), legacy.rand(200_000)
        after = refrain.statistics()
        self.assertEqual((after["operations"] - before["operations"], after["waits"] - before["waits"]), (2, 0))
        expected = real.random.default_rng(3)
        expected.standard_normal(200_000)
        self.assertTrue(same_bits(x, expected.standard_normal(200_000)))
        self.assertTrue(same_bits(y, real.random.RandomState(4).rand(200_000)))


@unittest.skipIf(IN_TILES, "these are the tests that it runs")
class InTiles(unittest.TestCase):
    def test_the_same_holds_where_each_operation_is_a_task_of_small_tiles(self):
        ended = run([sys.executable, "-m", "unittest", "-q", os.path.basename(__file__)], cwd=os.path.dirname(os.path.abspath(__file__)),
                    RULES_IN_TILES="1")
        self.assertEqual(ended.returncode, 0, ended.stderr)


if __name__ == "__main__":
    unittest.main()
