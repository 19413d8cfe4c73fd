"""NumPy's functions that make arrays: of a shape, of other arrays, of a range."""

import math
import operator
import warnings

import numpy as real

from refrain import _core, _fallback
from refrain._fallback import SUPPORTED, call, scalar_value, to_numpy
from refrain._native import FLOAT64, PLAIN_NUMBERS, REBINDER, is_ours, native, ndarray, scalar, supported

_INT64 = real.dtype(int)


_ROWS_OR_COLUMNS = {None: "C", "C": "C", "c": "C", "F": "F", "f": "F"}


def _order(order):
    """C or F; None for what NumPy refuses, or must judge."""
    return _ROWS_OR_COLUMNS.get(order) if order is None or isinstance(order, str) else None


def _order_beside(order):
    """The order of an array that is made of another one: K where nothing is asked for. What is no order is NumPy's error."""
    if order is None:
        return "K"
    if order not in ("C", "F", "A", "K"):
        real.empty_like(0, order=order)
        order = (order if isinstance(order, str) else order.decode()).upper()
    return order


def _extents(shape):
    """A shape for the core, which takes integers and sequences of any kind, but no arrays. Called by what users call."""
    if shape is None:
        warnings.warn("Passing None into shape arguments as an alias for () is deprecated.", DeprecationWarning, stacklevel=3)
        return ()
    if type(shape) is tuple or type(shape) is int or not isinstance(shape, real.ndarray):
        return shape
    return shape.tolist()


@native(quick=True)
def empty(shape, dtype=float, order="C", *, like=None):
    ours, order_here = supported(dtype), _order(order)
    if ours is None or like is not None or order_here is None:
        return call(real.empty, (shape, dtype, order), {} if like is None else {"like": like}, "empty", "its type is not ours")
    return _core.empty(_extents(shape), ours, order_here)


@native(quick=True)
def zeros(shape, dtype=float, order="C", *, like=None):
    ours, order_here = supported(dtype), _order(order)
    if ours is None or like is not None or order_here is None:
        return call(real.zeros, (shape, dtype, order), {} if like is None else {"like": like}, "zeros", "its type is not ours")
    return _core.zeros(shape if type(shape) is int else _extents(shape), ours, order_here)


@native()
def ones(shape, dtype=None, order="C", *, like=None):
    ours, order_here = supported(dtype), _order(order)
    if ours is None or like is not None or order_here is None:
        return call(real.ones, (shape, dtype, order), {} if like is None else {"like": like}, "ones", "its type is not ours")
    return _core.ones(_extents(shape), ours, order_here)


@native()
def full(shape, fill_value, dtype=None, order="C", *, like=None):
    if dtype is None:
        dtype = fill_value.dtype if hasattr(fill_value, "dtype") else real.asarray(to_numpy(fill_value)).dtype
    ours, order_here = supported(dtype), _order(order)
    if ours is None or like is not None or order_here is None:
        return call(real.full, (shape, fill_value, dtype, order), {} if like is None else {"like": like}, "full",
                    "its type is not ours")
    result = _core.empty(_extents(shape), ours, order_here)
    _fill(result, fill_value)
    return result


def _fill(array, value):
    """array[...] = value, cast as an array is: without the errors of numbers and lists that do not fit."""
    kind = type(value)
    needs_no_cast = kind is float and array.dtype.kind == "f" or kind is scalar and value.dtype == array.dtype
    array[...] = value if kind is ndarray or needs_no_cast else asarray(value)


def _like(prototype, dtype, order, shape):
    """An array for what is like the prototype: NumPy's order of dimensions, if it is asked to keep it."""
    ours, order = prototype.dtype if dtype is None else supported(dtype), _order_beside(order)
    if ours is None:
        return None
    if shape is not None and order == "K" and (1 if isinstance(shape, int) else len(shape)) != prototype.ndim:
        order = "C"
    extents = prototype.shape if shape is None else shape
    flags, rank = prototype.flags, prototype.ndim
    if order == "A":
        order = "F" if flags.f_contiguous and not flags.c_contiguous else "C"
    elif order == "K" and (rank < 2 or flags.c_contiguous):
        order = "C"
    elif order == "K" and flags.f_contiguous:
        order = "F"
    if order in ("C", "F"):
        return _core.empty(extents, ours, order)
    strides = prototype.strides
    axes = sorted(range(rank), key=lambda axis: -abs(strides[axis]))  # those of stride 0 are the innermost
    back = [0] * rank
    for place, axis in enumerate(axes):
        back[axis] = place
    return _core.empty(tuple(extents[axis] for axis in axes), ours, "C").transpose(back)


@native()
def empty_like(prototype, dtype=None, order="K", subok=True, shape=None):
    if is_ours(prototype):
        result = _like(prototype, dtype, order, shape)
        if result is not None:
            return result
    elif type(prototype) is scalar or not isinstance(prototype, real.ndarray):
        return empty_like(asarray(prototype), dtype, order, subok, shape)
    return call(real.empty_like, (prototype, dtype, order, subok, shape), {}, "empty_like", "its type is not ours")


@native()
def zeros_like(a, dtype=None, order="K", subok=True, shape=None):
    result = empty_like(a, dtype, order, subok, shape)
    result[...] = 0
    return result


@native()
def ones_like(a, dtype=None, order="K", subok=True, shape=None):
    result = empty_like(a, dtype, order, subok, shape)
    result[...] = 1
    return result


@native()
def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None):
    result = empty_like(a, dtype, order, subok, shape)
    _fill(result, fill_value)
    return result


