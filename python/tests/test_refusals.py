"""Bad input is refused in the call: with NumPy's type of exception, and NumPy's words but for a few."""

import ast
import glob
import operator
import os
import re
import unittest
import warnings

import numpy as real

import refrain
import refrain.numpy as ours

# Programs that NumPy refuses. a: 3 x 4 floats, x: 8 integers, z: 3 integers, c: 2 complex numbers, m: a > 3.
REFUSED = """
a[5]
a[0, 9]
a[-4]
a[0, 0, 0]
a[..., ...]
np.array(5.0)[0]
a['name']
a[1.5]
a[[0, 7]]
a[[1.5]]
a[np.ones(5, bool)]
a[np.ones((3, 5), bool)]
a[[0, 1], [0, 1, 2]]
a[5] = 1
a[0, 9] = 1
a[:, 7] = 1
a[...] = np.zeros(3)
a[[0, 1]] = np.zeros(3)
a[a > 2] = np.zeros(3)
a[0] = [1, 2]
a[0, 0] = [1, 2]
a[::0]
del a[0]
z[0] = 2**70
z[:] = 1j
z[0] = np.nan
z[...] = [2**70, 1, 2]
np.zeros(True)
np.zeros({2, 3})
np.zeros({})
np.ones((2, np.True_))
np.empty([False])
np.full(a[0, 0] > 0, 1)
len(np.array(5.0))
iter(np.array(5.0))
list(np.array(5.0))
float(a)
int(a)
complex(a)
bool(a)
if a: pass
range(a)
[1, 2, 3][a]
[1, 2, 3][np.array(1.0)]
[1, 2, 3][a.sum()]
hash(a)
a.item()
a.item(99)
a.item(5, 5)
a.item(0, 0, 0)
a.item(1.5)
a.itemset()
a.itemset(3)
a.itemset(99, 1)
a.itemset((0, 0, 0), 1)
a.reshape(5, 5)
a.reshape(-1, -1)
a.reshape(-1, 5)
a.reshape(12, order='X')
a.reshape()
a.reshape('x')
a.shape = (5, 5)
del a.shape
a.T.shape = (12,)
a.transpose(0, 0)
a.transpose(0)
a.transpose(0, 5)
a.swapaxes(0, 5)
a.squeeze(0)
a.squeeze(7)
np.expand_dims(a, 9)
a.diagonal(0, 0, 0)
x.diagonal()
a.diagonal(0, 0, 5)
np.zeros(-1)
np.zeros((2, -1))
np.zeros([1] * 33)
np.zeros(2**62)
np.zeros('x')
np.zeros(3, dtype='nosuch')
np.zeros(3, order='X')
np.ones(1.5)
np.full((2, 2), [1, 2, 3])
np.full(-1, 0)
np.empty((2, 2), order=5)
np.arange()
np.arange(0, 1, 0)
np.arange('x')
np.linspace(0, 1, -1)
np.linspace(0, 1, 2.5)
np.eye(-1)
np.eye('x')
np.array([[1, 2], [3]], dtype=float)
np.array('x', dtype=float)
np.array([1, 2], dtype='nosuch')
np.array(a, order='X')
np.frombuffer(b'123')
np.fromiter(5, float)
a + np.zeros(3)
a - np.zeros((2, 4))
m - m
-m
a & a
a | 1
a << 1
~a
a % 'x'
a + 'x'
a + None
a @ np.zeros(3)
a @ 5
z ** -1
z ** np.array([1, -1, 2])
a += 1j
z += 1.5
z //= 2.0
m += 1.5
a += np.zeros((2, 3, 4))
z <<= 1.0
c // 2
c % 2
np.floor(c)
np.add(a)
np.add(a, a, a, a)
np.add(a, a, out=np.zeros(3))
np.add(a, a, out=5)
np.add(a, a, out=(a, a))
np.add(a, a, out=np.zeros((3, 4), int))
np.add(a, a, where=np.ones(3, bool))
np.add(a, a, nosuch=1)
np.add(a, a, dtype='nosuch')
np.add(a, a, dtype=bool, casting='safe')
np.add(a, a, casting='nosuch')
np.add(a, a, dtype=int)
np.sqrt(a, a, a)
np.sqrt()
np.sqrt('x')
np.sqrt(a, dtype=int)
np.logical_not(a, out=np.zeros(3))
np.bitwise_and(a, a)
np.left_shift(a, 1)
np.gcd(a, a)
np.invert(a)
np.isnan('x')
np.ldexp(a, a)
np.heaviside(c, c)
np.add.reduce(a, axis=5)
np.add.reduce(a, axis=(0, 0))
np.add.reduce(a, axis='x')
np.add.reduce(a, out=np.zeros(3))
np.subtract.reduce(a, axis=(0, 1))
np.maximum.reduce(np.zeros(0))
np.maximum.reduce(np.zeros((0, 3)), axis=0)
np.maximum.reduce(a, where=a > 2)
np.sqrt.reduce(a)
np.add.accumulate(a, axis=5)
np.add.accumulate(np.array(5.0))
np.sqrt.accumulate(a)
np.add.accumulate(a, out=np.zeros(3))
np.add.reduceat(x, [99])
np.add.reduceat(x, [-1])
np.add.reduceat(np.array(5.0), [0])
np.add.at(x, [99], 1)
np.add.at(x, [0.5], 1)
np.add.at(x, [0, 1], [1, 2, 3])
np.sqrt.outer(a)
np.add.outer(a)
np.sqrt.at(a, [99])
a.sum(axis=5)
a.sum(axis=(0, 0))
a.sum(axis=1.5)
a.sum(axis=0, out=np.zeros(3))
a.sum(dtype='nosuch')
a.sum(nosuch=1)
a.mean(axis=5)
a.mean(dtype='nosuch')
a.std(axis=5)
a.var(axis=(0, 0))
a.max(axis=5)
a.min(axis=2)
np.zeros(0).max()
np.zeros((0, 3)).min(axis=0)
np.zeros(0).argmax()
np.zeros((0, 3)).argmin(axis=0)
a.argmax(axis=5)
a.argmax(axis=0, out=np.zeros(4))
a.argmax(axis=0, out=np.zeros(3, int))
a.cumsum(axis=5)
a.cumsum(out=np.zeros(3))
a.prod(axis=5)
a.any(axis=5)
a.all(axis='x')
a.ptp(axis=5)
a.trace(0, 0, 0)
x.trace()
a.round('x')
a.round(1, out=np.zeros(3))
a.clip()
a.clip(1, 2, out=np.zeros(3))
a.copy('X')
a.copy(1, 2)
a.astype('nosuch')
a.astype(int, casting='safe')
a.astype(int, order='X')
a.astype()
a.view('nosuch')
a.fill()
a.fill('x')
a.fill([1, 2])
a.flatten('X')
a.ravel('X')
a.tolist(1)
a.tobytes('X')
a.repeat(-1)
a.repeat([1, 2])
a.repeat([1, 2, 3], axis=1)
a.repeat(2, axis=5)
a.take([99])
a.take([0], axis=5)
np.zeros(0).take([0])
a.take([99], mode='nosuch')
a.take([0], out=np.zeros(3))
a.put([99], 1)
a.put([0], 1, mode='nosuch')
x.choose([1, 2])
z.choose([1, 2])
a.compress([True, False, True, True], axis=0)
a.compress(a)
a.compress([True], axis=5)
a.searchsorted(1)
x.searchsorted(1, side='nosuch')
x.searchsorted(1, sorter=[99] * 8)
x.searchsorted(1, sorter=[0])
a.sort(axis=5)
a.sort(kind='nosuch')
np.sort(np.array(5.0))
a.argsort(axis=5)
a.partition(99)
a.partition(0, axis=5)
a.partition(1.5)
a.argpartition(99)
a.nonzero(1)
a.dot(np.zeros(3))
a.nosuch
a.setflags(uic=True)
a.byteswap(1, 2)
a.flat['x']
a.flat[99]
a.flat[1.5]
a.flat['x'] = 1
a.flat[0] = [1, 2]
np.concatenate([])
np.concatenate([a, x])
np.concatenate([a, a[:, :2]])
np.concatenate([a, a], axis=5)
np.concatenate([np.array(5.0)])
np.concatenate(5)
np.concatenate([a, a], out=np.zeros(3))
np.concatenate([a, a], dtype=int, casting='safe')
np.stack([])
np.stack([a, x])
np.stack([a, a], axis=9)
np.vstack([a, x])
np.hstack([a, x])
np.dstack([])
np.column_stack([a, x])
np.block([])
np.split(x, 3)
np.split(x, 0)
np.array_split(x, 0)
np.hsplit(np.array(5.0), 2)
np.vsplit(x, 2)
np.dsplit(a, 2)
np.broadcast_to(a, (2, 2))
np.broadcast_to(a, -1)
np.broadcast_arrays(a, x)
np.broadcast_shapes((2,), (3,))
np.tile(a, 'x')
np.roll(a, 1, axis=5)
np.rollaxis(a, 5)
np.moveaxis(a, 0, 5)
np.moveaxis(a, [0, 1], [0])
np.flip(a, 5)
np.fliplr(x)
np.flipud(np.array(5.0))
np.rot90(x)
np.rot90(a, axes=(0, 0))
np.swapaxes(a, 0, 7)
np.atleast_1d('x') + 1
np.where(a, a)
np.where(a > 2, a, np.zeros(3))
np.where()
np.clip(a, 1)
np.clip(a, np.zeros(3), 2)
np.copyto(a, np.zeros(3))
np.copyto(z, 1.5)
np.copyto(a, 1, where=np.ones(3, bool))
np.copyto(5, a)
np.place(a, m, [])
np.place(5, m, 1)
np.putmask(a, [True], 1)
np.extract(m, x)
np.select([], [])
np.select([m], [a, a])
np.select([1], [a])
np.piecewise(a, [m], [1, 2, 3])
np.choose([5], [a, a])
np.choose([0], [])
np.fill_diagonal(x, 1)
np.fill_diagonal(np.zeros((2, 3, 4)), 1)
np.diag(np.zeros((2, 2, 2)))
np.diag(np.array(5.0))
np.tril(np.array(5.0))
np.vander(a)
np.indices((2, -1))
np.unravel_index(99, (3, 4))
np.unravel_index([1.5], (3, 4))
np.ravel_multi_index((5, 5), (3, 4))
np.ravel_multi_index((1,), (3, 4))
np.ix_(a)
np.take_along_axis(a, np.zeros((3, 1)), 1)
np.take_along_axis(a, np.zeros((3, 1), int), 5)
np.take_along_axis(a, z, 0)
np.put_along_axis(a, np.zeros((3, 1)), 1, 1)
np.insert(x, 99, 1)
np.insert(a, 0, 1, axis=5)
np.insert(x, [99], 1)
np.delete(x, 99)
np.delete(a, 0, axis=5)
np.delete(x, [99])
np.append(a, x, axis=0)
np.resize(x, -1)
np.resize(x, (2, -2))
np.trim_zeros(5)
np.unique(a, axis=5)
np.unique([1, 'x'], axis=3)
np.bincount([-1])
np.bincount(a)
np.bincount([1], minlength=-1)
np.bincount([1], weights=[1, 2])
np.digitize(x, [1, 5, 2])
np.digitize(x, a)
np.digitize(1j, [1])
np.histogram(x, bins=0)
np.histogram(x, bins=[3, 1])
np.histogram(x, bins='nosuch')
np.histogram(x, range=(2, 1))
np.histogram(x, range=(0, np.nan))
np.histogram(x, weights=[1, 2])
np.histogram(x, bins=a)
np.histogram2d(x, z)
np.percentile(a, 101)
np.percentile(a, -1)
np.percentile(a, 50, axis=5)
np.percentile(a, 50, method='nosuch')
np.percentile(np.zeros(0), 50)
np.quantile(a, 2)
np.median(a, axis=5)
np.average(a, weights=[1, 2])
np.average(a, weights=z)
np.average(a, axis=0, weights=[0, 0, 0])
np.average(a, axis=0, weights=[1, 2])
np.cov(np.zeros((2, 2, 2)))
np.corrcoef(x, z)
np.cross([1, 2, 3, 4], [1, 2])
np.kron(a, 'x')
np.interp(1, [1, 2], [1])
np.interp(1, [], [])
np.interp(1, a, a)
np.interp(x, [1, 2], [1, 2], period=0)
np.convolve([], [1])
np.convolve(a, a)
np.convolve(x, z, mode='nosuch')
np.correlate(x, [])
np.gradient(a, 1, 2, 3)
np.gradient([1])
np.gradient(a, [1, 2])
np.gradient(a, axis=5)
np.diff(a, -1)
np.diff(a, axis=5)
np.diff(5)
np.ediff1d('x')
np.unwrap('x')
np.pad(a, -1)
np.pad(a, 1, mode='nosuch')
np.pad(a, [1, 2, 3])
np.pad(a, 1.5)
np.pad(np.zeros(0), 1, mode='reflect')
np.einsum('ij,jk', a, a)
np.einsum('ij', x)
np.einsum('ij->k', a)
np.einsum('i%', x)
np.einsum()
np.tensordot(a, a, axes=5)
np.tensordot(a, a, axes=([0], [1]))
np.inner(a, x)
np.dot(a, a)
np.dot(a, a.T, out=np.zeros(3))
np.vdot(a, x)
np.outer(a)
np.matmul(a, a)
np.matmul(np.array(5.0), a)
np.matmul(a, a.T, out=np.zeros(3))
np.matmul(a)
np.apply_along_axis(sum, 5, a)
np.lexsort(5)
np.lexsort([[1, 2], [1]])
np.lexsort([x], axis=5)
np.searchsorted(a, 1)
np.argwhere()
np.cumprod(a, axis=5)
np.nanmax(np.zeros(0))
np.nanargmax(np.full(3, np.nan))
np.nanargmin(np.zeros(0))
np.nanpercentile(a, 101)
np.nanmean(a, axis=5)
np.linalg.inv(x)
np.linalg.inv(a)
np.linalg.inv(np.zeros((2, 2)))
np.linalg.inv(m[:, :3])
np.linalg.solve(np.eye(3), a.T)
np.linalg.solve(np.zeros((2, 2)), [1, 2])
np.linalg.det(a)
np.linalg.cholesky(-np.eye(2))
np.linalg.cholesky(a)
np.linalg.eig(a)
np.linalg.eig(np.full((2, 2), np.nan))
np.linalg.svd(x)
np.linalg.qr(a, mode='nosuch')
np.linalg.norm(a, ord='nosuch')
np.linalg.norm(a, ord=7)
np.linalg.norm(x, ord='fro')
np.linalg.norm(a, axis=5)
np.linalg.norm(a, axis=(0, 0))
np.linalg.norm(np.zeros((2, 2, 2)), 2)
np.linalg.lstsq(a, x, rcond=None)
np.linalg.matrix_power(a, 2)
np.linalg.matrix_power(np.eye(2), 1.5)
np.linalg.matrix_power(np.zeros((2, 2)), -1)
np.linalg.multi_dot([a])
np.linalg.tensorsolve(np.eye(3), a)
np.linalg.tensorinv(np.eye(3), ind=0)
np.linalg.cond(x)
np.linalg.pinv(x)
np.fft.fft(x, 0)
np.fft.fft(x, -1)
np.fft.fft(x, norm='nosuch')
np.fft.fft(x, axis=5)
np.fft.fft(np.array(5.0))
np.fft.fft2(x)
np.fft.fftn(a, s=(1, 2, 3))
np.fft.fftn(a, s=(1,), axes=(0, 1))
np.fft.irfft(np.zeros(0))
np.fft.fftfreq(2.5)
np.fft.fftshift(a, axes=5)
np.save('/nowhere/x.npy', a)
np.load('/nowhere/x.npy')
np.polyfit(x, z, 1)
np.polyfit(x, x, -1)
np.poly(np.zeros((2, 3)))
np.roots(a)
np.packbits(a)
np.unpackbits(x)
np.nosuch
np.linalg.nosuch
np.isclose(a, x)
np.allclose(a, x)
np.array_equal(a)
np.require(a, requirements='X')
np.meshgrid(a, nosuch=1)
np.mgrid[0:5:0]
np.c_[a, x]
np.triu_indices('x')
np.errstate(nosuch='raise').__enter__()
np.seterr(all='nosuch')
np.seterrcall(5)
np.random.seed('x')
np.random.seed(-1)
np.random.rand(-1)
np.random.choice(0)
np.random.choice(3, 5, False)
np.random.normal(0, -1)
np.random.default_rng('x')
np.random.default_rng(-1)
np.random.nosuch
copy.copy(a, 1)
memoryview(a.T[::2]).cast('x')
memoryview(np.broadcast_to(a, (2, 3, 4)))[0] = 1
bytes(a.T[::2]).nosuch
a.sum().nosuch
a.sum()[0]
a.sum()['x']
len(a.sum())
iter(a.sum())
a.sum().item(1)
a.sum()[0] = 1
[1][a[0, 1]]
round(a, 1)
a.sum() @ a.sum()
a.sum() + 'x'
divmod(a, np.zeros(3))
pow(a, 2, 3)
a.sum() << 1
operator.index(a.sum())
a.__array__('nosuch')
np.from_dlpack(5)
a.__dlpack__(stream=1)
np.asarray(a, dtype='nosuch')
np.ascontiguousarray('x', dtype=float)
np.copy(a, order='X')
np.ravel(a, 'X')
np.reshape(a, (5, 5))
np.transpose(a, (0,))
np.squeeze(a, 0)
np.sum(a, axis=5)
np.max(np.zeros(0))
np.argmax(np.zeros(0))
np.minimum.reduce([])
np.mean(a, axis=5)
np.around(a, 'x')
np.compress(a, a)
np.repeat(a, -1)
np.take(a, [99])
np.put(a, [99], 1)
np.count_nonzero(a, axis=5)
np.setdiff1d(a)
np.in1d(a)
np.vsplit(a, 2)
np.full_like(a, [1, 2])
np.zeros_like(a, shape=-1)
np.empty_like(a, order='X')
np.diagflat('x') + 1
np.bartlett('x')
np.logspace(0, 1, -1)
np.geomspace(0, 1)
np.geomspace(1, 10, -1)
a.setflags(write=False); a.sort()
a.setflags(write=False); a.partition(1)
a.setflags(write=False); a[0] = 1
a.setflags(write=False); a += 1
a.setflags(write=False); np.add(a, 1, out=a)
a.setflags(write=False); np.random.shuffle(a)
a.setflags(write=False); a.fill(1)
a[1:].resize(99)
v = a[1:]; a.resize(99)
a.T.resize(7)
a.resize(-1)
a.resize('x')
x.choose([a[0], z], mode='nosuch')
z.repeat([1, -1, 1])
np.einsum('ii', a)
np.random.default_rng(1).choice(4, 3, False, [0.5, 0.5, 0, 0])
np.random.default_rng(1).multivariate_normal([0, 0], [[1, 2], [2, 1]], check_valid='raise')
z[m]
a[[0, 1], m[0]] = 1
a[m] = np.zeros(99)
np.broadcast_to(5.0, (1,) * 32)[None]
np.einsum('ii->i', a)
np.broadcast_to(5.0, (1,) * 31)[[[[0]]]]
"""

