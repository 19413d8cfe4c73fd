"""What is not ours goes to NumPy: on views of our arrays that share their memory, and the result is adopted.

One warning per call site names the line and the reason; COUNTS has every call, for the report.
"""

import functools
import os
import sys
import warnings
from collections import Counter

import numpy as real

from refrain import RefrainFallbackWarning, _core

COUNTS = Counter()  # by (file, line, function)
REASONS = {}  # the last reason, by the same
FORBID = False  # for tools/coverage: what is left to NumPy raises
NATIVE = {}  # id of NumPy's function -> ours; filled by refrain._functions
NUMPYS = {}  # id of our function -> NumPy's

# Input, output and settings: NumPy's by design, nothing to warn of.
QUIET = frozenset(
    """
    save savez savez_compressed savetxt load loadtxt genfromtxt fromfile fromregex tofile
    array2string array_repr array_str set_printoptions get_printoptions printoptions format_float_positional
    format_float_scientific set_string_function test info show_config get_include
    shares_memory may_share_memory byte_bounds isfortran errstate seterr geterr seterrcall geterrcall seterrobj geterrobj seed RandomState default_rng
    """.split()
)

SUPPORTED = frozenset(
    real.dtype(name)
    for name in "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64 complex64 complex128".split()
)

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_NUMPY = os.path.dirname(os.path.abspath(real.__file__)) + os.sep
_INSIDE = (_PACKAGE, _NUMPY, "<__array_function__")


def call_site():
    """File and line of the innermost frame that is neither ours nor NumPy's."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_INSIDE):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def note(name, reason):
    """Counts a call of NumPy's `name`; warns when it is the first one from that line."""
    if FORBID:
        raise RuntimeError(f"numpy.{name} is left to NumPy")
    file, line = call_site()
    site = (file, line, name)
    COUNTS[site] += 1
    if site not in REASONS and name.rpartition(".")[2] not in QUIET:
        REASONS[site] = reason
        warnings.warn_explicit(
            f"numpy.{name}: computed by NumPy ({reason})", RefrainFallbackWarning, file, line, registry={}
        )
    else:
        REASONS[site] = reason


class Views:
    """Arguments as NumPy takes them: our arrays as views of the same memory, our scalars as values."""

    def __init__(self):
        self.ours = {}  # id of a view -> (view, our array)
        self.by_array = {}

    def to_numpy(self, value):
        kind = type(value)
        if kind is _core.ndarray:
            view = self.by_array.get(id(value))
            if view is None:
                view = self.by_array[id(value)] = _core.to_numpy(value)
                self.ours[id(view)] = (view, value)
            return view
        if kind is _core.scalar:
            return scalar_value(value)
        if kind is list:
            return [self.to_numpy(item) for item in value]
        if kind is tuple:
            return tuple(self.to_numpy(item) for item in value)
        if kind is dict:
            return {key: self.to_numpy(item) for key, item in value.items()}
        if kind is slice:
            return slice(self.to_numpy(value.start), self.to_numpy(value.stop), self.to_numpy(value.step))
        if issubclass(kind, RandomSource):
            value._settle()
            return value._source
        numpys = NUMPYS.get(id(value))
        if numpys is not None:
            return numpys
        return value

    def adopt(self, value):
        kind = type(value)
        if kind is real.ndarray:
            known = self.ours.get(id(value))
            if known is not None:
                return known[1]
            return adopt_array(value)
        if kind in RANDOM_SOURCES:
            return random_source(value)
        if kind is tuple:
            return tuple(self.adopt(item) for item in value)
        if kind is list:
            return [self.adopt(item) for item in value]
        if kind is dict:
            return {key: self.adopt(item) for key, item in value.items()}
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return kind(*(self.adopt(item) for item in value))
        return value


def scalar_value(value):
    """The NumPy scalar that one of ours stands for; waits for it."""
    return value.dtype.type(value.item())


