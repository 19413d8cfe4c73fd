"""Sorting, searching, counting, sets and statistics: NumPy's bits, types and errors on tables of arrays."""

import os
import unittest
import warnings

# NumPy from 1.25 on orders equal elements in another way where it finds AVX-512.
os.environ["NPY_DISABLE_CPU_FEATURES"] = "AVX512F AVX512CD AVX512_SKX"

import numpy as real

import refrain.numpy as ours
from refrain import RefrainFallbackWarning
from support import same_bits

DTYPES = "bool int8 uint32 int64 float32 float64 complex128".split()
SHAPES = [(0,), (1,), (7,), (100,), (3, 4), (17, 2, 3), (0, 3), (2, 0)]


def data(np, dtype, shape, seed):
    """Repeated values, zeros of both signs, NaN."""
    source = real.random.RandomState(seed)
    size = int(real.prod(shape))
    values = source.randint(-5 if dtype[0] in "ifc" else 0, 9 if dtype != "bool" else 2, size).astype(dtype)
    if dtype[0] == "f" or dtype[0] == "c":
        values[source.rand(size) < 0.1] = real.nan
        values[source.rand(size) < 0.2] = -0.0
        values += source.randint(0, 2, size).astype(dtype) / 4
    if dtype[0] == "c":
        values = values + 1j * source.randint(-2, 3, size)
        values[source.rand(size) < 0.1] = complex(1, real.nan)
    return np.array(values.reshape(shape))


