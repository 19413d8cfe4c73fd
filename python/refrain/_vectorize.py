"""numpy.vectorize, whose results are our arrays."""

import numpy as real

from refrain import _fallback


class vectorize(real.vectorize):
    # NumPy's class: the function is called in Python on each element anyway, so its loop is as good as ours.
    __doc__ = real.vectorize.__doc__
    __module__ = "refrain.numpy"

    def __call__(self, *args, **kwargs):
        outcome = super().__call__(*args, **kwargs)
        if isinstance(outcome, tuple):
            return tuple(map(_adopted, outcome))
        return _adopted(outcome)


def _adopted(value):
    return _fallback.adopt_array(value) if type(value) is real.ndarray else value
