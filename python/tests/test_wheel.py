"""A wheel, made offline, runs programs in a fresh environment, as a new user would try it."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

import refrain

HERE = os.path.dirname(os.path.abspath(__file__))
NEEDED = {"build": "python3-build", "wheel": "python3-wheel", "setuptools": "python3-setuptools", "venv": "python3-venv",
          "ensurepip": "python3-venv"}


class Wheel(unittest.TestCase):
    def test_it_installs_into_a_fresh_environment_and_runs_a_program(self):
        missing = [package for module, package in NEEDED.items() if importlib.util.find_spec(module) is None]
        if missing:
            self.skipTest(f"{', '.join(sorted(set(missing)))} is not installed")
        with tempfile.TemporaryDirectory() as folder:
            environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}

            def run(*command):
                ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200, cwd=folder)
                self.assertEqual(ended.returncode, 0, f"{command}\n{ended.stdout}{ended.stderr}")
                return ended.stdout

            package = os.path.dirname(os.path.abspath(refrain.__file__))
            wheel = run(sys.executable, os.path.join(HERE, "..", "make_wheel"), "--package", package, "--output", folder).strip()
            self.assertRegex(os.path.basename(wheel), r"^refrain-[\d.]+-cp3\d+-cp3\d+-linux_\w+\.whl$")
            # NumPy is the system's: there is no network.
            run(sys.executable, "-m", "venv", "--system-site-packages", "fresh")
            run("fresh/bin/pip", "install", "--no-index", "--no-deps", "--quiet", wheel)
            program = os.path.join(HERE, "..", "examples", "channel_flow.py")
            options = ["--size", "11", "--steps", "2", "--sweeps", "3"]
            for command in (["fresh/bin/python", "-m", "refrain"], ["fresh/bin/refrain-python"]):
                self.assertEqual(run(*command, program, *options), run(sys.executable, program, *options))
            where = run("fresh/bin/python", "-c", "import refrain; print(refrain.__file__)")
            self.assertIn("fresh/lib", where)
            include = run("fresh/bin/python", "-c", "import refrain; print(refrain.get_include())").strip()
            self.assertTrue(os.path.isfile(os.path.join(include, "refrain", "task.h")), include)


if __name__ == "__main__":
    unittest.main()
