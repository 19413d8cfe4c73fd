"""refrain python: arguments, exit status, tracebacks and imports are python3's; numpy is ours in the program's files."""

import os
import signal
import subprocess
import sys
import time
import unittest

from support import Program, environment, run, run_here, run_plain

BIN = os.environ.get("TESTED_BIN", "")


class Runner(unittest.TestCase):
    def both(self, text, *arguments, **others):
        with Program(text, **others) as path:
            return run_plain(path, *arguments), run_here(path, *arguments)

    def assert_same(self, text, *arguments, **others):
        plain, here = self.both(text, *arguments, **others)
        self.assertEqual((plain.returncode, plain.stdout, plain.stderr), (here.returncode, here.stdout, here.stderr))
        return here

    def test_arguments_and_names_are_those_of_python3(self):
        self.assert_same("import sys; print(sys.argv, __name__, __file__, sys.path[0])", "one", "--two", "-m")

    def test_options_of_the_runtime_are_not_the_programs(self):
        with Program("import sys, os; print(sys.argv[1:], os.environ['REFRAIN_WORKERS'])") as path:
            self.assertEqual(run_here("--refrain:workers=3", path, "a", "--refrain:log-level=off").stdout, "['a'] 3\n")

    def test_the_exit_status_is_the_programs(self):
        for ending in ("sys.exit(7)", "sys.exit('text')", "sys.exit()", "raise SystemExit(3)"):
            self.assert_same(f"import sys\n{ending}")

    def test_a_traceback_shows_the_programs_frames_only(self):
        self.assert_same("""
            def inner(x):
                return x / 0
            try:
                inner(1)
            except ZeroDivisionError as error:
                raise ValueError("outer") from error
            """)

    def test_a_syntax_error_reads_as_in_python3(self):
        self.assert_same("x = = 3")

    def test_an_import_error_reads_as_in_python3(self):
        self.assert_same("import numpy.no_such_module")
        self.assert_same("import helper", helper="import no_such_module_at_all")

    def test_a_name_that_numpy_does_not_have_reads_as_in_numpy(self):
        plain, here = self.both("import numpy as np; np.no_such_name")
        self.assertEqual((plain.returncode, plain.stderr.splitlines()[-1]), (here.returncode, here.stderr.splitlines()[-1]))

    def test_a_program_that_does_not_exist_is_named(self):
        ended = run_here("/nowhere/program.py")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("/nowhere/program.py", ended.stderr)

    def test_unknown_options_are_refused_with_the_way_to_help(self):
        ended = run_here("--everywher", "x.py")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("unknown option '--everywher'", ended.stderr)
        self.assertIn("--help", ended.stderr)

    def test_the_programs_own_modules_get_our_arrays_and_libraries_get_numpys(self):
        here = self.both("""
            import numpy as np
            import helper
            from numpy import linalg, zeros
            import numpy.linalg as la
            from numpy.linalg import norm
            import numpy.testing, fractions
            import numpy.lib.recfunctions
            ours = type(np.zeros(2))
            print(ours is not np.ndarray, helper.kind is ours, type(zeros(2)) is ours, la is linalg, norm is la.norm)
            print(isinstance(np.zeros(2), np.ndarray))
            """, helper="import numpy\nkind = type(numpy.ones(3))")[1]
        self.assertEqual(here.stderr, "")
        self.assertEqual(here.stdout.splitlines()[0].split(), ["True"] * 5)
        self.assertEqual(here.stdout.splitlines()[1], "True")

    def test_a_library_gets_numpy_unless_everything_is_asked_for(self):
        text = "import sys; sys.path.insert(0, sys.argv[1]); import library; print(library.ours)"
        library = "import numpy\nours = type(numpy.zeros(2)) is not numpy.ndarray"
        with Program(text) as path:
            folder = os.path.join(os.path.dirname(path), "site-packages")
            os.mkdir(folder)
            with open(os.path.join(folder, "library.py"), "w") as file:
                file.write(library)
            self.assertEqual(run_here(path, folder).stdout, "False\n")
            self.assertEqual(run_here("--everywhere", path, folder).stdout, "True\n")

    def test_star_imports_bind_our_functions(self):
        with Program("from numpy import *\nprint(type(zeros(3)) is not ndarray, float(sum(ones(4))), pi)") as path:
            self.assertEqual(run_here(path).stdout, "True 4.0 3.141592653589793\n")

    def test_modules_code_and_standard_input_can_be_run(self):
        with Program("import numpy, sys; print(sys.argv[1:], type(numpy.ones(1)) is not numpy.ndarray)", name="tool.py") as path:
            folder = os.path.dirname(path)
            self.assertEqual(run_here("-m", "tool", "x", cwd=folder).stdout, "['x'] True\n")
        code = "import numpy; print(type(numpy.ones(1)) is not numpy.ndarray)"
        self.assertEqual(run_here("-c", code).stdout, "True\n")
        self.assertEqual(run_here("-", input=code).stdout, "True\n")

    def test_work_that_is_pending_at_the_end_is_no_trouble(self):
        here = self.both("""
            import numpy as np
            a = np.ones(400000)
            for _ in range(20):
                a = a * 1.5 + a
            """)[1]
        self.assertEqual((here.returncode, here.stderr), (0, ""))

    def test_an_interrupt_ends_the_program_as_in_python3(self):
        with Program("import numpy as np\na = np.zeros(1000000)\nprint('on', flush=True)\nwhile True:\n    a += 1") as path:
            process = subprocess.Popen([sys.executable, "-m", "refrain", path], env=environment(), stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
            self.assertEqual(process.stdout.readline(), "on\n")
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            errors = process.communicate(timeout=200)[1]
        self.assertEqual(process.returncode, -signal.SIGINT, errors)
        self.assertIn("KeyboardInterrupt", errors)

    @unittest.skipUnless(BIN and os.path.exists(os.path.join(BIN, "refrain-python")), "the commands are not built")
    def test_the_command_runs_programs_and_describes_itself(self):
        command = os.path.join(BIN, "refrain-python")
        self.assertEqual(run([command, "--summary"]).stdout, "Runs a NumPy program on the runtime\n")
        self.assertIn("Usage: refrain python", run([command, "--help"]).stdout)
        with Program("import numpy as np; print(np.arange(5).sum())") as path:
            ended = run([command, path], PYTHONPATH="")
        self.assertEqual((ended.stdout, ended.stderr), ("10\n", ""))


if __name__ == "__main__":
    unittest.main()
