"""NumPy's functions for our arrays: those written here, and NumPy's own Python on top of them."""

import math
import operator

import numpy as real

from refrain import _core, _fallback
from refrain._fallback import NATIVE, NUMPYS, SUPPORTED, call, scalar_value, to_numpy
from refrain._rebind import Rebinder

ndarray = _core.ndarray
scalar = _core.scalar
ufuncs = _core.ufuncs
_NoValue = real._NoValue
_FLOAT64 = real.dtype(float)


def native(*names, of=real):
    """Declares a function to be ours, for NumPy's of these names, or of its own name."""

    def declare(function):
        for name in names or (function.__name__,):
            numpys = getattr(of, name)
            NATIVE[id(numpys)] = function
            NUMPYS.setdefault(id(function), numpys)
        function.__doc__ = numpys.__doc__
        function.__module__ = "refrain.numpy"
        return function

    return declare


for _name, _value in list(vars(real).items()):  # not dir(), which names modules that are not loaded yet
    if isinstance(_value, real.ufunc):
        _ours = ufuncs.get(_value.__name__)
        if _ours is not None:
            NATIVE[id(_value)] = _ours
            NUMPYS[id(_ours)] = _value


def is_ours(value):
    return type(value) is ndarray


def array_owner(array):
    """The array that was viewed first: two arrays share memory only if they have the same one."""
    return array if array.base is None else array.base


def supported(dtype):
    """The dtype if it is one that we compute with, else nothing."""
    if dtype is None:
        return _FLOAT64
    dtype = real.dtype(dtype)
    return dtype if dtype in SUPPORTED else None


# Making arrays.


def _extents(shape):
    """A shape for the core, which takes integers and sequences of any kind, but no arrays."""
    if type(shape) is tuple or type(shape) is int or not isinstance(shape, real.ndarray):
        return shape
    return shape.tolist()


@native()
def empty(shape, dtype=float, order="C", *, like=None):
    ours = supported(dtype)
    if ours is None or like is not None or order not in ("C", "F"):
        return call(real.empty, (shape, dtype, order), {} if like is None else {"like": like}, "empty", "its type is not ours")
    return _core.empty(_extents(shape), ours, order)


@native()
def zeros(shape, dtype=float, order="C", *, like=None):
    ours = supported(dtype)
    if ours is None or like is not None or order != "C":
        return call(real.zeros, (shape, dtype, order), {} if like is None else {"like": like}, "zeros", "its type is not ours")
    return _core.zeros(_extents(shape), ours)


@native()
def ones(shape, dtype=None, order="C", *, like=None):
    ours = supported(dtype)
    if ours is None or like is not None or order != "C":
        return call(real.ones, (shape, dtype, order), {} if like is None else {"like": like}, "ones", "its type is not ours")
    return _core.ones(_extents(shape), ours)


@native()
def full(shape, fill_value, dtype=None, order="C", *, like=None):
    if dtype is None:
        dtype = fill_value.dtype if hasattr(fill_value, "dtype") else real.asarray(to_numpy(fill_value)).dtype
    ours = supported(dtype)
    if ours is None or like is not None:
        return call(real.full, (shape, fill_value, dtype, order), {} if like is None else {"like": like}, "full",
                    "its type is not ours")
    result = empty(shape, ours, order)
    _fill(result, fill_value)
    return result


def _fill(array, value):
    """array[...] = value, cast as an array is: without the errors of Python numbers that do not fit."""
    if type(value) in (bool, int, float, complex) and not (array.dtype.kind == "f" and type(value) is float):
        value = asarray(value)
    array[...] = value


def _like(prototype, dtype, order, shape):
    """An array for what is like the prototype: NumPy's order of dimensions, if it is asked to keep it."""
    ours = prototype.dtype if dtype is None else supported(dtype)
    if ours is None:
        return None
    if shape is not None and order == "K" and (1 if isinstance(shape, int) else len(shape)) != prototype.ndim:
        order = "C"
    extents = prototype.shape if shape is None else shape
    if order in ("C", "F"):
        return _core.empty(extents, ours, order)
    rank = prototype.ndim
    if rank < 2:
        return _core.empty(extents, ours, "C")
    strides = prototype.strides
    if order == "A":
        by_columns = prototype.flags.f_contiguous and not prototype.flags.c_contiguous
        return _core.empty(extents, ours, "F" if by_columns else "C")
    axes = _stride_order(prototype.shape, strides)
    if axes == tuple(range(rank)):
        return _core.empty(extents, ours, "C")
    if axes == tuple(range(rank - 1, -1, -1)):
        return _core.empty(extents, ours, "F")
    back = [0] * rank
    for place, axis in enumerate(axes):
        back[axis] = place
    return _core.empty(tuple(extents[axis] for axis in axes), ours, "C").transpose(back)


