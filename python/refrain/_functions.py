"""NumPy's functions for our arrays: those written here, and those that other files declare, by subject."""

import operator

import numpy as real

from refrain import _core, _fallback
from refrain._creating import (  # noqa: F401: others find them here
    arange, asarray, zeros,
)
from refrain._fallback import NATIVE, NUMPYS, SUPPORTED, call, to_numpy
from refrain._native import (  # noqa: F401
    PLAIN_NUMBERS, REBINDER, array_owner, is_ours, native, native_of, ndarray, scalar, supported, ufuncs,
)


@native()
def around(a, decimals=0, out=None):
    made = _ours(a)
    if made is not None and made.dtype.kind in "iu" and out is None and type(decimals) is int and decimals >= 0:
        return made
    if made is None or made.dtype.kind not in "f" or out is not None or type(decimals) is not int or abs(decimals) > 22:
        return call(real.around, (a, decimals, out), {}, "around", "types or arguments that are not ours")
    if decimals == 0:
        return ufuncs["rint"](made)
    scale = float(10 ** abs(decimals))
    return ufuncs["rint"](made * scale) / scale if decimals > 0 else ufuncs["rint"](made / scale) * scale


for _name in ("round", "round_"):
    NATIVE[id(getattr(real, _name))] = around


@native()
def ptp(a, axis=None, out=None, keepdims=real._NoValue):
    made = _ours(a)
    if made is None or out is not None:
        return call(real.ptp, (a, axis, out), {} if keepdims is real._NoValue else {"keepdims": keepdims}, "ptp",
                    "types or arguments that are not ours")
    kept = keepdims is not real._NoValue and keepdims
    return made.max(axis=axis, keepdims=kept) - made.min(axis=axis, keepdims=kept)


@native()
def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    made = _ours(a)
    if made is None or out is not None:
        return call(real.trace, (a, offset, axis1, axis2, dtype, out), {}, "trace", "types or arguments that are not ours")
    return diagonal(made, offset, axis1, axis2).sum(-1, dtype=dtype)


for _name, _same in dict(degrees="rad2deg", radians="deg2rad").items():
    NATIVE[id(getattr(real, _name))] = ufuncs[_same]


# Methods as functions.


def _ours(value):
    """Our array for what may be a list, a number or NumPy's; else nothing."""
    if type(value) is ndarray:
        return value
    made = asarray(value)
    return made if type(made) is ndarray else None


def _method(name, *names):
    numpys = getattr(real, name)

    def function(a, *args, **kwargs):
        if type(a) is not ndarray:
            made = _ours(a)
            if made is None:
                return call(numpys, (a, *args), kwargs, name, "its type is not ours")
            a = made
        if kwargs:
            kwargs = {key: value for key, value in kwargs.items() if value is not real._NoValue}
        return getattr(a, method)(*args, **kwargs)

    method = names[0] if names else name
    function.__name__ = function.__qualname__ = name
    NATIVE[id(numpys)] = function
    NUMPYS[id(function)] = numpys
    function.__doc__ = numpys.__doc__
    function.__module__ = "refrain.numpy"
    return function


for _name in "sum prod mean std var any all cumsum cumprod argmin argmax squeeze ravel swapaxes".split():
    _method(_name)
for _name, _of in dict(amin="min", amax="max", min="min", max="max").items():
    if id(getattr(real, _name)) not in NATIVE:  # one object in some versions of NumPy, two in others
        _method(_name, _of)


@native()
def reshape(a, newshape, order="C"):
    made = _ours(a)
    if made is None:
        return call(real.reshape, (a, newshape, order), {}, "reshape", "its type is not ours")
    return made.reshape(newshape, order=order)


@native()
def transpose(a, axes=None):
    made = _ours(a)
    if made is None:
        return call(real.transpose, (a, axes), {}, "transpose", "its type is not ours")
    return made.transpose() if axes is None else made.transpose(axes)


_OPERANDS = frozenset((ndarray, scalar, bool, int, float, complex))


@native()
def where(condition, *choices):
    if not choices:
        return nonzero(condition)
    if len(choices) == 2:
        if type(condition) is ndarray and type(choices[0]) in _OPERANDS and type(choices[1]) in _OPERANDS:
            return _core.where(condition, *choices)
        operands = [value if isinstance(value, (ndarray, scalar, bool, int, float, complex)) else asarray(value)
                    for value in (condition, *choices)]
        if all(not isinstance(value, real.ndarray) or is_ours(value) for value in operands):
            return _core.where(*operands)
    return call(real.where, (condition, *choices), {}, "where", "the shape of the result depends on values")


