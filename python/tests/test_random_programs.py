"""A few random programs in each mode; tools/fuzz --arrays runs them for as long as wanted."""

import argparse
import os
import subprocess
import sys
import unittest
import warnings
from unittest import mock

import numpy as real

import random_programs
from support import Program, environment, run_plain

# Programs of these seeds are known to agree; fresh ones are for tools/fuzz.
FIRST_SEED, PROGRAMS = 5000, 12


class RandomPrograms(unittest.TestCase):
    def run_mode(self, mode):
        ended = subprocess.run([sys.executable, random_programs.__file__, "--mode", mode, "--seed", str(FIRST_SEED), "--count",
                                str(PROGRAMS)], env=environment(), capture_output=True, text=True, timeout=580)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        self.assertIn(f"{PROGRAMS} programs; no difference", ended.stdout)


def _add(mode):
    def test(self):
        self.run_mode(mode)

    setattr(RandomPrograms, f"test_programs_give_the_values_of_numpy_in_mode_{mode.replace('-', '_')}", test)


for _mode in random_programs.MODES:
    _add(_mode)


class Fuzzer(unittest.TestCase):
    """The fuzzer finds what is wrong, and shrinks it."""

    def test_a_module_that_adds_wrongly_is_found_and_the_program_shrunk(self):
        class Wrong:
            def __getattr__(self, name):
                return getattr(real, name)

            @staticmethod
            def linspace(*arguments):
                return real.nextafter(real.linspace(*arguments), 9)

        lines = ["a1 = np.zeros(3)", "a2 = np.linspace(0, 1, 4)", "a3 = a1 + 1", "a4 = a2 * 2", "record(a4)"]
        found = random_programs.check(lines, Wrong())
        self.assertIn("line 4", found)
        shrunk = random_programs.shrink(lines, lambda candidate: random_programs.check(candidate, Wrong()))
        self.assertEqual(shrunk, ["a2 = np.linspace(0, 1, 4)"])

    def test_exceptions_that_differ_are_found(self):
        class Wrong:
            def __getattr__(self, name):
                return getattr(real, name)

            @staticmethod
            def reshape(*arguments):
                raise TypeError

        self.assertTrue(random_programs.check(["np.reshape(np.zeros(3), 2)"], Wrong()))
        self.assertFalse(random_programs.check(["np.reshape(np.zeros(3), 2)"], real))

    def test_a_program_that_hangs_ends_and_says_where(self):
        text = """
            import random_programs as programs, numpy
            programs.PATIENCE = 1
            programs.check_with_patience(["while True: pass"], numpy)
        """
        with Program(text) as path:
            ended = run_plain(path, PYTHONPATH=os.path.dirname(random_programs.__file__))
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertIn("Timeout", ended.stderr)
        self.assertIn("in check_with_patience", ended.stderr)

    def test_a_process_that_complains_at_length_fails_with_the_seed_it_came_to(self):
        def start(mode, arguments, errors=subprocess.PIPE):
            text = """import sys; print('{"seed": 7}', flush=True); sys.exit(100000 * "complaint ")"""
            return subprocess.Popen([sys.executable, "-c", text], text=True, stdout=subprocess.PIPE, stderr=errors)

        options = argparse.Namespace(seed=5, count=9, no_shrink=True)
        with mock.patch.object(random_programs, "start", start):
            programs, (failure,) = random_programs.fuzz_mode("two", options, 10)
        self.assertEqual((programs, failure["seed"]), (1, 7))
        self.assertIn("ends with status 1: ", failure["found"])
        self.assertIn("complaint complaint", failure["found"])

    def test_of_a_sanitizers_report_the_beginning_is_told(self):
        map_of_memory = 100 * "  0x0c067fff8000: fa fa 00 00 00 fa\n"
        for report in ("==7==ERROR: AddressSanitizer: heap-use-after-free\n    #0 f\n", "a.cpp:1:2: runtime error: overflow\n"):
            told = random_programs.essence("a warning\n" + report + map_of_memory)
            self.assertEqual(told[:len(report)], report)
        self.assertEqual(random_programs.essence(1000 * "x" + "the end")[-7:], "the end")

    @unittest.skipIf(real.lib.NumpyVersion(real.__version__) < "1.24.0", "this NumPy does not say so")
    def test_no_program_makes_an_integer_of_what_is_none(self):
        """The processes of two compilers, and NumPy's loops over 3 and over 8 elements, made different ones of it."""
        generator = random_programs.Generator(1)
        generator.add("a1 = np.full(8, 1e300)")
        generator.add("a2 = np.zeros(8, 'uint64')")
        for line in ("a3 = np.full((3, 1), 1e300, 'uint64')", "a2[:] = a1", "a2[[0, 1]] = a1[:2]", "a2[a1 > 0] = a1",
                     "np.add(a1, 1, out=a2, casting='unsafe')", "record(a1.sum(dtype='int64'))", "record(a1.cumsum(dtype='int64'))"):
            generator.add(line)
            self.assertEqual(len(generator.lines), 2, line)
            self.assertEqual(generator.value("a2").tolist(), 8 * [0], line)
        for line in ("a2[:] = a1 - a1", "a2[:] = 300.5", "record(a1 - np.inf)", "record((a1 * a1) - (a1 * a1))", "a4 = np.full(3, 1e300, 'float32')"):
            generator.add(line)
            self.assertEqual(generator.lines.pop(), line)
        generator = random_programs.Generator(6020927000)  # it did so in its third line
        lines = generator.program()
        generator.run = random_programs.Run(real)
        for number, line in enumerate(lines):
            generator.run.step(number, line, invalid="warn")
            self.assertFalse(generator.has_converted_what_has_no_integer(line), line)

    def test_numpy_agrees_with_itself(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for seed in range(30):
                self.assertEqual(random_programs.check(random_programs.generate(seed), real), "", f"seed {seed}")


if __name__ == "__main__":
    unittest.main()
