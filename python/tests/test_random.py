"""numpy.random: NumPy's numbers, whatever draws, in which order, and how much of it is pending."""

import pickle
import unittest
import warnings

import numpy as real

import refrain.numpy as ours
from refrain import RefrainFallbackWarning, _core
from support import same_bits

# Draws of default_rng(...), of Generator(Philox(...)), of the legacy functions.
DRAWS = """
    random(5)                             random((2, 3))                    random(5, dtype='float32')
    random()                              uniform(-1, 4, 6)                 uniform(2, 3)
    normal(1, 2, 7)                       normal(size=3)                    normal()
    standard_normal(5)                    standard_normal(5, 'float32')     standard_normal()
    standard_exponential(5)               standard_exponential(3, 'f4')     exponential(2.0, 5)
    integers(10, size=9)                  integers(-5, 5, (2, 2))           integers(0, 200, 9, 'uint8')
    integers(7, size=5, dtype='int32')    integers(3, 9, endpoint=True)     integers(2, size=9, dtype=bool)
    integers(5)                           integers(-300, 300, 7, 'int16')   integers(0, 2**63, 4, 'uint64')
    shuffle(x)                            shuffle(a)                        shuffle(a, axis=1)
    permutation(9)                        permutation(x)                    permutation(a)
    permutation(a, axis=1)                choice(9, 5)                      choice(9)
    gamma(2.0, 3.0, 5)                    standard_gamma(0.5, 4)            beta(1, 2, 5)
    f(3, 4, 5)                            chisquare(2, 4)                   noncentral_f(2, 3, 1, 4)
    noncentral_chisquare(3, 1, 4)         standard_cauchy(4)                standard_t(3, 4)
    vonmises(0, 1, 4)                     pareto(3, 4)                      weibull(2, 4)
    power(2, 4)                           laplace(0, 1, 4)                  gumbel(size=4)
    logistic(1, 2, 4)                     lognormal(0, 1, 4)                rayleigh(2, 4)
    wald(1, 2, 4)                         triangular(0, 1, 3, 4)            binomial(10, 0.3, 5)
    negative_binomial(4, 0.3, 5)          poisson(3, 5)                     poisson(30.5, (2, 2))
    zipf(2.5, 4)                          geometric(0.2, 5)                 hypergeometric(5, 6, 7, 4)
    bytes(5)                              bytes(0)                          bytes(8)
    logseries(0.5, 4)                     random(0)                         random(size=(2, 0))
    binomial(100, 0.5)                    poisson()                         gamma(2.0)
    normal(x, 1)                          normal(x, a[0, 1:2], (2, 8))      poisson(a)
    binomial(x, 0.3)                      gamma(x + 1, x + 1)               exponential(scale=[1, 2])
    uniform(x, 9)                         uniform([1, 2], [3, 4], (3, 2))   standard_t(x + 1)
    multinomial(9, [0.2, 0.8])            multinomial(5, [0.2, 0.3, 0.5], (2, 2))
    dirichlet([1, 2, 3], 2)               dirichlet(a[0] + 1)               dirichlet(np.ones(9), (2, 0))
    choice([5, 6, 7], 2)                  choice(3, 9, p=[0.1, 0.2, 0.7])   choice(x[:3], 4, p=a[0, 1:] / 6)
    bytes(-1)                             bytes(-3)                         permutation(3, 4)
    choice(2, 5, p=np.array([0.5, 0.5], 'f2'))
    choice(3, (), p=[0.1, 0.2, 0.7])      choice(3, p=[0.1, 0.2, 0.7])      choice(3, ())
    choice(x, (), p=np.ones(8) / 8)       choice([5, 6, 7], ())
    choice(9, 5, False)                   choice(9, (2, 2), False)          choice(9, 5, False, shuffle=False)
    choice(9, None, False)                choice(x, (), False)              choice(a, 2, False)
    choice(a, 2, axis=1)                  choice(a, axis=1)                 choice(x, 3, False, axis=-1)
    choice(9, 0, False)                   choice(9, 9, False)               choice(20000, 300, False)
    choice(20000, 401, False)             choice(20000, 999, False, shuffle=False)    choice(20000, 1001, False, shuffle=False)
    choice(4, 3, False, [0.9, 0.06, 0.04, 0.0])    choice(4, None, False, [0.9, 0.06, 0.04, 0.0])
    choice(a, 2, False, [0.2, 0.3, 0.5])    choice(a, 5, True, [0.2, 0.3, 0.5])
    integers(x + 1)                       integers(x, 9)                    integers(x, x + 1)
    integers(-x, x, endpoint=True)        integers(x - 2**62, x + 2**62)    integers(x, [[9], [2**40]])
    integers(x + 2**32, size=(3, 8))      integers(-2**63, x)               integers([1, 2, 300])
    random(out=a)                         random((3, 4), out=a)             standard_normal(out=a)
    standard_exponential(out=a)
"""
LEGACY = """
    rand(5)                               rand()                            rand(2, 3)
    randn(5)                              randn()                           randn(2, 3)
    random(4)                             random_sample((2, 2))             ranf(3)
    sample(3)                             uniform(-1, 1, 5)                 uniform()
    normal(1, 2, 5)                       normal()                          standard_normal(3)
    exponential(2.0, 4)                   standard_exponential(4)           exponential()
    randint(10, size=9)                   randint(-5, 5, (2, 2))            randint(7)
    randint(0, 200, 9, 'uint8')           randint(0, 9, 5, 'int32')         randint(2, size=5, dtype=bool)
    shuffle(x)                            shuffle(a)                        permutation(9)
    permutation(x)                        permutation(a)                    choice(9, 5)
    choice(9, 5, False)                   lognormal(0, 1, 4)                standard_cauchy(4)
    pareto(3, 4)                          weibull(2, 4)                     power(2, 4)
    laplace(0, 1, 4)                      gumbel(size=4)                    logistic(1, 2, 4)
    triangular(0, 1, 3, 4)                vonmises(0, 1, 4)                 poisson(3, 5)
    geometric(0.2, 5)                     zipf(2.5, 4)                      logseries(0.5, 4)
    geometric(0.7, 5)                     rayleigh(2, 4)                    binomial(10, 0.3, 4)
    binomial(200, 0.6, 4)                 bytes(5)                          seed(9)
    gamma(2.0, 1.5, 4)                    gamma(0.4, 2.0, 9)                gamma(1.0)
    standard_gamma(0.5, 4)                standard_gamma(3.0)               standard_t(3, 4)
    beta(1, 2, 3)                         beta(0.5, 0.4, 9)                 beta(0.001, 0.002, 9)
    chisquare(2, 3)                       f(3, 4, 5)                        noncentral_f(2, 3, 1, 4)
    noncentral_chisquare(3, 1, 4)         noncentral_chisquare(0.5, 1, 4)   noncentral_chisquare(3, 0, 4)
    wald(1, 2, 4)                         negative_binomial(4, 0.3, 5)      hypergeometric(5, 6, 7, 4)
    hypergeometric(60, 50, 40, 9)         hypergeometric(50, 60, 90, 9)     hypergeometric(6, 5, 1, 2)
    hypergeometric(6, 5, 8)               normal(x, 1)                      poisson(a)
    multinomial(9, [0.2, 0.8])            multinomial(200, [0.2, 0.8], 2)   dirichlet([1, 2, 3], 2)
    dirichlet([0.01, 0.02])               random_integers(4)                random_integers(2, 9, (2, 3))
    choice([5, 6, 7], 2)                  choice(3, 9, p=[0.1, 0.2, 0.7])   exponential([1, 2])
    geometric(1e-12, 9)                   vonmises(2, 1e7, 9)               vonmises(-3, 1e-6, 9)
    vonmises(1, 1e-9, 9)                  vonmises(2.9, 0.5, 99)            rayleigh(2, 999)
    binomial(10, 0.0)                     binomial(0, 0.5, 3)               binomial(10, [0.0, 0.5])
    choice(3, (), p=[0.1, 0.2, 0.7])      choice(3, p=[0.1, 0.2, 0.7])      choice(3, ())
    choice(x, (), p=np.ones(8) / 8)       choice([5, 6, 7], ())
    choice(9, (), False)                  choice(9, None, False)            choice(x, None, False)
    choice(x, (), False)                  choice(5, 2, False, [0.1, 0.2, 0.3, 0.2, 0.2])
    choice(3, None, False, [0.1, 0.2, 0.7])    choice(x[:3], (2, 1), False, [0.1, 0.2, 0.7])
    randint(x + 1)                        randint(x, 9)                     randint(x - 2**62, x + 2**62)
    randint(x + 2**32, size=(3, 8))
"""
# The same numbers but for the last bits, which products of matrices decide.
NEARLY = """
    multivariate_normal([0, 1], [[2, 1], [1, 3]])                           multivariate_normal([0, 0, 1], np.eye(3) + 1, (2, 2))
    multivariate_normal([1, 2], [[1, 0.5], [0.5, 1]], 4, method='eigh')     multivariate_normal([1, 2], [[1, 0], [0, 4]], method='cholesky')
"""
# By NumPy, on the same state.
BY_NUMPY = """
    dirichlet([0.01, 0.02], 2)            multivariate_hypergeometric([4, 5], 3)
    integers(x.astype('u8') + 1)          triangular(x, 9, 9)               permuted(a)
    random(out=a.T.copy().T)              standard_exponential(out=a, method='inv')
"""
LEGACY_BY_NUMPY = """
    triangular(x, 9, 9)                   hypergeometric(x + 9, 5, 7)       randint(x + 1, dtype='i2')
"""
REFUSED = ["choice(a, (), False)", "choice(4, 5, False)", "choice(4, (2, -1), False)", "choice(4, (-1, -1), False)", "choice(a, 2, axis=2)",
           "choice(4, 3, False, [0.5, 0.5, 0, 0])", "integers(x, 3)", "integers(x + 1, size=3)", "random(5, out=a)", "random(out=5)",
           "normal(0, -1, 3)", "exponential(-1, 3)", "integers(5, 2, 3)", "integers(0, 300, 3, 'uint8')", "random(-1)", "poisson(-1, 3)",
           "gamma(-1, 1, 3)", "normal(0, 1, 3, 4, 5)", "triangular(3, 2, 1, 4)", "random(3, dtype=int)", "permutation(2.5)",
           "hypergeometric(-1, 2, 3, 4)", "choice(3, 5, False)", "random('x')", "shuffle(5)", "nosuch(3)",
           "normal(x, -x)", "poisson(a - 3)", "exponential(np.array([0.0, -0.0, 0.0]))", "exponential(np.array([-0.0, 0.0]))", "binomial(x, 1.5)", "binomial(x.astype('uint64'), 0.5)", "normal(x, 1, 3)", "normal(x, a)", "uniform(x, 1e400)",
           "multinomial(9, [0.2, 1.8])", "dirichlet([1, -1])", "choice(3, 5, p=[0.1, 0.2])", "choice(3, 5, p=[0.5, 0.6, 0.1])",
           "normal(1, loc=2)", "normal(0, 1, 3, size=4)", "normal(0, 1, False)", "random('x')", "integers(3, 5, 'x')", "integers()",
           "choice(3, size=(2, -1))", "gamma([3, -1], size=0.5)", "permutation(x, 3)", "permutation(x, 1.5)", "bytes('x')", "bytes(-9)",
           "multivariate_normal([0, 0])", "multivariate_normal([0, 0], [[1, 2]])", "multivariate_normal([0, 0], [[1, 2], [2, 1]], check_valid='raise')"]


