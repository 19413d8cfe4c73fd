"""Sorting, searching and counting, on tasks of the library (refrain._core.run)."""

import operator

import numpy as real

from refrain import _core, _fallback
from refrain._fallback import NATIVE, call
from refrain._functions import _ours, is_ours, native
from refrain._selecting import axis_in, indices_of

_INT64 = real.dtype("int64")
_FLOAT64 = real.dtype(float)
_KINDS = dict(q=0, h=1, m=2, s=2)


def _kind_of(kind):
    """The number of a kind of sorting; nothing if NumPy must judge it."""
    if kind is None:
        return 0
    return _KINDS.get(kind[:1].lower()) if isinstance(kind, str) and kind else None


def _sort_in_place(a, axis, numbers, what="sort"):
    axis = axis_in(axis, a.ndim)
    if not a._writable:
        raise ValueError(f"{what} array is read-only")
    if a.size:
        _core.run("sort", (a,), (), (axis, *numbers))


def _argsorted(a, axis, numbers):
    if axis is None:
        a, axis = a.ravel(), 0
    elif a.ndim == 0:
        axis_in(axis, 1)
        return _core.zeros((1,), _INT64)
    axis = axis_in(axis, a.ndim)
    result = _core.empty(a.shape, _INT64, "C")
    if result.size:
        _core.run("argsort", (result,), (a,), (axis, *numbers))
        _core.note_bounds(result, 0, a.shape[axis] - 1)
    return result


def sort_method(a, axis=-1, kind=None, order=None):
    number = _kind_of(kind)
    if number is None or order is not None:
        return call(real.ndarray.sort, (a, axis, kind, order), {}, "ndarray.sort", "arguments that are not ours")
    return _sort_in_place(a, axis, (number,))


@native(quick=True)
def sort(a, axis=-1, kind=None, order=None):
    made, number = _ours(a), _kind_of(kind)
    if made is None or order is not None or number is None:
        return call(real.sort, (a, axis, kind, order), {}, "sort", "types or arguments that are not ours")
    if axis is None:
        made, axis = made.flatten(), -1
    else:
        made = made.copy("K")
    _sort_in_place(made, axis, (number,))
    return made


@native(quick=True)
def argsort(a, axis=-1, kind=None, order=None):
    made, number = _ours(a), _kind_of(kind)
    if made is None or order is not None or number is None:
        return call(real.argsort, (a, axis, kind, order), {}, "argsort", "types or arguments that are not ours")
    return _argsorted(made, axis, (number,))


def _places(kth, extent, is_empty):
    """What numpy.partition puts in place: (-1, places in ascending order); nothing if NumPy must judge it."""
    places = indices_of(kth)
    if places is None or places.ndim > 1 or isinstance(kth, bool) or is_ours(kth) and kth.dtype == bool:
        return None
    found = []
    for place in [] if is_empty else places.reshape(-1).tolist():
        if not -extent <= place < extent:
            raise ValueError(f"kth(={place + extent if place < 0 else place}) out of bounds ({extent})")
        found.append(place + extent if place < 0 else place)
    return (-1, *sorted(found))


def _partitioned(name, a, kth, axis, kind, order, run):
    made = _ours(a)
    if made is not None and kind == "introselect" and order is None:
        line = made.flatten() if axis is None and name != "argpartition" else made
        along = -1 if axis is None else axis
        extent = (line.size if axis is None else line.shape[axis_in(along, line.ndim)]) if line.ndim else 1
        numbers = _places(kth, extent, line.size == 0)
        if numbers is not None:
            return run(line, axis, numbers)
    return call(getattr(real, name), (a, kth, axis, kind, order), {}, name, "types or arguments that are not ours")


@native()
def partition(a, kth, axis=-1, kind="introselect", order=None):
    def run(line, along, numbers):
        result = line if along is None else line.copy("K")
        _sort_in_place(result, -1 if along is None else along, numbers)
        return result

    return _partitioned("partition", a, kth, axis, kind, order, run)


@native()
def argpartition(a, kth, axis=-1, kind="introselect", order=None):
    return _partitioned("argpartition", a, kth, axis, kind, order, _argsorted)


def partition_method(a, kth, axis=-1, kind="introselect", order=None):
    numbers = None
    if kind == "introselect" and order is None:
        numbers = _places(kth, a.shape[axis_in(axis, a.ndim)], a.size == 0)
    if numbers is None:
        return call(real.ndarray.partition, (a, kth, axis, kind, order), {}, "ndarray.partition", "arguments that are not ours")
    return _sort_in_place(a, axis, numbers, "partition")


