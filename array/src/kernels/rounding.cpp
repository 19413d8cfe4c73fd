// Rounding of real numbers, which machines from AVX on do in an instruction.
#include <cmath>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "kernels/loops.hpp"

namespace refrain::array::kernels {
inline namespace REFRAIN_ARRAY_VARIANT {

namespace {

// g++ makes no vectors of these functions, since several elements might trap where one does. (Masks of all lanes: without one
// g++ 12 warns of its own header.)
#if defined(__AVX512F__)
#define REFRAIN_ARRAY_LANES(mode)                             \
    static constexpr bool has_lanes = true;                   \
    static __m512d apply_lanes(__m512d a) noexcept {          \
        return _mm512_mask_roundscale_pd(a, 0xFF, a, mode);   \
    }                                                         \
    static __m512 apply_lanes(__m512 a) noexcept {            \
        return _mm512_mask_roundscale_ps(a, 0xFFFF, a, mode); \
    }
#elif defined(__AVX2__)
#define REFRAIN_ARRAY_LANES(mode)                    \
    static constexpr bool has_lanes = true;          \
    static __m256d apply_lanes(__m256d a) noexcept { \
        return _mm256_round_pd(a, mode);             \
    }                                                \
    static __m256 apply_lanes(__m256 a) noexcept {   \
        return _mm256_round_ps(a, mode);             \
    }
#else
#define REFRAIN_ARRAY_LANES(mode)
#endif
#define REFRAIN_ARRAY_FUNCTION(Name, function, direction)  \
    struct Name : Operation<real_types, true> {            \
        template <class T>                                 \
        static T apply(T a) noexcept {                     \
            return std::function(a);                       \
        }                                                  \
        REFRAIN_ARRAY_LANES(direction | _MM_FROUND_NO_EXC) \
    };
REFRAIN_ARRAY_FUNCTION(Floor, floor, _MM_FROUND_TO_NEG_INF)
REFRAIN_ARRAY_FUNCTION(Ceil, ceil, _MM_FROUND_TO_POS_INF)
REFRAIN_ARRAY_FUNCTION(Trunc, trunc, _MM_FROUND_TO_ZERO)
REFRAIN_ARRAY_FUNCTION(Rint, nearbyint, _MM_FROUND_CUR_DIRECTION)
#undef REFRAIN_ARRAY_LANES
#undef REFRAIN_ARRAY_FUNCTION

}  // namespace

const Row* rounding_row(Ufunc function) noexcept {
    switch (function) {
        REFRAIN_ARRAY_ROW(floor, unary_row<Floor>())
        REFRAIN_ARRAY_ROW(ceil, unary_row<Ceil>())
        REFRAIN_ARRAY_ROW(trunc, unary_row<Trunc>())
        REFRAIN_ARRAY_ROW(rint, unary_row<Rint>())
        default:
            return nullptr;
    }
}

}  // namespace REFRAIN_ARRAY_VARIANT
}  // namespace refrain::array::kernels