@native()
def clip(a, a_min, a_max, out=None, **kwargs):
    made = _ours(a)
    if made is None or kwargs or a_min is None and a_max is None:
        return call(real.clip, (a, a_min, a_max, out), kwargs, "clip", "types or arguments that are not ours")
    options = {} if out is None else {"out": out}
    if a_min is not None:
        made = ufuncs["maximum"](made, a_min, **options)
    if a_max is not None:
        made = ufuncs["minimum"](made, a_max, **options)
    if type(made) is ndarray and made.dtype.kind == "f" and (_is_zero(a_min) or _is_zero(a_max)):
        made += 0.0  # of two zeros NumPy's clip takes the bound
    return made


def _is_zero(value):
    return type(value) in PLAIN_NUMBERS and value == 0


@native()
def concatenate(arrays, axis=0, out=None, dtype=None, casting="same_kind"):
    if out is None and dtype is None and casting == "same_kind":
        joined = _core.join(arrays, axis)
        if joined is not None:
            return joined
    parts = [_ours(part) for part in arrays] if isinstance(arrays, (list, tuple)) else []
    if not parts or out is not None or casting != "same_kind" or any(part is None for part in parts):
        return call(real.concatenate, (arrays, axis), dict(out=out, dtype=dtype, casting=casting), "concatenate",
                    "types or arguments that are not ours")
    if axis is None:
        parts = [part.ravel() for part in parts]
        axis = 0
    rank = parts[0].ndim
    given_axis = axis
    axis = operator.index(axis)
    fits = -rank <= axis < rank
    axis %= rank or 1
    shape = list(parts[0].shape)
    for part in parts[1:]:
        if not fits or part.ndim != rank:
            fits = False
            break
        for dim, extent in enumerate(part.shape):
            fits = fits and (dim == axis or extent == shape[dim])
    result_dtype = real.result_type(*(part.dtype for part in parts)) if dtype is None else supported(dtype)
    if fits and result_dtype is not None:
        fits = dtype is None or all(real.can_cast(part.dtype, result_dtype, casting) for part in parts)
    if not fits or rank == 0 or result_dtype not in SUPPORTED:
        return call(real.concatenate, (arrays, given_axis), dict(dtype=dtype, casting=casting), "concatenate",
                    "its types are not ours")
    shape[axis] = sum(part.shape[axis] for part in parts)
    by_columns = rank > 1 and all(part.flags.f_contiguous and not part.flags.c_contiguous for part in parts)
    result = _core.empty(tuple(shape), result_dtype, "F" if by_columns else "C")
    before = (slice(None),) * axis
    start = 0
    for part in parts:
        stop = start + part.shape[axis]
        result[(*before, slice(start, stop))] = part
        start = stop
    return result


@native()
def broadcast_to(array, shape, subok=False):
    made = None if subok else _ours(array)
    if made is None:
        return call(real.broadcast_to, (array, shape, subok), {}, "broadcast_to", "its type is not ours")
    return _core.broadcast_to(made, shape)


@native()
def broadcast_arrays(*args, subok=False):
    made = [_ours(value) for value in args]
    if any(value is None for value in made):
        return call(real.broadcast_arrays, args, dict(subok=subok), "broadcast_arrays", "its types are not ours")
    shape = real.broadcast_shapes(*(value.shape for value in made))
    return [value if value.shape == shape else _core.broadcast_to(value, shape) for value in made]


@native()
def diagonal(a, offset=0, axis1=0, axis2=1):
    made = _ours(a)
    if made is None:
        return call(real.diagonal, (a, offset, axis1, axis2), {}, "diagonal", "its type is not ours")
    return _core.diagonal(made, offset, axis1, axis2)


@native()
def result_type(*operands):
    return real.result_type(*(value.dtype if is_ours(value) and value.ndim else to_numpy(value) for value in operands))


@native()
def can_cast(from_, to, casting="safe"):
    return real.can_cast(from_.dtype if is_ours(from_) and from_.ndim else to_numpy(from_), to_numpy(to), casting)


@native()
def min_scalar_type(a):
    return a.dtype if is_ours(a) and a.ndim else real.min_scalar_type(to_numpy(a))


@native()
def iscomplexobj(x):
    return issubclass(x.dtype.type, real.complexfloating) if is_ours(x) else real.iscomplexobj(to_numpy(x))


@native()
def isscalar(element):
    return type(element) is scalar or real.isscalar(element)


def _clip_method(a, min=None, max=None, out=None, **kwargs):
    return clip(a, min, max, out, **kwargs)


_fallback.NATIVE_METHODS.update(diagonal=diagonal, round=around, ptp=ptp, trace=trace, clip=_clip_method)

# The rest of the names, by subject. They stand on what is above.
from refrain import _attributes, _selecting, _sorting, _folding, _moving, _facts  # noqa: E402, F401

nonzero = _selecting.nonzero
