"""Products of matrices and numpy.linalg: NumPy's own Python, on routines of ours.

numpy.linalg.solve and the like are Python around compiled routines (numpy.linalg._umath_linalg), which are replaced by
tasks that call LAPACK. Products are native for every type that we compute with.
"""

import numpy as real
from numpy.linalg import linalg as _numpys

from refrain import _core, _fallback, _functions
from refrain._fallback import NATIVE, SUPPORTED, call
from refrain._functions import asarray, is_ours, native

_routines = _numpys._umath_linalg


def _operand(value):
    """Our array for an operand of a product, and nothing for what NumPy has to multiply."""
    if type(value) is _core.ndarray:
        return value
    made = asarray(value)
    return made if type(made) is _core.ndarray else None


def _together(a, b):
    """Both operands as arrays of their common type; nothing where NumPy must do it."""
    a, b = _operand(a), _operand(b)
    if a is None or b is None:
        return None
    if a.dtype != b.dtype:
        common = real.promote_types(a.dtype, b.dtype)
        if common not in SUPPORTED:
            return None
        a, b = (value if value.dtype == common else value.astype(common) for value in (a, b))
    return a, b


def _put(result, out):
    if out is None:
        return result
    out[...] = result
    return out


def _takes(out, shape, dtype):
    return out is None or is_ours(out) and out.shape == shape and out.dtype == dtype and out.flags.c_contiguous


@native()
def matmul(a, b, out=None, **options):
    operands = None if options else _together(a, b)
    if operands is None or out is not None and not is_ours(out):
        return call(real.matmul, (a, b), dict(options) if out is None else dict(options, out=out), "matmul",
                    "types or arguments that are not ours")
    a, b = operands
    if a.ndim == 0 or b.ndim == 0:
        number = 0 if a.ndim == 0 else 1
        raise ValueError(
            f"matmul: Input operand {number} does not have enough dimensions (has 0, gufunc core with signature "
            "(n?,k),(k,m?)->(n?,m?) requires 1)"
        )
    result = _core.matmul(a, b)
    if out is None:
        return result
    if not real.can_cast(result.dtype, out.dtype, "same_kind"):
        return call(real.matmul, (a, b), dict(out=out), "matmul", "types or arguments that are not ours")
    if out.shape != result.shape:
        return call(real.matmul, (a, b), dict(out=out), "matmul", "the shape of the output is another one")
    return _put(result, out)


def _matmul_ufunc(args, kwargs):
    kwargs = dict(kwargs)
    out = kwargs.pop("out", None)
    if isinstance(out, tuple):
        out = out[0] if len(out) == 1 else out
    if len(args) != 2 or kwargs:
        return NotImplemented
    return matmul(*args, out=out)


_fallback.NATIVE_UFUNCS["matmul", "__call__"] = _matmul_ufunc


@native()
def dot(a, b, out=None):
    if out is None and type(a) is _core.ndarray is type(b) and a.ndim == 1 and a.shape == b.shape and a.dtype == b.dtype:
        return _core.matmul(a, b)
    operands = _together(a, b)
    if operands is None:
        return call(real.dot, (a, b), {} if out is None else dict(out=out), "dot", "its types are not ours")
    a, b = operands
    if a.ndim == 0 or b.ndim == 0:
        result = a * b
    elif a.ndim <= 2 and b.ndim <= 2:
        _check_aligned(a, b, max(b.ndim - 2, 0))
        result = _core.matmul(a, b)
    elif b.ndim == 1:
        _check_aligned(a, b, 0)
        result = _core.matmul(a, b)
    else:
        _check_aligned(a, b, b.ndim - 2)
        axes = (b.ndim - 2, *range(b.ndim - 2), b.ndim - 1)
        columns = b.transpose(axes).reshape(b.shape[-2], -1)
        result = _core.matmul(a.reshape(-1, a.shape[-1]), columns)
        result = result.reshape(*a.shape[:-1], *b.shape[:-2], b.shape[-1])
    if not _takes(out, result.shape, result.dtype):
        raise ValueError("output array is not acceptable (must have the right datatype, number of dimensions, and be a C-Array)")
    return _put(result, out)


def _check_aligned(a, b, axis):
    if a.shape[-1] != b.shape[axis]:
        raise ValueError(
            f"shapes {_text(a.shape)} and {_text(b.shape)} not aligned: "
            f"{a.shape[-1]} (dim {a.ndim - 1}) != {b.shape[axis]} (dim {axis})"
        )


def _text(shape):
    return "(" + ",".join(map(str, shape)) + ("," if len(shape) == 1 else "") + ")"


