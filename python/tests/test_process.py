"""Threads, collections, shared memory, Ctrl-C and the end of the interpreter, with operations pending."""

import gc
import math
import os
import signal
import sys
import threading
import time
import unittest
import weakref

import numpy as real

from support import Program, run

# Every operation becomes a task, so that there is something to wait for.
from refrain import _core

_core.tune(at_once_bytes=0)

import refrain.numpy as np


class Environment(unittest.TestCase):
    def test_loops_that_nobody_knows_are_named_and_ignored(self):
        program = ["-c", "import refrain.numpy as np; print(float(np.exp(np.zeros(100)).sum()))"]
        for loops, said in (("fast", 1), ("portable", 0), ("", 0)):
            ended = run([sys.executable, *program], REFRAIN_ARRAY_LOOPS=loops)
            self.assertEqual((ended.stdout, ended.stderr.count("portable, avx2 or avx512")), ("100.0\n", said), ended.stderr)


class Threads(unittest.TestCase):
    def test_who_has_waited_goes_to_the_end_of_the_line(self):
        stop = threading.Event()
        turns = [0, 0]

        def work(which):
            while not stop.is_set():
                a = np.full(200_000, 2.0)
                for _ in range(5):
                    a = np.sqrt(a * 2)
                float(a[7])
                turns[which] += 1

        threads = [threading.Thread(target=work, args=(which,)) for which in range(2)]
        for thread in threads:
            thread.start()
        try:
            while 0 in turns:
                time.sleep(0.001)
            # A thread that the system does not let run misses turns, whatever the line is like: so once in some times.
            found = []
            while len(found) < 10 and min(found, default=math.inf) >= 10 * 30:
                before = list(turns)
                for turn in range(30):
                    float((np.arange(200_000.0) + turn)[3])
                found.append(max(now - then for now, then in zip(turns, before)))
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        # As many as this thread, and some: a call that need not wait takes no turn.
        self.assertLess(min(found), 10 * 30, f"a thread has been kept waiting: {found}")

    def test_threads_take_turns_and_each_gets_its_own_values(self):
        failures = []

        def work(factor):
            try:
                array = np.ones((50, 50)) * factor
                for i in range(40):
                    array = array + 1
                    if i % 10 == 0:
                        float(array.sum())
                if float(array[0, 0]) != factor + 40 or _core.to_numpy(array).sum() != 2500 * (factor + 40):
                    failures.append(factor)
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(factor,)) for factor in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_arrays_that_another_thread_drops_are_released(self):
        _core.wait()
        gc.collect()
        np.ones(1)
        before = _core.statistics()["bytes"]
        arrays = [np.ones(1000) * factor for factor in range(50)]
        thread = threading.Thread(target=arrays.clear)
        thread.start()
        thread.join()
        self.assertEqual(float((np.ones(3) * 2).sum()), 6)
        _core.wait()
        self.assertLess(_core.statistics()["bytes"] - before, 50 * 8000)

    def test_arrays_in_cycles_are_released_after_the_collection(self):
        class Knot:
            pass

        before = _core.statistics()["bytes"]
        for _ in range(500):
            knot = Knot()
            knot.knot, knot.array = knot, np.ones(1000) + 1
        del knot
        gc.collect()
        self.assertEqual(float(np.ones(2).sum()), 2)
        _core.wait()
        self.assertLess(_core.statistics()["bytes"] - before, 100 * 8000)

    def test_weak_references_die_with_the_array(self):
        array = np.ones(3)
        reference = weakref.ref(array)
        self.assertIs(reference(), array)
        del array
        self.assertIsNone(reference())


