"""refrain python PROGRAM.py: runs a NumPy program as it is; python3 -m refrain is the same."""

import os
import sys

USAGE = """\
Runs a NumPy program, as it is, on the runtime: its own files get Refrain's arrays when they import numpy, installed
libraries get NumPy.

Usage: {name} [options] PROGRAM.py [arguments]
       {name} [options] -m MODULE [arguments]
       {name} [options] -c CODE [arguments]

Options:
  --everywhere             installed libraries get Refrain's arrays, too
  --summary-of-fallbacks   says at the end, on standard error, which calls NumPy computed
  --refrain:NAME=VALUE     an option of the runtime, also as REFRAIN_NAME=VALUE in the environment: --refrain:workers=2
  -h, --help               shows this

The exit status is the program's.
"""


class UsageError(Exception):
    pass


class Request:
    """What the command line asks for."""

    def __init__(self, arguments):
        self.everywhere = False
        self.summary = False
        self.help = False
        self.kind = None
        self.options = []
        rest = list(arguments)
        while rest and self.kind is None:
            word = rest.pop(0)
            if word in ("-h", "--help"):
                self.help = True
                return
            if word == "--everywhere":
                self.everywhere = True
            elif word == "--summary-of-fallbacks":
                self.summary = True
            elif word.startswith("--refrain:"):
                self.options.append(word)
            elif word in ("-m", "-c"):
                if not rest:
                    raise UsageError(f"{word} needs an argument")
                self.kind, self.what = word, rest.pop(0)
            elif word.startswith("-") and word != "-":
                raise UsageError(f"unknown option '{word}'")
            else:
                self.kind, self.what = "file", word
        if self.kind is None:
            raise UsageError("no program is given")
        self.options += [word for word in rest if word.startswith("--refrain:")]
        self.arguments = [word for word in rest if not word.startswith("--refrain:")]


def set_options(options):
    """The runtime reads its options from the environment."""
    for option in options:
        name, _, value = option[len("--refrain:"):].partition("=")
        os.environ["REFRAIN_" + name.upper().replace("-", "_")] = value or "on"


def prepare(request):
    """The code of the program; sets sys.argv, sys.path and __main__ as python3 does."""
    import types

    module = types.ModuleType("__main__")
    names = module.__dict__
    names["__builtins__"] = __builtins__ if not isinstance(__builtins__, dict) else sys.modules["builtins"]
    sys.argv = [request.what, *request.arguments]
    if request.kind == "file":
        if request.what == "-":
            source, file = sys.stdin.read(), "<stdin>"
        else:
            file = request.what
            if os.path.isdir(file):
                file = os.path.join(file, "__main__.py")
                sys.path.insert(0, request.what)
            else:
                sys.path.insert(0, os.path.dirname(os.path.realpath(file)))
            with open(file, "rb") as stream:
                source = stream.read()
            names["__file__"] = file
    elif request.kind == "-c":
        source, file = request.what, "<string>"
        sys.argv[0] = "-c"
        sys.path.insert(0, "")
    else:
        import importlib.util

        sys.path.insert(0, os.getcwd())
        spec = importlib.util.find_spec(request.what)
        if spec is not None and spec.submodule_search_locations is not None:
            spec = importlib.util.find_spec(request.what + ".__main__")
        if spec is None or spec.loader is None:
            raise UsageError(f"no module named {request.what}")
        source, file = spec.loader.get_source(spec.name), spec.origin
        sys.argv[0] = file
        names["__file__"], names["__spec__"], names["__package__"] = file, spec, spec.parent
    sys.modules["__main__"] = module
    return source, file, names


def hide_own_frames(error, seen):
    """Takes this package's frames out of tracebacks: what is left is what python3 shows."""
    import types

    own = os.path.dirname(os.path.abspath(__file__)) + os.sep
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        kept = []
        trace = error.__traceback__
        while trace is not None:
            if not trace.tb_frame.f_code.co_filename.startswith(own):
                kept.append(trace)
            trace = trace.tb_next
        chain = None
        for trace in reversed(kept):
            chain = types.TracebackType(chain, trace.tb_frame, trace.tb_lasti, trace.tb_lineno)
        error.__traceback__ = chain
        hide_own_frames(error.__cause__, seen)
        error = error.__context__


def execute(source, file, names):
    """Runs the program; the exit status, after a traceback that does not show us."""
    try:
        exec(compile(source, file, "exec"), names)
    except SystemExit:
        raise
    except BaseException as error:
        hide_own_frames(error, set())
        sys.excepthook(type(error), error, error.__traceback__)
        if isinstance(error, KeyboardInterrupt):
            import signal

            sys.stdout.flush()
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
        return 1
    return 0


def print_fallbacks():
    import refrain

    calls = refrain.fallbacks()
    print(f"refrain: {sum(count for count, _ in calls.values())} calls were computed by NumPy", file=sys.stderr)
    for (file, line, function), (count, reason) in sorted(calls.items(), key=lambda item: -item[1][0]):
        print(f"  {count:8}  {file}:{line}: numpy.{function} ({reason})", file=sys.stderr)


def main(arguments, name="python3 -m refrain"):
    try:
        request = Request(arguments)
        if request.help:
            print(USAGE.format(name=name), end="")
            return 0
        set_options(request.options)
        source, file, names = prepare(request)
    except (UsageError, OSError) as error:
        print(f"{name}: {error}\n{name} --help shows the usage.", file=sys.stderr)
        return 2
    from refrain import _imports

    _imports.install(request.everywhere)
    try:
        return execute(source, file, names)
    finally:
        if request.summary:
            print_fallbacks()


def command():
    """refrain-python, of an installed wheel."""
    return main(sys.argv[1:], "refrain-python")


if __name__ == "__main__":
    # Run as a script of its own name, so that the program's __main__ takes this module's place.
    if sys.path and sys.path[0] == os.getcwd():
        del sys.path[0]
    from refrain.__main__ import main as run

    sys.exit(run(sys.argv[1:]))
