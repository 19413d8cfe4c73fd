"""ufunc.at and ufunc.reduceat, and other ways through an array that NumPy has loops for."""

import numpy as real

from refrain import _core, _fallback
from refrain._functions import _ours, array_owner, broadcast_to, is_ours
from refrain._selecting import axis_in, indices_of

_INT64 = real.dtype("int64")


def at(ufunc, a, indices, b=None):
    """f.at(a, indices, b): on the numbers of the elements that the indices select."""
    values = None if b is None else _ours(b)
    types = None
    if is_ours(a) and a.flags.writeable and (b is None or values is not None):
        types = _core.ufunc_types(ufunc, a, None if b is None else values if values.ndim else b)
    if types is None:
        return NotImplemented
    numbers = _core.arange(0, 1, a.size, _INT64).reshape(a.shape)[indices]
    if not is_ours(numbers):
        numbers = _core.arange(int(numbers), int(numbers) + 1, 1, _INT64)
    elif numbers.base is not None or not numbers.flags.c_contiguous:
        numbers = numbers.copy()
    read = [numbers.reshape(-1)]
    if values is not None:
        if values.shape != numbers.shape:
            try:
                values = broadcast_to(values, numbers.shape)
            except ValueError:
                return NotImplemented
        read.append((values.copy() if array_owner(values) is array_owner(a) else values).reshape(-1))
    if not read[0].size:
        return None
    line = a.reshape(-1) if a.flags.c_contiguous else a.copy().reshape(-1)
    _core.run("at", (line,), tuple(read), types)
    if not a.flags.c_contiguous:
        a[...] = line.reshape(a.shape)
    return None


def reduceat(ufunc, array, indices, axis=0, dtype=None, out=None):
    made, wanted = _ours(array), indices_of(indices)
    if made is None or wanted is None or wanted.ndim != 1 or dtype is not None or out is not None or made.ndim == 0:
        return NotImplemented
    types = _core.ufunc_types(ufunc, made)
    if types is None:
        return NotImplemented
    axis = axis_in(axis, made.ndim)
    extent = made.shape[axis]
    bounds = _core.bounds(wanted)
    if bounds is not None and (bounds[0] < 0 or bounds[1] >= extent):
        for value in wanted.tolist():
            if not 0 <= value < extent:
                raise IndexError(f"index {value} out-of-bounds in {ufunc.__name__}.reduceat [0, {extent})")
    result = _core.empty(made.shape[:axis] + wanted.shape + made.shape[axis + 1:], _DTYPES[types[3]], "C")
    if result.size:
        _core.run("reduceat", (result,), (made, wanted), (*types, axis))
    return result


# In the order of their numbers.
_DTYPES = [real.dtype(name) for name in
           "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64 complex64 complex128".split()]


def _method(function):
    def method(name, args, kwargs):
        ufunc = _core.ufuncs.get(name)
        if ufunc is None:
            return NotImplemented
        return function(ufunc, *args, **kwargs)

    return method


_fallback.NATIVE_UFUNC_METHODS.update(at=_method(at), reduceat=_method(reduceat))
