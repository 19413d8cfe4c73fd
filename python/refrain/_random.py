"""numpy.random: NumPy's generators, whose draws are tasks.

A generator keeps its state where NumPy has it, and a *stream* of ours puts its draws in order: they are deferred, give
NumPy's numbers, and what NumPy itself draws goes on where they ended. What the program sees of the bit generator itself
(`rng.bit_generator.state`) must be true at any time, so from then on each draw is over when its call returns.
"""

import functools
import operator
import secrets
import sys
import warnings
import weakref

import numpy as real

from refrain import _core, _creating, _fallback, _functions
from refrain._fallback import NATIVE, NUMPYS, RandomSource, call, to_numpy
from refrain._functions import ndarray, scalar

_FLOAT64, _FLOAT32, _INT64 = real.dtype(float), real.dtype("float32"), real.dtype("int64")
_NUMBERS = (int, float, real.float64, real.int64, real.float32, real.int32, bool)
_STREAMS = weakref.WeakValueDictionary()  # by the identity of the bit generator, which its stream keeps alive

_UNIFORM = {real.random.PCG64: "random_pcg64", real.random.Philox: "random_philox"}  # these can jump ahead

# Parameters of distributions: (name, default), and the type of what is drawn.
_NO = object()
_CONTINUOUS = dict(
    exponential=(("scale", 1.0),),
    normal=(("loc", 0.0), ("scale", 1.0)),
    gamma=(("shape", _NO), ("scale", 1.0)),
    beta=(("a", _NO), ("b", _NO)),
    f=(("dfnum", _NO), ("dfden", _NO)),
    chisquare=(("df", _NO),),
    noncentral_f=(("dfnum", _NO), ("dfden", _NO), ("nonc", _NO)),
    noncentral_chisquare=(("df", _NO), ("nonc", _NO)),
    standard_cauchy=(),
    standard_gamma=(("shape", _NO),),
    standard_t=(("df", _NO),),
    vonmises=(("mu", _NO), ("kappa", _NO)),
    pareto=(("a", _NO),),
    weibull=(("a", _NO),),
    power=(("a", _NO),),
    laplace=(("loc", 0.0), ("scale", 1.0)),
    gumbel=(("loc", 0.0), ("scale", 1.0)),
    logistic=(("loc", 0.0), ("scale", 1.0)),
    lognormal=(("mean", 0.0), ("sigma", 1.0)),
    rayleigh=(("scale", 1.0),),
    wald=(("mean", _NO), ("scale", _NO)),
    triangular=(("left", _NO), ("mode", _NO), ("right", _NO)),
)
_DISCRETE = dict(
    binomial=(("n", _NO), ("p", _NO)),
    negative_binomial=(("n", _NO), ("p", _NO)),
    poisson=(("lam", 1.0),),
    zipf=(("a", _NO),),
    geometric=(("p", _NO),),
    hypergeometric=(("ngood", _NO), ("nbad", _NO), ("nsample", _NO)),
    logseries=(("p", _NO),),
)
_WHOLE = dict(binomial=(0,), hypergeometric=(0, 1, 2))  # which parameters are whole numbers
_RELATED = ("triangular", "hypergeometric", "negative_binomial")  # what is allowed for one depends on another
# How the legacy generator draws: by functions of its own, or by the present ones.
_LEGACY_OWN = """
    exponential normal standard_cauchy pareto weibull power lognormal rayleigh geometric gamma beta chisquare
    noncentral_chisquare f noncentral_f standard_t wald negative_binomial hypergeometric standard_gamma binomial vonmises
""".split()
_LEGACY_SHARED = "laplace gumbel logistic triangular poisson zipf logseries".split()


def entropy():
    """Where all randomness comes from that the program does not seed."""
    return secrets.randbits(128)


def _shape(size):
    if type(size) is int:
        return (size,)
    if type(size) is bool:
        raise TypeError("a size is no truth value")
    size = to_numpy(size)
    try:
        return (operator.index(size),)
    except TypeError:
        return tuple(operator.index(extent) for extent in size)


