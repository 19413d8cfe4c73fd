"""Parts of floating-point numbers, and files of arrays."""

import numpy as real

from refrain import _core, _fallback
from refrain._fallback import NATIVE, to_numpy
from refrain._functions import asarray, native, ndarray, ufuncs

_FLOATS = {real.dtype("float32"), real.dtype("float64")}
# What NumPy's loops of floating-point numbers make of whole ones, where it is a type of ours.
_WIDENED = {real.dtype(name): real.dtype(wide) for name, wide in dict(
    int16="float32", uint16="float32", int32="float64", uint32="float64", int64="float64", uint64="float64").items()}


class _Ufunc(_fallback.Ufunc):
    """A ufunc of NumPy's, of which the plain call is ours."""

    def __init__(self, ufunc, function):
        super().__init__(ufunc)
        self._refrain_fallback = False
        self._function = function

    def __call__(self, *args, **kwargs):
        result = NotImplemented if kwargs or len(args) != self._ufunc.nin else self._function(*args)
        return super().__call__(*args, **kwargs) if result is NotImplemented else result


def _ufunc(function):
    numpys = getattr(real, function.__name__)
    NATIVE[id(numpys)] = made = _Ufunc(numpys, function)

    def special(args, kwargs):
        return NotImplemented if kwargs or len(args) != numpys.nin else function(*args)

    _fallback.NATIVE_UFUNCS[function.__name__, "__call__"] = special
    return made


def _floating(value):
    """Our array in the type that NumPy computes in; nothing where that is none of ours."""
    array = asarray(value)
    if type(array) is not ndarray:
        return None
    if array.dtype in _FLOATS:
        return array
    wide = _WIDENED.get(array.dtype)
    return None if wide is None else array.astype(wide)


@_ufunc
def frexp(x):
    x = _floating(x)
    return NotImplemented if x is None else _core.frexp(x)


@_ufunc
def modf(x):
    x = _floating(x)
    return NotImplemented if x is None else _core.modf(x)


@_ufunc
def spacing(x):
    x = _floating(x)
    return NotImplemented if x is None else _core.spacing(x)


@_ufunc
def ldexp(x, exponent):
    x, exponent = _floating(x), asarray(exponent)
    if x is None or type(exponent) is not ndarray or exponent.dtype.kind != "i":
        return NotImplemented
    return _core.ldexp(x, exponent if exponent.dtype.itemsize >= 4 else exponent.astype("int32"))


@_ufunc
def divmod(x, divisor):
    return ufuncs["floor_divide"](x, divisor), ufuncs["remainder"](x, divisor)


# Files: NumPy's formats, written from our arrays' memory.


def _file(name):
    numpys = getattr(real, name)

    def function(*args, **kwargs):
        result = numpys(*map(to_numpy, args), **{key: to_numpy(value) for key, value in kwargs.items()})
        return _fallback.adopt_array(result) if type(result) is real.ndarray else result

    function.__name__ = function.__qualname__ = name
    native(name)(function)


for _name in "save savez savez_compressed load".split():
    _file(_name)
