"""Tasks of one's own in C, from Python."""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as real

import refrain
import refrain.numpy as np
from support import run, same_bits

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = refrain.get_include()
SCALE = """
#include <refrain/task.h>
void scale(const refrain_task_view* views, int32_t view_count, const int64_t* numbers, int32_t number_count) {
    if (view_count != 2 || number_count != 1 || views[0].kind != 'f' || views[1].item_bytes != 8) return;
    for (int64_t i = 0; i < views[0].shape[0]; ++i)
        *(double*)((char*)views[0].address + i * views[0].strides[0]) =
            numbers[0] * *(const double*)((const char*)views[1].address + i * views[1].strides[0]);
}
"""


@unittest.skipIf(shutil.which("cc") is None, "there is no C compiler")
class Tasks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        kept = tempfile.TemporaryDirectory()
        cls.addClassCleanup(kept.cleanup)
        cls.folder = kept.name
        cls.function = ctypes.CDLL(compiled(cls.folder, SCALE, "scale.so")).scale

    def test_a_function_of_c_runs_after_what_wrote_its_arrays(self):
        scale = refrain.Task(self.function)
        self.assertEqual(repr(scale), "<refrain.Task 'scale'>")
        for n in (7, 300_000):
            x = np.arange(2.0 * n)
            y = np.zeros(n)
            scale([y], [x[::2] + 1], numbers=[3])
            scale([y[::-1]], [y + 0], numbers=[2])
            self.assertEqual((y - 0).tolist(), (6 * (real.arange(2.0 * n)[::2] + 1))[::-1].tolist())

    def test_a_tiled_one_is_called_for_each_tile(self):
        for n in (7, 300_000):
            x, y = np.arange(float(n)), np.zeros(n)
            refrain.Task(self.function, tiled=True)([y], [x], numbers=[3])
            self.assertEqual(y.tolist(), (3 * real.arange(float(n))).tolist())

    def test_pending_scalars_are_arguments_that_nobody_waits_for(self):
        scale, library = refrain.Task(self.function), compiled(self.folder, """#include <refrain/task.h>
        void divide(const refrain_task_view* views, int32_t view_count, const int64_t* numbers, int32_t number_count) {
            const double by = *(const double*)views[2].address;
            if (views[2].rank != 0) return;
            for (int64_t i = 0; i < views[0].shape[0]; ++i)
                *(double*)((char*)views[0].address + i * views[0].strides[0]) =
                    *(const double*)((const char*)views[1].address + i * views[1].strides[0]) / by;
            (void)view_count, (void)numbers, (void)number_count;
        }""", "divide.so")
        for tiled in (False, True):
            divide = refrain.Task(ctypes.CDLL(library).divide, tiled=tiled)
            for n in (7, 300_000):  # the sum is known, or pending
                x, y, z = np.arange(float(n)) + 1, np.zeros(n), np.zeros(n)
                count = (x > 3).sum()
                before = refrain.statistics()["waits"]
                divide([y], [x, x.sum()])
                scale([z], [x], numbers=[count])
                self.assertEqual(refrain.statistics()["waits"], before)
                values = real.arange(float(n)) + 1
                self.assertTrue(same_bits(y, values / values.sum()))
                self.assertTrue(same_bits(z, values * (n - 3)))
        with self.assertRaisesRegex(TypeError, r"numbers\[0\] of a task is of type float64, not an integer; a task reads it by read="):
            scale([z], [x], numbers=[x.sum()])
        with self.assertRaisesRegex(TypeError, r"written\[0\] is a scalar, not an array"):
            scale([x.sum()], [x], numbers=[1])

    def test_a_number_that_waits_for_an_earlier_one_leaves_it_valid(self):
        scale, n = refrain.Task(self.function), 300_000
        x, y = np.ones(n), np.zeros(n)
        count = (np.arange(float(n)) > 3).sum()

        class Waits:
            def __index__(self):
                return int(count)

        scale([y], [x], numbers=[count, Waits()])  # scale() wants one number, and returns
        self.assertEqual(float(y.sum()), 0.0)

    def test_a_known_number_beyond_int64_is_refused(self):
        scale, x, y = refrain.Task(self.function), np.ones(3), np.zeros(3)
        large = np.array([3, 2**63], dtype="uint64")
        scale([y], [x], numbers=[large[0]])
        self.assertEqual(y.tolist(), [3.0] * 3)
        with self.assertRaises(OverflowError):
            scale([y], [x], numbers=[large[1]])
        many = np.full(300_000, 2**45, dtype="uint64")  # sums of so many are pending
        scale([y], [x], numbers=[(many > 0).astype("uint64").sum()])
        self.assertEqual(y.tolist(), [300_000.0] * 3)
        with self.assertRaises(OverflowError):
            scale([y], [x], numbers=[many.sum()])

    def test_bad_arguments_are_named(self):
        scale, x, y = refrain.Task(self.function), np.ones(3), np.zeros(3)
        tiled = refrain.Task(self.function, tiled=True)
        locked = np.zeros(3)
        locked.flags.writeable = False
        for error, words, call in (
            (TypeError, r"'scale': read\[0\] is a list, not an array of refrain", lambda: scale([y], [[1.0]])),
            (TypeError, r"'scale': written\[0\] is a ndarray, not", lambda: scale([real.zeros(3)], [x])),
            (ValueError, "'scale' writes nothing", lambda: scale(read=[x])),
            (ValueError, r"read\[0\] has the shape \(2,\), but the first array \(3,\)", lambda: tiled([y], [x[:2]])),
            (ValueError, "read-only", lambda: scale([locked], [x])),
            (TypeError, "not str", lambda: refrain.Task("scale")),
            (ValueError, "not 0", lambda: refrain.Task(0)),
        ):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                call()


