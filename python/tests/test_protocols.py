"""Other libraries and other processes: the array API standard, DLPack, buffers, pickle, copy, fork and spawn."""

import copy
import math
import os
import pickle
import sys
import unittest

import numpy as real

import refrain.numpy as np
from refrain import _core
from support import Program, run

# Every name of the standard, 2022.12.
STANDARD = """
    e inf nan newaxis pi
    arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones ones_like tril triu zeros zeros_like
    astype broadcast_arrays broadcast_to can_cast finfo iinfo isdtype result_type
    bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128
    abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_left_shift bitwise_invert bitwise_or
    bitwise_right_shift bitwise_xor ceil conj cos cosh divide equal exp expm1 floor floor_divide greater greater_equal imag
    isfinite isinf isnan less less_equal log log1p log2 log10 logaddexp logical_and logical_not logical_or logical_xor
    multiply negative not_equal positive pow real remainder round sign sin sinh square sqrt subtract tan tanh trunc
    matmul matrix_transpose tensordot vecdot
    concat expand_dims flip permute_dims reshape roll squeeze stack
    argmax argmin nonzero where take
    unique_all unique_counts unique_inverse unique_values argsort sort
    max mean min prod std sum var all any
    linalg.cholesky linalg.cross linalg.det linalg.diagonal linalg.eigh linalg.eigvalsh linalg.inv linalg.matmul
    linalg.matrix_norm linalg.matrix_power linalg.matrix_rank linalg.matrix_transpose linalg.outer linalg.pinv linalg.qr
    linalg.slogdet linalg.solve linalg.svd linalg.svdvals linalg.tensordot linalg.trace linalg.vecdot linalg.vector_norm
    fft.fft fft.ifft fft.fftn fft.ifftn fft.rfft fft.irfft fft.rfftn fft.irfftn fft.hfft fft.ihfft fft.fftfreq fft.rfftfreq
    fft.fftshift fft.ifftshift
""".split()

# With xp of an array of ours, and of NumPy's counterpart: the values.
CALLS = """
    xp.concat([x, x]); numpy.concatenate([y, y])
    xp.permute_dims(x, (1, 0)); y.T
    xp.matrix_transpose(x); y.T
    x.mT; y.T
    xp.acos(x / 10); numpy.arccos(y / 10)
    xp.pow(x, 2); y ** 2
    xp.astype(x, xp.int32); y.astype("int32")
    xp.std(x, axis=0, correction=1); y.std(axis=0, ddof=1)
    xp.var(x); y.var()
    xp.sort(x, axis=1, descending=True); numpy.sort(y, axis=1)[:, ::-1]
    xp.argsort(xp.asarray([3, 1, 3, 2]), descending=True); numpy.array([0, 2, 3, 1])
    xp.argsort(xp.asarray([3, 1, 3, 2])); numpy.array([1, 3, 0, 2])
    xp.unique_counts(xp.asarray([2, 1, 2])).counts; numpy.array([1, 2])
    xp.unique_all(xp.asarray([2, 1, 2])).inverse_indices; numpy.array([1, 0, 1])
    xp.unique_inverse(xp.asarray([[2, 1], [1, 2]])).inverse_indices; numpy.array([[1, 0], [0, 1]])
    xp.unique_values(xp.asarray([2, 1, 2])); numpy.array([1, 2])
    xp.vecdot(x, x); (y * y).sum(-1)
    xp.linalg.vector_norm(x); numpy.linalg.norm(y.ravel())
    xp.linalg.matrix_norm(x); numpy.linalg.norm(y)
    xp.linalg.trace(x); numpy.trace(y)
    xp.linalg.diagonal(x, offset=1); numpy.diagonal(y, 1)
    xp.linalg.outer(x[0], x[1]); numpy.outer(y[0], y[1])
    xp.fft.fft(x[0]); numpy.fft.fft(y[0])
    xp.zeros((2, 2), device="cpu"); numpy.zeros((2, 2))
    xp.asarray(x, copy=True); y
    x.to_device("cpu"); y
    xp.take(x, xp.asarray([0, 2]), axis=1); y[:, [0, 2]]
""".strip().split("\n")


class ArrayApi(unittest.TestCase):
    def test_every_name_of_the_standard_is_there(self):
        xp = np.zeros(1).__array_namespace__()
        for name in STANDARD:
            found = xp
            for part in name.split("."):
                found = getattr(found, part)
        self.assertEqual(xp.pi, math.pi)

    def test_calls_compute_what_the_standard_says(self):
        names = {"x": np.array([[4.0, 1.0, 3.0], [0.5, 2.0, 2.5]]), "y": real.array([[4.0, 1.0, 3.0], [0.5, 2.0, 2.5]]),
                 "numpy": real}
        names["xp"] = names["x"].__array_namespace__(api_version="2022.12")
        for line in CALLS:
            ours, numpys = (eval(part.strip(), names) for part in line.split(";"))
            self.assertIsInstance(ours, (_core.ndarray, _core.scalar, real.generic), line)
            real.testing.assert_allclose(real.asarray(ours), numpys, rtol=1e-13, err_msg=line)

    def test_kinds_of_types(self):
        xp = np.zeros(1).__array_namespace__()
        self.assertTrue(xp.isdtype(xp.int8, "integral") and xp.isdtype(xp.uint8, ("bool", "unsigned integer")))
        self.assertFalse(xp.isdtype(xp.float32, "integral") or xp.isdtype(xp.float32, xp.float64))

    def test_what_is_not_there_is_refused_with_what_is(self):
        x = np.zeros(3)
        with self.assertRaisesRegex(ValueError, "no version '1999.01' of the array API here; there are 2021.12 and 2022.12"):
            x.__array_namespace__(api_version="1999.01")
        xp = x.__array_namespace__()
        with self.assertRaisesRegex(ValueError, "no device 'gpu'"):
            xp.zeros(3, device="gpu")
        with self.assertRaisesRegex(ValueError, "no device 'gpu'"):
            x.to_device("gpu")
        with self.assertRaisesRegex(ValueError, "a copy is needed"):
            xp.asarray([1, 2], copy=False)
        with self.assertRaisesRegex(ValueError, "there is no kind 'wide' of types"):
            xp.isdtype(xp.int8, "wide")