class Source(RandomSource):
    """A generator of NumPy's whose draws become our arrays."""

    def __init__(self, source):
        bits = source.bit_generator if isinstance(source, real.random.Generator) else source._bit_generator
        stream = _STREAMS.get(id(bits))
        if stream is None:
            stream = _STREAMS[id(bits)] = _core.stream(bits)
        # The program may hold the bit generator itself, besides the source and these two names.
        set_ = functools.partial(object.__setattr__, self)
        set_("_source", source)
        set_("_bits", bits)
        set_("_stream", stream)
        set_("_legacy", not isinstance(source, real.random.Generator))
        set_("_shown", sys.getrefcount(bits) > 5)
        set_("_uniform", _UNIFORM.get(type(bits), "random"))

    # What is not drawn here: NumPy's, on the same state.

    def _settle(self):
        _core.settle(self._stream)

    def _by_numpy(self, name, args, kwargs):
        """NumPy's method, whose second normal of a pair is ours, too."""
        self._settle()
        method = getattr(self._source, name)
        if self._legacy:
            self._show_second()
        try:
            return call(method, args, kwargs, f"random.{name}", "its arguments are not ours")
        except Exception as error:
            error._is_numpys = True
            raise
        finally:
            if self._legacy:
                self._see_second()

    def _show_second(self):
        has, second = self._stream.tolist()
        state = self._source.get_state(legacy=False)
        if "has_gauss" in state and (state["has_gauss"], state["gauss"]) != (int(has), second):
            state.update(has_gauss=int(has), gauss=second)
            self._source.set_state(state)

    def _see_second(self):
        state = self._source.get_state(legacy=False)
        self._stream[0], self._stream[1] = float(state.get("has_gauss", 0)), state.get("gauss", 0.0)

    def __getattr__(self, name):
        if name in ("_source", "_stream"):
            raise AttributeError(name)
        native = _methods(self._legacy).get(name)
        if native is not None:
            method = functools.partial(_judged, self, name, native)
            method.__doc__ = getattr(self._source, name).__doc__
            object.__setattr__(self, name, method)
            return method
        value = getattr(self._source, name)
        if name == "bit_generator" or name == "_bit_generator":
            self._settle()
            object.__setattr__(self, "_shown", True)
            return value
        if not callable(value) or name.startswith("_"):
            self._settle()
            return value
        return lambda *args, **kwargs: self._by_numpy(name, args, kwargs)

    def __reduce__(self):
        self._settle()
        if self._legacy:
            self._show_second()
        return Source, (self._source,)

    # Draws.

    def _over(self, result):
        if self._shown:
            self._settle()
        return result

    def _draw(self, name, size, dtype, *parameters):
        return self._over(_core.draw(self._stream, self._bits, name, _shape(size), dtype, *parameters))

    def _value(self, name, *parameters, dtype=_FLOAT64):
        """One number, which is read at once."""
        return self._draw(name, (), dtype, *parameters).item()


def _judged(self, name, native, *args, **kwargs):
    """The method that is ours; NumPy words, or knows, what it refuses before anything is drawn."""
    try:
        return native(self, *args, **kwargs)
    except (TypeError, ValueError, OverflowError) as error:
        if hasattr(error, "_is_numpys"):
            raise
        if name == "multivariate_normal" and type(error) is ValueError:
            raise  # of the covariance, which NumPy, too, looks at after it has drawn
    return self._by_numpy(name, args, kwargs)


def _plain(values):
    """Parameters as Python's numbers; nothing if they are arrays."""
    plain = []
    for value in values:
        if type(value) is scalar:
            value = value.item()
        elif type(value) not in _NUMBERS:
            return None
        plain.append(value)
    return plain


def _least(array):
    """The least element; of two zeros the negative one, which NumPy refuses where numbers below 0 are refused."""
    least = array.min()
    if array.dtype.kind == "f" and least == 0 and _functions.ufuncs["signbit"](array).any():
        return real.float64(-0.0)
    return least


