"""Indexing by arrays: what NumPy gives, writes and refuses."""

import threading
import unittest
import warnings

import numpy as real

import refrain.numpy as ours
import refrain
from refrain import RefrainFallbackWarning, _core, _fallback
from support import same_bits

SHAPES = [(6,), (3, 4), (4, 3, 5), (2, 3, 1, 4), (0, 3), (3, 0, 2), (1,)]
VIEWS = ["x", "x.T", "x[::-1]", "x[..., ::2]", "np.asfortranarray(x)", "np.broadcast_to(x, (2, *x.shape))[:, 0]",
         "np.broadcast_to(x[..., None], (*x.shape, 2))"]
KEYS = """
    [0, -1, 0]
    []
    ([0, 1],)
    [[0, 1], [1, 0]]
    np.array([[0, 1, 0], [1, 0, 0]]).T
    np.array([0, 0], dtype='uint8')
    (slice(None), [0, 1, 1])
    (Ellipsis, [0, 0])
    (Ellipsis, [0, 0], slice(None))
    ([0, 1], [0, 1])
    ([[0], [1]], [0, 1])
    (0, slice(None), [0, 0])
    (slice(None), 0, [0, 0])
    ([0, 1], slice(None), [0, 0])
    ([0, 1], None, [0, 0])
    (None, [0, 1])
    ([0, 1], None)
    (None, Ellipsis, [0, 0], None)
    (slice(None), None, [0])
    (slice(None, None, -1), [1, 0])
    ([0], Ellipsis, 0)
    (True,)
    False
    (True, [0, 0])
    x > 2
    (x > 2, None)
    (x > 2, Ellipsis)
    np.arange(x.shape[0]) % 2 == 0
    (slice(None), np.arange(x.shape[-1]) > 0)
    (np.arange(x.shape[0]) > 0, [0])
    (np.arange(x.shape[0]) >= 0, Ellipsis, np.arange(x.shape[-1]) > 0)
    [True, False]
    (x * 0).astype(int)
    np.array(1)
    (np.array([0, 1]), np.int64(0))
    (slice(1, None), x[0] > 0)
    99
    [99]
    [-99, 1]
    (0, [99])
    ([0, 1], [0, 1, 2])
    [1.5]
    np.array([1.0])
    'name'
    ([0], [0], [0], [0], [0])
    (Ellipsis, Ellipsis, [0])
    np.ones(17, bool)
    {}
    (1.5, [0])
"""
VALUES = ["7", "np.arange(2)", "np.arange(3.0) + 0.5", "[[1], [2]]", "x[...]", "np.ones((1, 1, 1, 1, 1, 3))", "[]", "np.full((), 5)",
          "1j", "2.5", "300", "np.arange(x[K].size).reshape(x[K].shape)"]


def lines(text):
    return [line.strip() for line in text.split("\n") if line.strip()]


def outcome(np, program, **names):
    """What a program leaves in x, and its result; or the error."""
    names = dict(names, np=np)
    try:
        exec(program, names)
    except Exception as error:
        return type(error), str(error)
    return [names.get("result"), names["x"]]


