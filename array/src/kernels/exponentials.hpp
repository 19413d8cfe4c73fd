/// exp, log, log10, log1p, power and sin of eight doubles, quicker than libmvec's. Within 1.5 units in the last place (log1p 2,
/// sin 2.5) where the result is an ordinary number, as kernels/against_numpy.py tests; elsewhere it is zero, subnormal,
/// infinite or NaN, and not to be used.
///
// room: kernels
#pragma once

#if defined(REFRAIN_ARRAY_LIBMVEC) && defined(__AVX512F__)

#include <immintrin.h>

namespace refrain::array::kernels {
inline namespace REFRAIN_ARRAY_VARIANT {

[[nodiscard]] inline __m512d eight(double value) noexcept {
    return _mm512_set1_pd(value);
}

// The masked forms: GCC 12 warns of its own header's others.
inline constexpr __mmask8 all_lanes = 0xFF;

// ln 2 in two parts; multiples of the first by integers up to 2^11 are exact.
inline constexpr double ln2_high = 0x1.62e42fefa3800p-1;
inline constexpr double ln2_low = 0x1.ef35793c76730p-45;

/// (exp(r) - 1 - r) / r^2 for |r| <= ln(2) / 2: the series up to r^11, by pairs, so that few steps wait for one
/// another.
[[nodiscard]] inline __m512d rest_of_exp(__m512d r) noexcept {
    const __m512d r2 = _mm512_mul_pd(r, r);
    const __m512d r4 = _mm512_mul_pd(r2, r2);
    const auto pair = [&](double low, double high) {
        return _mm512_fmadd_pd(eight(high), r, eight(low));
    };
    const __m512d a = _mm512_fmadd_pd(pair(1. / 24, 1. / 120), r2, pair(1. / 2, 1. / 6));
    const __m512d b = _mm512_fmadd_pd(pair(1. / 40320, 1. / 362880), r2, pair(1. / 720, 1. / 5040));
    const __m512d c = _mm512_fmadd_pd(pair(1. / 479001600, 1. / 6227020800), r2,
                                      pair(1. / 3628800, 1. / 39916800));
    return _mm512_fmadd_pd(_mm512_fmadd_pd(c, r4, b), r4, a);
}

/// x / ln 2, rounded to integers.
[[nodiscard]] inline __m512d twos_in(__m512d x) noexcept {
    return _mm512_maskz_roundscale_pd(all_lanes, _mm512_mul_pd(x, eight(0x1.71547652b82fep+0)), 8);
}

/// 2^n exp(r), where x = n ln 2 + r.
struct Exp {
    __m512d operator()(__m512d x) const noexcept {
        const __m512d n = twos_in(x);
        __m512d r = _mm512_fnmadd_pd(n, eight(ln2_high), x);
        r = _mm512_fnmadd_pd(n, eight(ln2_low), r);
        const __m512d r2 = _mm512_mul_pd(r, r);
        const __m512d p = _mm512_add_pd(_mm512_fmadd_pd(rest_of_exp(r), r2, r), eight(1.0));
        return _mm512_maskz_scalef_pd(all_lanes, p, n);
    }
};

/// A number as the sum of two.
struct TwoParts {
    __m512d high;
    __m512d low;
};
/// high + low = a + b, exactly if |a| >= |b| or a = 0.
[[nodiscard]] inline TwoParts sum(__m512d a, __m512d b) noexcept {
    const __m512d high = _mm512_add_pd(a, b);
    return {high, _mm512_sub_pd(b, _mm512_sub_pd(high, a))};
}

/// x = 2^k m = 2^k (1 + r) / c, exactly, where 3/4 <= m < 3/2 and -0.04 < r <= 1/16: c is near 1 / m, of at most five
/// bits, from a table by the four leading bits of the mantissa of m. So ln x = k ln 2 - ln c + ln(1 + r).
struct Reduced {
    __m512d k;
    __m512d r;
    __m512i at;  // the place in tables: its low bits count

    explicit Reduced(__m512d x) noexcept : k(_mm512_maskz_getexp_pd(all_lanes, x)) {
        const __m512d m =
            _mm512_maskz_getmant_pd(all_lanes, x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
        k = _mm512_mask_add_pd(k, _mm512_cmp_pd_mask(m, eight(1.0), _CMP_LT_OQ), k, eight(1.0));
        at = _mm512_maskz_srli_epi64(all_lanes, _mm512_castpd_si512(m), 48);
        r = _mm512_fmsub_pd(m, of(c_table), eight(1.0));
    }
    [[nodiscard]] __m512d c() const noexcept { return of(c_table); }
    /// -ln c.
    [[nodiscard]] __m512d log() const noexcept { return of(log_table); }
    /// The same in two parts: a multiple of 2^-42, and the rest.
    [[nodiscard]] TwoParts log_in_two() const noexcept { return {of(high_table), of(low_table)}; }

  private:
    [[nodiscard]] __m512d of(const double* table) const noexcept {
        return _mm512_permutex2var_pd(_mm512_load_pd(table), at, _mm512_load_pd(table + 8));
    }
    alignas(64) static constexpr double c_table[16] = {
        1,        29. / 32, 28. / 32, 26. / 32, 25. / 32, 24. / 32, 23. / 32, 22. / 32,
        21. / 16, 20. / 16, 19. / 16, 19. / 16, 18. / 16, 17. / 16, 17. / 16, 1};
    alignas(64) static constexpr double log_table[16] = {0,
                                                         0x1.9335e5d594989p-4,
                                                         0x1.1178e8227e47cp-3,
                                                         0x1.a93ed3c8ad9e3p-3,
                                                         0x1.f991c6cb3b379p-3,
                                                         0x1.269621134db92p-2,
                                                         0x1.522ae0738a3d8p-2,
                                                         0x1.7fafa3bd8151cp-2,
                                                         -0x1.1675cababa60ep-2,
                                                         -0x1.c8ff7c79a9a22p-3,
                                                         -0x1.5ff3070a793d4p-3,
                                                         -0x1.5ff3070a793d4p-3,
                                                         -0x1.e27076e2af2e6p-4,
                                                         -0x1.f0a30c01162a6p-5,
                                                         -0x1.f0a30c01162a6p-5,
                                                         0};
    alignas(64) static constexpr double high_table[16] = {0,
                                                          0x1.9335e5d594000p-4,
                                                          0x1.1178e8227e000p-3,
                                                          0x1.a93ed3c8ae000p-3,
                                                          0x1.f991c6cb3c000p-3,
                                                          0x1.269621134e000p-2,
                                                          0x1.522ae0738a000p-2,
                                                          0x1.7fafa3bd81000p-2,
                                                          -0x1.1675cababa000p-2,
                                                          -0x1.c8ff7c79aa000p-3,
                                                          -0x1.5ff3070a7a000p-3,
                                                          -0x1.5ff3070a7a000p-3,
                                                          -0x1.e27076e2b0000p-4,
                                                          -0x1.f0a30c0118000p-5,
                                                          -0x1.f0a30c0118000p-5,
                                                          0};
    alignas(64) static constexpr double low_table[16] = {0,
                                                         0x1.3115c3abd47dap-45,
                                                         0x1.1ef78ce2d07f2p-45,
                                                         -0x1.8724350562169p-45,
                                                         -0x1.90d04cd7cc834p-44,
                                                         -0x1.1b61f10522625p-44,
                                                         0x1.ebe708164c759p-45,
                                                         0x1.46fb79bf6d4cbp-44,
                                                         -0x1.8380e731f55c4p-44,
                                                         0x1.7794f689f8434p-45,
                                                         0x1.8586f183bebf2p-44,
                                                         0x1.8586f183bebf2p-44,
                                                         0x1.a342c2af0003cp-45,
                                                         0x1.d599e83368e91p-45,
                                                         0x1.d599e83368e91p-45,
                                                         0};
};

/// (ln(1 + r) - r) / r^2: interpolated at Chebyshev's points of the interval of r.
[[nodiscard]] inline __m512d rest_of_logarithm(__m512d r, __m512d r2) noexcept {
    const auto pair = [&](double low, double high) {
        return _mm512_fmadd_pd(eight(high), r, eight(low));
    };
    const __m512d a = _mm512_fmadd_pd(pair(-0x1.0000000001124p-2, 0x1.9999999a0651bp-3), r2,
                                      pair(-0x1p-1, 0x1.555555555553ap-2));
    const __m512d b = _mm512_fmadd_pd(pair(-0x1.0000570b62194p-3, 0x1.c73b1d3f7d2c5p-4), r2,
                                      pair(-0x1.5555553b8a27cp-3, 0x1.24924511f1ea2p-3));
    const __m512d c = pair(-0x1.99639c1e242e9p-4, 0x1.4d65a0787633bp-4);
    const __m512d r4 = _mm512_mul_pd(r2, r2);
    return _mm512_fmadd_pd(_mm512_fmadd_pd(c, r4, b), r4, a);
}

/// k ln 2 - ln c + ln(1 + r).
[[nodiscard]] inline __m512d logarithm_of(const Reduced& reduced, __m512d r) noexcept {
    const __m512d r2 = _mm512_mul_pd(r, r);
    const TwoParts large = sum(_mm512_fmadd_pd(reduced.k, eight(ln2_high), reduced.log()), r);
    const __m512d low = _mm512_fmadd_pd(reduced.k, eight(ln2_low), large.low);
    return _mm512_add_pd(large.high, _mm512_fmadd_pd(rest_of_logarithm(r, r2), r2, low));
}

struct Log {
    __m512d operator()(__m512d x) const noexcept {
        const Reduced reduced(x);
        return logarithm_of(reduced, reduced.r);
    }
};

/// ln x / ln 10, the quotient's larger part without loss: powers of ten give integers.
struct Log10 {
    __m512d operator()(__m512d x) const noexcept {
        constexpr double high = 0x1.bcb7b1526e50ep-2;
        constexpr double low = 0x1.95355baaafad3p-57;
        const Reduced reduced(x);
        const TwoParts of_c = reduced.log_in_two();
        const __m512d r2 = _mm512_mul_pd(reduced.r, reduced.r);
        const TwoParts large =
            sum(_mm512_fmadd_pd(reduced.k, eight(ln2_high), of_c.high), reduced.r);
        const __m512d small =
            _mm512_add_pd(large.low, _mm512_fmadd_pd(reduced.k, eight(ln2_low), of_c.low));
        const TwoParts log{large.high,
                           _mm512_fmadd_pd(rest_of_logarithm(reduced.r, r2), r2, small)};
        const __m512d product = _mm512_mul_pd(log.high, eight(high));
        __m512d rest = _mm512_fmsub_pd(log.high, eight(high), product);
        rest = _mm512_fmadd_pd(log.low, eight(high), rest);
        rest = _mm512_fmadd_pd(log.high, eight(low), rest);
        return _mm512_add_pd(product, rest);
    }
};

/// ln(1 + x). Where x is small, the reduction leaves it as it is, so that nothing of it is lost.
struct Log1p {
    __m512d operator()(__m512d x) const noexcept {
        const __m512d one = eight(1.0);
        // high + low = 1 + x, exactly, whichever is greater.
        const __m512d high = _mm512_add_pd(one, x);
        const __m512d of_x = _mm512_sub_pd(high, one);
        const __m512d low =
            _mm512_add_pd(_mm512_sub_pd(one, _mm512_sub_pd(high, of_x)), _mm512_sub_pd(x, of_x));
        const Reduced reduced(high);
        const __m512d scaled =
            _mm512_maskz_scalef_pd(all_lanes, low, _mm512_sub_pd(_mm512_setzero_pd(), reduced.k));
        const __m512d r = _mm512_fmadd_pd(scaled, reduced.c(), reduced.r);
        const __m512d y = logarithm_of(reduced, r);
        return _mm512_mask_mov_pd(y, _mm512_cmp_pd_mask(x, _mm512_setzero_pd(), _CMP_EQ_OQ), x);
    }
};

/// sin r, with the sign of (-1)^n, where x = n pi + r. NaN where that says too little: far from zero, and next to
/// multiples of pi.
struct Sin {
    __m512d operator()(__m512d x) const noexcept {
        // The sum's lowest bits are those of n.
        constexpr double shift = 0x1.8p52;
        const __m512d shifted = _mm512_fmadd_pd(x, eight(0x1.45f306dc9c883p-2), eight(shift));
        const __m512d n = _mm512_sub_pd(shifted, eight(shift));
        // Of pi 33 bits, 33 more, and the rest. The first difference is exact: of 48 bits at most, since n has 45. The other two
        // are as near as r or n 2^-68 is, whichever is greater, and pi without its rest is n 2^-121 away.
        __m512d r = _mm512_fnmadd_pd(n, eight(0x1.921fb54400000p+1), x);
        r = _mm512_fnmadd_pd(n, eight(0x1.0b4611a600000p-33), r);
        r = _mm512_fnmadd_pd(n, eight(0x1.3198a2e037073p-68), r);
        const __m512d size = _mm512_abs_pd(x);
        const __mmask8 far = _mm512_cmp_pd_mask(size, eight(0x1p46), _CMP_NLT_UQ);
        const __mmask8 near =
            _mm512_cmp_pd_mask(_mm512_abs_pd(r), _mm512_mul_pd(size, eight(0x1p-62)), _CMP_LT_OQ);
        const __mmask8 zero = _mm512_cmp_pd_mask(r, eight(0.0), _CMP_EQ_OQ);
        // Coefficients of SLEEF's sine.
        const __m512d r2 = _mm512_mul_pd(r, r);
        const __m512d r4 = _mm512_mul_pd(r2, r2);
        const auto pair = [&](double low, double high) {
            return _mm512_fmadd_pd(eight(high), r2, eight(low));
        };
        const __m512d a =
            _mm512_fmadd_pd(pair(-0.000198412698412696162806809, 2.75573192239198747630416e-06), r4,
                            pair(-0.166666666666666657414808, 0.00833333333333332974823815));
        const __m512d b =
            _mm512_fmadd_pd(pair(-7.64712219118158833288484e-13, 2.81009972710863200091251e-15), r4,
                            pair(-2.50521083763502045810755e-08, 1.60590430605664501629054e-10));
        const __m512d r8 = _mm512_mul_pd(r4, r4);
        const __m512d p =
            _mm512_fmadd_pd(_mm512_fmadd_pd(eight(-7.97255955009037868891952e-18), r8, b), r8, a);
        __m512d y = _mm512_fmadd_pd(_mm512_mul_pd(r2, r), p, r);
        y = _mm512_mask_mov_pd(y, zero, r);  // of its sign
        const __m512i sign = _mm512_maskz_slli_epi64(all_lanes, _mm512_castpd_si512(shifted), 63);
        y = _mm512_castsi512_pd(_mm512_maskz_xor_epi64(all_lanes, _mm512_castpd_si512(y), sign));
        return _mm512_mask_mov_pd(y, static_cast<__mmask8>(far | near), eight(__builtin_nan("")));
    }
};

/// exp(y ln x), the logarithm and the product in two doubles each.
///
/// ln x = (k ln 2 - ln c) + r - r^2/2 + r^3 (1/3 - r/4 + ...): all parts but the last are summed without loss.
struct Power {
    __m512d operator()(__m512d x, __m512d y) const noexcept {
        const TwoParts log = logarithm(x);
        const __m512d product = _mm512_mul_pd(log.high, y);
        const __m512d lost = _mm512_fmadd_pd(log.low, y, _mm512_fmsub_pd(log.high, y, product));
        const __m512d n = twos_in(product);
        const __m512d high = _mm512_fnmadd_pd(n, eight(ln2_high), product);
        const __m512d low = _mm512_fnmadd_pd(n, eight(ln2_low), lost);
        const TwoParts r = sum(high, low);
        // 1 + r + r^2 q, the larger parts without loss.
        const TwoParts first = sum(eight(1.0), r.high);
        const __m512d r2 = _mm512_mul_pd(r.high, r.high);
        const __m512d rest = _mm512_fmadd_pd(rest_of_exp(r.high), r2, r.low);
        return _mm512_maskz_scalef_pd(all_lanes,
                                      _mm512_add_pd(first.high, _mm512_add_pd(first.low, rest)), n);
    }

  private:
    static TwoParts logarithm(__m512d x) noexcept {
        const Reduced reduced(x);
        const __m512d r = reduced.r;
        const __m512d r2 = _mm512_mul_pd(r, r);
        const __m512d r2_lost = _mm512_fmsub_pd(r, r, r2);
        const TwoParts of_c = reduced.log_in_two();
        const TwoParts a = sum(_mm512_fmadd_pd(reduced.k, eight(ln2_high), of_c.high), r);
        const TwoParts b = sum(a.high, _mm512_mul_pd(r2, eight(-0.5)));
        __m512d low = _mm512_fmadd_pd(reduced.k, eight(ln2_low), of_c.low);
        low = _mm512_fmadd_pd(r2_lost, eight(-0.5), low);
        low = _mm512_add_pd(low, _mm512_add_pd(a.low, b.low));
        low = _mm512_fmadd_pd(_mm512_mul_pd(r, r2), series(r, r2), low);
        return sum(b.high, low);
    }
    /// 1/3 - r/4 + r^2/5 ... up to r^13, by pairs.
    static __m512d series(__m512d r, __m512d r2) noexcept {
        const auto pair = [&](double low, double high) {
            return _mm512_fmadd_pd(eight(high), r, eight(low));
        };
        const __m512d r4 = _mm512_mul_pd(r2, r2);
        const __m512d p = _mm512_fmadd_pd(pair(1. / 5, -1. / 6), r2, pair(1. / 3, -1. / 4));
        const __m512d q = _mm512_fmadd_pd(pair(1. / 9, -1. / 10), r2, pair(1. / 7, -1. / 8));
        const __m512d s = _mm512_fmadd_pd(pair(1. / 13, -1. / 14), r2, pair(1. / 11, -1. / 12));
        const __m512d t = _mm512_fmadd_pd(pair(1. / 15, -1. / 16), r4, s);
        return _mm512_fmadd_pd(_mm512_fmadd_pd(t, r4, q), r4, p);
    }
};

}  // namespace REFRAIN_ARRAY_VARIANT
}  // namespace refrain::array::kernels

#endif
