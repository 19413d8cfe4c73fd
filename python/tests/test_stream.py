"""What shapes the stream of operations is a function of the program's calls alone: equal in every process."""

import sys
import unittest

from support import Program, run

PROGRAM = """
    import gc, os, random, sys, time
    from refrain import _core
    _core.tune(at_once_bytes={at_once}, tile_bytes=256, tiles=2)
    import refrain.numpy as np
    import refrain

    delays = random.Random(int(sys.argv[1]))
    def pause():
        time.sleep(delays.choice([0, 0, 0, 0.001, 0.01]))

    class Knot:
        pass

    _core.stream_hash()
    u = np.zeros((40, 40))
    u[0] = 1.0
    kept = []
    for step in range(60):
        pause()
        u[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
        if step % 7 == 0:
            pause()
            total = float(u.sum())                # waits
            if total > 5:                         # a branch that depends on a value
                kept.append(u[step % 40].copy())
        if step % 11 == 0:
            knot = Knot()                         # released by the cyclic collector
            knot.knot, knot.array = knot, u * step
            pause()
            gc.collect()
        with np.errstate(divide="ignore"):
            x = 1.0 / u
        kept = kept[-3:]
        x = np.where(x > 3, x, 0).max(axis=0) + len({{str(step): 1}})
    order = sorted({{"one", "two", "three", "four"}})  # sets of text differ by the seed of hashes
    print(_core.stream_hash(), float(x.sum()), {more})
"""


class Stream(unittest.TestCase):
    def outcome(self, delays, workers, at_once=0, more="0", **changes):
        with Program(PROGRAM.format(at_once=at_once, more=more)) as path:
            ended = run([sys.executable, path, str(delays)], **{"REFRAIN_WORKERS": str(workers), **changes})
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout

    def test_processes_with_other_workers_delays_and_hash_seeds_have_the_same_stream(self):
        for at_once in (0, 4096, 262144):  # all, some, and none of the operations are tasks
            one = self.outcome(1, 1, at_once, PYTHONHASHSEED="1")
            other = self.outcome(2, 3, at_once, PYTHONHASHSEED="2", REFRAIN_AUTO_TRACE="off")
            self.assertEqual(one, other)
            self.assertNotEqual(one.split()[0], "0")

    def test_another_call_makes_another_stream(self):
        one = self.outcome(1, 1)
        self.assertNotEqual(one.split()[0], self.outcome(1, 1, more="float((u + 1)[0, 0]), _core.stream_hash()").split()[-1])


if __name__ == "__main__":
    unittest.main()
