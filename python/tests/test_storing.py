"""New arrays of any shape and order, and values that are stored with a cast: what NumPy gives, refuses and warns of."""

import unittest
import warnings

import numpy as real

import refrain
import refrain.numpy as ours
from support import same_bits

SHAPES = ["None", "(None,)", "2**70", "(2**70,)", "(3, -2**70)", "-1", "(2, -1)", "2.0", "True", "(True,)", "'a'", "[2, 3]", "()", "range(3)"]
ORDERS = ["None", "'C'", "'c'", "'F'", "'f'", "'A'", "'K'", "'X'", "3"]
NEW = ["np.zeros({})", "np.ones({})", "np.empty({}) * 0", "np.full({}, 2.5)", "np.zeros_like(np.ones(2), shape={})", "np.ones(6).reshape({})"]
ORDERED = ["np.zeros((2, 3), order={})", "np.ones((2, 3), order={})", "np.empty((2, 3), order={}) * 0", "np.full((2, 3), 2.5, order={})",
           "np.ones_like(np.ones((2, 3)), order={})", "np.array(np.ones((2, 3)), order={})", "np.asarray(np.ones((2, 3)), order={})",
           "np.ones((2, 3)).copy(order={})", "np.ones((2, 3)).astype(int, order={})"]

TYPES = ["bool", "int8", "uint16", "int32", "int64", "uint64", "float32", "complex64"]
STORES = ["x[:] = {}", "x[0] = {}", "x[mask] = {}", "x[[0, 1]] = {}", "x.fill({})", "np.copyto(x, {}, where=mask)",
          "np.copyto(x, {}, casting='unsafe', where=mask)", "np.copyto(x, {}, casting='unsafe')", "np.putmask(x, mask, {})",
          "np.place(x, mask, {})", "np.put(x, [0, 1], {})", "x = np.full(2, {}, x.dtype)", "x = np.array({}, x.dtype)"]
NUMBERS = ["2**33", "-3.5", "3e10", "3e20", "float('nan')", "1+2j", "np.uint64(2**64 - 1)", "np.uint64(2**33 + 5)", "np.int64(2**33 + 5)",
           "np.float32(3e10)", "np.float64(-3.5)", "np.complex128(1+2j)", "np.array([2**63, 7], 'uint64').sum()", "np.array([3e10]).sum()"]
LISTS = ["[2**33, 5]", "[2**63, 5]", "[1.5, 2]", "[1+2j, 3]", "np.array([2**63 + 5, 2**33 + 7], 'uint64')", "np.array(2**63 + 5, 'uint64')",
         "np.array([2**60 + 1, 3])", "np.array([3e20, 1.0])", "np.array([1+2j, 3])", "np.array([1.5])"]


def outcome(np, program):
    """What a program leaves in x, and the warnings; or the error's type."""
    names = {"np": np, "x": None}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(program, names)
            x = names["x"]
            result = real.asarray(x), x.strides
        except Exception as error:
            result = type(error)
    return result, sorted({(warning.category.__name__, str(warning.message)) for warning in caught
                           if not issubclass(warning.category, refrain.RefrainFallbackWarning)})