@native()
def lexsort(keys, axis=-1):
    made = [_ours(key) for key in keys] if isinstance(keys, (tuple, list)) or is_ours(keys) else []
    if not made or any(key is None or key.ndim == 0 or key.shape != made[0].shape for key in made):
        return call(real.lexsort, (keys, axis), {}, "lexsort", "types or arguments that are not ours")
    axis = axis_in(axis, made[0].ndim)
    order = _argsorted(made[0], axis, (2,))
    for key in made[1:]:
        again = _argsorted(_along(key, order, axis), axis, (2,))
        order = _along(order, again, axis)
        if order.size:
            _core.note_bounds(order, 0, order.shape[axis] - 1)
    return order


def _along(array, indices, axis):
    """numpy.take_along_axis for indices within."""
    key = []
    for dim, extent in enumerate(array.shape):
        if dim == axis:
            key.append(indices)
        else:
            grid = _core.arange(0, 1, extent, _INT64)
            key.append(grid.reshape((1,) * dim + (extent,) + (1,) * (array.ndim - dim - 1)))
    return array[tuple(key)]


@native(quick=True)
def searchsorted(a, v, side="left", sorter=None):
    array, keys = _ours(a), _ours(v)
    order = None if sorter is None else indices_of(sorter)
    fits = array is not None and keys is not None and array.ndim == 1 and side in ("left", "right")
    if not fits or sorter is not None and (order is None or order.ndim != 1 or order.size != array.size):
        return call(real.searchsorted, (a, v, side, sorter), {}, "searchsorted", "types or arguments that are not ours")
    if order is not None and order.size:
        low, high = _core.bounds(order)
        if low < 0 or high >= order.size:
            raise ValueError("Sorter index out of range.")
    dtype = real.promote_types(array.dtype, keys.dtype)
    result = _core.empty(keys.shape, _INT64, "C")
    if result.size:
        read = (keys.astype(dtype) if keys.dtype != dtype else keys, array.astype(dtype) if array.dtype != dtype else array)
        _core.run("searchsorted", (result,), read if order is None else (*read, order), (int(side == "right"),))
        _core.note_bounds(result, 0, array.size)
    return result if result.ndim else result[()]


@native()
def bincount(x, weights=None, minlength=0):
    values = indices_of(x)
    heavy = None if weights is None else _ours(weights)
    fits = values is not None and values.ndim == 1 and (not is_ours(x) or x.dtype.name != "uint64")
    fits = fits and (weights is None or heavy is not None and heavy.shape == values.shape and heavy.dtype.kind != "c")
    if not fits or isinstance(minlength, float) or minlength is None or operator.index(minlength) < 0:
        return call(real.bincount, (x, weights, minlength), {}, "bincount", "types or arguments that are not ours")
    count = operator.index(minlength)
    if values.size:
        low, high = _core.bounds(values)
        if low < 0:
            raise ValueError("'list' argument must have no negative elements")
        count = max(count, high + 1)
    result = _core.empty((count,), _INT64 if weights is None else _FLOAT64, "C")
    if not values.size:
        result[...] = 0
    elif count:
        _core.run("bincount", (result,), (values,) if heavy is None else (values, heavy.astype(_FLOAT64)), ())
    return result if heavy is None or values.size else result.astype(_INT64)


def _interp(x, xp, fp, left=None, right=None):
    """numpy.core.multiarray.interp, on which numpy.interp stands."""
    points, values, wanted = (_ours(each) for each in (xp, fp, x))
    fits = all(each is not None and each.dtype.kind != "c" for each in (points, values, wanted))
    if not fits or points.ndim != 1 or points.shape != values.shape or points.size == 0:
        return call(real.core.multiarray.interp, (x, xp, fp, left, right), {}, "interp", "types or arguments that are not ours")
    points, values, wanted = (each.astype(_FLOAT64) for each in (points, values, wanted))
    points, values = (each if each.flags.c_contiguous else each.copy() for each in (points, values))
    ends = []
    for given, place in ((left, 0), (right, values.size - 1)):
        end = _core.empty((), _FLOAT64, "C")
        end[()] = values[place] if given is None else given
        ends.append(end)
    result = _core.empty(wanted.shape, _FLOAT64, "C")
    if result.size:
        _core.run("interp", (result,), (wanted, points, values, *ends), ())
    return result if result.ndim else result[()]


