"""NumPy programs on the Refrain runtime.

    import refrain.numpy as np          # instead of numpy
    refrain python program.py           # or: the program stays as it is

Calls return before they are computed; reading a value waits for what it depends on.
"""

import sys as _sys

__all__ = ["RefrainFallbackWarning", "errors", "fallbacks", "statistics", "why_not_traced", "wait", "numpy",
           "Task", "plugin", "get_include", "align", "broadcast", "scale", "bloat", "image"]


class RefrainFallbackWarning(UserWarning):
    """NumPy computed what a line of the program asked for: correct, but not by tasks of the runtime."""


def __getattr__(name):
    if name == "numpy":
        import importlib

        return importlib.import_module("refrain.numpy")
    if name in ("Task", "align", "broadcast", "scale", "bloat", "image"):
        from refrain import _task

        return getattr(_task, name)
    raise AttributeError(f"module 'refrain' has no attribute {name!r}")


def plugin(path):
    """The tasks of a shared object that defines refrain_tasks (refrain/task.h), as attributes."""
    from refrain._plugin import Plugin

    return Plugin(path)


def get_include():
    """The folder that has refrain/task.h, for the compiler of a task or plug-in: cc -I..."""
    import os

    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "include")


def wait():
    """Waits for everything that was asked for so far."""
    from refrain import _core

    _core.wait()


def errors(when):
    """errors("now"): every call waits, so that warnings, errors and failed tasks come in the call that caused them.

    errors("later"): at the next wait, which is the default. Gives what was so before.
    """
    if when not in ("now", "later"):
        raise ValueError(f"errors come 'now' or 'later', not {when!r}")
    from refrain import _core

    return "now" if _core.errors_now(when == "now") else "later"


def statistics():
    """Counts of this process: operations, waits, arrays, and the calls that NumPy computed."""
    from refrain import _core

    counts = dict(_core.statistics())
    fallback = _sys.modules.get("refrain._fallback")
    counts["fallbacks"] = sum(fallback.COUNTS.values()) if fallback else 0
    return counts


def why_not_traced():
    """How the launches of each line were served, and why some were not replayed: a sentence or two for each kind of task.

    Asks for the option explain: REFRAIN_EXPLAIN=on, or `refrain python --refrain:explain program.py`.
    """
    from refrain import _core

    return [text for text, operations, replayed in _core.why_not_traced()]


def fallbacks():
    """The calls that NumPy computed: {(file, line, function): (times, reason)}."""
    fallback = _sys.modules.get("refrain._fallback")
    if fallback is None:
        return {}
    return {site: (count, fallback.REASONS[site]) for site, count in fallback.COUNTS.items()}


def load_ipython_extension(shell):
    """%load_ext refrain: the magic %%refrain_report."""
    from refrain.jupyter import load_ipython_extension as load

    load(shell)
