"""Tasks of one's own in C, from Python."""

import ctypes
import os
import shutil
import subprocess
import tempfile
import unittest

import numpy as real

import refrain
import refrain.numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(HERE, "..", "..", "array", "include")
SCALE = """
#include <refrain/task.h>
void scale(const refrain_task_view* views, int32_t view_count, const int64_t* numbers, int32_t number_count) {
    if (view_count != 2 || number_count != 1 || views[0].kind != 'f' || views[1].item_bytes != 8) return;
    for (int64_t i = 0; i < views[0].shape[0]; ++i)
        *(double*)((char*)views[0].address + i * views[0].strides[0]) =
            numbers[0] * *(const double*)((const char*)views[1].address + i * views[1].strides[0]);
}
"""


@unittest.skipIf(shutil.which("cc") is None or not os.path.isdir(INCLUDE), "there is no C compiler, or no refrain/task.h")
class Tasks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            library = os.path.join(folder, "scale.so")
            subprocess.run(["cc", "-O1", "-shared", "-fPIC", f"-I{INCLUDE}", "-x", "c", "-", "-o", library],
                           input=SCALE, text=True, check=True)
            cls.function = ctypes.CDLL(library).scale

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


if __name__ == "__main__":
    unittest.main()
