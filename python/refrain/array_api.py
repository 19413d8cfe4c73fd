"""The array API standard, 2022.12, with its extensions linalg and fft: what `x.__array_namespace__()` gives.

    xp = x.__array_namespace__()
    y = xp.permute_dims(xp.concat([x, x]), (1, 0))

Names and signatures are the standard's; what they compute is refrain.numpy's. Types, promotion and scalars are NumPy's,
which is more than the standard asks for.
"""

import collections as _collections
import types as _types

import numpy as _real

from refrain import numpy as _np

__array_api_version__ = "2022.12"

e, inf, nan, pi, newaxis = _np.e, _np.inf, _np.nan, _np.pi, None
bool = _real.dtype("bool")
int8, int16, int32, int64 = (_real.dtype(name) for name in ("int8", "int16", "int32", "int64"))
uint8, uint16, uint32, uint64 = (_real.dtype(name) for name in ("uint8", "uint16", "uint32", "uint64"))
float32, float64, complex64, complex128 = (
    _real.dtype(name) for name in ("float32", "float64", "complex64", "complex128")
)

# The standard's name, and NumPy's where that is another one.
_SAME = """
    add ceil conj cos cosh divide equal exp expm1 floor floor_divide greater greater_equal imag isfinite isinf isnan less
    less_equal log log1p log2 log10 logaddexp logical_and logical_not logical_or logical_xor multiply negative not_equal
    positive real remainder sign sin sinh square sqrt subtract tan tanh trunc bitwise_and bitwise_or bitwise_xor
    tril triu expand_dims flip reshape roll squeeze stack argmax argmin nonzero where max mean min prod sum all any
    matmul tensordot broadcast_arrays broadcast_to result_type can_cast finfo iinfo take round linspace meshgrid
""".split()
_OTHER = dict(
    abs="absolute", acos="arccos", acosh="arccosh", asin="arcsin", asinh="arcsinh", atan="arctan", atan2="arctan2",
    atanh="arctanh", bitwise_left_shift="left_shift", bitwise_right_shift="right_shift", bitwise_invert="invert",
    concat="concatenate", permute_dims="transpose", pow="power",
)
for _standard, _numpys in [*((name, name) for name in _SAME), *_OTHER.items()]:
    globals()[_standard] = getattr(_np, _numpys)


def _check_device(device):
    if device not in (None, "cpu"):
        raise ValueError(f"there is no device {device!r}; arrays are on the 'cpu'")


def _creating(name):
    function = getattr(_np, name)

    def create(*args, device=None, **kwargs):
        _check_device(device)
        return function(*args, **kwargs)

    create.__name__ = create.__qualname__ = name
    create.__doc__ = function.__doc__
    return create


for _name in "arange empty empty_like eye full full_like ones ones_like zeros zeros_like".split():
    globals()[_name] = _creating(_name)


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    """`copy`: True copies, False raises if a copy is needed, None copies if it is needed."""
    _check_device(device)
    if copy:
        return _np.array(obj, dtype=dtype, copy=True)
    made = _np.asarray(obj, dtype=dtype)
    if copy is False and made is not obj:
        raise ValueError("a copy is needed")
    return made


def from_dlpack(x, /):
    """An array on the memory of another library's."""
    return _np.asarray(_real.from_dlpack(x))


def astype(x, dtype, /, *, copy=True):
    """x itself only if `copy` is false and the type is the same."""
    return x if not copy and x.dtype == dtype else x.astype(dtype)


def isdtype(dtype, kind):
    """Whether the type is one, or of a kind such as 'integral', or of one of several."""
    if isinstance(kind, tuple):
        return any_of(isdtype(dtype, each) for each in kind)
    kinds = {"bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu", "real floating": "f",
             "complex floating": "c", "numeric": "iufc"}
    if isinstance(kind, str):
        if kind not in kinds:
            raise ValueError(f"there is no kind {kind!r} of types; there are: {', '.join(kinds)}")
        return _real.dtype(dtype).kind in kinds[kind]
    return _real.dtype(dtype) == kind


def any_of(values):
    for value in values:
        if value:
            return True
    return False