class Selecting(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore", RefrainFallbackWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", RuntimeWarning)
        warnings.simplefilter("ignore", real.ComplexWarning)

    def assert_same(self, program, shape, dtype):
        size = int(real.prod(shape))
        got = []
        for np in (real, ours):
            x = np.arange(size).astype(dtype).reshape(shape)
            got.append(outcome(np, program, x=x))
        expected, here = got
        if isinstance(expected, tuple):
            self.assertEqual(expected, here, program)
            return
        self.assertIsInstance(here, list, (program, here))
        for one, other in zip(expected, here):
            if isinstance(one, (real.ndarray, real.generic)):
                self.assertEqual((one.shape, one.dtype), (other.shape, other.dtype), program)
                self.assertTrue(same_bits(one, other), program)
                if isinstance(one, real.ndarray) and one.size:
                    self.assertEqual(one.strides, other.strides, program)
            else:
                self.assertEqual(one, other, program)

    def test_each_key_selects_what_numpy_selects(self):
        for shape in SHAPES:
            for view in VIEWS:
                for key in lines(KEYS):
                    with self.subTest(shape=shape, view=view, key=key):
                        self.assert_same(f"x = {view}; result = x[{key}]", shape, float)

    def test_each_type_is_moved(self):
        for dtype in "bool int8 uint16 int32 uint64 float32 complex64 complex128".split():
            for key in ("[0, 2, 0]", "x > 2", "(slice(None), [1, 0])", "([0, 1], [1, 1])"):
                with self.subTest(dtype=dtype, key=key):
                    self.assert_same(f"result = x[{key}]", (3, 4), dtype)
                    self.assert_same(f"x[{key}] = 1", (3, 4), dtype)

    def test_each_value_is_written_as_numpy_writes_it(self):
        for shape in [(6,), (3, 4), (4, 3, 5), (0, 3)]:
            for key in lines(KEYS):
                for value in VALUES:
                    with self.subTest(shape=shape, key=key, value=value):
                        self.assert_same(f"x[{key}] = {value.replace('K', key)}", shape, float)

    def test_values_are_cast_as_numpy_casts_them(self):
        for dtype in ("int8", "uint8", "bool", "float32", "complex64"):
            for key in ("[0, 2]", "x > 2", "(slice(None), [1, 0])"):
                for value in VALUES:
                    if value in ("300", "np.arange(3.0) + 0.5") or "K" in value:
                        continue  # NumPy's words depend on what it tried
                    with self.subTest(dtype=dtype, key=key, value=value):
                        self.assert_same(f"x[{key}] = {value}", (3, 4), dtype)

    def test_of_repeated_indices_the_last_value_stays(self):
        self.assert_same("x[[1, 1, 1, 0]] = np.arange(4.0)", (6,), float)
        self.assert_same("x[[1, 1, 1, 0]] += 1", (6,), float)

    def test_what_is_read_may_be_what_is_written(self):
        self.assert_same("x[[0, 1, 2]] = x[1:4]", (6,), float)
        self.assert_same("x[x > 1] = x[2:]", (6,), float)
        self.assert_same("x[x] = x[::-1]", (6,), int)
        self.assert_same("x[x[::-1]] = x", (6,), int)

    def test_what_is_read_only_stays(self):
        self.assert_same("x = np.broadcast_to(x, (2, 6)); x[[0]] = 1", (6,), float)
        self.assert_same("x = np.broadcast_to(x, (2, 6)); x[x > 0] = 1", (6,), float)

    def test_no_key_that_numpy_takes_is_left_to_numpy(self):
        for shape in SHAPES:
            for key in lines(KEYS):
                for program in (f"result = x[{key}]", f"x[{key}] = 1"):
                    size = int(real.prod(shape))
                    if isinstance(outcome(real, program, x=real.arange(float(size)).reshape(shape)), tuple):
                        continue
                    x = ours.arange(float(size)).reshape(shape)
                    with self.subTest(shape=shape, program=program):
                        _fallback.FORBID = True
                        try:
                            exec(program, dict(np=ours, x=x))
                        finally:
                            _fallback.FORBID = False

    def test_a_gather_that_repeats_waits_for_its_indices_once(self):
        count = 200_000
        indices = ours.arange(count)[::-1].copy()
        x = ours.arange(float(count))[indices]
        before = refrain.statistics()["waits"]
        for _ in range(20):
            x = x[indices] + 1.0
        order = ours.argsort(-x)
        x = x[order]
        self.assertEqual(refrain.statistics()["waits"], before)
        self.assertEqual(x[0], count + 19.0)
        indices[0] = count
        with self.assertRaisesRegex(IndexError, f"index {count} is out of bounds for axis 0 with size {count}"):
            x[indices]


class Threads(unittest.TestCase):
    def test_indices_are_checked_once_more_where_they_are_used(self):
        for n in (4, 300_000):  # at once, and by tasks
            for wrong in (n, -n - 1, 2**62):
                for task in ("gather", "scatter"):
                    line, other, indices = ours.ones(n), ours.ones(n), ours.arange(n)
                    indices[-1] = wrong
                    written, read = (other, line) if task == "gather" else (line, other)
                    with self.assertRaisesRegex(IndexError, f"index {wrong} is out of bounds for axis 0 with size {n}: it was changed"):
                        _core.run(task, (written,), (read, indices), (0,))
                        float(written.sum())

    def test_repeats_are_counted_once_more_where_they_are_used(self):
        for n in (4, 300_000):
            for wrong in (2, 0, -1, 2**62):  # more than were summed, or fewer
                counts, indices = ours.ones(n, int), ours.zeros(n, int)
                counts[-1] = wrong
                with self.assertRaisesRegex(IndexError, "repeats were changed by another thread"):
                    _core.run("repeat_indices", (indices,), (counts,), ())
                    int(indices.sum())

    def test_what_an_array_becomes_during_a_call_does_not_count(self):
        x = ours.zeros(1000)

        def resize(*_):
            x.resize(1, refcheck=False)

        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = resize
            x[ours.array([0, 999])] = ours.array([1 + 2j, 3])
        self.assertEqual(x.tolist(), [0.0])

    def test_indices_that_another_thread_writes_are_those_before_or_after(self):
        """What the write made is out of bounds: so the elements come from the indices before it, or none do."""
        n = 300_000
        line = ours.arange(n)
        for way in ("line[indices]", "ours.take(line, indices)", "line.__setitem__(indices, 1)"):
            for _ in range(4):
                indices = ours.argsort(ours.sin(ours.arange(n) * 0.7))  # pending for a while
                began = threading.Event()

                def write():
                    began.wait()
                    indices[::2] = 2**40

                writer = threading.Thread(target=write)
                writer.start()
                began.set()
                try:
                    taken = eval(way, {"ours": ours, "line": line, "indices": indices})
                    if taken is not None:
                        self.assertEqual(int(taken.sum()), n * (n - 1) // 2)
                except IndexError:
                    pass
                writer.join()
                line = ours.arange(n)


if __name__ == "__main__":
    unittest.main()
