"""Warnings and errors about values, and failed tasks: NumPy's types and words, with the line that issued the operation."""

import json
import os
import sys
import unittest
import warnings

import numpy as real

import refrain
import refrain.numpy as np
from refrain import _core
from support import Program, environment, run

HERE = os.path.dirname(os.path.abspath(__file__))

# Each is evaluated by NumPy and here, with a and b as below; what is warned of must be the same.
EXPRESSIONS = """
1 / a
a * 1e10
np.log(a)
np.sqrt(a)
a // 0
i // 0
i % 0
(a * 1.5).sum()
np.array([1e308, 1e308]).mean()
np.multiply.accumulate(a * 2)
np.float64(1) / np.float64(0)
b.sum() / (b.sum() - b.sum())
b.max() * 1e308 * 1e10
a.astype(np.float32)
np.array([np.nan]).astype(int)
a ** 0.5
a ** -1
a ** 1e5
np.exp(a)
a[1] / a[0]
a - np.inf * b
f.__setitem__(0, 1e300)
f.__setitem__(slice(None), 1e300)
f.fill(1e300)
np.maximum(a, np.nan)
a == np.nan
np.add(a, a, where=a < 0)
np.divide(1, a, out=b * 1)
""".strip().split("\n")


def outcome(module, text, **settings):
    """What evaluating warns of, or raises."""
    names = {"np": module, "a": module.array([0.0, 1.0, 1e308, -1.0]), "b": module.array([0.0, 3.0, 0.5, 2.0]),
             "i": module.array([0, 1, 2]), "f": module.zeros(3, dtype="float32")}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with module.errstate(**settings):
                eval(text, names)
        except Exception as error:
            return type(error).__name__, str(error)
    return sorted(str(warning.message) for warning in caught if warning.category is RuntimeWarning)


class Values(unittest.TestCase):
    def test_the_same_is_warned_of_as_by_numpy(self):
        for text in EXPRESSIONS:
            self.assertEqual(outcome(np, text), outcome(real, text), text)

    def test_errstate_raises_what_numpy_raises_in_the_call_itself(self):
        for text in EXPRESSIONS:
            self.assertEqual(outcome(np, text, all="raise"), outcome(real, text, all="raise"), text)

    def test_errstate_ignores(self):
        for text in EXPRESSIONS:
            self.assertEqual(outcome(np, text, all="ignore"), outcome(real, text, all="ignore"), text)

    def test_callbacks_and_logs_get_what_numpys_get(self):
        class Log(list):
            write = list.append

        heard = []
        for module in (real, np):
            calls, log = [], Log()
            a = module.array([0.0, 1e308])
            with module.errstate(all="call", call=lambda *what: calls.append(what)):
                1 / a
                a * 10
            with module.errstate(all="log", call=log):
                1 / a
            heard.append((calls, list(log)))
        self.assertEqual(heard[1], heard[0])

    def test_settings_are_of_each_thread(self):
        import threading

        found = []
        with np.errstate(divide="ignore"):
            thread = threading.Thread(target=lambda: found.append(outcome(np, "1 / a")))
            thread.start()
            thread.join()
        self.assertEqual(found, [["divide by zero encountered in divide"]])

    def test_a_warning_names_the_line_of_the_operation_not_that_of_the_wait(self):
        with Program("""
            import warnings
            import refrain.numpy as np
            a = np.zeros(200000)
            b = 1 / a     # line 5
            c = b + 1
            print(float(c[0]))
        """) as path:
            ended = run([sys.executable, path])
        self.assertEqual(ended.stdout, "inf\n")
        self.assertIn(f"{path}:5: RuntimeWarning: divide by zero encountered in divide", ended.stderr)

    def test_a_line_in_a_loop_warns_once_and_each_line_for_itself(self):
        with Program("""
            import refrain.numpy as np
            a = np.zeros(200000)
            for i in range(5):
                b = 1 / a
                c = np.log(a)
            refrain_waits = float(b[0]) + float(c[0])
        """) as path:
            ended = run([sys.executable, path])
        self.assertEqual(ended.stderr.count("RuntimeWarning"), 2, ended.stderr)

    def test_filters_that_hold_when_the_operation_is_issued_count(self):
        a = np.zeros(200000)
        with warnings.catch_warnings(record=True) as outer:
            warnings.simplefilter("always")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                b = 1 / a
            float(b[0])
        self.assertEqual([str(warning.message) for warning in outer], [])

    def test_a_warning_that_is_an_error_comes_at_the_wait_and_leaves_the_array_usable(self):
        a = np.zeros(200000)
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            b = 1 / a
            with self.assertRaisesRegex(RuntimeWarning, "divide by zero encountered in divide"):
                float(b[0])
        self.assertEqual(float(b[0]), float("inf"))

    def test_errors_now_makes_each_call_wait(self):
        self.assertEqual(refrain.errors("now"), "later")
        try:
            a = np.zeros(200000)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                1 / a
                self.assertEqual([str(warning.message) for warning in caught], ["divide by zero encountered in divide"])
        finally:
            self.assertEqual(refrain.errors("later"), "now")
        with self.assertRaisesRegex(ValueError, "'now' or 'later', not 'soon'"):
            refrain.errors("soon")