def _parameters(method, name, values, size):
    """Parameters of which some are arrays, as _core.draw takes them, and the shape of what is drawn.

    Nothing where NumPy must judge, or refuses the least or the greatest values, which are waited for.
    """
    whole = _WHOLE.get(name, ())
    arrays = {}
    for place, value in enumerate(values):
        if type(value) is scalar or type(value) in _NUMBERS:
            continue
        array = _functions.asarray(value)
        if type(array) is not ndarray or not array.size or array.dtype.kind not in ("iu" if place in whole else "biuf"):
            return None
        if place in whole and not real.can_cast(array.dtype, _INT64):
            return None
        arrays[place] = array
    broadcast = real.broadcast_shapes(*(array.shape for array in arrays.values()))
    shape = broadcast if size is None else _shape(size)
    if name in _RELATED or not broadcast or real.broadcast_shapes(broadcast, shape) != shape:
        return None
    for extreme in (_least, ndarray.max):
        bounds = [extreme(arrays[place]).item() if place in arrays else value for place, value in enumerate(values)]
        if any(bound != bound for bound in bounds):
            return None
        try:
            method(*bounds, size=0)  # draws nothing
        except ValueError:
            return None  # NumPy finds the words
    for place, array in arrays.items():
        array = array.astype(_INT64 if place in whole else _FLOAT64, copy=False)
        arrays[place] = _core.broadcast_to(array, shape).ravel()
    return [arrays.get(place, value) for place, value in enumerate(values)], shape


def _distribution(name, parameters, dtype, prefix=""):
    """The method for a distribution with these parameters."""
    count = len(parameters)
    names = [parameter for parameter, default in parameters]
    defaults = [default for parameter, default in parameters]

    def method(self, *args, **kwargs):
        given = list(args)
        size = given.pop() if len(given) > count else kwargs.get("size")
        values = defaults[:]
        values[: len(given)] = given
        for position, parameter in enumerate(names):
            if parameter in kwargs and position >= len(given):
                values[position] = kwargs[parameter]
        given_twice = set(names[: len(given)]) & set(kwargs) or len(args) > count and "size" in kwargs
        if given_twice or len(given) > count or any(value is _NO for value in values) or not set(kwargs) <= {*names, "size"}:
            return self._by_numpy(name, args, kwargs)
        numpys = getattr(self._source, name)
        plain = _plain(values)
        if plain is None:
            found = _parameters(numpys, name, values, size)
            if found is None:
                return self._by_numpy(name, args, kwargs)
            values, shape = found
            return self._draw(prefix + name, shape, dtype, *values)
        values = plain
        numpys(*values, size=0)  # raises for values that NumPy refuses; draws nothing
        if size is None:
            number = self._value(prefix + name, *values, dtype=dtype)
            return number
        return self._draw(prefix + name, size, dtype, *values)

    method.__name__ = name
    return method


def _takes(out, dtype, size):
    """Whether NumPy would write numbers of this type and size there."""
    return (out.dtype == dtype and out.flags.c_contiguous and out.flags.writeable and dtype in (_FLOAT64, _FLOAT32)
            and (size is None or _shape(size) == out.shape))


def _real_draw(name):
    """random, standard_normal, standard_exponential: of float32 as well."""

    def method(self, size=None, dtype=float, *args, **kwargs):
        if type(size) is int and dtype is float and not args and not kwargs:  # the commonest call
            return self._over(_core.draw(self._stream, self._bits, self._uniform if name == "random" else name, size, _FLOAT64))
        wanted = real.dtype(dtype)
        out = kwargs.get("out")
        if name == "random" and args:
            out, args = args[0], args[1:]
        if type(out) is ndarray and not args and set(kwargs) <= {"out"} and _takes(out, wanted, size):
            out[...] = method(self, out.shape, wanted)
            return out
        if args or set(kwargs) - {"method"} or kwargs.get("method", "zig") != "zig" or wanted not in (_FLOAT64, _FLOAT32):
            return self._by_numpy(name, (size, dtype, *args), kwargs)
        if size is None:
            self._settle()
            return getattr(self._source, name)(dtype=wanted)
        return self._draw(self._uniform if name == "random" else name, size, wanted)

    method.__name__ = name
    return method


def _varying_uniform(self, low, high, size):
    """uniform() where a bound is an array."""
    bounds = [value if type(value) in _NUMBERS else _functions.asarray(value) for value in (low, high)]
    if all(type(value) in _NUMBERS or type(value) is ndarray and value.dtype.kind in "biuf" for value in bounds):
        bounds = [value if type(value) in _NUMBERS else value.astype(_FLOAT64, copy=False) for value in bounds]
        width = bounds[1] - bounds[0]
        shape = width.shape if size is None else _shape(size)
        fits = width.size and width.shape and real.broadcast_shapes(width.shape, shape) == shape
        if fits and 0 <= width.min() and width.max() < real.inf:
            return self._over(bounds[0] + width * self._draw(self._uniform, shape, _FLOAT64))
    return self._by_numpy("uniform", (low, high, size), {})


