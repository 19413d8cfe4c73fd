"""Selecting by arrays: take, put, choose, repeat and the like, on tasks of the library (refrain._core.run)."""

import operator

import numpy as real

from refrain import _core, _fallback
from refrain._fallback import call, to_numpy
from refrain._functions import _ours, array_owner, asarray, broadcast_arrays, is_ours, native, result_type, scalar, where, zeros

_INT64 = real.dtype("int64")
_BOOL = real.dtype(bool)


def indices_of(value):
    """Integers as an array of int64; nothing for what NumPy would refuse or must judge."""
    made = _ours(value)
    if made is None or made.size and made.dtype.kind not in "iub":
        return None
    if not made.size and made.dtype.kind not in "iub" and is_ours(value):
        return None
    return made if made.dtype == _INT64 else made.astype(_INT64)


def axis_in(axis, rank):
    """A whole number from 0 on; raises numpy.AxisError."""
    if type(axis) is int and -rank <= axis < rank:
        return axis % rank
    return real.core.multiarray.normalize_axis_index(operator.index(axis), rank)


def within(indices, axis, extent, mode):
    """Indices as numpy.take's modes have them."""
    if mode == "raise":
        return _core.checked_indices(indices, axis, extent)
    if mode == "wrap":
        result = indices % extent
    else:
        result = _core.ufuncs["minimum"](_core.ufuncs["maximum"](indices, 0), extent - 1)
    if not is_ours(result):
        result = asarray(result)
    _core.note_bounds(result, 0, max(extent - 1, 0))
    return result


def mode_of(mode):
    """'raise', 'wrap' or 'clip' of what NumPy takes for it; nothing if it is none."""
    if isinstance(mode, str):
        for name in ("raise", "wrap", "clip"):
            if mode and name.startswith(mode.lower()):
                return name
        return None
    return {0: "clip", 1: "wrap", 2: "raise"}.get(mode)


def gather(array, indices, axis):
    """array.take(indices, axis) for indices that are within."""
    shape = array.shape[:axis] + indices.shape + array.shape[axis + 1:]
    result = _core.empty(shape, array.dtype, "C")
    if result.size:
        rank = indices.ndim
        order = [*range(axis, axis + rank), *range(axis), *range(axis + rank, len(shape))]
        _core.run("gather", (result.transpose(order),), (array, indices), (axis,))
    return result


@native()
def take(a, indices, axis=None, out=None, mode="raise"):
    made, wanted, how = _ours(a), indices_of(indices), mode_of(mode)
    if made is None or wanted is None or how is None or out is not None:
        return call(real.take, (a, indices, axis, out, mode), {}, "take", "types or arguments that are not ours")
    if axis is None:
        made, axis = made.ravel(), 0
    elif made.ndim == 0:
        made = made.reshape(1)
    axis = axis_in(axis, made.ndim)
    extent = made.shape[axis]
    if extent == 0 and wanted.size:
        if made.size == 0 and all(made.shape[:axis] + made.shape[axis + 1:]):
            raise IndexError("cannot do a non-empty take from an empty axes.")
        return _core.empty(made.shape[:axis] + wanted.shape + made.shape[axis + 1:], made.dtype, "C")
    if wanted.size:
        wanted = within(wanted, axis, extent, how)
    result = gather(made, wanted, axis)
    return result if result.ndim else result[()]


@native()
def put(a, ind, v, mode="raise"):
    wanted, how = indices_of(ind), mode_of(mode)
    values = _values_for(a, v)
    if wanted is None or values is None or how is None or not a.flags.c_contiguous:
        return call(real.put, (a, ind, v, mode), {}, "put", "types or arguments that are not ours")
    if wanted.size == 0 or values.size == 0:
        return None
    if array_owner(wanted) is array_owner(a):
        wanted = wanted.copy()  # what is written must not become an index
    wanted = within(wanted.ravel(), 0, a.size, how if a.size else "raise")  # of no element, none is the nearest
    if values.size < wanted.size:
        values = gather(values, _core.arange(0, 1, wanted.size, _INT64) % values.size, 0)
    _core.run("scatter", (a.reshape(-1),), (values[: wanted.size], wanted), (0,))
    return None


def _values_for(array, values):
    """The values as a line of an array's type: numbers and lists become elements one by one, arrays by a safe cast. None for
    what is not ours, or what NumPy refuses."""
    if not is_ours(array):
        return None
    if type(values) is scalar and values.dtype == array.dtype:
        return _core.asarray(values).ravel()  # without a wait
    if not isinstance(values, real.ndarray):
        values = asarray(real.asarray(to_numpy(values), array.dtype))
    values = _ours(values)
    if values is None or values.dtype != array.dtype and not real.can_cast(values.dtype if values.ndim else to_numpy(values),
                                                                           array.dtype):
        return None
    return values.astype(array.dtype).ravel()  # a copy: they may be the array's own


