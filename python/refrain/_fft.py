"""numpy.fft: NumPy's own Python, on transforms of ours."""

import numpy as real
from numpy.fft import _pocketfft as _numpys

from refrain import _core, _functions
from refrain._fallback import NATIVE, call
from refrain._functions import asarray

_COMPLEX, _REAL, _REAL_INVERSE = 0, 1, 2
_execute = _numpys.pfi.execute


def execute(a, is_real, is_forward, factor):
    """numpy.fft._pocketfft_internal.execute: rows of the last axis."""
    kind = (_REAL if is_forward else _REAL_INVERSE) if is_real else _COMPLEX
    wanted = real.dtype(float if kind == _REAL else complex)
    array = asarray(a)
    if type(array) is _core.ndarray:
        if array.dtype != wanted:
            array = array.astype(wanted) if array.dtype.kind != "c" or wanted.kind == "c" else None
        if array is not None:
            return _core.fft(array, kind, is_forward, float(factor))
    return call(_execute, (a, is_real, is_forward, factor), {}, "fft", "its type is not ours")


def _cook_nd_args(a, s=None, axes=None, invreal=0):
    """Lengths and axes of a transform of several axes."""
    cut = s is None
    if cut:
        s = list(a.shape) if axes is None else [a.shape[axis] for axis in axes]
    else:
        s = list(s)
    if axes is None:
        axes = list(range(-len(s), 0))
    if len(s) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    if invreal and cut:
        s[-1] = (a.shape[axes[-1]] - 1) * 2
    return s, axes


NATIVE[id(_execute)] = execute
NATIVE[id(_numpys._cook_nd_args)] = _cook_nd_args