class FailedTasks(unittest.TestCase):
    def test_each_names_the_line_that_launched_it(self):
        ended = run([sys.executable, os.path.join(HERE, "failures.py")])
        self.assertEqual(ended.returncode, 0, ended.stderr)
        found = json.loads(ended.stdout)
        self.assertEqual(found["not_named"], [])
        self.assertGreaterEqual(found["named"], 20)

    def test_it_is_a_runtime_error_at_the_next_wait(self):
        with Program("""
            from refrain import _core
            _core.tune(at_once_bytes=0)
            import refrain.numpy as np
            a = np.ones(10)
            float(a[0])
            _core.fail_operation(1)
            b = a + 1   # line 8
            print("goes on")
            try:
                float(b[0])
            except RuntimeError as error:
                print(error)
            print(float(a[0]))
        """) as path:
            ended = run([sys.executable, path])
        self.assertEqual(ended.stdout.splitlines()[0], "goes on", ended.stderr)
        self.assertIn("task 'add' (program.py:8) failed: a failure that was asked for", ended.stdout)
        self.assertEqual(ended.stdout.splitlines()[-1], "1.0", ended.stderr)

    @unittest.skipIf("asan" in os.environ.get("LD_PRELOAD", ""), "the address sanitizer needs more addresses than the limit")
    def test_memory_that_runs_out_is_a_memory_error_that_names_array_bytes_and_line(self):
        with Program("""
            import resource
            import refrain.numpy as np
            small = np.ones(100_000)
            total = small.sum()
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
            try:
                large = np.zeros(1 << 40) + 1   # line 8
                float(large[0])
            except MemoryError as error:
                print(error)
            print(float(total), float((small + 1).sum()))
        """) as path:
            ended = run([sys.executable, path])
        self.assertRegex(ended.stdout, r"program\.py:8\) failed: no memory for region\d+ 'array of shape \(1099511627776,\) and "
                                       "type float64' of 8796093022208 bytes", ended.stderr)
        self.assertEqual(ended.stdout.splitlines()[-1], "100000.0 200000.0", ended.stderr)

    @unittest.skipIf("asan" in os.environ.get("LD_PRELOAD", ""), "an allocation that fails ends a program under the address sanitizer")
    def test_arrays_that_have_gone_leave_their_memory_to_those_that_need_it(self):
        with Program("""
            import resource
            import refrain.numpy as np
            def used():
                with open("/proc/self/statm") as file:
                    return int(file.read().split()[0]) * resource.getpagesize()
            n = 1 << 25                                  # 256 MiB each
            np.ones(1000).sum()
            # Room for seven of the twelve arrays, whose blocks are 320 MiB: those of an earlier turn may still be in use, by
            # the tiles that do not hold the element that is read.
            room = used() + 7 * (5 << 26)
            resource.setrlimit(resource.RLIMIT_AS, (room, room))
            for extra in range(6):                       # each of another shape: no region serves the next
                a = np.ones(n + extra)
                b = a + 1
                print(float(b[-1]))
                del a, b
        """) as path:
            ended = run([sys.executable, path])
        self.assertEqual(ended.stdout, "2.0\n" * 6, ended.stderr)


if __name__ == "__main__":
    unittest.main()