# Of those, the ones that are refused in other words.
OTHER_WORDS = {
    "[1, 2, 3][a.sum()]": "'numpy.float64' object cannot be interpreted as an integer",
    "[1][a[0, 1]]": "'numpy.float64' object cannot be interpreted as an integer",
    "a.item(1.5)": "expected a sequence of integers or a single integer, got '1.5'",
    "np.zeros(2**62)": "array is too big; the shape (4611686018427387904,) of float64 exceeds the address space",
    "np.add.reduce(a, out=np.zeros(3))": "output parameter for reduction operation add has the wrong shape (3,), not (4,)",
    "np.add.accumulate(a, out=np.zeros(3))": "provided out is the wrong size for the accumulation: (3,), not (3,4)",
    "a.sum(axis=0, out=np.zeros(3))": "output parameter for reduction operation add has the wrong shape (3,), not (4,)",
    "a.cumsum(out=np.zeros(3))": "provided out is the wrong size for the accumulation: (3,), not (12,)",
    "a.clip(1, 2, out=np.zeros(3))": "operands could not be broadcast together with shapes (3,4) () (3,) ",
    "a.astype()": "astype() missing 1 required positional argument: 'dtype'",
    "a.fill()": "ndarray.fill() takes exactly one argument (0 given)",
    "a.tolist(1)": "ndarray.tolist() takes no arguments (1 given)",
    "a.nonzero(1)": "nonzero() takes 1 positional argument but 2 were given",
    "np.broadcast_to(a, -1)": "negative dimensions are not allowed",
    "np.clip(a, np.zeros(3), 2)": "operands could not be broadcast together with shapes (3,4) (3,) ",
    "np.matmul(a)": "matmul() missing 1 required positional argument: 'b'",
    "np.nanmax(np.zeros(0))": "zero-size array to reduction operation maximum which has no identity",
    "np.linalg.solve(np.eye(3), a.T)": "solve: Input operand 1 has a mismatch in its core dimensions; its shape is (4,3)",
    "np.fft.fft2(x)": "tuple index out of range",
    "len(a.sum())": "object of type 'refrain._core.scalar' has no len()",
    "iter(a.sum())": "'refrain._core.scalar' object is not iterable",
    "a.sum()[0] = 1": "'refrain._core.scalar' object does not support item assignment",
}

