"""NumPy's functions on our arrays give what they give on NumPy's."""

import inspect
import io
import os
import pickle
import unittest
import warnings

import numpy as real

import refrain.numpy as ours
from refrain import RefrainFallbackWarning
from support import run_plain, same_bits

EXPRESSIONS = """
    np.nanmean(a)
    np.zeros(np.array([2,3]))
    np.ones(np.array(4))
    np.tile(a,2)
    np.stack([a,a])
    np.eye(3)
    np.outer(a[0],a[1])
    np.trapz(a)
    np.cross([1,2,3],[3,4,5])
    np.concatenate([a,a],axis=1)
    np.concatenate((a, a), -1)
    np.concatenate([a, a[:1], a[1:]])
    np.concatenate([a, a.astype(int)])
    np.arange(7), np.arange(0), np.arange(-3)
    np.vstack([a,a])
    np.hstack([a,a])
    np.dstack([a,a])
    np.column_stack([a,a])
    np.tril(a)
    np.triu(a,1)
    np.isclose(a,a)
    np.allclose(a,a)
    np.flip(a,0)
    np.fliplr(a)
    np.rot90(a)
    np.moveaxis(a,0,1)
    np.expand_dims(a,0)
    np.atleast_2d(z)
    np.nansum(a)
    np.nanmax(a,axis=0)
    np.nanstd(a)
    np.nanvar(a,axis=1)
    np.nanprod(a)
    np.nancumsum(a)
    np.ptp(a)
    np.average(a)
    np.average(a,axis=0,weights=[1,2,3])
    np.cov(a)
    np.corrcoef(a)
    np.median(a)
    np.percentile(a,30)
    np.histogram(a,3)
    np.unique(z)
    np.argsort(z)
    np.searchsorted(z,2)
    np.interp(1.5,[1,2,3],[3,2,0])
    np.convolve(z,[1,2])
    np.correlate(z,z)
    np.polyfit(z,z,1)
    np.einsum('ij,ij->i',a,a)
    np.tensordot(a,a,axes=([0,1],[0,1]))
    np.tensordot(a,a.T,1)
    np.inner(a,a)
    np.vdot(a,a)
    np.matmul(a,a.T)
    np.pad(a,1)
    np.pad(a,1,mode='wrap')
    np.repeat(z,2)
    np.take(a,[0,1],axis=1)
    np.choose([0,1],[z[:2],z[1:]])
    np.compress([True,False,True],a,axis=0)
    np.diag(z)
    np.diag(a)
    np.trace(a)
    np.indices((2,3))
    np.fromfunction(lambda i,j:i+j,(2,3))
    np.mgrid[0:3,0:2]
    np.ogrid[0:3,0:2]
    np.r_[z,z]
    np.c_[z,z]
    np.ix_([0,1],[1,2])
    np.nonzero(z)
    np.argwhere(m)
    np.count_nonzero(m)
    np.select([m],[a],0)
    np.piecewise(a,[m],[1])
    np.vectorize(lambda x:x+1)(a)
    np.apply_along_axis(sum,0,a)
    np.array_equal(a,a)
    np.array_split(z,2)
    np.split(a,3)
    np.hsplit(a,2)
    np.insert(z,1,5)
    np.delete(z,1)
    np.append(z,5)
    np.resize(z,5)
    np.round(a,1)
    np.fix(a)
    np.sinc(a)
    np.angle(a)
    np.real(a)
    np.imag(a)
    np.nan_to_num(a)
    np.unwrap(z)
    np.ediff1d(z)
    np.logspace(0,1,3)
    np.geomspace(1,10,3)
    np.vander(z)
    np.linalg.inv(a[:,:3]+np.eye(3)*9)
    np.linalg.norm(a,axis=0)
    np.linalg.norm(a,2)
    np.linalg.solve(np.eye(3),z)
    np.linalg.svd(a)
    np.linalg.matrix_power(np.eye(3),3)
    np.fft.fft(z)
    np.hypot(z,z)
    np.modf(a)
    np.divmod(z,2)
    np.frexp(a)
    np.ldexp(a,2)
    np.add.reduce(a)
    np.add.outer(z,z)
    np.maximum.accumulate(z)
    np.logical_and.reduce(m)
    np.sqrt([1,2,3])
    np.float64(3)*a
    a*np.float64(3)
    np.ones(3)@np.ones(3)
    np.broadcast_arrays(a,z[:,None])
    np.broadcast_to(z,(2,3))
    np.swapaxes(a,0,1)
    np.rollaxis(a,1)
    np.roll(a,1)
    np.squeeze(a[None])
    np.sum([1,2])
    np.max(z)
    np.amin(a,axis=1)
    np.std(a,axis=0)
    np.any(m)
    np.all(m,axis=0)
    np.cumsum(a)
    np.cumprod(z)
    np.diff(a,axis=0)
    np.gradient(a,2.0)
    np.clip(a,2,5)
    a.clip(2,5)
    np.copyto(a.copy(),3)
    np.full((2,2),7)
    np.full_like(a,2)
    np.identity(3)
    np.tri(3)
    np.kron(z,z)
    np.meshgrid(z,z)
    np.bincount(z)
    np.digitize(a,[1,5])
    np.sort(z)
    np.lexsort((z,z))
    np.where(m)
    np.where(m,a,-a)
    np.isin(z,[1])
    np.shape(a)
    np.size(a)
    np.ndim(a)
    np.shares_memory(a,a[1:])
    np.array([a[0],a[1]])
    np.array([a[0,0],2])
    np.asarray(a)
    np.block([[a,a],[a,a]])
    np.poly1d([1,2])(a)
    np.quantile(a,0.5)
    np.nanmedian(a)
    np.cbrt(a)
    np.heaviside(a,1)
    np.i0(a)
    np.blackman(3)
    np.hanning(4)
    np.kaiser(3,1)
    np.iscomplex(a)
    np.isreal(a)
    np.isrealobj(a)
    np.iscomplexobj(a)
    np.triu_indices(3)
    np.diag_indices(3)
    np.unravel_index(5,(3,4))
    np.ravel_multi_index((1,2),(3,4))
    np.packbits(m)
    np.minimum(a,3)
    np.spacing(a)
    np.apply_over_axes(np.sum,a,0)
    np.take_along_axis(a,np.argsort(a,axis=1),1)
    np.trim_zeros(z)
    np.in1d(z,[1])
    np.setdiff1d(z,[1])
    np.lib.stride_tricks.sliding_window_view(z,2)
    np.lib.stride_tricks.as_strided(z,(2,2),(8,8))
    np.result_type(a,3)
    np.can_cast(a,int)
    np.array_str(a)
    np.random.default_rng(0).random(3)
    np.e
    np.asfarray(z)
    np.ascontiguousarray(a.T)
    np.require(a)
    np.nanargmax(a)
    np.nanpercentile(a,3)
    np.polyval([1,2],a)
    np.roots([1,2,1])
    np.histogram2d(z,z)
    np.linalg.multi_dot([a,a.T,a])
    np.linalg.det(np.eye(2))
    np.linalg.lstsq(a,z,rcond=None)
    np.linalg.eigh(np.eye(2))
    np.linalg.pinv(a)
    np.linalg.cond(a)
    np.linalg.matrix_rank(a)
    np.linalg.qr(a)
    np.linalg.slogdet(np.eye(3))
    np.linalg.tensorsolve(np.eye(3),z)
    np.fft.rfft2(a)
    np.fft.fftshift(z)
    np.fft.fftfreq(4)
    np.base_repr(5)
    np.lcm.reduce(z)
    np.real_if_close(a)
    np.isneginf(a)
    np.extract(m,a)
    np.place(a.copy(),m,0)
    np.put(a.copy(),[1],0)
    np.fill_diagonal(a.copy(),0)
    list(np.ndenumerate(z))
    np.partition(z,1)
    np.mean(a,axis=(0,1),keepdims=True)
    np.matrix(a)
    np.asmatrix(a)
    np.ma.masked_array(a,m)
    np.arange(3, 9, 2)
    np.arange(0.5, 3)
    np.linspace(0, 1, 7)
    np.empty((2, 0))
    np.empty_like(a)[:0]
    np.zeros((2, 3))
    np.ones(4, dtype='int8')
    np.zeros_like(a)
    np.ones_like(a)
    np.amax(a, axis=0)
    np.amin(a)
    np.min(a)
    np.argmax(a)
    np.argmin(a, axis=1)
    np.argwhere(a > 3)
    np.around(a, 0)
    np.asanyarray(a)
    np.asfortranarray(a)
    np.atleast_1d(a)
    np.atleast_3d(a)
    np.bartlett(4)
    np.hamming(4)
    np.broadcast_shapes((2, 1), (3,))
    np.compress([True, False, True], a, axis=0)
    np.copy(a)
    np.degrees(a)
    np.radians(a)
    np.diag_indices_from(a[:3, :3])
    np.diagflat(z)
    np.diagonal(a)
    np.divmod(a, 2.0)
    np.dsplit(a.reshape(3, 2, 2), 2)
    np.vsplit(a, 3)
    np.flatnonzero(a > 2)
    np.flipud(a)
    np.frexp(a)
    np.isposinf(a)
    np.isscalar(3)
    np.isfortran(a)
    np.issubdtype(np.float64, np.floating)
    np.min_scalar_type(3)
    np.mintypecode(['d', 'f'])
    np.nanmin(a)
    np.nanargmin(a)
    np.nancumprod(a)
    np.ndim(a)
    np.negative(a)
    np.prod(a)
    np.product(a)
    np.alltrue(m)
    np.sometrue(m)
    np.promote_types('f4', 'i4')
    np.ravel(a)
    np.reshape(a, (4, 3))
    np.round_(a)
    np.row_stack([a, a])
    np.transpose(a)
    np.tril_indices(3)
    np.tril_indices_from(a)
    np.triu_indices_from(a)
    np.var(a)
    np.cumproduct(z)
    np.common_type(a)
    np.put_along_axis(a.copy(), np.array([[0], [1], [2]]), 5.0, 1)
    np.putmask(a.copy(), m, 0)
    np.union1d(z, [7])
    np.intersect1d(z, [1, 2])
    np.setxor1d(z, [1, 7])
    np.nanquantile(a, 0.3)
    np.mask_indices(3, np.triu)
    np.msort(z)
    np.sort_complex(z)
    np.polyadd([1, 2], [3])
    np.polyder([1, 2, 3])
    np.polyint([1, 2, 3])
    np.polymul([1, 2], [3, 4])
    np.polydiv([1, 2, 1], [1, 1])
    np.polysub([1, 2], [3])
    np.einsum_path('ij,jk', a, a.T)[0]
    np.unpackbits(np.array([3], dtype='uint8'))
    np.fft.ifft(z)
    np.fft.ifftshift(z)
    np.fft.rfftfreq(4)
    np.linalg.eigvalsh(np.eye(2))
    np.linalg.eig(np.eye(2))
    np.linalg.eigvals(np.eye(2))
    np.linalg.cholesky(np.eye(2))
    np.linalg.tensorinv(np.eye(4).reshape(2, 2, 2, 2))
    np.typename('d')
    np.obj2sctype(float)
    np.fromiter(range(3), float)
    np.frombuffer(b'12345678')
    np.binary_repr(5)
    np.histogram_bin_edges(z)
    np.histogramdd(a[:, :2], bins=2)
    np.asarray_chkfinite(a)
    np.hsplit(a, 2)
    np.shape(a)
    np.fabs(a)
    np.rad2deg(a)
    np.nextafter(a, 1)
    np.iterable(a)
    np.format_float_positional(a[0, 1])
    np.random.get_state()[0]
    np.random.set_state(np.random.get_state())
    np.random.get_bit_generator().__class__.__name__
    np.promote_types('f4', 'i4')
    np.find_common_type(['f4'], ['i8'])
    np.issubdtype(a.dtype, float)
    np.issubsctype(a.dtype, float)
    np.issctype(float)
    np.issubclass_(int, float)
    np.sctype2char(float)
    np.maximum_sctype('f4')
    np.broadcast_shapes((3, 1), (1, 4))
    np.base_repr(12, 3)
    np.format_float_scientific(a[0, 1])
    np.poly(z)
    np.i0(z)
    np.kaiser(5, 3)
    np.random.set_bit_generator(np.random.get_bit_generator())
    np.save(io.BytesIO(), a)
    np.savez(io.BytesIO(), a, m=m)
    np.savez_compressed(io.BytesIO(), a)
    np.load(io.BytesIO(saved))
    np.frexp(a - 3)
    np.frexp(np.array([np.inf, np.nan, 0, -0.0, 5e-324]))
    np.frexp(a.astype('f4'))
    np.modf(a / 3 - 1)
    np.modf(np.array([np.inf, -np.inf, np.nan, -0.0]))
    np.modf(2.5)
    np.spacing(a - 3)
    np.spacing(a.astype('f4'))
    np.spacing(np.array([np.inf, np.nan, 0, -0.0, 1.8e308]))
    np.ldexp(a, z[:, None])
    np.ldexp(a[:, :3].astype('f4'), z.astype('i4'))
    np.ldexp(1.5, 2)
    np.divmod(a - 5.5, 2)
    np.divmod(z, -2)
    np.divmod(7, 2)
    np.argpartition(z, 1)
    np.array_equiv(a, a[:1])
    np.fastCopyAndTranspose(a)
    np.may_share_memory(a, a[1:])
    np.shares_memory(a, z)
    np.digitize(z, [1, 2])
    np.histogram2d(z, z, bins=2)
    np.mean(a, where=m)
    np.std(a, axis=0, where=m)
    np.require(a.T, requirements='C')
    np.around(z)
    np.correlate(z, [1, 2], 'full')
    np.float64(np.interp(2.5, z, z))
    a.flat[3]
    a.flat[[1, 1, 0]]
    a.flat[2:9:3]
    [x for x in a.T.flat]
    len(a.flat)
    np.add.at(z, [0, 0], 1)
    np.add.reduceat(z, [0, 2])
    np.from_dlpack(a)
"""

