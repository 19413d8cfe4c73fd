"""What moves elements or says where they lie, and methods of arrays that NumPy has in C."""

import io
import pickle
import warnings

import numpy as real

from refrain import _core, _fallback
from refrain._fallback import NATIVE, NATIVE_METHODS, call
from refrain._functions import REBINDER, _ours, concatenate, is_ours, native, supported

NATIVE[id(real.core.shape_base._concatenate)] = concatenate


@native()
def fastCopyAndTranspose(a):
    made = _ours(a)
    if made is None or made.ndim > 2:
        return call(real.fastCopyAndTranspose, (a,), {}, "fastCopyAndTranspose", "its type or rank is not ours")
    return made.T.copy()


def astype(a, dtype, order="K", casting="unsafe", subok=True, copy=True):
    wanted = supported(dtype)
    drops_imaginary = wanted is not None and a.dtype.kind == "c" and wanted.kind not in "cb"  # NumPy warns
    if wanted is None or drops_imaginary or order not in ("K", "C", "F", "A") or not real.can_cast(a.dtype, wanted, casting):
        return call(real.ndarray.astype, (a, dtype, order, casting, subok, copy), {}, "ndarray.astype", "its types are not ours")
    if not copy and wanted == a.dtype and (order in ("K", "A") or order == "C" and a.flags.c_contiguous):
        return a
    if order == "F" and a.ndim > 1:
        result = _core.empty(a.shape, wanted, "F")
        result[...] = a
        return result
    return a.astype(wanted) if order in ("K", "A") else a.copy().astype(wanted)


def tobytes(a, order="C"):
    if order not in ("C", "F", "A", "K", None):
        return _fallback.to_numpy(a).tobytes(order)  # NumPy finds the words
    if order == "F":
        a = a.T
    elif order in ("A", "K", None):
        a = a.T if a.flags.f_contiguous and not a.flags.c_contiguous else a
    return memoryview(a if a.flags.c_contiguous else a.copy()).tobytes()


def tostring(a, order="C"):
    warnings.warn("tostring() is deprecated. Use tobytes() instead.", DeprecationWarning, stacklevel=3)
    return tobytes(a, order)


def tofile(a, fid, sep="", format="%s"):
    if sep:
        return call(real.ndarray.tofile, (a, fid, sep, format), {}, "ndarray.tofile", "text is NumPy's")
    content = tobytes(a)
    if hasattr(fid, "write"):
        fid.flush()
        if isinstance(fid, io.TextIOBase):
            fid = fid.buffer
        fid.write(content)
        return None
    with open(fid, "wb") as stream:
        stream.write(content)
    return None


def itemset(a, *args):
    if not args:
        raise ValueError("itemset must have at least one argument")
    *place, value = args
    if not place:
        if a.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        a[(0,) * a.ndim] = value
    elif len(place) == 1 and isinstance(place[0], tuple) and len(place[0]) == a.ndim:
        a[place[0]] = value
    elif len(place) == a.ndim and not isinstance(place[0], tuple):
        a[tuple(place)] = value
    elif len(place) == 1 and not isinstance(place[0], tuple) and -a.size <= place[0] < a.size:
        a[real.unravel_index(place[0] % a.size, a.shape)] = value
    elif len(place) == 1 and not isinstance(place[0], tuple):
        raise IndexError(f"index {place[0]} is out of bounds for size {a.size}")
    else:
        raise ValueError("incorrect number of indices for array")


def dumps(a):
    return pickle.dumps(a, protocol=2)


def dump(a, file):
    if hasattr(file, "write"):
        pickle.dump(a, file, protocol=2)
    else:
        with open(file, "wb") as stream:
            pickle.dump(a, stream, protocol=2)


class FlatIterator:
    """array.flat: the elements row-major."""

    def __init__(self, array):
        self._array = array
        self._next = 0

    @property
    def base(self):
        return self._array

    @property
    def index(self):
        return self._next

    @property
    def coords(self):
        return tuple(map(int, real.unravel_index(self._next, self._array.shape)))

    def copy(self):
        return self._array.flatten()

    def __len__(self):
        return self._array.size

    def __iter__(self):
        self._next = 0
        return self

    def __next__(self):
        if self._next >= self._array.size:
            raise StopIteration
        self._next += 1
        return self._array[tuple(map(int, real.unravel_index(self._next - 1, self._array.shape)))]

    def _line(self):
        return self._array.reshape(-1)

    def __getitem__(self, key):
        if key is Ellipsis or isinstance(key, tuple) and not key:
            return self._array.flatten()
        if isinstance(key, tuple) and len(key) == 1:
            (key,) = key
        if key is None or isinstance(key, (tuple, str, float)):
            raise IndexError("unsupported iterator index")
        result = self._line()[key]
        return result.copy() if is_ours(result) else result

    def __setitem__(self, key, value):
        if isinstance(key, tuple) and len(key) == 1:
            (key,) = key
        if key is None or isinstance(key, (str, float)) or isinstance(key, tuple) and key:
            raise IndexError("unsupported iterator index")
        a = self._array
        in_place = a.flags.c_contiguous
        line = self._line() if in_place else a.flatten()
        given = _ours(value)
        is_single = isinstance(key, (int, real.integer))
        if given is not None and is_single and given.size == 1 and not isinstance(value, (list, tuple)):
            given = given.reshape(())
        if given is None or given.ndim and is_single:
            raise ValueError("Error setting single item of array.")
        if given.ndim == 0:
            line[key] = given
        elif given.size:
            place = line[key]
            count = place.size
            if count:
                given = given.ravel()
                if given.size < count:
                    given = given[_core.arange(0, 1, count, real.dtype("int64")) % given.size]
                line[key] = given[:count].reshape(place.shape)
        if not in_place:
            a[...] = line.reshape(a.shape)

    def __array__(self, dtype=None):
        return real.array(_core.to_numpy(self._array).flat, dtype)

    def _compare(self, other, name):
        return getattr(self._line(), name)(_ours(other) if isinstance(other, FlatIterator) else other)

    def __eq__(self, other):
        return self._compare(other, "__eq__")

    def __ne__(self, other):
        return self._compare(other, "__ne__")

    __hash__ = None


NATIVE_METHODS.update(
    astype=astype,
    tobytes=tobytes,
    tofile=tofile,
    tostring=tostring,
    itemset=itemset,
    dumps=dumps,
    dump=dump,
    mean=REBINDER.function(real.core._methods._mean),
    var=REBINDER.function(real.core._methods._var),
    std=REBINDER.function(real.core._methods._std),
)
_fallback.NATIVE_ATTRIBUTES["flat"] = FlatIterator