@native()
def inner(a, b):
    operands = _together(a, b)
    if operands is None:
        return call(real.inner, (a, b), {}, "inner", "its types are not ours")
    a, b = operands
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    _check_aligned(a, b, b.ndim - 1)
    if b.ndim == 1:
        return _core.matmul(a, b)
    rows = _core.matmul(a.reshape(-1, a.shape[-1]), b.reshape(-1, b.shape[-1]).transpose())
    return rows.reshape(*a.shape[:-1], *b.shape[:-1])


@native()
def vdot(a, b):
    operands = _together(a, b)
    if operands is None:
        return call(real.vdot, (a, b), {}, "vdot", "its types are not ours")
    a, b = (value.reshape(-1) for value in operands)
    if a.size != b.size:
        raise ValueError("cannot reshape array of size %d into shape (%d,)" % (b.size, a.size))
    return _core.inner(a, b, a.dtype.kind == "c")


# numpy.einsum: sums over letters, pair by pair.


class _Term:
    """An array whose axes have letters, each once."""

    def __init__(self, array, letters):
        self.array, self.letters = array, letters

    @classmethod
    def of(cls, array, letters):
        for letter in dict.fromkeys(letters):
            while letters.count(letter) > 1:
                first = letters.index(letter)
                second = letters.index(letter, first + 1)
                if array.shape[first] != array.shape[second]:
                    small = 1 in (array.shape[first], array.shape[second])
                    if not small:
                        raise ValueError(
                            f"dimensions in single operand for collapsing index '{letter}' don't match "
                            f"({array.shape[first]} != {array.shape[second]})"
                        )
                    extent = max(array.shape[first], array.shape[second])
                    shape = [extent if axis in (first, second) else size for axis, size in enumerate(array.shape)]
                    array = _functions.broadcast_to(array, tuple(shape))
                array = _core.diagonal(array, 0, first, second)
                letters = letters[:first] + letters[first + 1 : second] + letters[second + 1 :] + letter
        return cls(array, letters)

    def summed(self, kept):
        """Without the letters that nobody else needs."""
        axes = tuple(axis for axis, letter in enumerate(self.letters) if letter not in kept)
        if not axes:
            return self
        array = self.array
        boolean = array.dtype == bool
        array = array.any(axis=axes) if boolean else array.sum(axis=axes, dtype=array.dtype)
        return _Term(asarray(array), "".join(letter for letter in self.letters if letter in kept))

    def arranged(self, letters):
        """As an array with these axes, which are all of its own."""
        return self.array.transpose([self.letters.index(letter) for letter in letters]) if letters != self.letters else self.array


def _times(one, other, kept):
    """The product of two terms, summed over the letters that are not kept."""
    one, other = one.summed(kept | set(other.letters)), other.summed(kept | set(one.letters))
    sizes = {}
    for term in (one, other):
        for letter, extent in zip(term.letters, term.array.shape):
            sizes[letter] = max(extent, sizes.get(letter, 0)) if extent else 0
    both = [letter for letter in one.letters if letter in other.letters]
    summed = [letter for letter in both if letter not in kept]
    stack = [letter for letter in both if letter in kept]
    left = [letter for letter in one.letters if letter not in both]
    right = [letter for letter in other.letters if letter not in both]

    def whole(term, letters):
        array = term.arranged("".join(letters))
        shape = tuple(sizes[letter] for letter in letters)
        return array if array.shape == shape else _functions.broadcast_to(array, shape)

    def size(letters):
        count = 1
        for letter in letters:
            count *= sizes[letter]
        return count

    letters = stack + left + right
    if not summed:
        a = whole(one, stack + left)
        a = a.reshape(a.shape + (1,) * len(right))
        b = whole(other, stack + right)
        b = b.reshape(b.shape[: len(stack)] + (1,) * len(left) + b.shape[len(stack) :])
        return _Term(asarray(a * b if a.dtype != bool else a & b), "".join(letters))
    stacked = tuple(sizes[letter] for letter in stack)
    a = whole(one, stack + left + summed).reshape(stacked + (size(left), size(summed)))
    b = whole(other, stack + summed + right).reshape(stacked + (size(summed), size(right)))
    result = asarray(_core.matmul(a, b)).reshape(tuple(sizes[letter] for letter in letters))
    return _Term(result, "".join(letters))


@native()
def einsum(*operands, out=None, optimize=False, **kwargs):
    if not kwargs or set(kwargs) <= {"dtype", "casting", "order"}:
        try:
            result = _einsum(operands, optimize, **kwargs)
        except ValueError:
            result = None  # NumPy words it
        if result is not None and (out is None or is_ours(out) and out.shape == result.shape):
            return _put(result, out)
    if out is not None:
        kwargs["out"] = out
    return call(real.einsum, operands, dict(kwargs, optimize=optimize), "einsum", "types or arguments that are not ours")