@native()
def nonzero(a):
    made = _ours(a)
    if made is None or made.ndim == 0:
        return call(real.nonzero, (a,), {}, "nonzero", "its type or rank is not ours")
    return _core.nonzero(made if made.dtype == _BOOL else made != 0)


@native()
def count_nonzero(a, axis=None, *, keepdims=False):
    made = _ours(a)
    if made is None:
        return call(real.count_nonzero, (a, axis), dict(keepdims=keepdims), "count_nonzero", "its type is not ours")
    mask = made if made.dtype == _BOOL else made.astype(_BOOL)
    if axis is None and not keepdims:
        return _core.count_true(mask)
    return mask.sum(axis=axis, dtype=_INT64, keepdims=keepdims)


_fallback.NATIVE[id(real.core.multiarray.count_nonzero)] = count_nonzero


@native()
def compress(condition, a, axis=None, out=None):
    chosen, made = _ours(condition), _ours(a)
    if chosen is None or made is None or out is not None:
        return call(real.compress, (condition, a, axis, out), {}, "compress", "types or arguments that are not ours")
    if chosen.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    return take(made, nonzero(chosen)[0], axis)


@native()
def choose(a, choices, out=None, mode="raise"):
    wanted, how = indices_of(a), mode_of(mode)
    if is_ours(choices):
        choices = list(choices)
    options = [_ours(choice) for choice in choices] if isinstance(choices, (list, tuple)) else []
    if wanted is None or how is None or out is not None or not options or any(option is None for option in options):
        return call(real.choose, (a, choices, out, mode), {}, "choose", "types or arguments that are not ours")
    count = len(options)
    if how == "raise":
        bounds = _core.bounds(wanted)
        if bounds is not None and (bounds[0] < 0 or bounds[1] >= count):
            raise ValueError("invalid entry in choice array")
    elif wanted.size:
        wanted = within(wanted, 0, count, how)
    dtype = result_type(*options)
    *options, wanted = broadcast_arrays(*options, wanted)
    result = _core.empty(wanted.shape, dtype, "C")
    for number, option in enumerate(options):
        result[...] = where(wanted == number, option.astype(dtype), result) if number else option
    return result if result.ndim else result[()]


@native()
def repeat(a, repeats, axis=None):
    made, counts = _ours(a), indices_of(repeats)
    if made is None or counts is None or counts.ndim > 1:
        return call(real.repeat, (a, repeats, axis), {}, "repeat", "types or arguments that are not ours")
    if axis is None:
        made, axis = made.ravel(), 0
    elif made.ndim == 0:
        made = made.reshape(1)
    axis = axis_in(axis, made.ndim)
    extent = made.shape[axis]
    if counts.size == 1:
        times = int(counts.reshape(-1)[0])
        if times < 0 and made.size:
            raise ValueError("negative dimensions are not allowed")
        times = max(times, 0)
        shape = made.shape[: axis + 1] + (times,) + made.shape[axis + 1:]
        result = _core.empty(shape, made.dtype, "C")
        result[...] = made.reshape(made.shape[: axis + 1] + (1,) + made.shape[axis + 1:])
        return result.reshape(made.shape[:axis] + (extent * times,) + made.shape[axis + 1:])
    if counts.size != extent:
        raise ValueError(f"operands could not be broadcast together with shape ({extent},) ({counts.size},)")
    bounds = _core.bounds(counts)
    if bounds is not None and bounds[0] < 0:
        raise ValueError("repeats may not contain negative values.")
    wanted = _core.empty((int(counts.sum()),), _INT64, "C")
    if wanted.size:
        _core.run("repeat_indices", (wanted,), (counts,), ())
        _core.note_bounds(wanted, 0, max(extent - 1, 0))
    return gather(made, wanted, axis)


def _place(array, mask, values, by_position, name, numpys):
    chosen = _ours(mask)
    is_fit = chosen is not None and is_ours(array) and chosen.size == array.size
    given = _values_for(array, values) if is_fit else None  # may warn
    if given is None:
        return call(numpys, (array, mask, values), {}, name, "types or arguments that are not ours")
    if chosen.dtype != _BOOL:
        chosen = chosen.astype(_BOOL)
    if given.size == 0:
        if not by_position and _core.count_true(chosen):
            raise ValueError("Cannot insert from an empty array!")
        return None
    _core.run("place", (array,), (chosen.reshape(array.shape), given), (int(by_position),))
    return None