# `a`: an array of every type and shape; `v`: one of rank 1; `i`: small integers, none negative.
ANY = """
    np.sort(a)
    np.sort(a, axis=0)
    np.sort(a, axis=None)
    np.sort(a.T, kind='heapsort')
    np.sort(a, kind='stable')
    np.argsort(a)
    np.argsort(a, axis=0, kind='heap')
    np.argsort(a.T, kind='stable')
    np.argsort(a, axis=None)
    np.argsort(a[::-1], axis=0)
    np.sort(a, axis=7)
    np.sort(a, kind='none')
    np.nonzero(a)
    np.flatnonzero(a)
    np.argwhere(a)
    np.where(a)
    np.count_nonzero(a)
    np.count_nonzero(a, axis=0)
    np.count_nonzero(a, axis=0, keepdims=True)
    np.repeat(a, 2)
    np.repeat(a, 3, axis=0)
    np.repeat(a, np.arange(a.shape[0]), axis=0)
    np.repeat(a, [1, 2], axis=-1)
    np.repeat(a, -1)
    np.tile(a, (2, 1))
    np.take(a, [0, 1, -1])
    np.take(a, [[0, 1]], axis=0)
    np.take(a, [5, -9], axis=-1, mode='wrap')
    np.take(a, [5, -9], axis=0, mode='clip')
    np.take(a, 1)
    np.take(a.T, [0], axis=0)
    np.compress(np.arange(a.shape[0]) % 2 == 0, a, axis=0)
    np.compress([True, False], a)
    np.extract(a == a, a)
    np.unique(a)
    np.unique(a, return_index=True, return_inverse=True, return_counts=True)
    np.unique(a, axis=0)
    np.take_along_axis(a, np.argsort(a, axis=0), 0)
    np.searchsorted(np.sort(a, axis=None), a)
    np.searchsorted(np.sort(a, axis=None), a, side='right')
    np.searchsorted(a.ravel(), [1, 2], sorter=np.argsort(a, axis=None))
    np.searchsorted(np.sort(a, axis=None), 2)
    np.isin(a, [1, 2, 3])
    np.in1d(a, [0], invert=True)
    np.union1d(a, [1, 99])
    np.intersect1d(a, [1, 3])
    np.setdiff1d(a, [1])
    np.setxor1d(a, [1, 99])
    np.array_equiv(a, a[:1])
    np.trim_zeros(a.ravel())
    np.pad(a, 2)
    np.pad(a, 1, mode='edge')
    np.pad(a, 1, mode='reflect')
    np.pad(a, ((1, 0),) * a.ndim, constant_values=3)
    np.insert(a, 1, 5, axis=0)
    np.delete(a, [0], axis=0)
    np.delete(a, 0)
    np.block([[a, a], [a, a]])
    np.apply_along_axis(np.sort, 0, a)
    np.apply_along_axis(lambda line: line[:1], 0, a)
    np.apply_over_axes(np.sum, a, 0)
    np.diagflat(a)
    np.partition(a, 0, axis=0)
    np.argpartition(a, 0, axis=0)
    np.argpartition(True, 0)
    np.argsort(np.array(5.0))
    np.array(5).argsort(axis=0)
    np.packbits(a != 0, axis=0)
    np.unpackbits(np.packbits(a != 0))
    np.choose(np.array([0, 1, 0]), [a.ravel()[:3], 7])
    np.ediff1d(a)
    np.roll(a, 2)
    np.msort(a)
    np.sort_complex(a)
    np.fill_diagonal(a, 3)
    np.lexsort((a, a))
    np.lexsort((a[::-1], a), axis=0)
    np.lexsort((a == a, -a))
    np.broadcast_shapes(a.shape, (1,))
    np.place(a, a == a, [1, 2, 3])
    np.putmask(a, a == a, [1, 2, 3])
    np.put(a, [0, -1, 0], [1, 2])
    a.size and np.put(a, [0, 99], [1, 2], mode='wrap')  # NumPy does not come back from an empty array
    np.put(a, [99], 1)
    np.put(a, np.argsort(a, axis=None), a)
    np.put_along_axis(a, np.argsort(a, axis=0)[:1], 1, 0)
    a.sort()
    a.sort(axis=0, kind='stable')
    a.T.sort(axis=0)
    a[::-1].sort(0)
    a.partition(0, axis=0)
    a.argsort()
    a.take([0])
    a.nonzero()
    a.repeat(2, axis=0)
    a.compress([True], axis=0)
"""
REAL = """
    np.partition(a, [2, 5], axis=None)
    np.partition(a.ravel(), 90)
    np.partition(a.ravel(), 7)
    np.partition(a.ravel(), (-1, 3))
    np.argpartition(a.ravel(), 50)
    np.argpartition(a.ravel(), -1)
    np.median(a)
    np.median(a, axis=0)
    np.nanmedian(a, axis=0)
    np.nanmedian(a)
    np.percentile(a, [10, 50, 99])
    np.percentile(a, 30, axis=0)
    np.quantile(a, 0.3, method='nearest')
    np.nanpercentile(a, 40)
    np.nanquantile(a, [0.1, 0.9], axis=0)
    np.histogram(a, 5, range=(0, 5))
    np.histogram(a, [0, 1, 2, 4])
    np.histogram(a, 3, range=(0, 5), weights=a, density=True)
    np.histogram_bin_edges(a, range=(0, 4))
    np.digitize(a, [1, 2, 4])
    np.digitize(a, [4, 2, 1], right=True)
    np.interp(a, [0, 1, 2, 3, 4, 5, 6], [3, 1, 2, 2, 7, 0, 1])
    np.interp(a, [0, 1], [5, 6], left=-1, right=9)
    np.interp(a, [0, 1, 3], [5, 6, 2], period=4)
    np.interp(2.5, np.arange(10), np.arange(10) ** 2)
    np.nanstd(a)
    np.nanvar(a, axis=0)
    np.nancumsum(a)
    np.gradient(a.ravel())
    np.ptp(a, axis=0)
    np.cumprod(a, axis=0)
    np.diff(a, n=2, axis=0)
    np.diff(a, prepend=0, append=[[1]])
    np.clip(a, 1, 3)
    np.around(a)
    np.convolve(a.ravel(), [1, 2, 3])
    np.convolve(a.ravel(), [1, 2, 3], 'same')
    np.correlate(a.ravel(), [1, 2], 'full')
    np.correlate([1, 2], a.ravel(), 'valid')
    np.average(a, axis=0)
    np.histogramdd(np.stack([a.ravel(), a.ravel()], 1), bins=2, range=((0, 4), (0, 4)))
    np.histogram2d(a.ravel(), a.ravel(), bins=3, range=((0, 4), (0, 4)))
    np.add.at(a, [0, 0, -1], 1)
    np.add.at(a, a > 2, a[0:1].ravel()[:1])
    np.maximum.at(a, ([0, 0],), 3)
    np.negative.at(a, [0, 0])
    np.subtract.at(a.T, [0], 2.0)
    np.add.reduceat(a, [0, 1, 0])
    np.maximum.reduceat(a, [0, 0], axis=-1)
    np.multiply.reduceat(a, [0, 99])
    np.add.reduceat(a, [0, 2, 2, 1, 5], axis=0)
"""
INTEGERS = """
    np.bincount(i.ravel())
    np.bincount(i)
    np.bincount(i.ravel(), minlength=20)
    np.bincount(i.ravel(), weights=i.ravel() / 3)
    np.bincount(i.ravel() - 1)
    np.bincount(i.ravel() / 2)
    np.bincount(i.ravel(), minlength=-1)
    np.unravel_index(i, (3, 4))
    np.unravel_index(i, (3, 4), order='F')
    np.unravel_index(i, (2,))
    np.unravel_index(5, (3, 4))
    np.ravel_multi_index((i, i), (9, 9))
    np.ravel_multi_index((i, i), (3, 4), mode='wrap')
    np.ravel_multi_index((i, i), (3, 4), mode=('clip', 'wrap'), order='F')
    np.ravel_multi_index((i, i), (3, 4))
    np.ravel_multi_index((1, 2), (3, 4))
    np.choose(i, [10, 20, 30], mode='clip')
    np.choose(i, (i, -i), mode='wrap')
    np.choose(i, [10, 20])
    i.choose(list(range(9)))
    np.put(i, i, 1000)
    np.put(i.copy(), i, [7, 8])
    np.ix_(i.ravel()[:2], [0, 1])
    np.eye(9)[i]
    np.arange(9)[i]
    np.arange(18).reshape(9, 2)[i, i % 2]
    np.tril_indices(3, 1)
    np.triu_indices(3)
    np.tril_indices_from(np.eye(3))
    np.triu_indices_from(np.eye(3), 1)
    np.mask_indices(3, np.tril)
    np.diag_indices(3)
    np.indices((2, 3))
    np.select([i > 2, i > 1], [i, -i], 7)
    np.piecewise(i / 2, [i < 2, i > 3], [-1, lambda x: x * x])
"""