NATIVE[id(real.core.multiarray.interp)] = _interp


def _correlated(a, v, mode, name, numpys, conjugates):
    one, other = _ours(a), _ours(v)
    modes = dict(v=0, s=1, f=2)
    number = modes.get(mode[:1].lower()) if isinstance(mode, str) and mode else mode if mode in (0, 1, 2) else None
    fits = one is not None and other is not None and one.ndim <= 1 and other.ndim <= 1 and number is not None
    if not fits or not one.size or not other.size:
        return call(numpys, (a, v, mode), {}, name, "types or arguments that are not ours")
    dtype = real.promote_types(one.dtype, other.dtype)
    one, other = (each.astype(dtype).reshape(-1) for each in (one, other))
    if conjugates and dtype.kind == "c":
        other = other.conj()
    swapped = one.size < other.size
    if swapped:
        one, other = other, one
    length, count = one.size, other.size
    left = (0, count // 2, count - 1)[number]
    total = (length - count + 1, length, length + count - 1)[number]
    one, other = (each if each.flags.c_contiguous else each.copy() for each in (one, other))
    result = _core.empty((total,), dtype, "C")
    _core.run("correlate", (result,), (one, other), (left,))
    return result[::-1].copy() if swapped and conjugates else result


NATIVE[id(real.core.multiarray.correlate)] = lambda a, v, mode=0: _correlated(
    a, v, mode, "correlate", real.core.multiarray.correlate, False)
NATIVE[id(real.core.multiarray.correlate2)] = lambda a, v, mode=0: _correlated(
    a, v, mode, "correlate", real.core.multiarray.correlate2, True)


def _monotonicity(x):
    """1 if the elements ascend, -1 if they descend, 0 if neither."""
    made = _ours(x)
    if made is None or made.ndim != 1:
        return call(real.core.multiarray._monotonicity, (x,), {}, "digitize", "its type is not ours")
    if made.size < 2:
        return 1
    return 1 if bool((made[:-1] <= made[1:]).all()) else -1 if bool((made[:-1] >= made[1:]).all()) else 0


for _place in ("numpy.core.multiarray", "numpy.lib.function_base"):
    _numpys = getattr(__import__(_place, fromlist=["x"]), "_monotonicity", None)
    if _numpys is not None:
        NATIVE[id(_numpys)] = _monotonicity


# Bits.


def _bits(name, a, axis, bitorder):
    made = _ours(a)
    if made is None or bitorder not in ("little", "big") or made.dtype.kind not in ("biu" if name == "packbits" else "u") or (
            name == "unpackbits" and made.dtype != real.uint8) or made.ndim == 0:
        return None, None
    if axis is None:
        made, axis = made.ravel(), 0
    return made, axis_in(axis, made.ndim)


@native()
def packbits(a, axis=None, bitorder="big"):
    made, axis = _bits("packbits", a, axis, bitorder)
    if made is None:
        return call(real.packbits, (a, axis, bitorder), {}, "packbits", "types or arguments that are not ours")
    shape = made.shape[:axis] + ((made.shape[axis] + 7) // 8,) + made.shape[axis + 1:]
    result = _core.empty(shape, real.dtype("uint8"), "C")
    if result.size:
        _core.run("packbits", (result,), (made.astype(bool),), (axis, int(bitorder == "little")))
    return result


@native()
def unpackbits(a, axis=None, count=None, bitorder="big"):
    made, along = _bits("unpackbits", a, axis, bitorder)
    if made is None:
        return call(real.unpackbits, (a, axis, count, bitorder), {}, "unpackbits", "types or arguments that are not ours")
    bits = 8 * made.shape[along]
    if count is not None:
        count = operator.index(count)
        if count < -bits:
            return call(real.unpackbits, (a, axis, count, bitorder), {}, "unpackbits", "the count is not ours")
        bits = count if count >= 0 else bits + count
    result = _core.empty(made.shape[:along] + (bits,) + made.shape[along + 1:], real.dtype("uint8"), "C")
    if result.size:
        _core.run("unpackbits", (result,), (made,), (along, int(bitorder == "little")))
    return result


_fallback.NATIVE_METHODS.update(
    sort=sort_method,
    argsort=argsort,
    partition=partition_method,
    argpartition=argpartition,
    searchsorted=searchsorted,
)