class SharedMemory(unittest.TestCase):
    def test_operations_on_exported_memory_are_complete_when_they_return(self):
        array = np.arange(1000.0)
        view = _core.to_numpy(array)
        for step in range(20):
            array += 1
            self.assertEqual(view[10], 11 + step)
        view[0] = 99
        self.assertEqual(float(array[0]), 99)

    def test_a_numpy_array_keeps_its_strides_without_a_copy(self):
        numpys = real.arange(12.0).reshape(3, 4)[::-1, ::2].T
        ours = _core.from_numpy(numpys)
        self.assertEqual((ours.shape, ours.strides), (numpys.shape, numpys.strides))
        ours += 1
        self.assertEqual(numpys[0, 0], 9)

    def test_a_view_of_our_memory_comes_back_as_a_view_of_the_array(self):
        array = np.arange(10.0)
        back = _core.from_numpy(_core.to_numpy(array)[2:5])
        self.assertIs(back.base, array)
        back[0] = -5
        self.assertEqual(float(array[2]), -5)

    def test_read_only_memory_is_not_written(self):
        numpys = real.arange(3.0)
        numpys.flags.writeable = False
        ours = _core.from_numpy(numpys)
        with self.assertRaisesRegex(ValueError, "assignment destination is read-only"):
            ours[0] = 1
        with self.assertRaisesRegex(ValueError, "output array is read-only"):
            ours += 1

    def test_memory_of_another_lives_as_long_as_the_array(self):
        numpys = real.arange(10.0)
        reference = weakref.ref(numpys)
        ours = _core.from_numpy(numpys)
        del numpys
        self.assertIsNotNone(reference())
        self.assertEqual(float(ours.sum()), 45)
        del ours
        _core.wait()
        np.ones(1)
        self.assertIsNone(reference())


class Waits(unittest.TestCase):
    def test_ctrl_c_ends_a_wait_and_leaves_everything_intact(self):
        array = np.ones(1_000_000)

        def press():
            time.sleep(0.2)
            os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            threading.Thread(target=press).start()
            while True:
                for _ in range(50):
                    array = np.sin(array)
                float(array[0])
        self.assertEqual(float(np.ones(3).sum()), 3)
        self.assertEqual(array.shape, (1_000_000,))

    def test_ctrl_c_ends_a_wait_within_100_ms(self):
        with Program("""
            import os, signal, threading, time
            from refrain import _core
            _core.tune(at_once_bytes=0)
            import refrain.numpy as np
            a = np.full(300_000, 0.5)
            late = []
            end = time.monotonic() + 120
            # Again while other programs have the cores: then the wait, or the work, ends when they let it.
            while (len(late) < 2 or min(late) >= 0.1) and time.monotonic() < end:
                b = a
                for _ in range(400):      # a second of work
                    b = np.logaddexp(b, a)
                pressed = []
                def press():
                    time.sleep(0.1)
                    pressed.append(time.monotonic())
                    os.kill(os.getpid(), signal.SIGINT)
                thread = threading.Thread(target=press)
                where = "before the wait"
                try:
                    thread.start()
                    where = "in it"
                    float(b[0])
                    where = "behind it"
                    while True:
                        time.sleep(0.01)
                except KeyboardInterrupt:
                    if where == "in it":
                        late.append(time.monotonic() - pressed[0])
                thread.join()
            print(min(late, default=1) < 0.1, float(a[0]), float(np.ones(3).sum()), late, flush=True)
            os._exit(0)
        """) as path:
            ended = run([sys.executable, path])
        self.assertEqual(ended.stdout.split()[:3], ["True", "0.5", "3.0"], ended.stdout + ended.stderr)

    def test_the_interpreter_ends_with_work_pending(self):
        program = """
            import numpy as np
            a = np.ones(300000)
            for _ in range(100):
                a = np.cos(a)
            print("done")
        """
        with Program(program) as path:
            ended = run([sys.executable, "-m", "refrain", path])
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "done\n", ""))

    def test_arrays_on_numpys_memory_may_end_with_the_interpreter(self):
        program = """
            import gc
            import numpy
            import refrain.numpy as np

            class Cycle:
                pass

            gc.disable()
            for i in range(50):  # the last collection is the interpreter's
                cycle = Cycle()
                cycle.itself = cycle
                cycle.array = np.asarray(numpy.ones(1000 + i)) + 0
                cycle.view = np.asarray(numpy.ones(1000 + i))
            print("done")
        """
        with Program(program) as path:
            ended = run([sys.executable, path])
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "done\n", ""))


if __name__ == "__main__":
    unittest.main()