def uniform(self, low=0.0, high=1.0, size=None):
    values = _plain((low, high))
    if values is None:
        return _varying_uniform(self, low, high, size)
    self._source.uniform(*values, size=0)
    if size is None:
        return self._value("random", values[0], values[1] - values[0])
    return self._draw(self._uniform, size, _FLOAT64, values[0], values[1] - values[0])


def standard_gamma(self, shape, size=None, dtype=float, out=None):
    values = _plain((shape,))
    if values is None or real.dtype(dtype) != _FLOAT64 or out is not None:
        return self._by_numpy("standard_gamma", (shape, size, dtype, out), {})
    self._source.standard_gamma(*values, size=0)
    return self._value("standard_gamma", *values) if size is None else self._draw("standard_gamma", size, _FLOAT64, *values)


def _integers_within(self, low, high, size, endpoint):
    """int64 where a bound is an array; nothing where NumPy must judge."""
    bounds = (0, low) if high is None else (low, high)
    plain = [_plain((value,)) for value in bounds]
    bounds = [_functions.asarray(value) if one is None else one[0] for value, one in zip(bounds, plain)]
    if not all(type(value) in (int, real.int64) or type(value) is ndarray and value.size and value.dtype.kind in "iu"
               and real.can_cast(value.dtype, _INT64) for value in bounds):
        return None
    shapes = [getattr(value, "shape", ()) for value in bounds]
    broadcast = real.broadcast_shapes(*shapes)
    shape = broadcast if size is None else _shape(size)
    if not broadcast or real.broadcast_shapes(broadcast, shape) != shape:
        return None
    least, most = (_core.broadcast_to(_functions.asarray(value, dtype=_INT64), shape).ravel() for value in bounds)
    if not endpoint:
        if most.min() == real.iinfo(_INT64).min:
            return None
        most = most - 1
    if (least > most).any():
        return None
    return self._draw("legacy_integers" if self._legacy else "integers", shape, _INT64, least, most - least)


def _whole_numbers(name, masked):
    def method(self, low, high=None, size=None, dtype=real.int64 if not masked else int, endpoint=False):
        wanted = real.dtype(dtype)
        values = _plain((low,) if high is None else (low, high))
        if values is not None and wanted.kind in "iub" and all(type(value) in (int, real.int64, real.int32) for value in values):
            least, most = (0, int(values[0])) if high is None else map(int, values)
            most -= not endpoint
            lowest, highest = (0, 1) if wanted.kind == "b" else (real.iinfo(wanted).min, real.iinfo(wanted).max)
            if lowest <= least <= most <= highest:
                result = self._over(_core.draw_integers(self._stream, self._bits, () if size is None else _shape(size), wanted,
                                                        least, most - least, masked))
                if size is not None:
                    return result
                number = result.item()
                return number if masked and dtype in (int, bool) else wanted.type(number)
        elif values is None and wanted == _INT64:
            found = _integers_within(self, low, high, size, endpoint)
            if found is not None:
                return found
        options = {} if masked else {"endpoint": endpoint}
        return self._by_numpy(name, (low, high, size, dtype), options)

    method.__name__ = name
    return method


def shuffle(self, x, axis=0):
    if type(x) is not ndarray:
        self._settle()
        self._source.shuffle(x, *(() if self._legacy else (axis,)))
        return
    if x.ndim == 0:
        self._by_numpy("shuffle", (x,), {})
    axis = real.core.multiarray.normalize_axis_index(axis, x.ndim)
    self._over(_core.shuffle(self._stream, self._bits, x if axis == 0 else x.swapaxes(0, axis)))


def permutation(self, x, axis=0):
    if type(x) is ndarray and x.ndim > 0:
        made = x.copy()
        axis = real.core.multiarray.normalize_axis_index(axis, x.ndim)
    elif type(x) is int or isinstance(x, real.integer):
        made, axis = _functions.arange(int(x), dtype=_INT64), 0
    else:
        return self._by_numpy("permutation", (x,) if self._legacy else (x, axis), {})
    self.shuffle(made, *(() if self._legacy else (axis,)))
    return made


