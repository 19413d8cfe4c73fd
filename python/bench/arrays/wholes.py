"""Whole programs beside NumPy: a process of each side stays alive, and runs the program when it is told to."""

import importlib.util
import io
import json
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.normpath(os.path.join(HERE, "..", "..", "examples"))

# Arguments of a small and of a large problem: what a call costs decides the one, what an element costs the other.
PROGRAMS = {
    "black_scholes": (["--size", "1000"], ["--size", "1000000"]),
    "jacobi": (["--size", "50", "--steps", "100"], ["--size", "1500", "--steps", "20"]),
    "channel_flow": (["--size", "41", "--steps", "10"], ["--size", "256", "--steps", "5"]),
    "shallow_water": (["--size", "32", "--steps", "50"], ["--size", "512", "--steps", "10"]),
    "conjugate_gradient": (["--size", "32", "--steps", "60"], ["--size", "700", "--steps", "20"]),
    "lattice_boltzmann": (["--size", "16", "--steps", "30"], ["--size", "128", "--steps", "20"]),
    "wave_equation": (["--size", "50", "--steps", "200"], ["--size", "1000", "--steps", "20"]),
    "game_of_life": (["--size", "50", "--steps", "100"], ["--size", "1000", "--steps", "20"]),
    "mandelbrot": (["--size", "60", "--steps", "40"], ["--size", "500", "--steps", "20"]),
    "n_body": (["--size", "16", "--steps", "100"], ["--size", "400", "--steps", "5"]),
    "monte_carlo": (["--size", "1000"], ["--size", "1000000"]),
}


class Side:
    """A process that has imported the program, for one side."""

    def __init__(self, side, program, arguments):
        request = json.dumps({"side": side, "program": program, "arguments": arguments})
        self.process = subprocess.Popen([sys.executable, os.path.abspath(__file__), request], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self):
        """Seconds that the program's main() took, all its operations complete."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        said = self.process.stdout.readline()
        if not said:
            raise RuntimeError(f"a program ended with status {self.process.wait()}")
        return float(said)

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def compare(program, arguments, rounds):
    """Both sides in turn; the first run of each is not counted."""
    sides = {side: Side(side, program, arguments) for side in ("here", "numpy")}
    try:
        for side in sides.values():
            side.run()
        taken = {name: [] for name in sides}
        for _ in range(rounds):
            for name, side in sides.items():
                taken[name].append(side.run())
    finally:
        for side in sides.values():
            side.end()
    return {"here_s": taken["here"], "numpy_s": taken["numpy"],
            "ratio": [a / b for a, b in zip(taken["here"], taken["numpy"])]}


def serve(request):
    if request["side"] == "here":
        import refrain
        from refrain import _imports

        _imports.install()
    path = os.path.join(EXAMPLES, request["program"] + ".py")
    spec = importlib.util.spec_from_file_location("program", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    import warnings

    warnings.simplefilter("ignore")
    sys.argv = [path, *request["arguments"]]
    for _ in sys.stdin:
        shown, sys.stdout = sys.stdout, io.StringIO()
        began = time.perf_counter()
        module.main()
        if request["side"] == "here":
            refrain.wait()
        took = time.perf_counter() - began
        sys.stdout = shown
        print(took, flush=True)


# Processes from their start to their end.


def cpu_seconds_of(*words):
    """Of the process, and of its kernel: other work of the machine does not count."""
    process = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{words}: status {process.returncode}")
    return used.ru_utime + used.ru_stime


def import_ms(rounds):
    """CPU time that `import refrain.numpy` takes beyond `import numpy`: processes in turn, after one that is not counted
    and that leaves the compiled files.
    """
    taken = {"numpy": [], "refrain.numpy": []}
    for turn in range(rounds + 1):
        for name, times in taken.items():
            took = cpu_seconds_of("-c", f"import {name}")
            if turn:
                times.append(1e3 * took)
    return [ours - numpys for ours, numpys in zip(taken["refrain.numpy"], taken["numpy"])]


def report_cost(rounds, folder):
    """CPU time of a run with a report and a timeline, relative to one without."""
    program = os.path.join(EXAMPLES, "channel_flow.py")
    words = ["-m", "refrain", program, "--size", "128", "--steps", "12"]
    files = [f"--refrain:report={folder}/page.html", f"--refrain:timeline={folder}/timeline.json"]
    found = []
    for turn in range(rounds + 1):
        plain, both = cpu_seconds_of(*words), cpu_seconds_of(*words, *files)
        if turn:
            found.append(both / plain)
    return found


PEAKS = {
    # By how much the process grows beyond its operands.
    "black_scholes": """
import importlib.util
spec = importlib.util.spec_from_file_location("program", PROGRAM)
module = importlib.util.module_from_spec(spec)
module.__dict__["np"] = np
source = open(PROGRAM).read().replace("import numpy as np", "")
exec(compile(source, PROGRAM, "exec"), module.__dict__)
place = np.arange(n) / n
price, strike, years = 5.0 + 25.0 * place, 1.0 + 99.0 * (place * 7.0 % 1.0), 0.25 + 9.75 * (place * 13.0 % 1.0)
del place
wait()
before = now()
call, put = module.black_scholes(price, strike, years, 0.02, 0.3)
wait()
""",
    "mask": """
x = np.arange(float(n))
mask = x >= n / 2
wait()
before = now()
taken = x[mask]
wait()
""",
}


def peak_bytes(what, side, n):
    """Memory at most, beyond what was there before."""
    text = f"""
import ctypes, sys
PROGRAM = {os.path.join(EXAMPLES, "black_scholes.py")!r}
n = {n}
def field(name):
    for line in open("/proc/self/status"):
        if line.startswith(name):
            return int(line.split()[1]) * 1024
def now():
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    return field("VmRSS")
{"import refrain, refrain.numpy as np; wait = refrain.wait" if side == "here" else "import numpy as np; wait = lambda: None"}
import warnings
warnings.simplefilter("ignore")
np.ones(8) + 1
{PEAKS[what]}
print(field("VmHWM") - before)
"""
    said = subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True).stdout
    return int(said)


def median_peak(what, side, n, rounds):
    return [peak_bytes(what, side, n) for _ in range(rounds)]


def median(values):
    return statistics.median(values)


if __name__ == "__main__":
    serve(json.loads(sys.argv[1]))
