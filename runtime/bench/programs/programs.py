"""Runs the programs of runtime/examples for the benchmarks: their sizes, their command lines, and the machine."""

import json
import math
import os
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
BUILD = os.path.join(ROOT, "build", "release")  # --build replaces it


def grid(points, workers, weak):
    """Points along an axis of a square; with weak scaling, the number of points grows with the workers."""
    return round(points * math.sqrt(workers)) if weak else points


# The arguments of a program for a size. Small: tasks of about a microsecond, where the runtime's overhead dominates.
# Medium: some ten microseconds. Large: a hundred and more, where the tasks dominate. The number of steps is chosen so
# that the steady state begins in the first half. `workers` and `weak` are for scaling; otherwise 1 and False.
PROGRAMS = {
    "jacobi": {
        "manual": True,
        "sizes": {"small": (32, 40000), "medium": (256, 8000), "large": (1024, 2000)},
        "arguments": lambda size, steps, workers, weak: ["--size", grid(size, workers, weak), "--steps", steps],
    },
    "channel_flow": {
        "manual": True,
        "sizes": {"small": (16, 1500), "medium": (96, 600), "large": (384, 150)},
        "arguments": lambda size, steps, workers, weak: [
            "--size", grid(size, workers, weak), "--steps", steps, "--tolerance", 0],
    },
    "shallow_water": {
        "manual": True,
        "sizes": {"small": (8, 6000), "medium": (48, 2500), "large": (192, 1000)},
        "arguments": lambda size, steps, workers, weak: ["--size", grid(size, workers, weak), "--steps", steps],
    },
    "reacting_flow": {
        "manual": True,
        "sizes": {"small": (8, 2500), "medium": (32, 1500), "large": (96, 600)},
        "arguments": lambda size, steps, workers, weak: ["--size", grid(size, workers, weak), "--steps", steps],
    },
    "circuit": {
        "manual": True,
        "sizes": {"small": (50, 30000), "medium": (1000, 8000), "large": (10000, 2500)},
        "arguments": lambda size, steps, workers, weak: [
            "--nodes", size, "--wires", 3 * size, "--steps", steps, "--pieces", 4 * workers if weak else 4],
    },
    "cg": {
        "manual": True,
        "sizes": {"small": (24, 400), "medium": (64, 300), "large": (256, 40)},
        "arguments": lambda size, steps, workers, weak: [
            "--size", grid(size, workers, weak), "--solves", steps, "--steps", 200],
    },
    "mlp": {
        "manual": True,
        "sizes": {"small": (1000, 4000), "medium": (128, 2500), "large": (64, 2000)},
        "arguments": lambda size, steps, workers, weak: [
            "--scale", size, "--steps", steps, "--batch", 32 * workers if weak else 32],
    },
    "two_libraries": {
        "manual": True,
        "sizes": {"small": (16, 60000), "medium": (64, 16000), "large": (192, 14000)},
        "arguments": lambda size, steps, workers, weak: [
            "--unknowns", grid(2 * size, workers, weak), "--points", grid(size, workers, weak), "--ticks", steps],
    },
}
SIZES = ("small", "medium", "large")
MODES = ("untraced", "manual", "automatic")


class Failed(Exception):
    """Raised if a program failed."""


def arguments_for(program, size, workers=1, weak=False, steps=None):
    entry = PROGRAMS[program]
    amount, usual_steps = entry["sizes"][size]
    return [str(a) for a in entry["arguments"](amount, steps or usual_steps, workers, weak)]


def path_of(program):
    return os.path.join(BUILD, "runtime", "examples", program, program)


def run(program, arguments):
    """Runs a program and returns its report. Raises Failed with its output."""
    if not os.path.exists(path_of(program)):
        raise Failed(f"{program} is not built: {path_of(program)} does not exist; without --build the programs are built first")
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        done = subprocess.run([path_of(program), *arguments, "--json", report], capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(f"{program} {' '.join(arguments)}: exit status {done.returncode}\n{done.stderr}{done.stdout}")
        with open(report) as file:
            return json.load(file)


def prepare(options):
    """Builds the programs, or uses those of --build; the output of the build goes to standard error."""
    global BUILD
    if options.build:
        BUILD = os.path.abspath(options.build)
        return
    names = list(PROGRAMS)
    subprocess.run(["bash", "-c", 'source tools/common.sh; configure_preset release; build_preset release "$@"', "bash",
                    *names], cwd=ROOT, check=True, stdout=sys.stderr)


def machine():
    """The machine, the compiler and the commit."""
    with open("/proc/cpuinfo") as file:
        names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    cache = os.path.join(BUILD, "CMakeCache.txt")
    compiler = "unknown"
    if os.path.exists(cache):
        with open(cache) as file:
            found = [line.split("=", 1)[1].strip() for line in file if line.startswith("CMAKE_CXX_COMPILER:")]
        if found:
            said = subprocess.run([found[0], "--version"], capture_output=True, text=True).stdout
            compiler = said.splitlines()[0] if said else found[0]
    return {"cpu": names[0] if names else "unknown", "cores": os.cpu_count(), "compiler": compiler, "commit": commit()}


def commit():
    """The commit that is measured; "unknown" without git, or outside of a checkout."""
    try:
        described = subprocess.run(["git", "describe", "--always", "--dirty", "--abbrev=12"], cwd=ROOT,
                                   capture_output=True, text=True).stdout.strip()
    except FileNotFoundError:
        described = ""
    return described or "unknown"


def say(text):
    print(text, file=sys.stderr, flush=True)


def write_json(path, results):
    if path is None:
        return
    with open(path, "w") as file:
        json.dump(results, file, indent=1)
        file.write("\n")


def table(headings, rows):
    """Prints rows below headings; the first column is left-aligned, the others are right-aligned."""
    widths = [max(len(str(row[i])) for row in [headings, *rows]) for i in range(len(headings))]
    for row in [headings, *rows]:
        cells = [str(row[0]).ljust(widths[0])] + [str(c).rjust(w) for c, w in zip(row[1:], widths[1:])]
        print("  ".join(cells).rstrip())


def common_options(parser, names=None, rounds=5):
    """Adds the options that these benchmarks share; `names`: the programs to run by default."""
    parser.add_argument("--programs", default=",".join(names or PROGRAMS),
                        help=f"programs, separated by commas (default: {','.join(names) if names else 'all'})")
    parser.add_argument("--rounds", type=int, default=rounds, help="runs per measurement; the median counts (default: %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="also write the results to this file")
    parser.add_argument("--quick", action="store_true", help="one short round that only tests the benchmark")
    parser.add_argument("--build", metavar="FOLDER", help="use the programs in this build folder")


def chosen(text, known, what):
    """The names in a comma-separated list; exits if one is unknown."""
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in known:
            sys.exit(f"there is no {what} '{name}'; there are: {', '.join(known)}")
    if not names:
        sys.exit(f"no {what} is given; there are: {', '.join(known)}")
    return names
