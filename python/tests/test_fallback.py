"""What is not ours is computed by NumPy on the same memory, adopted, counted, and warned of once per line."""

import unittest
import warnings

import numpy as real

import refrain
import refrain.numpy as np
from refrain import RefrainFallbackWarning, _core, _fallback


numpys_sort = _fallback.wrapper(real.sort)  # as if it were not ours


class Fallback(unittest.TestCase):
    def setUp(self):
        self.caught = warnings.catch_warnings(record=True)
        self.warnings = self.caught.__enter__()
        warnings.simplefilter("always")

    def tearDown(self):
        self.caught.__exit__(None, None, None)

    def fallbacks(self):
        return [str(warning.message) for warning in self.warnings if warning.category is RefrainFallbackWarning]

    def test_a_result_becomes_one_of_our_arrays(self):
        result = np.sort(np.array([3.0, 1.0, 2.0]))
        self.assertIs(type(result), _core.ndarray)
        self.assertEqual(result.tolist(), [1.0, 2.0, 3.0])

    def test_a_line_warns_once_and_names_the_reason(self):
        a = np.array([3.0, 1.0])
        for _ in range(3):
            numpys_sort(a)
        self.assertEqual(self.fallbacks(), ["numpy.sort: computed by NumPy (it is not ours)"])
        (warning,) = [item for item in self.warnings if item.category is RefrainFallbackWarning]
        self.assertEqual(warning.filename, __file__)

    def test_calls_are_counted_by_line(self):
        before = refrain.statistics()["fallbacks"]
        a = np.array([3.0, 1.0])
        numpys_sort(a), numpys_sort(a)
        self.assertEqual(refrain.statistics()["fallbacks"], before + 2)

    def test_numpy_writes_into_our_memory(self):
        a = np.zeros(5)
        view = a[1:4]
        real.asarray(view)[:] = 7
        a += 1
        self.assertEqual(a.tolist(), [1, 8, 8, 8, 1])
        np.put(a, [0], 3)
        self.assertEqual(a[0], 3)

    def test_memory_of_numpy_is_shared_both_ways(self):
        outside = real.zeros(4)
        a = np.asarray(outside)
        a += 2
        self.assertEqual(outside.tolist(), [2, 2, 2, 2])
        outside[0] = 9
        self.assertEqual(float(a[0]), 9)

    def test_draws_of_random_generators_are_numpys_numbers_in_our_arrays(self):
        ours, theirs = np.random.default_rng(7), real.random.default_rng(7)
        self.assertIsInstance(ours, np.random.Generator)
        for draw in ("random", "standard_normal"):
            mine, expected = getattr(ours, draw)(5), getattr(theirs, draw)(5)
            self.assertIs(type(mine), _core.ndarray)
            self.assertEqual(mine.tolist(), expected.tolist())
        a = np.arange(5)
        ours.shuffle(a)
        expected = real.arange(5)
        theirs.shuffle(expected)
        self.assertEqual(a.tolist(), expected.tolist())

    def test_nobody_else_sees_the_memory_of_a_result(self):
        for make in (lambda: np.sort(np.ones(200000)), lambda: np.random.rand(200000), lambda: np.array([1.0] * 200000)):
            a = make()
            exported = memoryview(a)
            del exported
            before = refrain.statistics()["immediate"]
            a * 2.0
            self.assertEqual(refrain.statistics()["immediate"], before, "a large operation is handed over")

    def test_types_that_we_do_not_compute_with_stay_numpys(self):
        for dtype in ("float16", "longdouble", "datetime64[s]", "U3", object):
            self.assertIs(type(np.zeros(3, dtype=dtype)), real.ndarray, dtype)
            self.assertIsInstance(np.zeros(3, dtype=dtype), np.ndarray)
        self.assertEqual(self.fallbacks(), [])

    def test_functions_of_numpy_given_our_arrays_work(self):
        a = np.arange(6.0).reshape(2, 3)
        self.assertIs(type(real.roll(a, 1)), _core.ndarray)
        self.assertIs(type(real.add(a, 1)), _core.ndarray)
        self.assertEqual(float(real.sum(a)), 15.0)
        self.assertEqual(real.asarray(a).tolist(), a.tolist())
        self.assertEqual(self.fallbacks(), [])

    def test_input_and_output_do_not_warn(self):
        import io

        file = io.BytesIO()
        np.save(file, np.arange(3))
        file.seek(0)
        self.assertEqual(np.load(file).tolist(), [0, 1, 2])
        str(np.arange(3))
        self.assertEqual(self.fallbacks(), [])

    def test_masks_are_written_without_numpy(self):
        a = np.arange(6.0)
        a[a > 2] = -1
        self.assertEqual(a.tolist(), [0, 1, 2, -1, -1, -1])
        self.assertEqual(self.fallbacks(), [])

    def test_a_product_of_vectors_waits_for_nothing(self):
        p = np.ones(50)
        before = refrain.statistics()["fallbacks"]
        alpha = (p @ p) / p.dot(p)
        self.assertEqual(refrain.statistics()["fallbacks"], before)
        self.assertEqual(float(alpha), 1.0)

    def test_numpys_attributes_are_there(self):
        a = np.arange(6.0).reshape(2, 3)
        self.assertTrue(a.flags.c_contiguous and a.T.flags.f_contiguous and not a.T.flags["C_CONTIGUOUS"])
        self.assertEqual([float(x) for x in a.flat], [0, 1, 2, 3, 4, 5])
        with self.assertRaisesRegex(AttributeError, "'numpy.ndarray' object has no attribute 'no_such'"):
            a.no_such


if __name__ == "__main__":
    unittest.main()