LEGACY_REFUSED = ["shuffle(a, 1)", "shuffle(a, axis=0)", "permutation(a, axis=1)", "randint(0, 5, endpoint=True)", "normal(1, loc=2)",
                  "randint(0, 5, 2, int, True)", "choice(9, axis=0)", "randn(2.5)", "rand(-1)", "normal(0, 1, 3, size=4)", "bytes(-9)",
                  "multivariate_normal([0, 0], np.eye(2), method='eigh')", "binomial(10, -0.5)", "vonmises(0, -1)", "random(2, dtype='f4')"]


def split(text):
    return [part.strip() for line in text.split("\n") for part in line.split("   ") if part.strip()]


def outcome(np, generator, text):
    """What a draw gives, and what it did to its arguments."""
    x, a = np.arange(8), np.arange(12.0).reshape(3, 4)
    return eval("generator." + text, dict(generator=generator, np=np, x=x, a=a)), real.asarray(x), real.asarray(a)


class Random(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("error", RefrainFallbackWarning)
        warnings.simplefilter("ignore", DeprecationWarning)

    def tearDown(self):
        warnings.resetwarnings()

    def assert_same(self, expected, got, text):
        for one, other in zip(expected, got):
            self.assertEqual(isinstance(one, real.ndarray), isinstance(other, real.ndarray), text)
            if not isinstance(one, real.ndarray):
                self.assertIsInstance(other, type(one), text)
            self.assertTrue(same_bits(one, other) if one is not None else other is None, (text, one, other))

    def generators(self, kind):
        bits = getattr(real.random, kind)
        return real.random.Generator(bits(7)), ours.random.default_rng(real.random.Generator(bits(7)))

    def test_each_draw_gives_numpys_numbers_one_after_the_other(self):
        for kind in ("PCG64", "Philox", "SFC64"):
            for text in split(DRAWS):
                expected, got = self.generators(kind)
                for draw in ("integers(9, size=3, dtype='int8')", text, "random(2)"):
                    with self.subTest(text=text, draw=draw, kind=kind):
                        self.assert_same(outcome(real, expected, draw), outcome(ours, got, draw), draw)

    def test_each_legacy_draw_gives_numpys_numbers(self):
        for text in split(LEGACY):
            for draws in ((text, "randn(2)"), ("randn()", text, "rand(2)")):
                real.random.seed(5)
                expected = [outcome(real, real.random, draw) for draw in draws]
                ours.random.seed(5)
                for draw, numpys in zip(draws, expected):
                    with self.subTest(text=text, draw=draw):
                        self.assert_same(numpys, outcome(ours, ours.random, draw), draw)

    def test_normals_of_several_variables_are_numpys_but_for_the_last_bits(self):
        def check(kind, pairs):
            for text in split(NEARLY)[: 2 if kind == "legacy" else None]:
                with self.subTest(text=text, kind=kind):
                    one, other = (outcome(np, generator, text)[0] for np, generator in pairs())
                    self.assertEqual((one.shape, one.dtype), (other.shape, other.dtype))
                    real.testing.assert_allclose(real.asarray(other), one, rtol=1e-13, atol=1e-13)

        def legacy():
            real.random.seed(5)
            yield real, real.random
            ours.random.seed(5)
            yield ours, ours.random

        check("PCG64", lambda: zip((real, ours), self.generators("PCG64")))
        check("legacy", legacy)
        with self.assertWarnsRegex(RuntimeWarning, "not symmetric positive-semidefinite"):
            ours.random.multivariate_normal([0, 0], [[1, 2], [2, 1]])

    def test_draws_of_numpy_go_on_where_ours_ended(self):
        warnings.simplefilter("ignore", RefrainFallbackWarning)
        expected, got = self.generators("PCG64")
        for text in split(BY_NUMPY):
            with self.subTest(text):
                for draw in ("normal(size=3)", text, "random(4)"):
                    self.assert_same(outcome(real, expected, draw), outcome(ours, got, draw), draw)
        draws = [draw for text in split(LEGACY_BY_NUMPY) for draw in ("randn(3)", text, "randn()")]
        real.random.seed(6)
        numpys = [outcome(real, real.random, draw) for draw in draws]
        ours.random.seed(6)
        for draw, one in zip(draws, numpys):
            with self.subTest(draw):
                self.assert_same(one, outcome(ours, ours.random, draw), draw)

    def outcome_of_refusal(self, np, generator, text):
        try:
            outcome(np, generator, text)
            return None, real.asarray(generator.random(2)).tolist()
        except Exception as error:
            return type(error), str(error)[:40], real.asarray(generator.random(2)).tolist()

    def test_what_numpy_refuses_is_refused_and_draws_nothing(self):
        warnings.simplefilter("ignore", RefrainFallbackWarning)
        for text in REFUSED:
            with self.subTest(text):
                errors = [self.outcome_of_refusal(np, generator, text) for np, generator in zip((real, ours), self.generators("PCG64"))]
                self.assertIsNotNone(errors[0][0])
                self.assertEqual(*errors)
        for text in LEGACY_REFUSED:
            with self.subTest(text, legacy=True):
                errors = []
                for np in (real, ours):
                    np.random.seed(5)
                    errors.append(self.outcome_of_refusal(np, np.random, text))
                self.assertIsNotNone(errors[0][0])
                self.assertEqual(*errors)

    def test_numbers_that_are_not_ints_are_bounds_as_for_numpy(self):
        warnings.simplefilter("ignore", RefrainFallbackWarning)
        expected, got = self.generators("PCG64")
        for text in ("integers(2.5)", "integers(True)", "integers(np.int8(5))", "integers(-3, 0.5)", "binomial(3.5, 0.5)", "bytes(2.5)"):
            with self.subTest(text):
                self.assert_same(outcome(real, expected, text), outcome(ours, got, text), text)

    def test_large_draws_are_deferred_and_cut_into_tiles(self):
        for kind in ("PCG64", "Philox", "SFC64"):
            expected, got = self.generators(kind)
            before = _core.statistics()["operations"]
            arrays = [got.random(3), got.random(400_001), got.normal(size=50_000), got.uniform(-1, 1, 300_000), got.random(3)]
            self.assertGreaterEqual(_core.statistics()["operations"], before + 4)
            for one, other in zip((expected.random(3), expected.random(400_001), expected.normal(size=50_000),
                                   expected.uniform(-1, 1, 300_000), expected.random(3)), arrays):
                self.assertTrue(same_bits(one, other), kind)
            self.assertEqual(expected.random(), got.random())

    def test_a_shown_bit_generator_is_up_to_date(self):
        expected, got = self.generators("PCG64")
        bits = got.bit_generator
        for generator in (expected, got):
            generator.random(500_000)
        self.assertEqual(bits.state, expected.bit_generator.state)
        state = expected.bit_generator.state
        expected.random(9)
        got.random(300_000)
        bits.state = state
        self.assertTrue(same_bits(real.random.Generator(expected.bit_generator.__class__(1)).random(2),
                                  ours.random.default_rng(1).random(2)))
        fresh = real.random.Generator(real.random.PCG64())
        fresh.bit_generator.state = state
        self.assertTrue(same_bits(fresh.random(200_000), got.random(200_000)))

    def test_generators_are_made_by_their_classes(self):
        bits = ours.random.Philox(3)
        generator = ours.random.Generator(bits)
        self.assertIsInstance(generator, ours.random.Generator)
        self.assertIsInstance(generator, real.random.Generator)
        expected = real.random.Generator(real.random.Philox(3))
        self.assertTrue(same_bits(expected.random(300_000), generator.random(300_000)))
        self.assertEqual(str(bits.state), str(expected.bit_generator.state))
        one, other = real.random.RandomState(4), ours.random.RandomState(4)
        self.assertIsInstance(other, ours.random.RandomState)
        for draw in ("randn(3)", "gamma(2.0, size=3)", "normal()", "rand(3)"):
            warnings.simplefilter("ignore", RefrainFallbackWarning)
            self.assert_same(outcome(real, one, draw), outcome(ours, other, draw), draw)

    def test_two_sources_of_one_bit_generator_share_its_stream(self):
        expected, got = self.generators("Philox")
        other = ours.random.default_rng(got)
        for generator in (got, other, got):
            self.assertTrue(same_bits(expected.normal(size=20_000), generator.normal(size=20_000)))

    def test_the_legacy_state_can_be_taken_and_given_back(self):
        ours.random.seed(11)
        ours.random.randn(3)
        state = ours.random.get_state()
        first = ours.random.randn(5).tolist()
        ours.random.set_state(state)
        self.assertEqual(ours.random.randn(5).tolist(), first)
        real.random.seed(11)
        real.random.randn(3)
        self.assertEqual(state[2:], real.random.get_state()[2:])

    def test_a_pickled_generator_goes_on(self):
        expected, got = self.generators("PCG64")
        got.random(300_000), expected.random(300_000)
        copy = pickle.loads(pickle.dumps(got))
        numbers = expected.random(5)
        self.assertTrue(same_bits(numbers, got.random(5)))
        self.assertTrue(same_bits(numbers, copy.random(5)))

    def test_a_generator_may_end_while_its_draws_are_pending(self):
        arrays = [ours.random.default_rng(seed).normal(size=100_000) for seed in range(8)]
        for seed, array in enumerate(arrays):
            self.assertTrue(same_bits(real.random.default_rng(seed).normal(size=100_000), array))

    def test_a_warning_names_the_line_of_the_program(self):
        warnings.simplefilter("always", DeprecationWarning)
        with self.assertWarns(DeprecationWarning) as caught:
            ours.random.random_integers(4)
        self.assertEqual(caught.filename, __file__)

    def test_lists_are_shuffled_in_place(self):
        expected, got = self.generators("PCG64")
        one, other = list(range(9)), list(range(9))
        expected.shuffle(one)
        got.shuffle(other)
        self.assertEqual(one, other)

    def test_generators_without_a_seed_differ(self):
        self.assertNotEqual(ours.random.default_rng().random(), ours.random.default_rng().random())


if __name__ == "__main__":
    unittest.main()