def _whole(number):
    """The same number as an integer, which NumPy's loops take, if it is one."""
    return int(number) if number == int(number) else number


def std(x, /, *, axis=None, correction=0.0, keepdims=False):
    return _np.std(x, axis=axis, ddof=_whole(correction), keepdims=keepdims)


def var(x, /, *, axis=None, correction=0.0, keepdims=False):
    return _np.var(x, axis=axis, ddof=_whole(correction), keepdims=keepdims)


def sort(x, /, *, axis=-1, descending=False, stable=True):
    made = _np.sort(x, axis=axis, kind="stable" if stable else None)
    return _np.flip(made, axis=axis) if descending else made


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    kind = "stable" if stable else None
    if not descending:
        return _np.argsort(x, axis=axis, kind=kind)
    # Of the reversed array, so that equal elements keep their order.
    found = _np.flip(_np.argsort(_np.flip(x, axis=axis), axis=axis, kind=kind), axis=axis)
    return x.shape[axis] - 1 - found


_All = _collections.namedtuple("unique_all", "values indices inverse_indices counts")
_Counts = _collections.namedtuple("unique_counts", "values counts")
_Inverse = _collections.namedtuple("unique_inverse", "values inverse_indices")


def unique_all(x, /):
    values, indices, inverse, counts = _np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    return _All(values, indices, inverse.reshape(x.shape), counts)


def unique_counts(x, /):
    return _Counts(*_np.unique(x, return_counts=True))


def unique_inverse(x, /):
    values, inverse = _np.unique(x, return_inverse=True)
    return _Inverse(values, inverse.reshape(x.shape))


def unique_values(x, /):
    return _np.unique(x)


def matrix_transpose(x, /):
    if x.ndim < 2:
        raise ValueError(f"a matrix has two axes; this array has {x.ndim}")
    return _np.swapaxes(x, -1, -2)


def vecdot(x1, x2, /, *, axis=-1):
    return _np.sum(_np.conj(x1) * x2, axis=axis)


# linalg and fft

linalg = _types.ModuleType(__name__ + ".linalg", "The extension of the standard for linear algebra.")
fft = _types.ModuleType(__name__ + ".fft", "The extension of the standard for Fourier transforms.")
for _name in "cholesky det eigh eigvalsh inv matrix_power matrix_rank pinv qr slogdet solve svd".split():
    setattr(linalg, _name, getattr(_np.linalg, _name))
for _name in "fft ifft fftn ifftn rfft irfft rfftn irfftn hfft ihfft fftfreq rfftfreq fftshift ifftshift".split():
    setattr(fft, _name, getattr(_np.fft, _name))


def cross(x1, x2, /, *, axis=-1):
    return _np.cross(x1, x2, axis=axis)


def diagonal(x, /, *, offset=0):
    """Of the last two axes."""
    return _np.diagonal(x, offset=offset, axis1=-2, axis2=-1)


def trace(x, /, *, offset=0, dtype=None):
    return _np.trace(x, offset=offset, axis1=-2, axis2=-1, dtype=dtype)


def outer(x1, x2, /):
    return _np.outer(x1, x2)


def svdvals(x, /):
    return _np.linalg.svd(x, compute_uv=False)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    return _np.linalg.norm(x, ord=ord, axis=(-2, -1), keepdims=keepdims)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    if axis is None:
        made = _np.linalg.norm(x.reshape(-1), ord=ord)
        return made.reshape((1,) * x.ndim) if keepdims else made
    return _np.linalg.norm(x, ord=ord, axis=axis, keepdims=keepdims)


for _function in (cross, diagonal, trace, outer, svdvals, matrix_norm, vector_norm):
    setattr(linalg, _function.__name__, _function)
    del globals()[_function.__name__]
for _name in ("matmul", "matrix_transpose", "tensordot", "vecdot"):
    setattr(linalg, _name, globals()[_name])


def namespace(api_version=None):
    """What x.__array_namespace__(api_version=...) gives."""
    if api_version not in (None, "2021.12", "2022.12"):
        raise ValueError(f"there is no version {api_version!r} of the array API here; there are 2021.12 and 2022.12")
    import sys

    return sys.modules[__name__]