@native()
def place(arr, mask, vals):
    if not isinstance(arr, real.ndarray):
        raise TypeError("argument 1 must be numpy.ndarray, not {name}".format(name=type(arr).__name__))
    return _place(arr, mask, vals, False, "place", real.place)


@native()
def putmask(a, mask, values):
    return _place(a, mask, values, True, "putmask", real.putmask)


def _fill_diagonal_flat(a, val, wrap):
    """The steps of the diagonal in the array's elements, row-major, as a view."""
    end = None
    if a.ndim == 2:
        step = a.shape[1] + 1
        if not wrap:
            end = a.shape[1] * a.shape[1]
    else:
        if not all(extent == a.shape[0] for extent in a.shape):
            raise ValueError("All dimensions of input must be of equal length")
        step = 1
        for extent in a.shape[:0:-1]:
            step = step * extent + 1
    a.reshape(-1)[:end:step] = val


@native()
def fill_diagonal(a, val, wrap=False):
    if not is_ours(a) or a.ndim < 2 or not a.flags.c_contiguous or real.ndim(val):
        if is_ours(a) and a.ndim < 2:
            raise ValueError("array must be at least 2-d")
        return call(real.fill_diagonal, (a, val, wrap), {}, "fill_diagonal", "types or arguments that are not ours")
    return _fill_diagonal_flat(a, val, wrap)


@native()
def diagflat(v, k=0):
    made = _ours(v)
    if made is None:
        return call(real.diagflat, (v, k), {}, "diagflat", "its type is not ours")
    line = made.ravel()
    extent = line.size + abs(k)
    result = zeros((extent, extent), line.dtype)
    if line.size:
        first = k if k >= 0 else -k * extent
        result.reshape(-1)[first : first + line.size * (extent + 1) : extent + 1][: line.size] = line
    return result


# Indices of elements and their numbers.


def _dimensions(shape):
    return tuple(map(operator.index, shape)) if hasattr(shape, "__len__") else (operator.index(shape),)


@native()
def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    parts = list(multi_index) if isinstance(multi_index, (tuple, list)) or is_ours(multi_index) else None
    modes = mode if isinstance(mode, tuple) else None
    wanted = [indices_of(part) for part in parts] if parts is not None else [None]
    dims = _dimensions(dims)
    if any(part is None for part in wanted) or len(wanted) != len(dims) or order not in ("C", "F"):
        return call(real.ravel_multi_index, (multi_index, dims, mode, order), {}, "ravel_multi_index",
                    "types or arguments that are not ours")
    hows = [mode_of(each) for each in modes] if modes is not None else [mode_of(mode)] * len(dims)
    number, stride = 0, 1
    for part, extent, how in zip(*(reversed(each) for each in (wanted, dims, hows))) if order == "C" else zip(wanted, dims, hows):
        if how == "raise":
            bounds = _core.bounds(part)
            if bounds is not None and (bounds[0] < 0 or bounds[1] >= extent):
                raise ValueError("invalid entry in coordinates array")
        else:
            part = within(part, 0, extent, how)
        number = part * stride + number
        stride *= extent
    if not is_ours(number) or number.ndim == 0:
        return number if type(number) is scalar else number[()]
    return number


@native()
def unravel_index(indices, shape, order="C"):
    shape = _dimensions(shape)
    wanted = indices_of(indices)
    size = 1
    for extent in shape:
        size *= extent
    if wanted is None or order not in ("C", "F") or not shape:
        return call(real.unravel_index, (indices, shape, order), {}, "unravel_index", "types or arguments that are not ours")
    bounds = _core.bounds(wanted)
    if bounds is not None and (bounds[0] < 0 or bounds[1] >= size):
        wrong = bounds[0] if bounds[0] < 0 else bounds[1]
        for value in wanted.ravel().tolist():
            if not 0 <= value < size:
                wrong = value
                break
        raise ValueError(f"index {wrong} is out of bounds for array with size {size}")
    found = []
    for extent in reversed(shape) if order == "C" else shape:
        part = wanted % extent if extent else wanted
        found.append(part if is_ours(part) and part.ndim or not is_ours(part) else part[()])
        if extent:
            wanted = asarray(wanted // extent)
    return tuple(reversed(found) if order == "C" else found)


_fallback.NATIVE_METHODS.update(
    take=take,
    put=put,
    nonzero=nonzero,
    compress=lambda a, condition, axis=None, out=None: compress(condition, a, axis, out),
    choose=choose,
    repeat=repeat,
)