def _stride_order(shape, strides):
    """The axes from the outermost to the innermost in memory: NumPy's insertion sort by strides."""
    rank = len(strides)
    axes = list(range(rank))
    for place in range(1, rank):
        moving = axes[place]
        here = place
        for before in range(place - 1, -1, -1):
            other = axes[before]
            a, b = abs(strides[other]), abs(strides[moving])
            if a == 0 or b == 0 or shape[other] == 1 or shape[moving] == 1:
                continue  # says nothing about the order
            if a < b:
                here = before
            else:
                break
        axes.pop(place)
        axes.insert(here, moving)
    return tuple(axes)


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
            result[()] = object
            return result
    if isinstance(object, real.ndarray) and not subok or kind is real.ndarray:
        made = real.array(object, dtype, copy=copy, order=order, ndmin=ndmin)
    else:
        made = real.array(to_numpy(object), to_numpy(dtype), copy=copy, order=order, subok=subok, ndmin=ndmin)
    return _fallback.adopt_array(made, 3) if type(made) is real.ndarray else made


@native()
def asarray(a, dtype=None, order=None, *, like=None):
    if type(a) is ndarray and dtype is None and order is None:
        return a
    return array(a, dtype, copy=False, order=order or "K", like=like)


@native()
def asanyarray(a, dtype=None, order=None, *, like=None):
    if type(a) is ndarray and dtype is None and order is None:
        return a
    return array(a, dtype, copy=False, order=order or "K", subok=True, like=like)


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
            _fill(dst, src if where is True else _core.where(where, src, dst))
            return
    call(real.copyto, (dst, src, casting, where), {}, "copyto", "its types are not ours")


def _arange_length(start, stop, step):
    span = stop - start
    value = span / step
    if value == 0.0 and span != 0:
        return 0 if math.copysign(1.0, value) < 0 else 1
    return max(0, math.ceil(value))


@native()
def arange(*args, dtype=None, like=None, **kwargs):
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


_PLAIN_NUMBERS = (int, float, real.float64, real.int64)


@native()
def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    if type(start) in _PLAIN_NUMBERS and type(stop) in _PLAIN_NUMBERS and (dtype is None or dtype is float) and axis == 0:
        num = operator.index(num)
        if num < 0:
            raise ValueError("Number of samples, %s, must be non-negative." % num)
        div = (num - 1) if endpoint else num
        start, stop = start * 1.0, stop * 1.0
        delta = stop - start
        result = _core.arange(0, 1, num, _FLOAT64)
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
def ptp(a, axis=None, out=None, keepdims=_NoValue):
    made = _ours(a)
    if made is None or out is not None:
        return call(real.ptp, (a, axis, out), {} if keepdims is _NoValue else {"keepdims": keepdims}, "ptp",
                    "types or arguments that are not ours")
    kept = keepdims is not _NoValue and keepdims
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
            kwargs = {key: value for key, value in kwargs.items() if value is not _NoValue}
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


@native()
def where(condition, *choices):
    if not choices:
        return nonzero(condition)
    if len(choices) == 2:
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
    return type(value) in _PLAIN_NUMBERS and value == 0


@native()
def concatenate(arrays, axis=0, out=None, dtype=None, casting="same_kind"):
    parts = [_ours(part) for part in arrays] if isinstance(arrays, (list, tuple)) else []
    if not parts or out is not None or casting != "same_kind" or any(part is None for part in parts):
        return call(real.concatenate, (arrays, axis), dict(out=out, dtype=dtype, casting=casting), "concatenate",
                    "types or arguments that are not ours")
    if axis is None:
        parts = [part.ravel() for part in parts]
        axis = 0
    rank = parts[0].ndim
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
        return call(real.concatenate, (arrays, axis), dict(dtype=dtype, casting=casting), "concatenate", "its types are not ours")
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


