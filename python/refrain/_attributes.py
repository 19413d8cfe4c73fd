"""Attributes of our arrays that are not the compiled part's."""

from refrain import _core, _fallback
from refrain._creating import zeros


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

    @property
    def writeable(self):
        return self._array._writable

    @writeable.setter
    def writeable(self, on):
        self._array._writable = on

    def _real(self):
        return _core.to_numpy(self._array).flags

    def __getattr__(self, name):
        return getattr(self._real(), name)

    def __setattr__(self, name, value):
        if name in ("_array", "writeable"):
            object.__setattr__(self, name, value)
        else:
            setattr(self._real(), name, value)

    def __setitem__(self, key, value):
        setattr(self, self._SHORT.get(key) or key.lower(), value)

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


def setflags(array, write=None, align=None, uic=None):
    """ndarray.setflags: whether an array may be written. Ours are aligned, and nobody's copies."""
    if uic:
        raise ValueError("cannot set WRITEBACKIFCOPY flag to True")
    if write is not None:
        array._writable = write


_fallback.NATIVE_METHODS.update(setflags=setflags)