@unittest.skipUnless(real.__version__.startswith("1.24."), "later versions of NumPy warn of more")
class Storing(unittest.TestCase):
    def assert_same(self, program):
        (expected, warned), (here, warned_here) = outcome(real, program), outcome(ours, program)
        with self.subTest(program):
            if isinstance(expected, type) or isinstance(here, type):
                self.assertEqual(expected, here)
            else:
                self.assertEqual((expected[0].shape, expected[1]), (here[0].shape, here[1]))
                self.assertTrue(same_bits(expected[0], here[0]), (expected, here))
            self.assertEqual(warned, warned_here)

    def test_shapes_are_what_numpy_takes(self):
        for program in NEW:
            for shape in SHAPES:
                if not (shape == "None" and "_like" in program):
                    self.assert_same("x = " + program.format(shape))

    def test_none_as_a_shape_warns_where_it_was_written(self):
        for name in ("zeros", "ones", "empty"):
            with self.assertWarnsRegex(DeprecationWarning, "Passing None into shape") as warned:
                getattr(ours, name)(None)
            self.assertEqual(warned.filename, __file__)

    def test_orders_are_what_numpy_takes(self):
        for program in ORDERED:
            for order in ORDERS:
                self.assert_same("x = " + program.format(order))

    def test_an_order_that_numpy_takes_is_not_left_to_it(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error", refrain.RefrainFallbackWarning)
            for program in ORDERED:
                for order in ORDERS[:5]:
                    eval(program.format(order), {"np": ours})

    def test_numbers_are_cast_as_numpy_casts_them(self):
        self.store(NUMBERS)

    def test_arrays_and_lists_are_cast_as_numpy_casts_them(self):
        self.store(LISTS)

    def store(self, values):
        for dtype in TYPES:
            for store in STORES:
                for value in values:
                    start = f"mask = np.array([True, True]); x = np.array([9, 9], '{dtype}'); "
                    self.assert_same(start + store.format(value))

    def test_elements_that_are_not_chosen_keep_their_bits_and_raise_nothing(self):
        for value in ("np.array([2.5, np.nan])", "2.5", "np.array([7, 2**63 + 5], 'uint64')"):
            self.assert_same("x = np.array([1, 2**60 + 1]); "
                             f"np.copyto(x, {value}, casting='unsafe', where=np.array([True, False]))")
        self.assert_same("x = np.zeros((2, 3)); np.copyto(x, np.ones((1, 1, 1, 3)), where=np.array([True, False, True]))")
        self.assert_same("x = np.zeros((2, 3)); np.copyto(x, np.ones(2), where=np.array([True, False, True]))")
        self.assert_same("x = np.zeros((2, 3)); np.copyto(x, np.ones(3), where=np.array([True, False]))")

    def test_an_array_of_one_complex_element_is_no_real_number(self):
        for dtype in ("float64", "int8", "bool", "complex64"):
            for value in ("np.array([1+2j])", "np.array(1+2j)", "np.array([[1.5]])", "np.array([7], 'uint64')"):
                self.assert_same(f"x = np.zeros(2, '{dtype}'); x.fill({value})")
                self.assert_same(f"x = np.zeros(2, '{dtype}'); x[0] = {value}")

    def test_an_array_of_one_element_is_taken_as_a_number(self):
        for dtype in ("int32", "uint16", "uint32", "int64", "uint64", "bool", "float32"):
            for value in ("np.array([3e10])", "np.array([[-2.5]], 'float32')", "np.array([np.nan])", "np.array([2**63 + 9], 'uint64')",
                          "np.array([2**33 + 9], 'uint64')", "np.array(3e10)"):
                self.assert_same(f"x = np.zeros(2, '{dtype}'); x.fill({value})")
                self.assert_same(f"x = np.zeros(2, '{dtype}'); x[0] = {value}")

    def test_lists_are_no_deeper_than_what_they_are_assigned_to(self):
        for shape, value in [((), "[True]"), ((2,), "[[1.5]]"), ((2,), "[[1, 2]]"), ((2,), "[1]"), ((2, 2), "[[1], [2]]"), ((2, 2), "(3, 4)")]:
            self.assert_same(f"x = np.zeros({shape}); x[...] = {value}")

    def test_shapes_are_refused_before_anything_warns(self):
        for value in ("np.array([1+2j, 2, 3])", "[-129, 1, 2]", "[1+2j, 2, 3]", "np.array([3e20, np.nan, 1])"):
            for store in ("x[:] = {}", "x[[0, 1]] = {}", "np.copyto(x, {}, 'unsafe')", "np.copyto(x, {}, 'unsafe', np.array([True, False]))",
                          "np.putmask(x, np.array([True]), {})", "np.place(x, np.array([True]), {})"):
                self.assert_same("x = np.zeros(2, 'int16'); " + store.format(value))

    def test_a_mask_keeps_its_axes(self):
        for shape, mask in [((), (1,)), ((3,), (1, 3)), ((2, 3), (1, 1, 3)), ((2, 3), (1, 3)), ((0, 4), (1, 0, 4))]:
            self.assert_same(f"x = np.zeros({shape}); np.copyto(x, 1, where=np.ones({mask}, bool))")

    def test_no_index_is_put_into_an_array_without_elements(self):
        for mode in ("raise", "wrap", "clip"):  # NumPy writes outside for clip, and never returns for wrap
            with self.assertRaisesRegex(IndexError, "index 0 is out of bounds for axis 0 with size 0"):
                ours.put(ours.zeros((4, 0)), [0], 1, mode=mode)

    def test_complex_values_go_into_real_arrays_without_numpy(self):
        x, z = ours.zeros(4), ours.array([1 + 2j, 3])
        for key in (slice(2), ours.array([True, False, False, True]), ours.array([0, 2])):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                x[key] = z
            self.assertEqual([warning.category for warning in caught], [real.ComplexWarning])


if __name__ == "__main__":
    unittest.main()
