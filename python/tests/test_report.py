"""The report says by line what was ours, what NumPy computed and what was waited for."""

import json
import os
import sys
import tempfile
import unittest

from support import Program, run

PROGRAM = """\
import numpy as np
a = np.ones((600, 600))
for _ in range(10):
    a[1:-1] += a[:-2] * 0.5
b = a.byteswap()
print(float(a.sum()))
raise SystemExit(3)
"""


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with Program(PROGRAM) as path, tempfile.TemporaryDirectory() as folder:
            cls.path, file = path, os.path.join(folder, "report.json")
            cls.ended = run([sys.executable, "-m", "refrain.report", "--json", file, path])
            with open(file) as stream:
                cls.found = json.load(stream)
        cls.lines = {entry["line"]: entry for entry in cls.found["lines"] if entry["file"] == path}

    def test_the_program_ran_and_its_status_is_kept(self):
        self.assertEqual(self.ended.returncode, 3)
        self.assertTrue(self.ended.stdout.strip())

    def test_operations_are_counted_by_line(self):
        self.assertEqual(self.lines[4]["operations"], 20)
        self.assertEqual(self.lines[4]["waits"], 0)

    def test_a_value_that_is_read_is_a_wait_of_its_line(self):
        self.assertEqual(self.lines[6]["waits"], 1)

    def test_a_call_that_numpy_computed_is_named_with_its_reason(self):
        self.assertEqual(self.lines[5]["by_numpy"], {"ndarray.byteswap": {"calls": 1, "reason": "the method is not ours"}})
        self.assertIn(f"{self.path}:5  numpy.ndarray.byteswap", self.ended.stderr)

    def test_totals_are_the_sums_of_the_lines(self):
        totals = self.found["totals"]
        self.assertEqual(totals["operations"], sum(entry["operations"] for entry in self.found["lines"]))
        self.assertEqual(totals["by_numpy"], 1)

    def test_why_not_traced_names_lines_if_it_is_asked_for(self):
        program = """\
            import numpy as np
            import refrain
            a = np.ones((600, 600))
            for _ in range(10):
                a[1:-1] += a[:-2] * 0.5
            print("\\n".join(refrain.why_not_traced()))
        """
        with Program(program) as path:
            told = run([sys.executable, "-m", "refrain", "--refrain:explain", path])
            self.assertRegex(told.stdout, r"'multiply' \(program.py:5\): \d+ of 10 operations replayed")
            self.assertIn("--refrain:explain", run([sys.executable, "-m", "refrain", path]).stderr)


if __name__ == "__main__":
    unittest.main()
