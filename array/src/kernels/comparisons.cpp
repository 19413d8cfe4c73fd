// Comparisons, truth values and bits.
#include <cmath>

#include "kernels/complex_numbers.hpp"
#include "kernels/loops.hpp"

namespace refrain::array::kernels {
inline namespace REFRAIN_ARRAY_VARIANT {

namespace {

constexpr unsigned comparison_types = boolean_types | integer_types | real_types | complex_types;
constexpr unsigned bit_types = boolean_types | integer_types;

template <class T>
bool nonzero(T a) noexcept {
    if constexpr (is_bool<T>)
        return is_true(a);
    else if constexpr (is_complex_type<T>)
        return a.real() != 0 || a.imag() != 0;
    else
        return a != 0;
}

struct Less : Operation<comparison_types, true> {
    template <class T>
    static Bool apply(T a, T b) noexcept {
        if constexpr (is_complex_type<T>)
            return truth(is_less(a, b));
        else if constexpr (is_bool<T>)
            return truth(is_true(a) < is_true(b));
        else
            return truth(a < b);
    }
};
struct LessEqual : Operation<comparison_types, true> {
    template <class T>
    static Bool apply(T a, T b) noexcept {
        if constexpr (is_complex_type<T>)
            return truth(is_less_or_equal(a, b));
        else if constexpr (is_bool<T>)
            return truth(is_true(a) <= is_true(b));
        else
            return truth(a <= b);
    }
};
struct Greater : Operation<comparison_types, true> {
    template <class T>
    static Bool apply(T a, T b) noexcept {
        return Less::apply(b, a);
    }
};
struct GreaterEqual : Operation<comparison_types, true> {
    template <class T>
    static Bool apply(T a, T b) noexcept {
        return LessEqual::apply(b, a);
    }
};
struct Equal : Operation<comparison_types, true, true> {
    template <class T>
    static Bool apply(T a, T b) noexcept {
        if constexpr (is_bool<T>)
            return truth(is_true(a) == is_true(b));
        else
            return truth(a == b);
    }
};
struct NotEqual : Operation<comparison_types, true, true> {
    template <class T>
    static Bool apply(T a, T b) noexcept {
        if constexpr (is_bool<T>)
            return truth(is_true(a) != is_true(b));
        else
            return truth(a != b);
    }
};
struct LogicalAnd : Operation<comparison_types, true, true> {
    template <class T>
    static Bool apply(T a, T b) noexcept {
        return truth(static_cast<int>(nonzero(a)) & static_cast<int>(nonzero(b)));
    }
    /// Whether a reduction need not look further.
    static constexpr bool decided(Bool result) noexcept { return !is_true(result); }
};
struct LogicalOr : Operation<comparison_types, true, true> {
    template <class T>
    static Bool apply(T a, T b) noexcept {
        return truth(static_cast<int>(nonzero(a)) | static_cast<int>(nonzero(b)));
    }
    static constexpr bool decided(Bool result) noexcept { return is_true(result); }
};
struct LogicalXor : Operation<comparison_types, true, true> {
    template <class T>
    static Bool apply(T a, T b) noexcept {
        return truth(nonzero(a) != nonzero(b));
    }
};
struct LogicalNot : Operation<comparison_types, true, true> {
    template <class T>
    static Bool apply(T a) noexcept {
        return truth(!nonzero(a));
    }
};

struct And : Operation<bit_types, true, true> {
    template <class T>
    static T apply(T a, T b) noexcept {
        if constexpr (is_bool<T>)
            return LogicalAnd::apply(a, b);
        else
            return static_cast<T>(a & b);
    }
};
struct Or : Operation<bit_types, true, true> {
    template <class T>
    static T apply(T a, T b) noexcept {
        if constexpr (is_bool<T>)
            return LogicalOr::apply(a, b);
        else
            return static_cast<T>(a | b);
    }
};
struct Xor : Operation<bit_types, true, true> {
    template <class T>
    static T apply(T a, T b) noexcept {
        if constexpr (is_bool<T>)
            return LogicalXor::apply(a, b);
        else
            return static_cast<T>(a ^ b);
    }
};
struct Invert : Operation<bit_types, true, true> {
    template <class T>
    static T apply(T a) noexcept {
        if constexpr (is_bool<T>)
            return truth(!is_true(a));
        else
            return static_cast<T>(~a);
    }
};

struct IsNan : Operation<comparison_types, true, true> {
    template <class T>
    static Bool apply(T a) noexcept {
        if constexpr (is_complex_type<T>)
            return truth(has_nan(a));
        else if constexpr (is_real<T>)
            return truth(std::isnan(a));
        else
            return Bool::no;
    }
};
struct IsInf : Operation<comparison_types, true, true> {
    template <class T>
    static Bool apply(T a) noexcept {
        if constexpr (is_complex_type<T>)
            return truth(std::isinf(a.real()) || std::isinf(a.imag()));
        else if constexpr (is_real<T>)
            return truth(std::isinf(a));
        else
            return Bool::no;
    }
};
struct IsFinite : Operation<comparison_types, true, true> {
    template <class T>
    static Bool apply(T a) noexcept {
        if constexpr (is_complex_type<T>)
            return truth(std::isfinite(a.real()) && std::isfinite(a.imag()));
        else if constexpr (is_real<T>)
            return truth(std::isfinite(a));
        else
            return Bool::yes;
    }
};
struct SignBit : Operation<real_types, true> {
    template <class T>
    static Bool apply(T a) noexcept {
        return truth(std::signbit(a));
    }
};

}  // namespace

const Row* comparison_row(Ufunc function) noexcept {
    switch (function) {
        REFRAIN_ARRAY_ROW(less, binary_row<Less>())
        REFRAIN_ARRAY_ROW(less_equal, binary_row<LessEqual>())
        REFRAIN_ARRAY_ROW(greater, binary_row<Greater>())
        REFRAIN_ARRAY_ROW(greater_equal, binary_row<GreaterEqual>())
        REFRAIN_ARRAY_ROW(equal, binary_row<Equal>())
        REFRAIN_ARRAY_ROW(not_equal, binary_row<NotEqual>())
        REFRAIN_ARRAY_ROW(logical_and, binary_row<LogicalAnd>())
        REFRAIN_ARRAY_ROW(logical_or, binary_row<LogicalOr>())
        REFRAIN_ARRAY_ROW(logical_xor, binary_row<LogicalXor>())
        REFRAIN_ARRAY_ROW(logical_not, unary_row<LogicalNot>())
        REFRAIN_ARRAY_ROW(bitwise_and, binary_row<And>())
        REFRAIN_ARRAY_ROW(bitwise_or, binary_row<Or>())
        REFRAIN_ARRAY_ROW(bitwise_xor, binary_row<Xor>())
        REFRAIN_ARRAY_ROW(invert, unary_row<Invert>())
        REFRAIN_ARRAY_ROW(isnan, unary_row<IsNan>())
        REFRAIN_ARRAY_ROW(isinf, unary_row<IsInf>())
        REFRAIN_ARRAY_ROW(isfinite, unary_row<IsFinite>())
        REFRAIN_ARRAY_ROW(signbit, unary_row<SignBit>())
        default:
            return nullptr;
    }
}

}  // namespace REFRAIN_ARRAY_VARIANT
}  // namespace refrain::array::kernels