class Memory(unittest.TestCase):
    def test_dlpack_shares_the_memory_both_ways(self):
        ours = np.arange(6.0).reshape(2, 3)
        theirs = real.from_dlpack(ours)
        self.assertEqual(ours.__dlpack_device__(), (1, 0))
        ours += 1
        self.assertEqual(theirs.tolist(), [[1, 2, 3], [4, 5, 6]])
        source = real.arange(4.0)
        adopted = ours.__array_namespace__().from_dlpack(source)
        self.assertIs(type(adopted), _core.ndarray)
        source[0] = 9
        self.assertEqual(float(adopted[0]), 9)

    def test_while_a_dlpack_capsule_lives_operations_are_complete_when_they_return(self):
        ours = np.zeros(300_000)
        theirs = real.from_dlpack(ours)
        for step in range(1, 4):
            ours += 1
            self.assertEqual(theirs[-1], step)

    def test_pickles_and_copies_are_equal_and_apart(self):
        ours = (np.arange(12.0).reshape(3, 4) * 2)[::2, ::-1]
        scalar = ours.sum()
        for twin in (pickle.loads(pickle.dumps(ours)), copy.copy(ours), copy.deepcopy(ours), copy.deepcopy([ours])[0]):
            self.assertEqual(real.asarray(twin).tolist(), real.asarray(ours).tolist())
            twin[0, 0] = -1
            self.assertNotEqual(float(ours[0, 0]), -1)
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            self.assertEqual(pickle.loads(pickle.dumps(ours, protocol)).tolist(), ours.tolist())
            self.assertEqual(pickle.loads(pickle.dumps(scalar, protocol)), scalar)
        self.assertEqual(copy.deepcopy(scalar), scalar)

    def test_a_pending_array_pickles_its_values(self):
        a = np.full(400_000, 2.0)
        for _ in range(5):
            a = np.sqrt(a * 2)
        self.assertEqual(float(pickle.loads(pickle.dumps(a))[7]), 2)


MULTIPROCESSING = """
    import multiprocessing, sys
    import refrain.numpy as np

    kept = np.arange(200000.0)

    def work(factor):
        array = np.ones(200000) * factor
        for _ in range(5):
            array = array + kept
        return float(array.sum()), array[:3]

    if __name__ == "__main__":
        kept = kept + 0  # pending
        expected = work(2)
        kept = kept * 1  # pending when the children start
        with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
            results = pool.map(work, [2, 2, 2, 2])
        for total, first in results:
            assert total == expected[0] and first.tolist() == expected[1].tolist(), (total, expected)
        print("same", float(kept.sum()))
"""


class Processes(unittest.TestCase):
    def check(self, method):
        with Program(MULTIPROCESSING) as path:
            ended = run([sys.executable, path, method])
        self.assertEqual((ended.returncode, ended.stdout), (0, "same 19999900000.0\n"), ended.stderr)

    def test_forked_workers_compute_on_what_they_inherit(self):
        self.check("fork")

    def test_spawned_workers_get_arrays_by_pickle(self):
        self.check("spawn")

    def test_a_forked_child_keeps_its_data_and_ends_alone(self):
        with Program("""
            import os
            import refrain.numpy as np
            a = np.arange(300000.0)
            for _ in range(20):
                a = a + 1        # pending
            child = os.fork()
            if child == 0:
                a += 1
                os._exit(0 if float(a[0]) == 21 else 1)
            _, status = os.waitpid(child, 0)
            print(status, float(a[0]))
        """) as path:
            ended = run([sys.executable, path])
        self.assertEqual((ended.returncode, ended.stdout), (0, "0 20.0\n"), ended.stderr)

    def test_a_fork_while_other_threads_compute_and_wait_is_no_deadlock(self):
        with Program("""
            import os, threading, sys
            import refrain.numpy as np
            stop = threading.Event()
            wrong = []
            def work(factor):
                while not stop.is_set():
                    a = np.full(200_000, float(factor))
                    for _ in range(5):
                        a = np.sqrt(a * factor)
                    if abs(float(a[7]) - factor) > 1e-9:
                        wrong.append(factor)
            threads = [threading.Thread(target=work, args=(factor,)) for factor in (2, 3)]
            for thread in threads: thread.start()
            kept = np.arange(200_000.0)
            for turn in range(4):
                kept = kept + 1          # pending
                child = os.fork()
                if child == 0:
                    b = kept * 2
                    os._exit(0 if float(b[0]) == 2 * (turn + 1) and float(np.ones(300_000).sum()) == 300_000 else 1)
                _, status = os.waitpid(child, 0)
                if status: wrong.append(status)
            stop.set()
            for thread in threads: thread.join()
            print(wrong, float(kept[0]))
        """) as path:
            ended = run([sys.executable, path])
        self.assertEqual((ended.returncode, ended.stdout), (0, "[] 4.0\n"), ended.stderr)


if __name__ == "__main__":
    unittest.main()