@native()
def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, like=None):
    kind = type(object)
    order = _order_beside(order)
    if kind is ndarray and like is None:
        result = object
        if dtype is not None:
            wanted = real.dtype(dtype)
            if wanted not in SUPPORTED:
                return call(real.array, (object, dtype), dict(copy=copy, order=order, ndmin=ndmin), "array", "its type is not ours")
            if wanted != object.dtype:
                result = object.astype(wanted, order=order)
        if result is object:
            if copy:
                result = object.copy(order)
            elif order == "C" and not object.flags.c_contiguous or order == "F" and not object.flags.f_contiguous:
                result = object.copy(order)
        if ndmin > result.ndim:
            result = result.reshape((1,) * (ndmin - result.ndim) + result.shape)
        return result
    if kind is scalar and like is None and ndmin == 0:
        ours = object.dtype if dtype is None else supported(dtype)
        if ours is not None:
            result = _core.empty((), ours, "C")
            result[()] = object if ours == object.dtype else _core.asarray(object)
            return result
    if isinstance(object, real.ndarray) and not subok or kind is real.ndarray:
        made = real.array(object, dtype, copy=copy, order=order, ndmin=ndmin)
    else:
        made = real.array(to_numpy(object), to_numpy(dtype), copy=copy, order=order, subok=subok, ndmin=ndmin)
    if type(made) is not real.ndarray:
        return made
    strides = made.strides  # a buffer of one row or column says those of row order
    result = _fallback.adopt_array(made, 3)
    return result if copy is False or result.strides == strides or order != "F" else result.copy("F")


@native()
def asarray(a, dtype=None, order=None, *, like=None):
    if type(a) is ndarray and dtype is None and order is None:
        return a
    return array(a, dtype, copy=False, order=order, like=like)


@native()
def asanyarray(a, dtype=None, order=None, *, like=None):
    if type(a) is ndarray and dtype is None and order is None:
        return a
    return array(a, dtype, copy=False, order=order, subok=True, like=like)


@native()
def ascontiguousarray(a, dtype=None, *, like=None):
    return array(a, dtype, copy=False, order="C", ndmin=1, like=like)


@native()
def asfortranarray(a, dtype=None, *, like=None):
    return array(a, dtype, copy=False, order="F", ndmin=1, like=like)


@native()
def copy(a, order="K", subok=False):
    return array(a, copy=True, order=order, subok=subok)


@native()
def copyto(dst, src, casting="same_kind", where=True):
    if is_ours(dst) and (where is True or is_ours(where) and where.dtype == bool):
        if not isinstance(src, (ndarray, scalar, bool, int, float, complex, real.generic)):
            src = asarray(src)
        given = src.dtype if is_ours(src) and src.ndim else to_numpy(src)
        if casting == "unsafe" or real.can_cast(given, dst.dtype, casting):
            if where is True:
                _fill(dst, src)
            else:
                _core.assign_where(dst, asarray(src), where)
            return
    call(real.copyto, (dst, src, casting, where), {}, "copyto", "its types are not ours")


def _arange_length(start, stop, step):
    span = stop - start
    value = span / step
    if value == 0.0 and span != 0:
        return 0 if math.copysign(1.0, value) < 0 else 1
    return max(0, math.ceil(value))


@native(quick=True)
def arange(*args, dtype=None, like=None, **kwargs):
    if len(args) == 1 and type(args[0]) is int and args[0] < 2**40 and dtype is None and like is None and not kwargs:
        return _core.arange(0, 1, max(args[0], 0), _INT64)
    if len(args) == 4 and dtype is None:
        *args, dtype = args
    values = [scalar_value(value) if type(value) is scalar else value for value in args]
    if not kwargs and like is None and 1 <= len(values) <= 3 and all(type(value) in (int, float) for value in values):
        start, stop, step = (0, values[0], 1) if len(values) == 1 else (*values, 1)[:3]
        if dtype is None:
            ours = real.dtype(float if float in map(type, values) else int)
        else:
            ours = supported(dtype)
        if step and ours is not None and ours.kind in "if":
            return _core.arange(start, start + step, _arange_length(start, stop, step), ours)
    return call(real.arange, args, dict(kwargs, dtype=dtype), "arange", "types that are not ours")


@native()
def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    if type(start) in PLAIN_NUMBERS and type(stop) in PLAIN_NUMBERS and (dtype is None or dtype is float) and axis == 0:
        num = operator.index(num)
        if num < 0:
            raise ValueError("Number of samples, %s, must be non-negative." % num)
        div = (num - 1) if endpoint else num
        start, stop = start * 1.0, stop * 1.0
        delta = stop - start
        result = _core.arange(0, 1, num, FLOAT64)
        if div > 0:
            step = delta / div
            if step == 0:
                result /= div
                result *= delta
            else:
                result *= step
        else:
            step = real.nan
            result *= delta
        result += start
        if endpoint and num > 1:
            result[-1] = stop
        return (result, real.float64(step) if div > 0 else step) if retstep else result
    return REBINDER.function(real.linspace)(start, stop, num, endpoint, retstep, dtype, axis)


@native()
def eye(N, M=None, k=0, dtype=float, order="C", *, like=None):
    result = zeros((N, N if M is None else M), dtype, order, **({} if like is None else {"like": like}))
    if type(result) is not ndarray:
        return call(real.eye, (N, M, k, dtype, order), {} if like is None else {"like": like}, "eye", "its type is not ours")
    columns, k = result.shape[1], operator.index(k)
    if -result.shape[0] < k < columns:
        result[: columns - k].reshape(-1)[k if k >= 0 else -k * columns :: columns + 1] = 1
    return result


@native()
def from_dlpack(x, /):
    return x.view() if is_ours(x) else _fallback.adopt_array(real.from_dlpack(x))