# Of arrays of rank 0: what is a scalar, and what stays an array.
RANK_0 = """
    np.array(3) ** 2.0
    np.array(3) ** 2
    np.array(3.0) ** 2
    np.array(3, 'u1') ** 2.0
    np.array(3) ** np.float32(2)
    np.array(3) ** np.array(2.0)
    np.array(True) ** 2.0
    np.array(3.0) ** 0
    np.array(3.0) ** 0.5
    np.array(3) ** 3.0
    np.int64(3) ** 2.0
"""

METHODS = """
    a.all()
    a.any()
    a.argmax()
    a.argmin(axis=0)
    a.argpartition(2)
    z.argsort()
    a.astype(int)
    a.byteswap()
    z.choose([1, 2, 3, 4])
    a.clip(1, 3)
    z.compress([True, False, True])
    a.conj()
    a.conjugate()
    a.copy()
    a.cumprod()
    a.cumsum(axis=1)
    a.diagonal()
    a.dot(a.T)
    a.fill(2)
    a.flatten()
    a.item(3)
    a.max(axis=0)
    a.mean()
    a.min()
    z.nonzero()
    a.prod(axis=1)
    a.ptp()
    z.put([0], 2)
    a.ravel()
    z.repeat(2)
    a.reshape(4, 3)
    a.round(1)
    z.searchsorted(2)
    z.sort()
    a.squeeze()
    a.std()
    a.sum()
    a.swapaxes(0, 1)
    a.take([1, 2])
    a.tobytes()
    a.tolist()
    a.trace()
    a.transpose()
    a.var(axis=0)
    a.view()
    a.itemset(0, 2)
    a.itemset((1, 2), 2)
    a.partition(2)
    a.tofile('/dev/null')
    a.dump('/dev/null')
    a.tostring()
    a.dumps()
    a.T.tobytes()
    a.T.tobytes('F')
    a.resize(4, 3)
    a.setflags(write=False)
"""


