"""Which of NumPy's names are ours: declared one by one, or NumPy's own Python on names that are ours."""

import numpy as real

from refrain import _core, _fallback
from refrain._fallback import NATIVE, NUMPYS, SUPPORTED
from refrain._rebind import Rebinder

ndarray = _core.ndarray
scalar = _core.scalar
ufuncs = _core.ufuncs
FLOAT64 = real.dtype(float)
PLAIN_NUMBERS = (int, float, real.float64, real.int64)


def native(*names, of=real, quick=False):
    """Declares a function to be ours, for NumPy's of these names, or of its own name.

    `quick`: the core has a quicker way for its commonest calls.
    """

    def declare(function):
        numpys = [getattr(of, name) for name in names or (function.__name__,)]
        function.__doc__ = numpys[-1].__doc__
        function.__module__ = "refrain.numpy"
        if quick:
            function = _core.quick(function)
        for one in numpys:
            NATIVE[id(one)] = function
            NUMPYS.setdefault(id(function), one)
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


_OF_TYPES = {kind: real.dtype(kind) for kind in (bool, int, float, complex)}
_OF_TYPES.update({dtype.type: dtype for dtype in SUPPORTED})


def supported(dtype):
    """The dtype if it is one that we compute with, else nothing."""
    if dtype is None:
        return FLOAT64
    if type(dtype) is type and dtype in _OF_TYPES:
        return _OF_TYPES[dtype]
    dtype = real.dtype(dtype)
    return dtype if dtype in SUPPORTED else None


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
