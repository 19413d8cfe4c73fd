"""Products, numpy.linalg and numpy.fft beside NumPy: types, shapes, stacks, empty arrays, bad input, errors."""

import itertools
import unittest
import warnings

import numpy as real

import refrain.numpy as ours
from refrain import RefrainFallbackWarning, _core
from support import same_bits

TYPES = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float32 float64 complex64 complex128".split()
EXTENDED = dict(float32="float64", float64="longdouble", complex64="complex128", complex128="clongdouble")


def numbers(np, shape, dtype, seed):
    """The same array for NumPy and for us."""
    random = real.random.default_rng(seed)
    kind = real.dtype(dtype).kind
    if kind == "b":
        made = random.random(shape) < 0.5
    elif kind in "iu":
        made = random.integers(-9 if kind == "i" else 0, 100, shape)
    else:
        made = random.standard_normal(shape) + (1j * random.standard_normal(shape) if kind == "c" else 0)
    return np.array(made.astype(dtype))


class Products(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore", RuntimeWarning)
        warnings.simplefilter("error", RefrainFallbackWarning)

    def tearDown(self):
        warnings.resetwarnings()

    def assert_product(self, expected, got, exact, text):
        """Bits for integers; else an error, against longer precision, of at most twice NumPy's."""
        expected, got = real.asarray(expected), real.asarray(got)
        self.assertEqual((expected.shape, expected.dtype), (got.shape, got.dtype), text)
        if expected.dtype.kind not in "fc":
            self.assertTrue(same_bits(expected, got), text)
            return
        error = abs(got - exact).max(initial=0)
        size = abs(exact).max(initial=1)
        bound = 2 * abs(expected - exact).max(initial=0) + real.finfo(expected.dtype).eps * size
        self.assertLessEqual(error, bound, text)

    SHAPES = [((3, 4), (4, 5)), ((4,), (4, 3)), ((3, 4), (4,)), ((4,), (4,)), ((2, 3, 4), (4, 2)), ((2, 3, 4), (2, 4, 2)),
              ((5, 1, 3, 4), (2, 4, 3)), ((0, 4), (4, 2)), ((3, 0), (0, 2)), ((4,), (2, 4, 3)), ((1, 1), (1, 1)), ((0,), (0,))]

    def test_products_of_every_type_and_shape(self):
        for function, dtype, (left, right) in itertools.product(("matmul", "dot"), TYPES, self.SHAPES):
            if function == "dot" and len(right) > 2:
                left = left[-1:] if len(left) > 2 else left
            text = f"{function} {dtype} {left} {right}"
            with self.subTest(text):
                a, b = (numbers(real, shape, dtype, seed) for seed, shape in enumerate((left, right)))
                expected = getattr(real, function)(a, b)
                got = getattr(ours, function)(ours.array(a), ours.array(b))
                wide = EXTENDED.get(dtype, dtype)
                self.assert_product(expected, got, getattr(real, function)(a.astype(wide), b.astype(wide)), text)

    def test_operands_of_any_strides(self):
        for dtype in ("float64", "int32", "complex64"):
            for text in ("a[::2] @ b", "a[:, ::2] @ b[::2]", "a[::-1] @ b.T.copy().T", "a.T[:3] @ b[:3]", "a @ b[:, ::-1]",
                         "a[0] @ b", "a[::-1, 0] @ a[::-1, 1]", "b[:, 0] @ b[::-1, 1]", "a @ b[:, 0]",
                         "np.broadcast_to(a[0], (3, 4)) @ b", "np.broadcast_to(a[:1, :1], (3, 4)) @ b"):
                with self.subTest(text=text, dtype=dtype):
                    results = []
                    for np in (real, ours):
                        a, b = numbers(np, (3, 4), dtype, 1), numbers(np, (4, 5), dtype, 2)
                        if text.startswith("a.T"):
                            a = numbers(np, (3, 4), dtype, 1)
                        results.append(real.asarray(eval(text, dict(np=np, a=a, b=b))))
                    real.testing.assert_allclose(results[1], results[0], rtol=1e-5 if dtype == "complex64" else 1e-13)

    def test_large_products_are_tiled_and_within_twice_numpys_error(self):
        for shapes in (((400, 300), (300, 500)), ((70, 2000), (2000, 700)), ((1, 3000), (3000, 400)), ((3000, 900), (900,)),
                       ((200000,), (200000,)), ((20, 64, 200), (20, 200, 70))):
            with self.subTest(shapes):
                a, b = (numbers(real, shape, "float64", 3) for shape in shapes)
                exact = real.einsum("...ij,...jk->...ik", a.reshape(a.shape if a.ndim > 1 else (1, -1)).astype("longdouble"),
                                    b.reshape(b.shape if b.ndim > 1 else (-1, 1)).astype("longdouble"))
                expected = a @ b
                self.assert_product(expected, ours.array(a) @ ours.array(b), exact.reshape(expected.shape), str(shapes))

    def test_the_output_may_be_given(self):
        a = ours.arange(6.0).reshape(2, 3)
        out = ours.zeros((2, 2))
        self.assertIs(ours.matmul(a, a.T, out=out), out)
        self.assertEqual(out.tolist(), [[5, 14], [14, 50]])
        self.assertIs(ours.dot(a, a.T, out), out)
        u = ours.arange(9.0).reshape(3, 3)
        ours.matmul(u, u, out=u)
        self.assertEqual(u.tolist(), (real.arange(9.0).reshape(3, 3) @ real.arange(9.0).reshape(3, 3)).tolist())

    def test_bad_shapes_are_refused_as_numpy_refuses_them(self):
        programs = ["np.ones((2, 3)) @ np.ones((2, 3))", "np.ones(3) @ np.ones(2)", "np.ones(3) @ 2", "np.dot(np.ones((2, 3)), np.ones(2))",
                    "np.inner(np.ones(3), np.ones(2))", "np.vdot(np.ones(3), np.ones(2))", "np.dot(np.ones((2, 3)), np.ones((2, 3)))",
                    "np.tensordot(np.ones(3), np.ones(2), 1)", "np.ones((2, 3, 4)) @ np.ones((3, 4, 2))",
                    "np.einsum('ij,jk', np.ones((2, 3)), np.ones((2, 3)))", "np.einsum('ij->k', np.ones((2, 3)))",
                    "np.einsum('ii', np.ones((2, 3)))", "np.einsum('ijk', np.ones((2, 3)))"]
        warnings.simplefilter("ignore", RefrainFallbackWarning)
        for text in programs:
            with self.subTest(text):
                errors = []
                for np in (real, ours):
                    try:
                        eval(text, dict(np=np))
                        errors.append(None)
                    except Exception as error:
                        errors.append((type(error).__name__, str(error)[:60]))
                self.assertIsNotNone(errors[0])
                self.assertEqual(*errors)

    EINSUMS = ["ij,jk", "ij,jk->ki", "ij,ij->", "ij,ij->i", "ii", "ii->i", "ij->ji", "ij->j", "ijk,jil->kl", "i,j->ij", "i,i", "...j,j",
               "ij,kj->ik", "ij,jk,kl->il", "i,i,i->i", "...ij,...jk->...ik", "ij,k->ijk", "ij,i->j", "iij->j", "ij,ji->"]

    def test_einsum(self):
        extents = dict(i=3, j=4, k=2, l=5)
        for text, dtype in itertools.product(self.EINSUMS, ("float64", "int8", "bool", "complex128")):
            with self.subTest(text=text, dtype=dtype):
                terms = text.partition("->")[0].split(",")
                square = any(len(set(term.strip("."))) < len(term.strip(".")) for term in terms) or text in ("ijk,jil->kl", "ij,ji->")
                sizes = dict.fromkeys(extents, 3) if square else extents
                shapes = [((2,) if term.startswith("...") and len(term) > 4 else ()) + tuple(sizes[x] for x in term.strip("."))
                          for term in terms]
                arrays = [numbers(real, shape, dtype, seed) for seed, shape in enumerate(shapes)]
                for optimize in (False, True):
                    expected = real.einsum(text, *arrays, optimize=optimize)
                    got = ours.einsum(text, *map(ours.array, arrays), optimize=optimize)
                    self.assertEqual((expected.shape, expected.dtype), (got.shape, got.dtype))
                    if dtype in ("int8", "bool"):
                        self.assertTrue(same_bits(expected, got), (expected, got))
                    else:
                        real.testing.assert_allclose(real.asarray(got), expected, rtol=1e-12, atol=1e-12)


LINALG = """
    np.linalg.solve(s, v)                               np.linalg.solve(s, a)                 np.linalg.solve(k, k)
    np.linalg.solve(c, v)                               np.linalg.solve(f, v)                 np.linalg.inv(s)
    np.linalg.inv(k)                                    np.linalg.inv(c)                      np.linalg.inv(f)
    np.linalg.inv(i)                                    np.linalg.det(s)                      np.linalg.det(k)
    np.linalg.det(c)                                    np.linalg.det(np.zeros((2, 2)))       np.linalg.det(np.zeros((0, 0)))
    np.linalg.slogdet(s)                                np.linalg.slogdet(k)                  np.linalg.slogdet(c)
    np.linalg.slogdet(np.zeros((2, 2)))                 np.linalg.cholesky(p)                 np.linalg.cholesky(p + k @ k.swapaxes(1, 2))
    np.linalg.qr(a)                                     np.linalg.qr(a.T)                     np.linalg.qr(a.T, 'complete')
    np.linalg.qr(a, 'r')                                np.linalg.qr(k)                       np.linalg.qr(a, 'raw')
    np.linalg.qr(np.zeros((0, 3)))                      np.linalg.svd(a, compute_uv=False)    np.linalg.svd(k, compute_uv=False)
    abs(np.linalg.svd(a)[0])                            abs(np.linalg.svd(a.T, False)[2])     abs(np.linalg.svd(c)[0])
    np.linalg.svd(np.zeros((0, 3)))                     np.linalg.eigvals(s)
    np.linalg.eigvals(r)                                np.linalg.eigvals(k)                  np.linalg.eig(p)[0]
    abs(np.linalg.eig(r)[1])                            np.linalg.eig(r)[0]                   np.linalg.eigvals(c)
    np.linalg.eigh(p)[0]                                abs(np.linalg.eigh(p)[1])             np.linalg.eigvalsh(p)
    np.linalg.eigvalsh(p, 'U')                          np.linalg.eigvalsh(c + c.conj().T)    np.linalg.eigh(c + c.conj().T, 'U')[0]
    np.linalg.lstsq(a.T, w, rcond=None)                 np.linalg.lstsq(a, v, rcond=None)     np.linalg.lstsq(a.T, a.T, rcond=None)
    np.linalg.pinv(a)                                   np.linalg.pinv(k)
    np.linalg.matrix_rank(a)                            np.linalg.matrix_rank(k)              np.linalg.matrix_rank(v)
    np.linalg.cond(s)                                   np.linalg.cond(s, 1)                  np.linalg.cond(s, 'fro')
    np.linalg.norm(a)                                   np.linalg.norm(a, 2)                  np.linalg.norm(a, 'nuc')
    np.linalg.norm(a, -2)                               np.linalg.norm(v, 3)                  np.linalg.norm(k, axis=(1, 2))
    np.linalg.matrix_power(s, 3)                        np.linalg.matrix_power(s, -2)         np.linalg.matrix_power(i, 5)
    np.linalg.matrix_power(k, 0)                        np.linalg.multi_dot([a, a.T, s])      np.linalg.multi_dot([v, s, a, w])
    np.linalg.tensorinv(t)                              np.linalg.tensorsolve(t, s[:2, :2])   np.linalg.multi_dot([v, s])
    np.kron(s, a)                                       np.trace(s)                           np.outer(v, w)
    np.cross(v, v[::-1])                                np.tensordot(k, s, ([1], [0]))        np.tensordot(a, a, 2)
    np.inner(k, s)                                      np.vdot(c, c)                         np.inner(2, v)
    np.dot(k, a)                                        np.dot(3, v)                          v.dot(s)
    np.fft.fft(w)                                       np.fft.fft(k, axis=0)                 np.fft.fft(w, 6)
    np.fft.fft(w, 3)                                    np.fft.ifft(c)                        np.fft.rfft(w)
    np.fft.rfft(w, 5)                                   np.fft.irfft(c)                       np.fft.irfft(c, 5)
    np.fft.fft2(k)                                      np.fft.ifft2(c)                       np.fft.fftn(k)
    np.fft.ifftn(k, axes=(0,))                          np.fft.rfft2(a)                       np.fft.rfftn(k)
    np.fft.irfft2(c)                                    np.fft.irfftn(k, (2, 2, 4))           np.fft.hfft(w)
    np.fft.ihfft(w)                                     np.fft.fftfreq(8, 0.1)                np.fft.rfftfreq(8)
    np.fft.fftshift(a)                                  np.fft.ifftshift(w)                   np.fft.fft(w, norm='ortho')
    np.fft.ifft(w, norm='forward')                      np.fft.fft(i)                         np.fft.fft(f)
"""
# Sorted and selected by index arrays, which may be NumPy's.
WITH_INDICES = """
    np.linalg.svd(p, hermitian=True)[1]                 np.linalg.pinv(p, hermitian=True)     np.linalg.matrix_rank(p, hermitian=True)
"""
REFUSED = """
    np.linalg.inv(np.zeros((2, 2)))                     np.linalg.solve(np.ones((2, 2)), np.ones(2))
    np.linalg.cholesky(-np.eye(2))                      np.linalg.inv(np.ones((2, 3)))
    np.linalg.det(np.ones(3))                           np.linalg.eigvals(np.full((2, 2), np.nan))
    np.linalg.inv(np.zeros((3, 2, 2)))                  np.linalg.matrix_power(np.zeros((2, 2)), -1)
    np.linalg.lstsq(np.ones((2, 2)), np.ones(3), None)  np.linalg.solve(np.eye(2), np.ones(3))
    np.linalg.eig(np.ones((2, 3)))
    np.fft.fft(np.ones(3), 0)                           np.fft.fft(np.ones(3), axis=2)
    np.fft.fftn(np.ones((2, 2)), (1, 2), (0,))          np.linalg.tensorsolve(np.ones((2, 3)), np.ones(2))
"""


def split(text):
    return [part.strip() for line in text.split("\n") for part in line.split("   ") if part.strip()]


def operands(np):
    random = real.random.RandomState(7)
    s = random.standard_normal((3, 3)) + 3 * real.eye(3)
    made = dict(
        a=random.standard_normal((3, 4)), s=s, p=s @ s.T, r=random.standard_normal((3, 3)) - 2 * real.diag([1.0, 1], 1) + real.diag([1.0, 1], -1),
        k=random.standard_normal((2, 3, 3)) + 3 * real.eye(3), c=s + 1j * random.standard_normal((3, 3)), f=s.astype("float32"),
        i=real.array([[2, 1, 0], [1, 3, 1], [0, 1, 4]]), v=random.standard_normal(3), w=random.standard_normal(4),
        t=random.standard_normal((2, 2, 2, 2)))
    return dict(np=np, **{name: np.array(value) for name, value in made.items()})


class LinearAlgebra(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("error", RefrainFallbackWarning)

    def tearDown(self):
        warnings.resetwarnings()

    def assert_close(self, expected, got, text):
        if isinstance(expected, tuple):
            self.assertEqual((type(expected).__name__, len(expected)), (type(got).__name__, len(got)), text)
            for one, other in zip(expected, got):
                self.assert_close(one, other, text)
            return
        self.assertEqual(isinstance(expected, real.ndarray), isinstance(got, real.ndarray), text)
        one, other = real.asarray(expected), real.asarray(got)
        self.assertEqual((one.shape, one.dtype), (other.shape, other.dtype), text)
        single = one.dtype in (real.float32, real.complex64)
        real.testing.assert_allclose(other, one, rtol=2e-5 if single else 1e-11, atol=1e-5 if single else 1e-12, err_msg=text)

    def test_each_call_gives_what_numpy_gives_without_numpy(self):
        for text in split(LINALG):
            with self.subTest(text):
                self.assert_close(eval(text, operands(real)), eval(text, operands(ours)), text)

    def test_each_call_that_selects_gives_what_numpy_gives(self):
        warnings.simplefilter("ignore", RefrainFallbackWarning)
        for text in split(WITH_INDICES):
            with self.subTest(text):
                self.assert_close(eval(text, operands(real)), eval(text, operands(ours)), text)

    def test_what_numpy_refuses_is_refused_with_its_type_and_text(self):
        for text in split(REFUSED):
            with self.subTest(text):
                errors = []
                for np in (real, ours):
                    try:
                        eval(text, dict(np=np))
                        errors.append(None)
                    except Exception as error:
                        errors.append((type(error), str(error)[:30]))
                self.assertIsNotNone(errors[0])
                self.assertEqual(*errors)

    def test_a_singular_matrix_of_a_task_raises_at_the_wait(self):
        matrix = ours.ones((300, 300))
        result = ours.linalg.inv(matrix)  # too large to be computed at once
        with self.assertRaisesRegex(real.linalg.LinAlgError, "Singular matrix"):
            result[0, 0].item()

    def test_large_systems_are_deferred_and_solved(self):
        random = real.random.default_rng(5)
        a, b = random.standard_normal((400, 400)) + 20 * real.eye(400), random.standard_normal(400)
        before = _core.statistics()["operations"]
        x = ours.linalg.solve(ours.array(a), ours.array(b))
        self.assertEqual(_core.statistics()["operations"], before + 1)
        real.testing.assert_allclose(a @ real.asarray(x), b, rtol=1e-10, atol=1e-12)

    def test_fourier_transforms_err_at_most_twice_as_much_as_numpys(self):
        for length in (7, 8, 12, 17, 45, 97, 128, 509, 1000, 4096):
            with self.subTest(length):
                random = real.random.default_rng(length)
                x = random.standard_normal(length) + 1j * random.standard_normal(length)
                turns = real.outer(real.arange(length), real.arange(length)) % length if length < 1001 else None
                if turns is None:
                    exact_back = real.fft.ifft(real.fft.fft(x))
                    self.assertLess(abs(real.asarray(ours.fft.ifft(ours.fft.fft(ours.array(x)))) - x).max(),
                                    4 * abs(exact_back - x).max() + 1e-15)
                    continue
                angle = turns.astype("longdouble") * (2 * real.arctan2(real.longdouble(0), real.longdouble(-1)) / length)
                exact = (x.astype("clongdouble") * (real.cos(angle) - 1j * real.sin(angle))).sum(axis=1)
                error = real.sqrt((abs(real.asarray(ours.fft.fft(ours.array(x))) - exact) ** 2).sum())
                numpys = real.sqrt((abs(real.fft.fft(x) - exact) ** 2).sum())
                self.assertLessEqual(error, 2 * numpys + 1e-16 * real.sqrt((abs(exact) ** 2).sum()))


if __name__ == "__main__":
    unittest.main()