def namespace(value):
    """Ours for a function of NumPy that is met inside another one."""
    ours = NATIVE.get(id(value))
    if ours is None and hasattr(value, "_implementation"):
        ours = native_of(value) or _fallback.wrapper(value)
    return ours


REBINDER = Rebinder(NATIVE, namespace, _fallback.wrapper)

# NumPy computes these better than its Python code on our names would: they look at values, or loop over elements.
NOT_REBOUND = frozenset(
    """
    info who source lookfor disp deprecate add_newdoc add_docstring safe_eval byte_bounds get_include
    base_repr binary_repr array_str array_repr array2string issubdtype frompyfunc vectorize
    as_strided sliding_window_view save
    """.split()
)


def native_of(function):
    """Ours for a function of NumPy, if there is one."""
    ours = NATIVE.get(id(function))
    if ours is not None:
        return ours
    if getattr(function, "__name__", None) in NOT_REBOUND or isinstance(function, type):
        return None
    ours = REBINDER.function(function)
    if ours is not None:
        NATIVE[id(function)] = ours
        NUMPYS[id(ours)] = function
    return ours


class Flags:
    """array.flags: what follows from shape and strides without waiting; the rest from NumPy's view of the memory."""

    _SHORT = dict(C="c_contiguous", F="f_contiguous", W="writeable", A="aligned", O="owndata", CONTIGUOUS="c_contiguous",
                  FORTRAN="f_contiguous")

    def __init__(self, array):
        self._array = array

    def _is_contiguous(self, axes):
        expected = self._array.itemsize
        shape, strides = self._array.shape, self._array.strides
        if 0 in shape:
            return True
        for axis in axes:
            if shape[axis] != 1:
                if strides[axis] != expected:
                    return False
                expected *= shape[axis]
        return True

    @property
    def c_contiguous(self):
        return self._is_contiguous(reversed(range(self._array.ndim)))

    @property
    def f_contiguous(self):
        return self._is_contiguous(range(self._array.ndim))

    contiguous, fortran = c_contiguous, f_contiguous

    @property
    def owndata(self):
        return self._array.base is None

    def _real(self):
        return _core.to_numpy(self._array).flags

    def __getattr__(self, name):
        return getattr(self._real(), name)

    def __setattr__(self, name, value):
        if name == "_array":
            object.__setattr__(self, name, value)
        else:
            setattr(self._real(), name, value)

    def __getitem__(self, key):
        return getattr(self, self._SHORT.get(key) or key.lower())

    def __eq__(self, other):
        return repr(self) == repr(other)

    def __repr__(self):
        lines = repr(self._real()).splitlines()
        return "\n".join(f"  OWNDATA : {self.owndata}" if "OWNDATA" in line else line for line in lines)


def _imaginary(value):
    if value.dtype.kind == "c":
        return _fallback.Views().adopt(_core.to_numpy(value).imag)
    return zeros(value.shape, value.dtype)


_fallback.NATIVE_ATTRIBUTES.update(
    flags=Flags,
    real=lambda a: a if a.dtype.kind != "c" else _fallback.Views().adopt(_core.to_numpy(a).real),
    imag=_imaginary,
)
def _matrix_transpose(value):
    if value.ndim < 2:
        raise ValueError(f"a matrix has two axes; this array has {value.ndim}")
    return value.swapaxes(-1, -2)


def _to_device(value, device, /, *, stream=None):
    if device != "cpu" or stream is not None:
        raise ValueError(f"there is no device {device!r}; arrays are on the 'cpu'")
    return value


# What the array API standard has beyond NumPy 1.24.
_fallback.NATIVE_ATTRIBUTES.update(mT=_matrix_transpose, device=lambda value: "cpu")
_fallback.NATIVE_METHODS.update(to_device=_to_device)
_fallback.NATIVE_METHODS.update(diagonal=diagonal, round=around, ptp=ptp, trace=trace, clip=lambda a, min=None, max=None, out=None, **kwargs: clip(a, min, max, out, **kwargs))

# The rest of the names, by subject. They stand on what is above.
from refrain import _selecting, _sorting, _folding, _moving, _facts  # noqa: E402

nonzero = _selecting.nonzero
