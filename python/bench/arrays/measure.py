"""Times of statements, several in turn, so that what a busy machine does to one it does to all."""

import statistics
import time
import timeit


class Figure:
    """What several rounds measured."""

    def __init__(self, values):
        self.values = list(values)

    @property
    def median(self):
        return statistics.median(self.values)

    def as_json(self):
        low, _, high = quartiles(self.values)
        return {"median": self.median, "low": low, "high": high, "values": self.values}


def quartiles(values):
    if len(values) < 2:
        return [values[0]] * 3
    return statistics.quantiles(values, n=4, method="inclusive")


def timer_of(statement, names):
    """names["local"]: what a statement that assigns needs as variables of its own."""
    return timeit.Timer(statement, names.get("local", "pass"), globals=names)


def repetitions(statement, names, seconds, finish):
    """How often the statement runs in about that time, with what it leaves to `finish`; at least once."""
    timer = timer_of(statement, names)

    def taken(count):
        began = time.perf_counter()
        timer.timeit(count)
        finish()  # what was issued in a microsecond may take a second
        return time.perf_counter() - began

    count = 1
    while True:
        took = taken(count)
        if took < 10 * seconds:
            took = min(took, taken(count))  # a run that the machine interrupted says nothing
        if took >= seconds / 4 or took * 4 > seconds:
            return max(1, min(count * 4, round(count * seconds / max(took, 1e-9))))
        count *= 4


def in_turns(sides, rounds, seconds, clock=time.perf_counter_ns):
    """sides: name -> (statement, names, finish). Nanoseconds per run of the statement, by side, of each round.

    `finish` waits for what the statement asked for, within the time. `clock`: time.thread_time_ns for what one thread
    does alone. Three rounds are enough if they take ten times as long as those of a quick statement.
    """
    timers = {}
    for side, (statement, names, finish) in sides.items():
        timers[side] = (timer_of(statement, names).inner, repetitions(statement, names, seconds, finish), finish)
        finish()
    taken = {side: [] for side in sides}
    began_all = time.perf_counter()
    for done in range(rounds):
        if done >= 3 and time.perf_counter() - began_all > 10 * rounds * len(sides) * seconds:
            break
        for side, (inner, count, finish) in timers.items():
            runs = iter_of(count)
            began = clock()
            inner(runs, time.perf_counter)
            finish()
            taken[side].append((clock() - began) / count)
    return taken


def iter_of(count):
    import itertools

    return itertools.repeat(None, count)


def ratios(taken, one, other):
    """Of each round, so that a round in which the machine was busy counts for both."""
    return [a / b for a, b in zip(taken[one], taken[other])]


def nothing():
    pass