def names_of(np):
    a = np.arange(12.0).reshape(3, 4)
    saved = io.BytesIO()
    real.save(saved, real.arange(3.0))
    return dict(np=np, a=a, z=np.array([3, 1, 2]), m=a > 3, sum=sum, list=list, io=io, saved=saved.getvalue())


class Functions(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore", RefrainFallbackWarning)
        warnings.simplefilter("ignore", RuntimeWarning)

    def assert_same(self, expected, got, text):
        if isinstance(expected, (tuple, list)):
            self.assertEqual((type(expected), len(expected)), (type(got), len(got)), text)
            for one, other in zip(expected, got):
                self.assert_same(one, other, text)
        elif isinstance(expected, (real.ndarray, real.generic)):
            self.assertEqual(isinstance(got, real.ndarray), isinstance(expected, real.ndarray), text)
            self.assertEqual((expected.shape, expected.dtype), (got.shape, got.dtype), text)
            one, other = real.asarray(expected), real.asarray(got)
            if not same_bits(one, other):
                real.testing.assert_allclose(other, one, rtol=1e-14, atol=1e-14, err_msg=text)
        else:
            self.assertEqual(expected, got, text)

    def test_each_expression_gives_what_numpy_gives(self):
        for text in (EXPRESSIONS + RANK_0 + METHODS).split("\n"):
            text = text.strip()
            if text:
                with self.subTest(text):
                    self.assert_same(eval(text, names_of(real)), eval(text, names_of(ours)), text)

    def test_functions_with_a_quick_way_are_functions_as_others(self):
        for name in ("zeros", "empty", "arange", "sort", "argsort", "searchsorted"):
            function, numpys = getattr(ours, name), getattr(real, name)
            self.assertIs(pickle.loads(pickle.dumps(function)), function)
            self.assertEqual((function.__name__, function.__doc__), (name, numpys.__doc__))
        self.assertEqual(str(inspect.signature(ours.sort)), str(inspect.signature(real.sort)))
        for text in ("np.zeros((2, 3))", "np.zeros(())", "np.zeros(0)", "np.zeros(shape=2)", "np.zeros(2, int)", "np.arange(0)",
                     "np.arange(-3)", "np.sort([2, 1])", "np.sort(np.array([[2, 1], [0, 3]]))", "np.argsort(np.array([2., 1.]))",
                     "np.argsort(np.zeros((2, 0)))", "np.searchsorted(np.arange(4), np.array([[1, 9]]))",
                     "np.searchsorted(np.arange(4), np.array([0.5]))", "np.sort(np.arange(6.).reshape(2, 3).T)"):
            here, there = eval(text, {"np": ours}), eval(text, {"np": real})
            self.assertEqual((here.dtype, here.shape, here.strides, here.tolist()),
                             (there.dtype, there.shape, there.strides, there.tolist()), text)

    def test_functions_with_a_quick_way_are_the_same_after_a_reload(self):
        ended = run_plain("-c", "import importlib, numpy, refrain.numpy as np; from refrain import _creating;"
                                "importlib.reload(_creating); print(np.zeros.__doc__ == numpy.zeros.__doc__, np.zeros(2))")
        self.assertEqual(ended.stdout, "True [0. 0.]\n", ended.stderr)

    def test_a_shape_is_what_it_was_when_it_was_given(self):
        class Emptying:
            def __index__(self):
                extents.clear()
                return 2

        extents = [Emptying(), 3, 7]
        self.assertEqual(ours.zeros(extents).shape, (2, 3, 7))

    def test_vectorize_is_described_as_numpys(self):
        self.assertEqual(ours.vectorize.__doc__, real.vectorize.__doc__)
        self.assertIs(pickle.loads(pickle.dumps(ours.vectorize)), ours.vectorize)

    def test_what_depends_on_values_is_refused_as_numpy_refuses_it(self):
        programs = """
            i[...] = 1e300
            i[0] = (1e300 * np.ones(3)).sum()
            i[:0] = np.array([np.nan]).max()
            i[0] = np.full(2, 2.75).sum()
            i ** -1
            i[:0] ** -1
            i.diagonal()
            np.zeros((0, 3)).min(axis=0)
            np.zeros((0, 3)).min(axis=1)
            np.zeros((0, 0, 2)).max(axis=1)
        """
        for text in filter(None, map(str.strip, programs.split("\n"))):
            with self.subTest(text):
                outcomes = []
                for np in (real, ours):
                    i = np.arange(4)
                    try:
                        exec(text, dict(np=np, i=i))
                        outcomes.append((None, i.tolist()))
                    except Exception as error:
                        outcomes.append((type(error), i.tolist()))
                self.assertEqual(*outcomes)


class Attributes(unittest.TestCase):
    def outcomes(self, text):
        """What a program does to `a`, under NumPy and here: its exception and the array."""
        found = []
        for np in (real, ours):
            names = dict(np=np, a=np.arange(12.0).reshape(3, 4).copy())
            try:
                exec(text, names)
                error = None
            except Exception as raised:
                error = (type(raised), str(raised).replace("\n", " "))
            found.append((error, real.array(names["a"]).tolist(), names["a"].flags.writeable, names.get("found")))
        return found

    def test_arrays_of_one_row_or_column_have_the_strides_of_their_order(self):
        for shape in ((1, 3), (3, 1), (2, 3), (3,), (1, 1), (2, 1, 3)):
            for text in ("np.array(real.ones(s), order='F')", "np.array(real.ones(s), order='C')", "np.array(real.ones(s).tolist(), order='F')",
                         "np.ones(s).copy('F')", "np.empty(s, order='F')", "np.broadcast_to(np.ones(s), (2, *s))"):
                expected, got = (eval(text, dict(np=np, real=real, s=shape)) for np in (real, ours))
                self.assertEqual(expected.strides, got.strides, (text, shape))

    def test_new_arrays_like_others_have_numpys_strides(self):
        views = """
            np.broadcast_to(np.arange(3.0), (2, 3))
            np.broadcast_to(np.arange(2.0)[:, None], (2, 3))
            np.broadcast_to(np.arange(6.0).reshape(2, 1, 3).T, (4, 3, 5, 2))
            np.broadcast_to(1.0, (2, 3, 4)).transpose(1, 2, 0)
            np.ones((4, 6, 2))[::2, :1].T
            np.ones((4, 6, 2))[:1, ::2]
            np.ones((4, 6, 2)).transpose(1, 0, 2)
            np.ones((4, 6, 2)).transpose(2, 0, 1)[:, 3:, ::-1]
            np.ones((2, 1, 3)).T
            np.ones((4, 6)).T[1:2]
            np.ones((4, 6))[1:2].T
            np.ones((4, 6))[:, 1:2]
            np.ones((6, 5))[::-1, 2:3].T
            np.ones((3, 1, 2, 1))[:, :, ::-1]
            np.ones((3, 4, 2), order='F')[:, ::2]
            np.ones((1, 1))
        """
        calls = """
            np.empty_like(v)
            np.empty_like(v, order='A')
            np.zeros_like(v, dtype=int)
            np.empty_like(v, shape=(7,))
            np.copy(v)
            v.copy('K')
            v.copy('A')
            v.copy('F')
            np.array(v)
            np.array(v, order='F')
            np.asfortranarray(v)
            np.ascontiguousarray(v)
            v.astype(int)
            v.astype(float, order='F')
            v.astype(float, copy=False)
        """
        for view in filter(None, map(str.strip, views.split("\n"))):
            for call in filter(None, map(str.strip, calls.split("\n"))):
                with self.subTest(view=view, call=call):
                    expected, got = (eval(call, dict(np=np, v=eval(view, dict(np=np)))) for np in (real, ours))
                    self.assertEqual((expected.shape, expected.strides), (got.shape, got.strides))

    def test_python_numbers_that_do_not_fit_are_refused_or_warned_of_as_by_numpy(self):
        for dtype in ("i1", "u1", "i2", "u4", "i8", "u8", "f4", "?"):
            for number in (2**63 - 1, 2**63, 2**64 - 1, 2**64, -1, -(2**63), -(2**63) - 1, 127, 128, 255, 256, -128, -129, True):
                for text in ("a[1] = n", "a[:] = n", "a[a == 1] = n", "a[[0, 2]] = n", "a.fill(n)", "a[...] = [n, 1, 2]",
                             "a.itemset(1, n)", "np.full(2, n, a.dtype)", "np.copyto(a, n)"):
                    found = []
                    for np in (real, ours):
                        names = dict(np=np, n=number, a=np.ones(3, dtype))
                        with warnings.catch_warnings(record=True) as caught:
                            warnings.simplefilter("always")
                            try:
                                exec(text, names)
                                error = None
                            except Exception as raised:
                                error = type(raised)
                        said = {warning.category for warning in caught} & {DeprecationWarning, RuntimeWarning}
                        found.append((error, said, real.array(names["a"]).tolist()))
                    with self.subTest(text=text, dtype=dtype, number=number):
                        self.assertEqual(*found)

    @unittest.skipIf("asan" in os.environ.get("LD_PRELOAD", ""), "the address sanitizer keeps freed memory for a while")
    def test_calls_leave_no_memory_behind(self):
        calls = int(os.environ.get("TESTED_CALLS", 2_000_000))
        x, y, index, out = ours.arange(32.0), ours.ones(32), ours.array([3, 1, 2]), ours.empty(32)
        draws = ours.random.default_rng(1)

        def ten_calls(count):
            for _ in range(count):
                z = x[1:-1] + y[2:]
                z *= 2.0
                float(z.sum())
                x[3]
                x[4] = 0.5
                ours.add(x, y, out=out)
                out.reshape(4, 8).T
                x[index]
                ours.sqrt(x)
                draws.random()

        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        ten_calls(2000)
        before = resident()
        ten_calls(calls // 10)
        # Less than one object of 48 bytes in ten calls; a page of the system takes up to 2 MiB.
        self.assertLess(resident() - before, max(8 << 20, 4 * calls))

    def test_resize_does_what_numpys_does(self):
        for text in """
            a.resize(2, 3)
            a.resize((5, 4))
            a.resize(3)
            a.resize(0)
            a.resize(4, 3)
            a.resize(4, 4, refcheck=False)
            a.resize()
            a.resize(None)
            a.resize(-1, 2)
            a.resize(*[1]*33)
            v = a[1:]; a.resize(99)
            v = a[1:]; v.resize(99)
            b = a; a.resize(7)
            b = a; a.resize(7, refcheck=False)
            a = np.asfortranarray(a); a.resize(5, 4); found = a.flags.f_contiguous
            a[:, 1:].resize(2)
            a.resize(2, wrong=1)
            import weakref; w = weakref.ref(a); a.resize(3)
        """.strip().split("\n"):
            with self.subTest(text):
                expected, got = self.outcomes(text.strip())
                if "wrong" not in text:
                    self.assertEqual(expected, got)
                else:
                    self.assertEqual(expected[0][0], got[0][0])

    def test_shapes_of_more_elements_than_can_be_counted_are_refused(self):
        for text in ("np.zeros(0).reshape(2**32, 2**32)", "np.zeros(0).resize(2**32, 2**32)", "np.zeros(0).reshape(2**62, 4, -1)",
                     "np.random.default_rng(1).multinomial(1, [0.25] * 4, 2**62)", "np.random.default_rng(1).normal(0, 1, (2**32, 2**32))"):
            for np in (real, ours):
                with self.subTest(text, np=np), self.assertRaises((ValueError, MemoryError)):
                    eval(text, dict(np=np))

    def test_one_place_of_a_flat_iterator_takes_arrays_of_one_element(self):
        for text in ("np.array([5.0])", "np.array([[5.0]])", "np.array(5.0)", "np.array([5.0, 6.0])", "[5.0]", "(5.0,)"):
            for place in (1, real.int64(-1)):
                found = []
                for np in (real, ours):
                    a = np.zeros((2, 3)).T
                    try:
                        a.flat[place] = eval(text, dict(np=np))
                        found.append(a.tolist())
                    except ValueError as error:
                        found.append(str(error))
                with self.subTest(text, place=place):
                    self.assertEqual(*found)

    def test_a_read_only_array_refuses_every_way_to_write(self):
        for write in """
            a[0] = 1
            a[0, 1] = 2.0
            a[a > 2] = 0
            a[[0, 1]] = 3
            a += 1
            a **= 2
            np.add(a, 1, out=a)
            np.add.at(a, [], 1)
            np.add.at(a, [0], 1)
            a.sum(axis=0, out=a[0])
            a.fill(2)
            a.sort()
            a.partition(1)
            a.put([0], 1)
            a.itemset(0, 1)
            a[1:][0] = 3
            a.T[0] = 3
            a.flat[0] = 3
            np.copyto(a, 1)
            np.fill_diagonal(a, 1)
            np.random.shuffle(a)
            memoryview(a)[0, 0] = 1
            np.asarray(a)[0] = 1
        """.strip().split("\n"):
            with self.subTest(write.strip()):
                for switch in ("a.flags.writeable = False", "a.setflags(write=False)", "a.flags['WRITEABLE'] = False"):
                    expected, got = self.outcomes(f"{switch}; {write.strip()}")
                    self.assertEqual(expected[0][0], got[0][0])
                    self.assertEqual(expected[1:3], got[1:3])

    def test_an_array_can_be_made_writable_again_if_its_owner_is(self):
        for text in """
            a.setflags(write=False); a.setflags(write=True); a[0] = 1
            v = a[1:]; a.setflags(write=False); v[0] = 7
            a.setflags(write=False); v = a[1:]; v.setflags(write=True)
            v = a.diagonal(); v.flags.writeable = True; v[0] = 5
            a = np.frombuffer(b'12345678'); a.flags.writeable = True
            a.setflags(uic=True)
            found = a.flags['W'], a.flags.c_contiguous, a.flags['F_CONTIGUOUS']
        """.strip().split("\n"):
            with self.subTest(text.strip()):
                self.assertEqual(*self.outcomes(text.strip()))


if __name__ == "__main__":
    unittest.main()
