"""Warnings and errors about values (numpy.seterr), at waits, with the line that issued the operation.

Operations that are computed later remember what numpy.seterr said when they were issued. `warn` warns at the next wait;
`raise`, `call`, `print` and `log` make each call wait, so that they act in the call itself. Entering and leaving
`warnings.catch_warnings` is a wait, so that a warning meets the filters under which its operation was issued.
"""

import sys
import warnings

import numpy as real

from refrain import _core

# NumPy's words, where its mask has the mode, and the bit of a flag.
KINDS = (("divide by zero", 0, 1), ("overflow", 3, 2), ("underflow", 6, 4), ("invalid value", 9, 8))
IGNORE, WARN, RAISE, CALL, PRINT, LOG = range(6)

_registries = {}  # file -> what has been warned of, as in a module's __warningregistry__


def hook_values(events):
    """events: ((file, line) or None, ufunc or "reduce" ..., flags, NumPy's error mask)."""
    for place, function, flags, mask in events:
        ufunc = getattr(real, function, None)
        name = ufunc.__name__ if isinstance(ufunc, real.ufunc) else function
        printed = False
        for kind, shift, bit in KINDS:
            mode = mask >> shift & 7
            if not flags & bit or (mode == PRINT and printed):
                continue
            printed = printed or mode == PRINT  # NumPy prints the first one of an operation
            act(mode, kind, name, flags, place)


def act(mode, kind, name, flags, place):
    message = f"{kind} encountered in {name}"
    if mode == WARN:
        file, line = place or ("<unknown>", 0)
        try:
            warnings.warn_explicit(message, RuntimeWarning, file, line, registry=_registries.setdefault(file, {}))
        except RuntimeWarning as error:  # a filter makes errors of warnings
            if place and hasattr(error, "add_note"):
                error.add_note(f"The operation was issued at {file}:{line}.")
            raise
    elif mode == RAISE:
        raise FloatingPointError(message)
    elif mode == CALL:
        handler = real.geterrcall()
        if handler is None:
            raise NameError(f"python callback specified for {kind} (in {name}) but no function found.")
        handler(kind, flags)
    elif mode == PRINT:
        print(f"Warning: {message}", file=sys.stderr)
    elif mode == LOG:
        handler = real.geterrcall()
        if handler is None:
            raise NameError(f"log specified for {kind} (in {name}) but no object with write method found.")
        handler.write(f"Warning: {message}\n")


def settle():
    """Waits, so that what is to be warned of is warned of now."""
    _core.wait()


def follow_numpy():
    """NumPy's settings are ours, of each thread, whoever changes them."""
    umath = real.core.umath
    numpys = umath.seterrobj

    def seterrobj(settings):
        numpys(settings)
        _core.set_error_mask(settings[1])

    seterrobj.__doc__ = numpys.__doc__
    umath.seterrobj = seterrobj
    _core.set_error_mask(real.geterrobj()[1])


def follow_filters():
    """Filters of warnings are those of the time when an operation was issued."""
    guard = warnings.catch_warnings
    enter, leave = guard.__enter__, guard.__exit__

    def __enter__(self):
        settle()
        return enter(self)

    def __exit__(self, *error):
        try:
            settle()
        finally:
            leave(self, *error)

    guard.__enter__, guard.__exit__ = __enter__, __exit__


_core.set_hooks(values=hook_values)
follow_numpy()
follow_filters()
