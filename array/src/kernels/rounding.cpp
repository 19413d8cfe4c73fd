// Rounding of real numbers, which machines from AVX on do in an instruction.
#include <cmath>

#include "kernels/loops.hpp"

namespace refrain::array::kernels {
inline namespace REFRAIN_ARRAY_VARIANT {

namespace {

#define REFRAIN_ARRAY_FUNCTION(Name, function)  \
    struct Name : Operation<real_types, true> { \
        template <class T>                      \
        static T apply(T a) noexcept {          \
            return std::function(a);            \
        }                                       \
    };
REFRAIN_ARRAY_FUNCTION(Floor, floor)
REFRAIN_ARRAY_FUNCTION(Ceil, ceil)
REFRAIN_ARRAY_FUNCTION(Trunc, trunc)
REFRAIN_ARRAY_FUNCTION(Rint, nearbyint)
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
