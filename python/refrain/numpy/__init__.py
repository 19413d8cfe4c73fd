"""numpy, as programs know it, computed by tasks of the runtime.

Names that are not ours are NumPy's own, called on views of our arrays (refrain._fallback). Types and constants are NumPy's.
"""

import types as _types

import numpy as _real

from refrain import _errors, _fallback, _functions
from refrain import _fft, _linalg, _numbers, _random  # noqa: F401: they declare what is ours
from refrain._vectorize import vectorize  # noqa: F401

__version__ = _real.__version__
__all__ = list(_real.__all__)
__path__ = []  # submodules are found by the import hook of refrain._imports, or as attributes

SUBMODULES = ("linalg", "fft", "random")


def _ours(value, name, prefix=""):
    """Ours for a public name of NumPy."""
    if isinstance(value, (type, _types.ModuleType)) or not callable(value):
        return value
    ours = _functions.native_of(value)
    return ours if ours is not None else _fallback.wrapper(value, prefix + name)


class _Submodule(_types.ModuleType):
    """linalg, fft, random: names that are not ours by NumPy."""

    def __init__(self, module):
        short = module.__name__.rpartition(".")[2]
        super().__init__("refrain.numpy." + short, module.__doc__)
        self.__dict__["_real"] = module
        self.__dict__["_short"] = short
        self.__all__ = list(getattr(module, "__all__", ()))

    def __getattr__(self, name):
        value = _ours(getattr(self._real, name), name, self._short + ".")
        self.__dict__[name] = value
        return value

    def __dir__(self):
        return dir(self._real)


linalg, fft, random = (_Submodule(getattr(_real, name)) for name in SUBMODULES)
random.Generator, random.RandomState = _random.Generator, _random.RandomState


def __getattr__(name):
    try:
        value = getattr(_real, name)
    except AttributeError:
        raise AttributeError(f"module 'numpy' has no attribute {name!r}") from None
    value = _ours(value, name)
    globals()[name] = value
    return value


def __dir__():
    return dir(_real)