# What NumPy does not refuse, or refuses as another kind of mistake: (program, type, words).
OURS = (
    ("a.dtype = 'f4'", AttributeError, "the dtype of an array stays what it is; a.view(dtype) sees its memory as another one, "
                                       "a.astype(dtype) converts"),
    ("a.__array_namespace__(api_version='x')", ValueError, "there is no version 'x' of the array API here; there are 2021.12 and 2022.12"),
    ("refrain.nosuch", AttributeError, "module 'refrain' has no attribute 'nosuch'"),
    ("refrain.errors('soon')", ValueError, "errors come 'now' or 'later', not 'soon'"),
    ("a.mT[0].mT", ValueError, "a matrix has two axes; this array has 1"),
    ("a.to_device('gpu')", ValueError, "there is no device 'gpu'; arrays are on the 'cpu'"),
    ("np.random.default_rng(1)._stream_of_another", AttributeError, "'numpy.random._generator.Generator' object has no attribute "
                                                                    "'_stream_of_another'"),
    ("refrain._core.tune(tiles=3)", RuntimeError, "tune comes too late: arrays were made already"),
    ("refrain.plugin('/nowhere.so')", OSError, "/nowhere.so: cannot open shared object file: No such file or directory"),
)

# Files whose messages have tests of their own.
ELSEWHERE = {
    "__main__.py": "test_runner.py",
    "_plugin.py": "test_tasks.py",
    "_task.py": "test_tasks.py",
    "array_api.py": "test_protocols.py",
    "_errors.py": "test_errors.py",
}
# Nobody reads these: one stands in for words that NumPy finds, the others are for this package's own tests.
UNSEEN = ("NumPy finds the words", "numpy.* is left to NumPy", "a size is no truth value")