def _weighted(self, count, size, p):
    """Indices below count, drawn with these probabilities."""
    judged = to_numpy(_functions.asarray(p))  # how exact its sum must be depends on its own type
    self._source.choice(count, 0, True, judged)  # raises; draws nothing
    shares = _vector(p)
    if shares is None:
        shares = _vector(judged.astype(float))
    sums = shares.cumsum()
    sums /= sums[-1]
    return _functions.asarray(sums.searchsorted(self.random(() if size is None else size), side="right"))


def _weighted_sample(self, count, shape, p):
    """The same, each at most once: draws those that are missing, without those that are there, until none is missing."""
    wanted = real.prod(shape, dtype=int)
    judged = to_numpy(_functions.asarray(p))
    self._source.choice(count, 0, True, judged)  # raises; draws nothing
    shares = _functions.asarray(judged.astype(float))
    if (shares > 0).sum() < wanted:
        raise ValueError("Fewer non-zero entries in p than size")
    unique = _functions.native_of(real.unique)
    found, drawn = _creating.empty(wanted, dtype=_INT64), 0
    while drawn < wanted:
        draws = self.random((wanted - drawn,))
        if drawn:
            shares[found[:drawn]] = 0
        sums = shares.cumsum()
        sums /= sums[-1]
        new = sums.searchsorted(draws, side="right")
        new = new[_functions.native_of(real.sort)(unique(new, return_index=True)[1])]
        found[drawn : drawn + new.size] = new
        drawn += new.size
    return found.reshape(shape)


def _chosen(self, count, size, replace, p, shuffle):
    """Indices below count: an array of rank 0 where `size` is None."""
    if replace:
        if p is not None:
            return _weighted(self, count, size, p)
        return _functions.asarray(self.randint(0, count, size) if self._legacy else self.integers(0, count, size))
    shape = () if size is None else _shape(size)
    if any(extent < 0 for extent in shape) or real.prod(shape, dtype=int) > count:
        raise ValueError("NumPy finds the words")
    if p is not None:
        return _weighted_sample(self, count, shape, p)
    if self._legacy:
        return self.permutation(count)[: real.prod(shape, dtype=int)].reshape(shape)
    return self._over(_core.sample(self._stream, self._bits, count, shape, shuffle))


def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
    if type(a) is list:
        a = _functions.asarray(a)
    is_array = type(a) is ndarray and (a.ndim == 1 or a.ndim > 1 and not self._legacy)
    if is_array:
        axis = real.core.multiarray.normalize_axis_index(axis, a.ndim)
    count = a.shape[axis] if is_array else a if type(a) is int else 0
    if count <= 0 or is_array and a.ndim > 1 and size == ():  # NumPy refuses the latter when it has drawn
        return self._by_numpy("choice", (a, size, replace, p, *(() if self._legacy else (axis, shuffle))), {})
    index = _chosen(self, count, size, replace, p, shuffle)
    if not is_array:
        return int(index) if size is None else index
    if a.ndim > 1:
        return a.take(int(index) if size is None else index, axis=axis)
    taken = a[index]
    return taken if size is None or index.ndim else _functions.asarray(taken)


def _legacy_real(name, ours):
    def method(self, size=None):
        return self._value(ours) if size is None else self._draw(ours, size, _FLOAT64)

    method.__name__ = name
    return method


def _vector(values):
    """A line of float64, or nothing."""
    made = _functions.asarray(values)
    if type(made) is not ndarray or made.ndim != 1 or not made.size or made.dtype.kind not in "biuf":
        return None
    return made.astype(_FLOAT64, copy=False).ravel()


def _as_legacy(method, most, *later):
    """The method without arguments that came later than the legacy generator: NumPy refuses them."""

    def legacy(self, *args, **kwargs):
        if len(args) > most or not kwargs.keys().isdisjoint(later):
            return self._by_numpy(method.__name__, args, kwargs)
        return method(self, *args, **kwargs)

    legacy.__name__ = method.__name__
    return legacy


