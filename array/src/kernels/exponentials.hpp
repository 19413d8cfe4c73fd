/// exp, log and power of eight doubles, quicker than libmvec's. Within 1.1 units in the last place where the result
/// is an ordinary number, as kernels/against_numpy.py tests; elsewhere it is zero, subnormal, infinite or NaN,
/// and not to be used.
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

/// x = 2^k m, where most / 2 <= m <= most.
struct Parts {
    __m512d k;
    __m512d m;

    Parts(__m512d x, double most) noexcept
        : k(_mm512_maskz_getexp_pd(all_lanes, x)),
          m(_mm512_maskz_getmant_pd(all_lanes, x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_nan)) {
        const __mmask8 beyond = _mm512_cmp_pd_mask(m, eight(most), _CMP_GT_OQ);
        k = _mm512_mask_add_pd(k, beyond, k, eight(1.0));
        m = _mm512_mask_mul_pd(m, beyond, m, eight(0.5));
    }
};

/// k ln 2 + ln m, where ln m = f - f^2/2 + s (f^2/2 + R(s^2)), s = f / (2 + f), f = m - 1.
/// Source: log of Sun's fdlibm, with its coefficients.
struct Log {
    __m512d operator()(__m512d x) const noexcept {
        const Parts parts(x, 0x1.6a09e667f3bcdp+0);  // the square root of 2
        const __m512d f = _mm512_sub_pd(parts.m, eight(1.0));
        const __m512d s = _mm512_div_pd(f, _mm512_add_pd(f, eight(2.0)));
        const __m512d z = _mm512_mul_pd(s, s);
        const __m512d w = _mm512_mul_pd(z, z);
        const auto step = [&](__m512d sum, double next) {
            return _mm512_fmadd_pd(sum, w, eight(next));
        };
        __m512d odd = step(eight(0x1.2f112df3e5244p-3), 0x1.7466496cb03dep-3);
        odd = step(odd, 0x1.2492494229359p-2);
        odd = step(odd, 0x1.5555555555593p-1);
        __m512d even = step(eight(0x1.39a09d078c69fp-3), 0x1.c71c51d8e78afp-3);
        even = step(even, 0x1.999999997fa04p-2);
        const __m512d rest = _mm512_fmadd_pd(odd, z, _mm512_mul_pd(even, w));
        const __m512d half = _mm512_mul_pd(_mm512_mul_pd(f, f), eight(0.5));
        __m512d low = _mm512_mul_pd(parts.k, eight(ln2_low));
        low = _mm512_fmadd_pd(s, _mm512_add_pd(half, rest), low);
        const __m512d tail = _mm512_sub_pd(_mm512_sub_pd(half, low), f);
        return _mm512_fmsub_pd(parts.k, eight(ln2_high), tail);
    }
};

/// exp(y ln x), the logarithm and the product in two doubles each.
///
/// With c near 1 / m of a table of 16, of at most five bits: r = c m - 1 is exact and |r| <= 1/16, and
/// ln x = (k ln 2 - ln c) + r - r^2/2 + r^3 (1/3 - r/4 + ...). All parts but the last are summed without loss.
struct Power {
    __m512d operator()(__m512d x, __m512d y) const noexcept {
        const Pair log = logarithm(x);
        const __m512d product = _mm512_mul_pd(log.high, y);
        const __m512d lost = _mm512_fmadd_pd(log.low, y, _mm512_fmsub_pd(log.high, y, product));
        const __m512d n = twos_in(product);
        const __m512d high = _mm512_fnmadd_pd(n, eight(ln2_high), product);
        const __m512d low = _mm512_fnmadd_pd(n, eight(ln2_low), lost);
        const Pair r = sum(high, low);
        // 1 + r + r^2 q, the larger parts without loss.
        const Pair first = sum(eight(1.0), r.high);
        const __m512d r2 = _mm512_mul_pd(r.high, r.high);
        const __m512d rest = _mm512_fmadd_pd(rest_of_exp(r.high), r2, r.low);
        return _mm512_maskz_scalef_pd(all_lanes,
                                      _mm512_add_pd(first.high, _mm512_add_pd(first.low, rest)), n);
    }

  private:
    struct Pair {
        __m512d high;
        __m512d low;
    };
    /// high + low = a + b, exactly if |a| >= |b| or a = 0.
    static Pair sum(__m512d a, __m512d b) noexcept {
        const __m512d high = _mm512_add_pd(a, b);
        return {high, _mm512_sub_pd(b, _mm512_sub_pd(high, a))};
    }

    // By the four leading bits of the mantissa of m: c, and -ln c as a multiple of 2^-42 and the rest.
    alignas(64) static constexpr double c[16] = {
        1,        29. / 32, 28. / 32, 26. / 32, 25. / 32, 24. / 32, 23. / 32, 22. / 32,
        21. / 16, 20. / 16, 19. / 16, 19. / 16, 18. / 16, 17. / 16, 17. / 16, 1};
    alignas(64) static constexpr double log_high[16] = {0,
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
    alignas(64) static constexpr double log_low[16] = {0,
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

    static Pair logarithm(__m512d x) noexcept {
        const Parts parts(x, 0x1.7ffffffffffffp+0);  // below 1.5
        const __m512i at =
            _mm512_maskz_srli_epi64(all_lanes, _mm512_castpd_si512(parts.m), 48);  // low bits count
        const auto of = [&](const double* table) {
            return _mm512_permutex2var_pd(_mm512_load_pd(table), at, _mm512_load_pd(table + 8));
        };
        const __m512d r = _mm512_fmsub_pd(parts.m, of(c), eight(1.0));
        const __m512d r2 = _mm512_mul_pd(r, r);
        const __m512d r2_lost = _mm512_fmsub_pd(r, r, r2);
        const Pair a = sum(_mm512_fmadd_pd(parts.k, eight(ln2_high), of(log_high)), r);
        const Pair b = sum(a.high, _mm512_mul_pd(r2, eight(-0.5)));
        __m512d low = _mm512_fmadd_pd(parts.k, eight(ln2_low), of(log_low));
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
