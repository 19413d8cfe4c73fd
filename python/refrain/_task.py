"""Tasks of a program's own: functions of C over arrays (refrain/task.h)."""

import ctypes

from refrain import _core
from refrain._native import ndarray

_KEPT = []  # what functions lie in: a task may run after the program has dropped it


class Task:
    """A function of C that runs as a task: after what wrote its arrays, at the same time as other tasks.

        >>> scale = refrain.Task(ctypes.CDLL("./scale.so").scale, "scale")
        >>> scale(written=[y], read=[x], numbers=[3])

    `function` is one of ctypes, or an address. It is called with views as refrain/task.h describes them, on any thread; it
    must touch nothing but those. `tiled=True` says that element i of each array depends on elements i of the others only:
    the arrays, then of equal shapes, are cut into tiles, and each tile is a call.
    """

    def __init__(self, function, name=None, *, tiled=False):
        if not isinstance(function, int):
            if not callable(function) or not hasattr(function, "argtypes"):
                raise TypeError(f"a task is a function of ctypes or an address, not {type(function).__name__}")
            _KEPT.append(function)
            name = name or getattr(function, "__name__", None)
            function = ctypes.cast(function, ctypes.c_void_p).value
        if not function:
            raise ValueError("the address of a task is not 0")
        self._address, self._tiled = function, bool(tiled)
        self.name = str(name or "task")

    def __repr__(self):
        return f"<refrain.Task {self.name!r}>"

    def __call__(self, written=(), read=(), numbers=()):
        """Issues the task and returns; `written` arrays may be read, too. Reading one of them later waits for it."""
        written, read = tuple(written), tuple(read)
        for which, arrays in (("written", written), ("read", read)):
            for place, array in enumerate(arrays):
                if type(array) is not ndarray:
                    raise TypeError(f"task {self.name!r}: {which}[{place}] is a {type(array).__name__}, not an array of refrain; "
                                    "refrain.numpy.asarray makes one")
                if self._tiled and array.shape != (written + read)[0].shape:
                    raise ValueError(f"task {self.name!r}: {which}[{place}] has the shape {array.shape}, but the first array "
                                     f"{(written + read)[0].shape}; a tiled task takes equal ones")
        if not written:
            raise ValueError(f"task {self.name!r} writes nothing; name the arrays that it writes: written=[a]")
        _core.run_task(self._address, self.name, written, read, tuple(numbers), self._tiled)
