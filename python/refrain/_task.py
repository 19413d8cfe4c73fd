"""Tasks of a program's own: functions of C over arrays (refrain/task.h)."""

import ctypes
import sys
import typing

from refrain import _core
from refrain._native import ndarray, scalar

FOLDS = ("add", "multiply", "minimum", "maximum")
_KEPT = []  # what functions lie in: a task may run after the program has dropped it


class Constraint(typing.NamedTuple):
    """How the parts of two arrays of a task relate; made by align(), broadcast(), scale(), bloat() and image()."""

    relation: int  # as in refrain/task.h
    first: int  # numbers of the task's arrays
    second: int = 0
    dims: int = 0  # a bit each
    low: tuple = ()  # or factors
    high: tuple = ()
    line: int = 0  # that made it, for messages


def _line():
    return sys._getframe(2).f_lineno


def align(a, b):
    """Arrays number a and b have equal shapes, and are cut alike."""
    return Constraint(0, a, b, line=_line())


def broadcast(a, dims=None):
    """Array number a is not cut along these dimensions; None: it is never cut, each tile has all of it."""
    bits = 0xFFFFFFFF if dims is None else 0
    for dim in () if dims is None else _numbers(dims):
        if not 0 <= dim < 32:
            raise ValueError(f"broadcast({a}): there is no dimension {dim}; dims are numbers from 0 to 31")
        bits |= 1 << dim
    return Constraint(1, a, dims=bits, line=_line())


def scale(a, b, factors):
    """Element i of array a belongs to the elements [i * f, (i + 1) * f) of b; a factor per dimension."""
    return Constraint(2, a, b, low=_numbers(factors), line=_line())


def bloat(a, b, low, high=None):
    """Element i of array a belongs to the elements i - low ... i + high of b; numbers per dimension. high=None: as low."""
    low = _numbers(low)
    return Constraint(3, a, b, low=low, high=low if high is None else _numbers(high), line=_line())


def image(pointers, target):
    """The elements of array `pointers`, of int64, are indices of the first dimension of array `target`."""
    return Constraint(4, pointers, target, line=_line())


def _numbers(numbers):
    return (numbers,) if isinstance(numbers, int) else tuple(numbers)


class Task:
    """A function of C that runs as a task: after what wrote its arrays, at the same time as other tasks.

        >>> scale = refrain.Task(ctypes.CDLL("./scale.so").scale, "scale")
        >>> scale(written=[y], read=[x], numbers=[3])

    `function` is one of ctypes, or an address. It is called with views as refrain/task.h describes them, on any thread; it
    must touch nothing but those.

    `constraints` say how the arrays may be cut into tiles, each of which is a call: a list of refrain.align, broadcast,
    scale, bloat and image, of the arrays' numbers in the order written, read, reduced. What is written must lie in one tile
    each. `tiled=True` aligns all arrays: element i of each depends on elements i of the others only.

    `fold` says what the function does to elements of arrays that are reduced: "add" means `to[i] += v`. Several tiles may do
    that to the same element; their parts are then joined, in an order that is not said. A list has a fold for each.
    """

    def __init__(self, function, name=None, *, tiled=False, constraints=(), fold="add", about=None):
        if not isinstance(function, int):
            if not callable(function) or not hasattr(function, "argtypes"):
                raise TypeError(f"a task is a function of ctypes or an address, not {type(function).__name__}")
            _KEPT.append(function)
            name = name or getattr(function, "__name__", None)
            function = ctypes.cast(function, ctypes.c_void_p).value
        if not function:
            raise ValueError("the address of a task is not 0")
        self.name = str(name or "task")
        self._address, self._tiled = function, bool(tiled)
        self._constraints = tuple(constraints)
        for constraint in self._constraints:
            if not isinstance(constraint, Constraint):
                raise TypeError(f"task {self.name!r}: a constraint is made by refrain.align, broadcast, scale, bloat or image, "
                                f"not {constraint!r}")
        self._fold = fold if isinstance(fold, str) else tuple(fold)
        for one in (self._fold,) if isinstance(fold, str) else self._fold:
            if one not in FOLDS:
                raise ValueError(f"task {self.name!r}: the fold {one!r} is none of {', '.join(FOLDS)}")
        if about:
            self.__doc__ = str(about)

    def __repr__(self):
        return f"<refrain.Task {self.name!r}>"

    def __call__(self, written=(), read=(), reduced=(), numbers=()):
        """Issues the task and returns; `written` arrays may be read, too. Reading one of them later waits for it.

        Scalars that are pending (`x.sum()`) need not be waited for: `read` takes them as arrays of rank 0, and `numbers`
        takes integer ones.
        """
        lists = tuple(written), tuple(read), tuple(reduced)
        arrays = sum(lists, ())
        for which, ones in zip(("written", "read", "reduced"), lists):
            for place, array in enumerate(ones):
                if type(array) is scalar and which == "read":
                    continue
                if type(array) is not ndarray:
                    raise TypeError(f"task {self.name!r}: {which}[{place}] is a {type(array).__name__}, not an array of refrain; "
                                    "refrain.numpy.asarray makes one")
                if self._tiled and array.shape != arrays[0].shape:
                    raise ValueError(f"task {self.name!r}: {which}[{place}] has the shape {array.shape}, but the first array "
                                     f"{arrays[0].shape}; a tiled task takes equal ones")
        if not lists[0] and not lists[2]:
            raise ValueError(f"task {self.name!r} writes nothing; name the arrays that it writes: written=[a]")
        folds = (self._fold,) * len(lists[2]) if isinstance(self._fold, str) else self._fold
        if len(folds) != len(lists[2]):
            raise ValueError(f"task {self.name!r} has the folds {folds}, but {len(lists[2])} reduced arrays; give one for each")
        constraints = self._constraints
        if self._tiled:
            constraints += tuple(Constraint(0, 0, number) for number, array in enumerate(arrays) if number and type(array) is ndarray)
        _core.run_task(self._address, self.name, lists, folds, tuple(numbers), tuple(map(tuple, constraints)))