def outcome(np, program):
    """The type and the words of what a program raises."""
    names = dict(np=np, operator=operator, a=np.arange(12.0).reshape(3, 4).copy(), x=np.arange(8), z=np.array([3, 1, 2]),
                 c=np.array([1j, 2.0]), refrain=refrain)
    names["m"] = names["a"] > 3
    with warnings.catch_warnings(), real.errstate():
        warnings.simplefilter("ignore")
        try:
            exec(program, names)
        except Exception as error:
            return type(error), str(error)
    return None


def lines(text):
    return [line for line in text.strip().split("\n") if line]


def messages_of(file):
    """Regular expressions for the texts of the exceptions that a file raises."""
    with open(file) as stream:
        tree = ast.parse(stream.read())
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args):
            continue
        text = node.exc.args[0]
        if isinstance(text, ast.BinOp) and isinstance(text.op, ast.Mod):
            text = text.left
        if isinstance(text, ast.Call) and isinstance(text.func, ast.Attribute) and text.func.attr == "format":
            text = text.func.value
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            yield re.sub(r"%[sd]|\\{\w+\\}", ".*", re.escape(text.value))
        elif isinstance(text, ast.JoinedStr):
            yield "".join(re.escape(part.value) if isinstance(part, ast.Constant) else ".*" for part in text.values)


