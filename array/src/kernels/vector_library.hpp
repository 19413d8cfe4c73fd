/// The functions of glibc's libmvec for the vectors of the variant at hand, as vector_NAME of doubles and
/// vector_NAMEf of floats. No header declares them; their names are part of the x86-64 vector ABI.
///
// room: kernels
#pragma once

#if defined(REFRAIN_ARRAY_LIBMVEC) && defined(__AVX2__)

#include <immintrin.h>

namespace refrain::array::kernels {
inline namespace REFRAIN_ARRAY_VARIANT {

template <class T>
struct VectorOf;
#if defined(__AVX512F__)
template <>
struct VectorOf<double> {
    using type = __m512d;
};
template <>
struct VectorOf<float> {
    using type = __m512;
};
#define REFRAIN_ARRAY_SYMBOL(lanes, parameters, name) "_ZGVeN" lanes parameters "_" name
#define REFRAIN_ARRAY_DOUBLES "8"
#define REFRAIN_ARRAY_FLOATS "16"
#else
template <>
struct VectorOf<double> {
    using type = __m256d;
};
template <>
struct VectorOf<float> {
    using type = __m256;
};
#define REFRAIN_ARRAY_SYMBOL(lanes, parameters, name) "_ZGVdN" lanes parameters "_" name
#define REFRAIN_ARRAY_DOUBLES "4"
#define REFRAIN_ARRAY_FLOATS "8"
#endif
/// A register of elements.
template <class T>
using Vector = typename VectorOf<T>::type;

#define REFRAIN_ARRAY_UNARY(name)                                   \
    Vector<double> vector_##name(Vector<double>) noexcept __asm__(  \
        REFRAIN_ARRAY_SYMBOL(REFRAIN_ARRAY_DOUBLES, "v", #name));   \
    Vector<float> vector_##name##f(Vector<float>) noexcept __asm__( \
        REFRAIN_ARRAY_SYMBOL(REFRAIN_ARRAY_FLOATS, "v", #name "f"));
#define REFRAIN_ARRAY_BINARY(name)                                                 \
    Vector<double> vector_##name(Vector<double>, Vector<double>) noexcept __asm__( \
        REFRAIN_ARRAY_SYMBOL(REFRAIN_ARRAY_DOUBLES, "vv", #name));                 \
    Vector<float> vector_##name##f(Vector<float>, Vector<float>) noexcept __asm__( \
        REFRAIN_ARRAY_SYMBOL(REFRAIN_ARRAY_FLOATS, "vv", #name "f"));
REFRAIN_ARRAY_UNARY(exp)
REFRAIN_ARRAY_UNARY(exp2)
REFRAIN_ARRAY_UNARY(expm1)
REFRAIN_ARRAY_UNARY(log)
REFRAIN_ARRAY_UNARY(log2)
REFRAIN_ARRAY_UNARY(log10)
REFRAIN_ARRAY_UNARY(log1p)
REFRAIN_ARRAY_UNARY(sin)
REFRAIN_ARRAY_UNARY(cos)
REFRAIN_ARRAY_UNARY(tan)
REFRAIN_ARRAY_UNARY(asin)
REFRAIN_ARRAY_UNARY(acos)
REFRAIN_ARRAY_UNARY(atan)
REFRAIN_ARRAY_UNARY(sinh)
REFRAIN_ARRAY_UNARY(cosh)
REFRAIN_ARRAY_UNARY(tanh)
REFRAIN_ARRAY_UNARY(asinh)
REFRAIN_ARRAY_UNARY(acosh)
REFRAIN_ARRAY_UNARY(atanh)
REFRAIN_ARRAY_UNARY(cbrt)
REFRAIN_ARRAY_BINARY(pow)
REFRAIN_ARRAY_BINARY(atan2)
REFRAIN_ARRAY_BINARY(hypot)
#undef REFRAIN_ARRAY_UNARY
#undef REFRAIN_ARRAY_BINARY
#undef REFRAIN_ARRAY_SYMBOL
#undef REFRAIN_ARRAY_DOUBLES
#undef REFRAIN_ARRAY_FLOATS

}  // namespace REFRAIN_ARRAY_VARIANT
}  // namespace refrain::array::kernels

#endif