def lines(text):
    return [line.strip() for line in text.split("\n") if line.strip()]


class Sorting(unittest.TestCase):
    def setUp(self):
        for category in (RefrainFallbackWarning, RuntimeWarning, DeprecationWarning, real.ComplexWarning):
            warnings.simplefilter("ignore", category)

    def assert_same(self, one, other, text, exact=True):
        if isinstance(one, (tuple, list)):
            self.assertEqual((type(one), len(one)), (type(other), len(other)), text)
            for left, right in zip(one, other):
                self.assert_same(left, right, text, exact)
        elif isinstance(one, (real.ndarray, real.generic)):
            self.assertEqual(isinstance(one, real.ndarray), isinstance(other, real.ndarray), text)
            self.assertEqual((one.shape, one.dtype), (other.shape, other.dtype), text)
            if not same_bits(one, other):
                self.assertFalse(exact, (text, one, other))
                real.testing.assert_allclose(real.asarray(other), real.asarray(one), rtol=1e-6, err_msg=text)
        else:
            self.assertEqual(one, other, text)

    def compare(self, text, names, exact=True):
        got = []
        for np in (real, ours):
            given = names(np)
            try:
                result = eval(text, dict(given, np=np))
                got.append(([result] + [given[name] for name in ("a", "i") if name in given], None))
            except Exception as error:
                got.append((None, error))
        (expected, refused), (here, refused_here) = got
        if refused is not None or refused_here is not None:
            self.assertEqual(type(refused), type(refused_here), (text, refused, refused_here))
            self.assertEqual(str(refused), str(refused_here), text)
        else:
            self.assert_same(expected, here, text, exact)

    def table(self, texts, dtypes, exact=True):
        for dtype in dtypes:
            for number, shape in enumerate(SHAPES):
                for text in lines(texts):
                    with self.subTest(dtype=dtype, shape=shape, text=text):
                        self.compare(text, lambda np: dict(a=data(np, dtype, shape, number)), exact)

    def test_arrays_of_any_type(self):
        self.table(ANY, DTYPES)

    def test_arrays_of_real_numbers(self):
        self.table(REAL, [dtype for dtype in DTYPES if dtype[0] != "c"], exact=False)

    def test_small_integers(self):
        for shape in [(0,), (5,), (3, 2)]:
            for text in lines(INTEGERS):
                with self.subTest(shape=shape, text=text):
                    self.compare(text, lambda np: dict(i=np.array(real.random.RandomState(3).randint(0, 6, shape))))

    def test_orders_of_equal_elements_are_numpys_at_each_length(self):
        for length in (3, 16, 17, 40, 100, 1000):
            for dtype in ("int64", "float64"):
                for kth in (0, 2, 3, length // 2, length - 1):
                    names = lambda np: dict(a=data(np, dtype, (length,), length + kth), k=min(kth, length - 1))
                    for text in ("np.argsort(a)", "np.argsort(a, kind='heap')", "np.argpartition(a, k)", "np.partition(a, k)",
                                 "np.argpartition(a, [k, 1, k // 2])", "np.sort(a)", "np.sort(a, kind='stable')"):
                        with self.subTest(length=length, dtype=dtype, kth=kth, text=text):
                            self.compare(text, names)


if __name__ == "__main__":
    unittest.main()