EXAMPLE = os.path.join(HERE, "..", "examples", "tasks")


def compiled(folder, source, name="plugin.so"):
    library = os.path.join(folder, name)
    subprocess.run(["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", f"-I{INCLUDE}", "-x", "c", "-", "-o", library],
                   input=source, text=True, check=True)
    return library


@unittest.skipIf(shutil.which("cc") is None, "there is no C compiler")
class Plugins(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        with open(os.path.join(EXAMPLE, "particles.c")) as file:
            cls.tasks = refrain.plugin(compiled(cls.folder.name, file.read(), "particles.so"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_its_tasks_are_attributes(self):
        self.assertEqual([task.name for task in self.tasks], ["deposit", "smooth", "coarsen", "gather"])
        self.assertIn("gather", dir(self.tasks))
        self.assertEqual(self.tasks.gather.__doc__, "written forces, read cells and grid")
        with self.assertRaisesRegex(AttributeError, "has no task 'spread'; it has: deposit, smooth, coarsen, gather"):
            self.tasks.spread

    def test_each_constraint_gives_tiles_what_they_need(self):
        for n, cells in ((1000, 64), (700_000, 400_000)):  # computed at once; several tiles
            with self.subTest(n=n):
                where = real.random.default_rng(n).integers(0, cells, n)
                where.sort()  # so that a tile's image is a part of the grid
                density = real.bincount(where, minlength=cells).astype(float)
                padded = real.concatenate((density[:1], density, density[-1:]))
                smooth = (padded[:-2] + padded[1:-1] + padded[2:]) / 3
                particles, grid = np.array(where), np.zeros(cells)
                smoothed, coarse, forces = np.empty(cells), np.empty(cells // 2), np.empty(n)
                self.tasks.deposit(read=[particles], reduced=[grid])
                self.tasks.smooth([smoothed], [grid], numbers=[cells])
                self.tasks.coarsen([coarse], [grid])
                self.tasks.gather([forces], [particles, smoothed])
                for name, found, expected in (("grid", grid, density), ("smoothed", smoothed, smooth),
                                              ("coarse", coarse, density.reshape(-1, 2).sum(axis=1)),
                                              ("forces", forces, smooth[where])):
                    self.assertTrue(same_bits(found, expected), name)

    def test_the_example_runs(self):
        library = os.path.join(self.folder.name, "particles.so")
        ended = run([sys.executable, os.path.join(EXAMPLE, "particles.py"), library])
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("1000000 particles", ended.stdout)

    def test_views_are_reduced_in_place(self):
        kept = np.full(20, 7.0)
        self.tasks.deposit(read=[np.array([0, 2, 2, 9])], reduced=[kept[::2]])
        expected = real.full(20, 7.0)
        expected[[0, 4, 18]] += [1, 2, 1]
        self.assertEqual(kept.tolist(), expected.tolist())

    def test_tasks_of_ctypes_have_constraints_and_folds_too(self):
        most = """#include <refrain/task.h>
        void most(const refrain_task_view* views, int32_t view_count, const int64_t* numbers, int32_t number_count) {
            double* greatest = views[1].address;
            for (int64_t i = 0; i < views[0].shape[0]; ++i) {
                const double x = *(const double*)((const char*)views[0].address + i * views[0].strides[0]);
                if (x > *greatest) *greatest = x;
            }
            (void)view_count, (void)numbers, (void)number_count;
        }"""
        function = ctypes.CDLL(compiled(self.folder.name, most, "most.so")).most
        task = refrain.Task(function, constraints=[refrain.broadcast(1)], fold="maximum")
        for n in (9, 600_000):
            values = real.random.default_rng(n).random(n)
            greatest = np.full(1, -1.0)
            task(read=[np.array(values)], reduced=[greatest])
            self.assertEqual(greatest.tolist(), [values.max()])

    def test_what_is_no_plug_in_is_refused(self):
        table = "#include <refrain/task.h>\n"
        body = "static void f(const refrain_task_view* v, int32_t n, const int64_t* m, int32_t k) { (void)v, (void)n, (void)m, (void)k; }"
        for words, source in (
            ("is no plug-in: it does not define refrain_tasks", "int nothing;"),
            ("made for version 7 of plug-ins, but this is version 1", table + "const refrain_plugin refrain_tasks = {7, 0, 0};"),
            ("has a task without a body", table + 'static const refrain_task t[] = {{"a", 0, 0, 0, 0, 0}};'
                                                  "const refrain_plugin refrain_tasks = {1, 1, t};"),
            ("two tasks of the name 'a'", table + body + 'static const refrain_task t[] = {{"a", f, 0, 0, 0, 0}, {"a", f, 0, 0, 0, 0}};'
                                          "const refrain_plugin refrain_tasks = {1, 2, t};"),
            ("constraint 0 of 'a' has the relation 9", table + body + "static const refrain_constraint c[] = {{.relation = 9}};"
             'static const refrain_task t[] = {{"a", f, 0, c, 1, 0}}; const refrain_plugin refrain_tasks = {1, 1, t};'),
            ("the fold 'xor' is none of add, multiply, minimum, maximum", table + body +
             'static const refrain_task t[] = {{"a", f, 0, 0, 0, "xor"}}; const refrain_plugin refrain_tasks = {1, 1, t};'),
        ):
            with self.subTest(words), tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(ValueError, words):
                refrain.plugin(compiled(folder, source))
        with self.assertRaises(OSError):
            refrain.plugin("/nowhere/plugin.so")

    def test_bad_constraints_are_named(self):
        function = self.tasks.smooth._address
        x, y = np.zeros(400_000), np.zeros(400_001)
        line = sys._getframe().f_lineno + 1
        other_shape = refrain.Task(function, "smooth", constraints=[refrain.align(0, 1)])
        for error, words, call in (
            (ValueError, rf"align\('argument 0' of shape \(400000,\), 'argument 1' of shape \(400001,\)\) in line {line}: "
                         "aligned arguments have equal shapes", lambda: other_shape([x], [y])),
            (ValueError, "names an argument that it does not have",
             lambda: refrain.Task(function, constraints=[refrain.bloat(0, 5, 1)])([x])),
            (ValueError, "needs a number per dimension",
             lambda: refrain.Task(function, constraints=[refrain.bloat(0, 1, (1, 1))])([x], [y])),
            (ValueError, "writes argument 1, but the constraints do not put each of its elements into one tile",
             lambda: refrain.Task(function, constraints=[refrain.bloat(0, 1, 1)])([x, y])),
            (TypeError, "a constraint is made by refrain.align, broadcast, scale, bloat or image, not 'align'",
             lambda: refrain.Task(function, constraints=["align"])),
            (ValueError, "the fold 'xor' is none of add, multiply, minimum, maximum", lambda: refrain.Task(function, fold="xor")),
            (ValueError, r"has the folds \('add',\), but 2 reduced arrays",
             lambda: refrain.Task(function, fold=["add"])(reduced=[x, y])),
            (TypeError, "argument 0 of type complex128 cannot be reduced by maximum",
             lambda: refrain.Task(function, fold="maximum")(reduced=[np.zeros(3, complex)])),
        ):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                call()


if __name__ == "__main__":
    unittest.main()
