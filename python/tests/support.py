"""What the tests share: running programs under plain python3 and here, comparing bits."""

import os
import subprocess
import sys
import tempfile
import textwrap

import numpy as real

EXAMPLES = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples"))


def environment(**changes):
    """A program's environment: workers that do not depend on the machine."""
    return {**os.environ, "REFRAIN_WORKERS": "2", **changes}


def run_plain(*arguments, **options):
    return run([sys.executable, *arguments], **options)


def run_here(*arguments, **options):
    return run([sys.executable, "-m", "refrain", *arguments], **options)


def run(command, input=None, cwd=None, **changes):
    return subprocess.run(command, env=environment(**changes), capture_output=True, text=True, timeout=240, input=input, cwd=cwd)


class Program:
    """Text as a file of a folder of its own; a context manager."""

    def __init__(self, text, name="program.py", **others):
        self.text, self.name, self.others = text, name, others

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, self.name)
        for name, text in {self.name: self.text, **{f"{key}.py": value for key, value in self.others.items()}}.items():
            with open(os.path.join(self.folder.name, name), "w") as file:
                file.write(textwrap.dedent(text))
        return self.path

    def __exit__(self, *error):
        self.folder.cleanup()


def same_bits(one, other):
    """Whether two arrays have the same shape, type and bits; any NaN is a NaN."""
    one, other = real.asarray(one), real.asarray(other)
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if one.dtype.kind in "fc":
        parts = [(one.real, other.real), (one.imag, other.imag)] if one.dtype.kind == "c" else [(one, other)]
        for left, right in parts:
            nan = real.isnan(left)
            if not real.array_equal(nan, real.isnan(right)) or left[~nan].tobytes() != right[~nan].tobytes():
                return False
        return True
    return one.tobytes() == other.tobytes()