def adopt_array(array, references=4):
    """Our array on the memory of one of NumPy's; the array itself if it is of a type that we do not compute with.

    `references`: how many there are to an array that nobody else sees.
    """
    if array.dtype not in SUPPORTED:
        return array
    if not array.flags.aligned:
        array = array.copy()
    owned = array.base is None and array.flags.owndata and array.flags.writeable and sys.getrefcount(array) <= references
    return _core.from_numpy(array, owned)


def to_numpy(value):
    return Views().to_numpy(value)


def call(function, args, kwargs, name=None, reason="it is not ours"):
    """function(*args, **kwargs) by NumPy; results are adopted."""
    if name is None:
        name = public_name(function)
    if FORBID:
        raise RuntimeError(f"numpy.{name} is left to NumPy")
    views = Views()
    args = [views.to_numpy(value) for value in args]
    kwargs = {key: views.to_numpy(value) for key, value in kwargs.items()}
    result = function(*args, **kwargs)
    adopted = views.adopt(result)
    if views.ours or adopted is not result:
        note(name, reason)
    return adopted


def public_name(function):
    name = getattr(function, "__qualname__", None) or getattr(function, "__name__", None) or repr(function)
    owner = getattr(function, "__module__", None) or ""
    for part in ("linalg", "fft", "random"):
        if owner.startswith("numpy." + part):
            return f"{part}.{name}"
    return name


def wrapper(function, name=None, reason="it is not ours"):
    """A function that NumPy computes, for our arrays."""
    name = name or public_name(function)
    if type(function) is real.ufunc:
        return Ufunc(function)

    def by_numpy(*args, **kwargs):
        return call(function, args, kwargs, name, reason)

    by_numpy.__name__ = by_numpy.__qualname__ = getattr(function, "__name__", name)
    by_numpy.__doc__ = getattr(function, "__doc__", None)
    by_numpy.__module__ = "refrain.numpy"
    by_numpy.__wrapped__ = function
    by_numpy._refrain_fallback = True
    NUMPYS[id(by_numpy)] = function
    return by_numpy


class Ufunc:
    """A ufunc that NumPy computes, for our arrays."""

    def __init__(self, ufunc):
        self._ufunc = ufunc
        self.__name__ = ufunc.__name__
        self.__doc__ = ufunc.__doc__
        self._refrain_fallback = True
        NUMPYS[id(self)] = ufunc

    __class__ = property(lambda self: real.ufunc)

    def __call__(self, *args, **kwargs):
        return call(self._ufunc, args, kwargs, self.__name__, "the ufunc is not ours")

    def __getattr__(self, name):
        value = getattr(self._ufunc, name)
        return wrapper(value, f"{self.__name__}.{name}", "the ufunc is not ours") if callable(value) else value

    def __repr__(self):
        return repr(self._ufunc)


# The hooks of the compiled part.


def hook_getitem(array, key):
    views = Views()
    view = views.to_numpy(array)
    result = view[views.to_numpy(key)]
    note("ndarray.__getitem__", "the key selects by arrays")
    return views.adopt(result)


def hook_setitem(array, key, value):
    if type(key) is _core.ndarray and key.dtype == bool and key.shape == array.shape and is_number(value):
        array[...] = _core.where(key, cast_number(value, array.dtype), array)
        return
    views = Views()
    view = views.to_numpy(array)
    key = views.to_numpy(key)
    view[key] = views.to_numpy(value)
    note("ndarray.__setitem__", "the key selects by arrays")


def is_number(value):
    return type(value) in (bool, int, float) or type(value) is _core.scalar or isinstance(value, (real.bool_, real.floating, real.integer))


def cast_number(value, dtype):
    """The number as an element of that type, which is what is written where a mask is true."""
    if type(value) is _core.scalar and value.dtype == dtype:
        return value
    element = _core.empty((), dtype, "C")
    is_plain = type(value) in (bool, int, float)
    element[()] = value if is_plain else _core.asarray(value)  # NumPy's scalars are cast as arrays are
    return element


