"""Plug-ins: shared objects with a table of tasks, `refrain_tasks` of refrain/task.h."""

import ctypes
import os

from refrain import _task

VERSION = 1
RANK_MAX = 32


class _Constraint(ctypes.Structure):
    _fields_ = [("relation", ctypes.c_int32), ("first", ctypes.c_int32), ("second", ctypes.c_int32),
                ("dims", ctypes.c_uint32), ("rank", ctypes.c_int32), ("low", ctypes.c_int64 * RANK_MAX),
                ("high", ctypes.c_int64 * RANK_MAX)]


class _Task(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("body", ctypes.c_void_p), ("about", ctypes.c_char_p),
                ("constraints", ctypes.POINTER(_Constraint)), ("constraint_count", ctypes.c_int32),
                ("fold", ctypes.c_char_p)]


class _Table(ctypes.Structure):
    _fields_ = [("version", ctypes.c_int32), ("task_count", ctypes.c_int32), ("tasks", ctypes.POINTER(_Task))]


class Plugin:
    """The tasks of a shared object, as attributes; refrain.plugin() makes it."""

    def __init__(self, path):
        self._path = os.fspath(path)
        if os.path.exists(self._path):
            path = os.path.abspath(self._path)  # else the loader looks for the name
        self._library = ctypes.CDLL(os.fspath(path))
        try:
            table = _Table.in_dll(self._library, "refrain_tasks")
        except ValueError:
            raise ValueError(f"{self._path} is no plug-in: it does not define refrain_tasks (refrain/task.h)") from None
        if table.version != VERSION:
            raise ValueError(f"{self._path} was made for version {table.version} of plug-ins, but this is version {VERSION}; "
                             "compile it with the refrain/task.h of this version")
        self._tasks = {}
        for entry in table.tasks[:table.task_count]:
            task = self._task_of(entry)
            if task.name in self._tasks:
                raise ValueError(f"{self._path} has two tasks of the name {task.name!r}")
            self._tasks[task.name] = task
        _task._KEPT.append(self._library)

    def _task_of(self, entry):
        if not entry.name or not entry.body:
            raise ValueError(f"{self._path} has a task without {'a body' if entry.name else 'a name'}")
        constraints = []
        for number, one in enumerate(entry.constraints[:entry.constraint_count]):
            if not 0 <= one.relation <= 4 or not 0 <= one.rank <= RANK_MAX:
                raise ValueError(f"{self._path}: constraint {number} of {entry.name.decode()!r} has the relation {one.relation} "
                                 f"and the rank {one.rank}; relations are 0 to 4, ranks 0 to {RANK_MAX}")
            constraints.append(_task.Constraint(one.relation, one.first, one.second, one.dims, tuple(one.low[:one.rank]),
                                                tuple(one.high[:one.rank]) if one.relation == 3 else ()))
        return _task.Task(entry.body, entry.name.decode(), constraints=constraints, fold=(entry.fold or b"add").decode(),
                          about=(entry.about or b"").decode())

    def __getattr__(self, name):
        try:
            return self.__dict__["_tasks"][name]
        except KeyError:
            tasks = ", ".join(self.__dict__.get("_tasks", ()))
            path = self.__dict__.get("_path")
            raise AttributeError(f"the plug-in {path} has no task {name!r}; it has: {tasks}") from None

    def __dir__(self):
        return [*super().__dir__(), *self._tasks]

    def __iter__(self):
        return iter(self._tasks.values())

    def __repr__(self):
        return f"<refrain plug-in {self._path}: {', '.join(self._tasks)}>"