class Refusals(unittest.TestCase):
    @unittest.skipUnless(real.__version__.startswith("1.24."), "the words are those of NumPy 1.24")
    def test_bad_input_is_refused_as_numpy_refuses_it(self):
        for program in lines(REFUSED):
            with self.subTest(program):
                expected, got = outcome(real, program), outcome(ours, program)
                self.assertIsNotNone(expected, "NumPy does not refuse it")
                if program in OTHER_WORDS:
                    expected = (expected[0], OTHER_WORDS[program])
                self.assertEqual(expected, got)

    def test_words_that_are_other_ones_belong_to_a_program(self):
        self.assertLessEqual(set(OTHER_WORDS), set(lines(REFUSED)))

    def test_what_only_we_refuse_names_the_value_and_the_way_out(self):
        for program, kind, words in OURS:
            with self.subTest(program):
                self.assertEqual(outcome(ours, program), (kind, words))

    def test_each_message_of_our_python_is_seen_by_a_test(self):
        said = [outcome(ours, program) for program in lines(REFUSED) + [entry[0] for entry in OURS]]
        said = [entry[1] for entry in said if entry] + list(UNSEEN)
        folder = os.path.dirname(os.path.abspath(refrain.__file__))
        for file in glob.glob(os.path.join(folder, "**", "*.py"), recursive=True):
            if os.path.basename(file) in ELSEWHERE:
                continue
            for message in messages_of(file):
                with self.subTest(file=os.path.relpath(file, folder), message=message):
                    self.assertTrue(any(re.fullmatch(message, text) for text in said))


if __name__ == "__main__":
    unittest.main()