def _einsum(operands, optimize, dtype=None, casting="safe", order="K"):
    parse = _functions.REBINDER.function(real.core.einsumfunc._parse_einsum_input)
    inputs, output, arrays = parse(list(operands))
    inputs = inputs.split(",")
    arrays = [_operand(array) for array in arrays]
    if any(array is None for array in arrays) or order != "K":
        return None
    common = arrays[0].dtype
    for array in arrays[1:]:
        common = real.promote_types(common, array.dtype)
    if dtype is not None:
        common = real.dtype(dtype)
    if common not in SUPPORTED or not all(real.can_cast(array.dtype, common, casting) for array in arrays):
        return None
    for array, letters in zip(arrays, inputs):
        if len(letters) != array.ndim:
            return None
    sizes = {}
    for array, letters in zip(arrays, inputs):
        for letter, extent in zip(letters, array.shape):
            if sizes.setdefault(letter, extent) != extent and 1 not in (sizes[letter], extent):
                return None
            sizes[letter] = max(sizes[letter], extent)
    arrays = [array if array.dtype == common else array.astype(common) for array in arrays]
    terms = [_Term.of(array, letters) for array, letters in zip(arrays, inputs)]
    for positions in _path(operands, optimize, len(terms)):
        chosen = [terms.pop(position) for position in sorted(positions, reverse=True)][::-1]
        term = chosen[0]
        for count, other in enumerate(chosen[1:], 2):
            rest = [later.letters for later in terms] + [later.letters for later in chosen[count:]]
            term = _times(term, other, set(output).union(*map(set, rest)))
        terms.append(term)
    term = terms[0].summed(set(output))
    result = term.arranged(output)
    return result if result.ndim else result[()]


def _path(operands, optimize, count):
    if count == 1:
        return []
    if optimize is False or optimize is None or count == 2:
        return [tuple(range(count))]
    return einsum_path(*operands, optimize=optimize)[0][1:]


@native()
def einsum_path(*operands, optimize="greedy", einsum_call=False):
    shapes = [real.broadcast_to(real.zeros((), value.dtype), value.shape) if is_ours(value) else _fallback.to_numpy(value)
              for value in operands]  # the path depends on shapes alone
    return real.einsum_path(*shapes, optimize=optimize, einsum_call=einsum_call)


# The routines of numpy.linalg.

_LETTERS = {"d": real.dtype(float), "D": real.dtype(complex)}
_SAME = dict(qr_r_raw_m="qr_r_raw", qr_r_raw_n="qr_r_raw", svd_m="svd", svd_n="svd", svd_m_s="svd_s", svd_n_s="svd_s",
             svd_m_f="svd_f", svd_n_f="svd_f", lstsq_m="lstsq", lstsq_n="lstsq")


def _routine(name, ours):
    """numpy.linalg._umath_linalg's function of that name."""

    def routine(*operands, signature, extobj=None):
        types = signature.partition("->")[0]
        arrays = []
        for letter, operand in zip(types, operands):
            array = asarray(operand)
            arrays.append(array if array.dtype == _LETTERS[letter] else array.astype(_LETTERS[letter]))
        return _core.linalg(ours, *arrays)

    routine.__name__ = name
    return routine


for _name in ("det slogdet inv solve solve1 cholesky_lo qr_r_raw_m qr_r_raw_n qr_reduced qr_complete svd_m svd_n svd_m_s svd_n_s "
              "svd_m_f svd_n_f eig eigvals eigh_lo eigh_up eigvalsh_lo eigvalsh_up lstsq_m lstsq_n").split():
    NATIVE[id(getattr(_routines, _name))] = _routine(_name, _SAME.get(_name, _name))


def _makearray(a):
    return asarray(a), _fallback.array_wrap


# What is finite is checked where the values are: in the task.
NATIVE[id(_numpys._assert_finite)] = lambda *arrays: None
NATIVE[id(_numpys._makearray)] = _makearray


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


def _ravel(array, order="C"):
    """ndarray.ravel in the orders that are not the compiled method's: K as the elements lie in memory, A, F."""
    if order == "K":
        return array.transpose(_stride_order(array.shape, array.strides)).ravel()
    if order == "F" or order == "A" and array.flags.f_contiguous and not array.flags.c_contiguous:
        return array.transpose().ravel()
    if order in ("C", "A"):
        return array.ravel()
    return call(real.ndarray.ravel, (array, order), {}, "ndarray.ravel", "there is no such order")


_fallback.NATIVE_METHODS.update(dot=dot, ravel=_ravel)
