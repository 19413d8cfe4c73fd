"""Programs that know only numpy: python3 and Refrain give the same fields."""

import os
import tempfile
import unittest

import numpy as real

from support import EXAMPLES, run_here, run_plain, same_bits

SMALL = {
    "channel_flow": ["--size", "21", "--steps", "12", "--sweeps", "10"],
    "conjugate_gradient": ["--size", "24", "--steps", "20"],
    "game_of_life": ["--size", "40", "--steps", "20"],
    "jacobi": ["--size", "50", "--steps", "10"],
    "lattice_boltzmann": ["--size", "16", "--steps", "15"],
    "mandelbrot": ["--size", "40", "--steps", "20"],
    "monte_carlo": ["--size", "2000"],
    "n_body": ["--size", "20", "--steps", "10"],
    "shallow_water": ["--size", "24", "--steps", "20"],
    "wave_equation": ["--size", "30", "--steps", "40"],
}
# Too large to be computed at once by the thread that calls: tasks, tiles, several workers.
LARGE = {
    "channel_flow": ["--size", "300", "--steps", "2", "--sweeps", "5"],
    "wave_equation": ["--size", "500", "--steps", "10"],
    "conjugate_gradient": ["--size", "400", "--steps", "5"],
    "mandelbrot": ["--size", "300", "--steps", "10"],
}


class Programs(unittest.TestCase):
    def both(self, name, arguments, **changes):
        """The fields that NumPy's run saves, and those of ours."""
        fields = []
        with tempfile.TemporaryDirectory() as folder:
            for run in (run_plain, run_here):
                file = os.path.join(folder, f"{run.__name__}.npz")
                ended = run("-W", "ignore", os.path.join(EXAMPLES, name + ".py"), *arguments, "--save", file) if (
                    run is run_plain) else run(os.path.join(EXAMPLES, name + ".py"), *arguments, "--save", file,
                                               PYTHONWARNINGS="ignore", **changes)
                self.assertEqual(ended.returncode, 0, ended.stderr)
                with real.load(file) as saved:
                    fields.append((ended.stdout, {key: saved[key] for key in saved}))
        return fields

    def check(self, name, arguments, **changes):
        (text, expected), (text_here, got) = self.both(name, arguments, **changes)
        self.assertEqual(list(expected), list(got))
        for key in expected:
            self.assertTrue(same_bits(expected[key], got[key]), f"{name}: field {key} differs")
        self.assertEqual(text, text_here)

    def test_there_is_a_test_for_every_example(self):
        files = {file[:-3] for file in os.listdir(EXAMPLES) if file.endswith(".py")}
        self.assertEqual(files, {*SMALL, "black_scholes"})

    def test_channel_flow_knows_only_numpy(self):
        with open(os.path.join(EXAMPLES, "channel_flow.py")) as file:
            imports = [line for line in file if line.startswith(("import", "from"))]
        self.assertEqual(imports, ["import argparse\n", "import numpy as np\n"])

    def test_black_scholes_agrees_to_the_last_digits(self):
        (_, expected), (_, got) = self.both("black_scholes", ["--size", "3000"])
        for key in expected:
            real.testing.assert_allclose(got[key], expected[key], rtol=1e-12, atol=1e-13)


def _add(kind, name, arguments, **changes):
    def test(self):
        self.check(name, arguments, **changes)

    setattr(Programs, f"test_{name}_gives_the_bits_of_numpy{kind}", test)


for _name, _arguments in SMALL.items():
    _add("", _name, _arguments)
for _name, _arguments in LARGE.items():
    _add("_in_tasks_of_four_workers", _name, _arguments, REFRAIN_WORKERS="4")


if __name__ == "__main__":
    unittest.main()