def _draw_rows(self, name, size, columns, number):
    shape = () if size is None else _shape(size)
    return self._over(_core.draw_rows(self._stream, self._bits, name, (*shape, *columns.shape), columns, number))


def multinomial(self, n, pvals, size=None):
    shares, count = _vector(pvals), _plain((n,))
    if shares is None or count is None or type(count[0]) not in (int, real.int64, real.int32):
        return self._by_numpy("multinomial", (n, pvals, size), {})
    self._source.multinomial(count[0], to_numpy(shares), size=0)  # raises; draws nothing
    return _draw_rows(self, "multinomial", size, shares, int(count[0]))


def dirichlet(self, alpha, size=None):
    shapes = _vector(alpha)
    if shapes is None or not self._legacy and shapes.max() < 0.1:  # by another method
        return self._by_numpy("dirichlet", (alpha, size), {})
    self._source.dirichlet(to_numpy(shapes), size=0)  # raises; draws nothing
    return _draw_rows(self, "dirichlet", size, shapes, int(self._legacy))


def _factor(self, cov, method, check_valid, tol):
    """The matrix that makes normals of this covariance of independent ones."""
    ours = {name: _functions.native_of(getattr(real.linalg, name)) for name in ("svd", "eigh", "cholesky")}
    if method == "cholesky":
        return ours["cholesky"](cov).T
    if method == "eigh":
        values, left = ours["eigh"](cov)
        valid = check_valid == "ignore" or not (values < -tol).any()
    else:
        left, values, right = ours["svd"](cov)
        valid = check_valid == "ignore" or _functions.native_of(real.allclose)((right.T * values) @ right, cov, rtol=tol, atol=tol)
    if not valid:
        _say_invalid(check_valid)
    root = _functions.ufuncs["sqrt"](values)
    return root[:, None] * right if self._legacy else (left * root).T


def _say_invalid(check_valid):
    words = "covariance is not symmetric positive-semidefinite."
    if check_valid == "raise":
        raise ValueError(words)
    warnings.warn_explicit(words, RuntimeWarning, *_fallback.call_site())


def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="svd"):
    middle, square = _vector(mean), _functions.asarray(cov)
    if (middle is None or type(square) is not ndarray or square.shape != 2 * middle.shape or square.dtype.kind not in "biuf"
            or check_valid not in ("warn", "raise", "ignore") or method not in ("svd", "eigh", "cholesky")):
        options = dict(check_valid=check_valid, tol=tol) if self._legacy else dict(check_valid=check_valid, tol=tol, method=method)
        return self._by_numpy("multivariate_normal", (mean, cov, size), options)
    shape = (() if size is None else _shape(size)) + middle.shape
    normals = self.standard_normal(shape).reshape(-1, middle.size)
    factor = _factor(self, square.astype(_FLOAT64), method, check_valid, tol)
    return (normals @ factor + middle).reshape(shape)


def random_integers(self, low, high=None, size=None):
    words = "This function is deprecated. Please call randint({low}, {high} + 1) instead"
    words = words.format(low=1, high=low) if high is None else words.format(low=low, high=high)
    warnings.warn_explicit(words, DeprecationWarning, *_fallback.call_site())
    least, most = (1, low) if high is None else (low, high)
    return self.randint(least, int(most) + 1, size=size, dtype="l")


def draw_bytes(self, length):
    length = operator.index(length)
    count = (length - 1) // 4 + 1 if length > 0 else 1 - (1 - length) // 4  # NumPy divides as C does: 0 bytes are a word, too
    words = _core.draw_integers(self._stream, self._bits, (count,), real.dtype("uint32"), 0, 2**32 - 1, self._legacy)
    return memoryview(words).tobytes()[:length]


def rand(self, *shape):
    return self.random_sample(size=shape or None)


def randn(self, *shape):
    return self.standard_normal(size=shape or None)


def seed(self, *args, **kwargs):
    self._settle()
    self._source.seed(*map(to_numpy, args), **{key: to_numpy(value) for key, value in kwargs.items()})
    self._see_second()


def get_state(self, legacy=True):
    self._settle()
    self._show_second()
    return self._source.get_state(legacy)


def set_state(self, state):
    self._settle()
    self._source.set_state(to_numpy(state))
    self._see_second()