RANDOM_SOURCES = (real.random.Generator, real.random.RandomState)


class RandomSource:
    """A generator of NumPy's whose draws become our arrays: refrain._random.Source."""

    __class__ = property(lambda self: type(self._source))

    def __setattr__(self, name, value):
        setattr(self._source, name, value)

    def __repr__(self):
        return repr(self._source)


random_source = None  # makes one; set by refrain._random


def array_wrap(array, context=None):
    return array


# Attributes that are facts about an array, not computations.
_PLAIN = frozenset("flags ctypes data".split())


def hook_attribute(value, name):
    if type(value) is _core.ndarray:
        if name in ("__array_wrap__", "__array_prepare__"):
            return array_wrap
        native = NATIVE_ATTRIBUTES.get(name)
        if native is not None:
            return native(value)
        if name == "to_device":
            return functools.partial(NATIVE_METHODS[name], value)
        found = getattr(real.ndarray, name, None)
        if found is None and not hasattr(real.ndarray, name) or name in ("__array_interface__", "__array_struct__"):
            raise AttributeError(f"'numpy.ndarray' object has no attribute '{name}'")
        if callable(found):
            method = NATIVE_METHODS.get(name)
            if method is not None:
                return lambda *args, **kwargs: method(value, *args, **kwargs)
            return lambda *args, **kwargs: call(found, (value, *args), kwargs, f"ndarray.{name}", "the method is not ours")
        views = Views()
        result = getattr(views.to_numpy(value), name)
        if name not in _PLAIN:
            note(f"ndarray.{name}", "the attribute is not ours")
        return views.adopt(result)
    return getattr(scalar_value(value), name)


NATIVE_ATTRIBUTES = {}  # name -> function of the array; filled by refrain._functions
NATIVE_METHODS = {}


def hook_set_attribute(array, name, value):
    views = Views()
    setattr(views.to_numpy(array), name, views.to_numpy(value))


def hook_ufunc_method(ufunc, method, args, kwargs):
    name = ufunc if isinstance(ufunc, str) else ufunc.__name__
    function = ufunc if type(ufunc) is real.ufunc else getattr(real, name)
    if kwargs.get("where") is real._NoValue and name in _core.ufuncs:  # as nanvar of NumPy says
        kwargs = {key: value for key, value in kwargs.items() if key != "where"}
        ours = _core.ufuncs[name]
        return (ours if method == "__call__" else getattr(ours, method))(*args, **kwargs)
    special = NATIVE_UFUNCS.get((name, method))
    if special is not None:
        result = special(args, kwargs)
        if result is not NotImplemented:
            return result
    general = NATIVE_UFUNC_METHODS.get(method)
    if general is not None:
        result = general(name, args, kwargs)
        if result is not NotImplemented:
            return result
    if method != "__call__":
        return call(getattr(function, method), args, kwargs, f"{name}.{method}", "the method is not ours")
    return call(function, args, kwargs, name, "types or arguments that are not ours")


NATIVE_UFUNCS = {}  # (name, method) -> function of args and kwargs
NATIVE_UFUNC_METHODS = {}  # method -> function of name, args and kwargs


def hook_function(function, types, args, kwargs):
    ours = NATIVE.get(id(function))
    if ours is None:
        from refrain import _functions

        ours = _functions.native_of(function)
    if ours is not None:
        return ours(*args, **kwargs)
    return call(function, args, kwargs)


def hook_convert(value):
    converted = real.asarray(to_numpy(value))
    return adopt_array(converted) if converted.base is None else converted


_core.set_hooks(
    getitem=hook_getitem,
    setitem=hook_setitem,
    attribute=hook_attribute,
    ufunc_method=hook_ufunc_method,
    function=hook_function,
    convert=hook_convert,
    set_attribute=hook_set_attribute,
)
