// Functions of floating-point and complex numbers: the C library's, element by element, so that a
// value does not depend on where its element lies.
#include <cmath>

#include "kernels/complex_numbers.hpp"
#include "kernels/loops.hpp"

namespace refrain::array::kernels {
inline namespace REFRAIN_ARRAY_VARIANT {

namespace {

constexpr unsigned inexact = real_types | complex_types;

template <class T>
using RealOf = typename T::value_type;

// Of both real and complex numbers, by the function of that name.
#define REFRAIN_ARRAY_FUNCTION(Name, function) \
    struct Name : Operation<inexact> {         \
        template <class T>                     \
        static T apply(T a) noexcept {         \
            return std::function(a);           \
        }                                      \
    };
REFRAIN_ARRAY_FUNCTION(Exp, exp)
REFRAIN_ARRAY_FUNCTION(Log, log)
REFRAIN_ARRAY_FUNCTION(Log10, log10)
REFRAIN_ARRAY_FUNCTION(Sin, sin)
REFRAIN_ARRAY_FUNCTION(Cos, cos)
REFRAIN_ARRAY_FUNCTION(Tan, tan)
REFRAIN_ARRAY_FUNCTION(ArcSin, asin)
REFRAIN_ARRAY_FUNCTION(ArcCos, acos)
REFRAIN_ARRAY_FUNCTION(ArcTan, atan)
REFRAIN_ARRAY_FUNCTION(Sinh, sinh)
REFRAIN_ARRAY_FUNCTION(Cosh, cosh)
REFRAIN_ARRAY_FUNCTION(Tanh, tanh)
REFRAIN_ARRAY_FUNCTION(ArcSinh, asinh)
REFRAIN_ARRAY_FUNCTION(ArcCosh, acosh)
REFRAIN_ARRAY_FUNCTION(ArcTanh, atanh)
#undef REFRAIN_ARRAY_FUNCTION

struct ComplexSqrt : Operation<complex_types> {
    template <class T>
    static T apply(T a) noexcept {
        return std::sqrt(a);
    }
};
struct Exp2 : Operation<inexact> {
    template <class T>
    static T apply(T a) noexcept {
        if constexpr (is_complex_type<T>) {
            constexpr auto log_of_2 = RealOf<T>(0.693147180559945309417232121458176568L);
            return std::exp(T(a.real() * log_of_2, a.imag() * log_of_2));
        } else {
            return std::exp2(a);
        }
    }
};
struct Log2 : Operation<inexact> {
    template <class T>
    static T apply(T a) noexcept {
        if constexpr (is_complex_type<T>) {
            constexpr auto log2_of_e = RealOf<T>(1.442695040888963407359924681001892137L);
            const T log = std::log(a);
            return {log.real() * log2_of_e, log.imag() * log2_of_e};
        } else {
            return std::log2(a);
        }
    }
};
struct ExpM1 : Operation<inexact> {
    template <class T>
    static T apply(T a) noexcept {
        if constexpr (is_complex_type<T>) {
            const auto half = std::sin(a.imag() / 2);
            return {std::expm1(a.real()) * std::cos(a.imag()) - 2 * half * half,
                    std::exp(a.real()) * std::sin(a.imag())};
        } else {
            return std::expm1(a);
        }
    }
};
struct Log1P : Operation<inexact> {
    template <class T>
    static T apply(T a) noexcept {
        if constexpr (is_complex_type<T>) {
            const auto radius = std::hypot(a.real() + 1, a.imag());
            return {std::log(radius), std::atan2(a.imag(), a.real() + 1)};
        } else {
            return std::log1p(a);
        }
    }
};
struct ComplexRint : Operation<complex_types> {
    template <class T>
    static T apply(T a) noexcept {
        return {std::nearbyint(a.real()), std::nearbyint(a.imag())};
    }
};

// Of real numbers.
#define REFRAIN_ARRAY_FUNCTION(Name, function) \
    struct Name : Operation<real_types> {      \
        template <class T>                     \
        static T apply(T a) noexcept {         \
            return std::function(a);           \
        }                                      \
    };
REFRAIN_ARRAY_FUNCTION(Cbrt, cbrt)
#undef REFRAIN_ARRAY_FUNCTION
#define REFRAIN_ARRAY_FUNCTION(Name, function) \
    struct Name : Operation<real_types> {      \
        template <class T>                     \
        static T apply(T a, T b) noexcept {    \
            return std::function(a, b);        \
        }                                      \
    };
REFRAIN_ARRAY_FUNCTION(ArcTan2, atan2)
REFRAIN_ARRAY_FUNCTION(Hypot, hypot)
REFRAIN_ARRAY_FUNCTION(CopySign, copysign)
REFRAIN_ARRAY_FUNCTION(NextAfter, nextafter)
#undef REFRAIN_ARRAY_FUNCTION

constexpr double pi = 3.141592653589793238462643383279502884;
struct Deg2Rad : Operation<real_types, true> {
    template <class T>
    static T apply(T a) noexcept {
        return a * (T(pi) / T(180));
    }
};
struct Rad2Deg : Operation<real_types, true> {
    template <class T>
    static T apply(T a) noexcept {
        return a * (T(180) / T(pi));
    }
};
struct LogAddExp : Operation<real_types> {
    template <class T>
    static T apply(T a, T b) noexcept {
        if (a == b) return a + T(0.693147180559945309417232121458176568L);
        const T distance = a - b;
        if (distance > 0) return a + std::log1p(std::exp(-distance));
        if (distance <= 0) return b + std::log1p(std::exp(distance));
        return distance;
    }
};
struct LogAddExp2 : Operation<real_types> {
    template <class T>
    static T apply(T a, T b) noexcept {
        constexpr auto log2_of_e = static_cast<T>(1.442695040888963407359924681001892137L);
        if (a == b) return a + 1;
        const T distance = a - b;
        if (distance > 0) return a + log2_of_e * std::log1p(std::exp2(-distance));
        if (distance <= 0) return b + log2_of_e * std::log1p(std::exp2(distance));
        return distance;
    }
};
struct Heaviside : Operation<real_types> {
    template <class T>
    static T apply(T a, T b) noexcept {
        if (std::isnan(a)) return a;
        if (a == 0) return b;
        return a < 0 ? T{0} : T{1};
    }
};

struct FloatPower : Operation<inexact> {
    template <class T>
    static T apply(T a, T b) noexcept {
        if constexpr (is_complex_type<T>)
            return power(a, b);
        else
            return std::pow(a, b);
    }

  private:
    template <class R>
    static std::complex<R> power(std::complex<R> a, std::complex<R> b) noexcept {
        if (b.real() == 0 && b.imag() == 0) return {1, 0};
        if (a.real() == 0 && a.imag() == 0) {
            if (b.real() > 0 && b.imag() == 0) return {0, 0};
            raise(invalid);
            return {std::numeric_limits<R>::quiet_NaN(), std::numeric_limits<R>::quiet_NaN()};
        }
        if (b.imag() == 0 && b.real() > -100 && b.real() < 100 && b.real() == std::trunc(b.real()))
            return power(a, static_cast<int>(b.real()));
        return std::pow(a, b);
    }
    template <class R>
    static std::complex<R> power(std::complex<R> a, int exponent) noexcept {
        if (exponent == 1) return a;
        if (exponent == 2) return product(a, a);
        if (exponent == 3) return product(a, product(a, a));
        std::complex<R> result(1, 0);
        std::complex<R> base = a;
        for (auto rest = static_cast<unsigned>(std::abs(exponent));;) {
            if ((rest & 1U) != 0) result = product(result, base);
            rest >>= 1U;
            if (rest == 0) break;
            base = product(base, base);
        }
        return exponent < 0 ? quotient(std::complex<R>(1, 0), result) : result;
    }
};

}  // namespace

const Row* function_row(Ufunc function) noexcept {
    switch (function) {
        REFRAIN_ARRAY_ROW(exp, unary_row<Exp>())
        REFRAIN_ARRAY_ROW(exp2, unary_row<Exp2>())
        REFRAIN_ARRAY_ROW(expm1, unary_row<ExpM1>())
        REFRAIN_ARRAY_ROW(log, unary_row<Log>())
        REFRAIN_ARRAY_ROW(log2, unary_row<Log2>())
        REFRAIN_ARRAY_ROW(log10, unary_row<Log10>())
        REFRAIN_ARRAY_ROW(log1p, unary_row<Log1P>())
        REFRAIN_ARRAY_ROW(sin, unary_row<Sin>())
        REFRAIN_ARRAY_ROW(cos, unary_row<Cos>())
        REFRAIN_ARRAY_ROW(tan, unary_row<Tan>())
        REFRAIN_ARRAY_ROW(arcsin, unary_row<ArcSin>())
        REFRAIN_ARRAY_ROW(arccos, unary_row<ArcCos>())
        REFRAIN_ARRAY_ROW(arctan, unary_row<ArcTan>())
        REFRAIN_ARRAY_ROW(sinh, unary_row<Sinh>())
        REFRAIN_ARRAY_ROW(cosh, unary_row<Cosh>())
        REFRAIN_ARRAY_ROW(tanh, unary_row<Tanh>())
        REFRAIN_ARRAY_ROW(arcsinh, unary_row<ArcSinh>())
        REFRAIN_ARRAY_ROW(arccosh, unary_row<ArcCosh>())
        REFRAIN_ARRAY_ROW(arctanh, unary_row<ArcTanh>())
        REFRAIN_ARRAY_ROW(sqrt, unary_row<ComplexSqrt>())
        REFRAIN_ARRAY_ROW(rint, unary_row<ComplexRint>())
        REFRAIN_ARRAY_ROW(cbrt, unary_row<Cbrt>())
        REFRAIN_ARRAY_ROW(arctan2, binary_row<ArcTan2>())
        REFRAIN_ARRAY_ROW(hypot, binary_row<Hypot>())
        REFRAIN_ARRAY_ROW(copysign, binary_row<CopySign>())
        REFRAIN_ARRAY_ROW(nextafter, binary_row<NextAfter>())
        REFRAIN_ARRAY_ROW(deg2rad, unary_row<Deg2Rad>())
        REFRAIN_ARRAY_ROW(rad2deg, unary_row<Rad2Deg>())
        REFRAIN_ARRAY_ROW(logaddexp, binary_row<LogAddExp>())
        REFRAIN_ARRAY_ROW(logaddexp2, binary_row<LogAddExp2>())
        REFRAIN_ARRAY_ROW(heaviside, binary_row<Heaviside>())
        REFRAIN_ARRAY_ROW(power, binary_row<FloatPower>())
        REFRAIN_ARRAY_ROW(float_power, binary_row<FloatPower>())
        default:
            return nullptr;
    }
}

}  // namespace REFRAIN_ARRAY_VARIANT
}  // namespace refrain::array::kernels