@functools.lru_cache(None)
def _methods(legacy):
    """The methods that are ours, by name."""
    if not legacy:
        methods = dict(uniform=uniform, standard_gamma=standard_gamma, integers=_whole_numbers("integers", False),
                       shuffle=shuffle, permutation=permutation, choice=choice, bytes=draw_bytes,
                       multinomial=multinomial, dirichlet=dirichlet, multivariate_normal=multivariate_normal)
        for name in ("random", "standard_normal", "standard_exponential"):
            methods[name] = _real_draw(name)
        for table, dtype in ((_CONTINUOUS, _FLOAT64), (_DISCRETE, _INT64)):
            for name, parameters in table.items():
                methods.setdefault(name, _distribution(name, parameters, dtype))
        return methods
    methods = dict(uniform=uniform, rand=rand, randn=randn, randint=_as_legacy(_whole_numbers("randint", True), 4, "endpoint"),
                   seed=seed, get_state=get_state, set_state=set_state, shuffle=_as_legacy(shuffle, 1, "axis"),
                   permutation=_as_legacy(permutation, 1, "axis"), choice=_as_legacy(choice, 4, "axis", "shuffle"), bytes=draw_bytes,
                   multinomial=multinomial, dirichlet=dirichlet, random_integers=random_integers,
                   multivariate_normal=_as_legacy(multivariate_normal, 5, "method"))
    for name, ours in dict(random="random", random_sample="random", standard_normal="legacy_standard_normal",
                           standard_exponential="legacy_standard_exponential").items():
        methods[name] = _legacy_real(name, ours)
    for name in _LEGACY_OWN + _LEGACY_SHARED:
        parameters, dtype = (_CONTINUOUS[name], _FLOAT64) if name in _CONTINUOUS else (_DISCRETE[name], _INT64)
        methods[name] = _distribution(name, parameters, dtype, "legacy_" if name in _LEGACY_OWN else "")
    return methods


_fallback.random_source = Source
_GLOBAL = Source(real.random.mtrand._rand)


def _declare(name, method):
    """Makes the global generator's method the function of that name."""
    numpys = getattr(real.random, name)

    def function(*args, **kwargs):
        return getattr(_GLOBAL, method)(*args, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = numpys.__doc__
    function.__module__ = "refrain.numpy.random"
    NATIVE[id(numpys)] = function
    NUMPYS[id(function)] = numpys


for _name in dir(real.random):
    if hasattr(_GLOBAL._source, _name) and not _name.startswith("_"):
        _declare(_name, _name)
for _name in ("ranf", "sample"):
    _declare(_name, "random_sample")


def set_bit_generator(bitgen):
    """Makes the bit generator that of the global functions."""
    global _GLOBAL
    _GLOBAL._settle()
    real.random.set_bit_generator(bitgen)
    _GLOBAL = Source(real.random.mtrand._rand)


def get_bit_generator():
    """The bit generator of the global functions."""
    return _GLOBAL._bit_generator


if hasattr(real.random, "set_bit_generator"):
    for _function in (set_bit_generator, get_bit_generator):
        NATIVE[id(getattr(real.random, _function.__name__))] = _function


def default_rng(seed=None):
    """NumPy's default_rng, whose draws are tasks."""
    if isinstance(seed, Source):
        return seed
    return Source(real.random.default_rng(entropy() if seed is None else to_numpy(seed)))


class _Maker(type):
    """Of a class that makes sources of one of NumPy's classes, and stands for it."""

    def __call__(cls, *args, **kwargs):
        return Source(cls._numpys(*map(to_numpy, args), **{key: to_numpy(value) for key, value in kwargs.items()}))

    def __instancecheck__(cls, value):
        return isinstance(value, cls._numpys)

    def __subclasscheck__(cls, other):
        return issubclass(other, cls._numpys)


class Generator(metaclass=_Maker):
    """numpy.random.Generator, whose draws are tasks."""

    _numpys = real.random.Generator


class RandomState(metaclass=_Maker):
    """numpy.random.RandomState, whose draws are tasks."""

    _numpys = real.random.RandomState


NATIVE[id(real.random.default_rng)] = default_rng
NUMPYS[id(default_rng)] = real.random.default_rng
