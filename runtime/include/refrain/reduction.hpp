/// Reduction operators: how the contributions of many tasks to one element are combined.
///
///     Sum, Product, Minimum, Maximum             on numbers
///     PropagatingMinimum, PropagatingMaximum     on numbers; NaN if a value is
///     BitAnd, BitOr, BitXor                      on integers
///
/// A program may define its own:
///
///     struct Longest {
///         static Segment identity() { return {0, 0}; }
///         static void fold(Segment& into, const Segment& value) {
///             if (value.length > into.length) into = value;
///         }
///     };
///
/// An operator must be associative and commutative, up to differences that the program tolerates
/// (such as rounding), and folding the identity must change nothing: partial results start as
/// identities and are folded in any order.
///
/// Errors:  an operator that does not fit an element type does not compile.
/// Threads: `identity` and `fold` must be pure; workers call them concurrently on different
///          elements.
#pragma once

#include "refrain/detail/reduction_table.hpp"

#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <string_view>
#include <type_traits>

namespace refrain {

namespace data {
template <class Op, class T>
concept IdentityPerType = requires {
    { Op::template identity<T>() } -> std::same_as<T>;
};
template <class Op, class T>
concept IdentityOfOneType = requires {
    { Op::identity() } -> std::same_as<T>;
};
}  // namespace data

/// Op can reduce elements of type T: it has an identity of type T and a fold.
template <class Op, class T>
concept ReductionOperator =
    // Elements of partial results are copied as bytes.
    std::is_trivially_copyable_v<T> &&
    // The identity changes nothing when folded.
    (data::IdentityPerType<Op, T> || data::IdentityOfOneType<Op, T>)&&
    // fold: into = into op value.
    requires(T& into, const T& value) {
    Op::fold(into, value);
};

template <class Op, class T>
requires ReductionOperator<Op, T>
[[nodiscard]] constexpr T identity_of() {
    if constexpr (data::IdentityPerType<Op, T>) {
        return Op::template identity<T>();
    } else {
        return Op::identity();
    }
}

struct Sum {
    template <class T>
    [[nodiscard]] static constexpr T identity() {
        return T(0);
    }
    template <class T>
    static constexpr void fold(T& into, const T& value) {
        into = static_cast<T>(into + value);
    }
};

struct Product {
    template <class T>
    [[nodiscard]] static constexpr T identity() {
        return T(1);
    }
    template <class T>
    static constexpr void fold(T& into, const T& value) {
        into = static_cast<T>(into * value);
    }
};

/// NaNs are ignored.
struct Minimum {
    template <class T>
    requires std::numeric_limits<T>::is_specialized [[nodiscard]] static constexpr T identity() {
        using Limits = std::numeric_limits<T>;
        return Limits::has_infinity ? Limits::infinity() : Limits::max();
    }
    template <class T>
    static constexpr void fold(T& into, const T& value) {
        if (value < into) into = value;
    }
};

/// NaNs are ignored.
struct Maximum {
    template <class T>
    requires std::numeric_limits<T>::is_specialized [[nodiscard]] static constexpr T identity() {
        using Limits = std::numeric_limits<T>;
        return Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::lowest();
    }
    template <class T>
    static constexpr void fold(T& into, const T& value) {
        if (into < value) into = value;
    }
};

/// As Minimum, but a NaN stays: the result is NaN if any value is, as in NumPy's minimum.
struct PropagatingMinimum {
    template <class T>
    requires std::numeric_limits<T>::is_specialized [[nodiscard]] static constexpr T identity() {
        return Minimum::identity<T>();
    }
    template <class T>
    static constexpr void fold(T& into, const T& value) {
        if (value < into || (value != value && into == into)) into = value;
    }
};

/// As Maximum, but a NaN stays: the result is NaN if any value is, as in NumPy's maximum.
struct PropagatingMaximum {
    template <class T>
    requires std::numeric_limits<T>::is_specialized [[nodiscard]] static constexpr T identity() {
        return Maximum::identity<T>();
    }
    template <class T>
    static constexpr void fold(T& into, const T& value) {
        if (into < value || (value != value && into == into)) into = value;
    }
};

struct BitAnd {
    template <std::integral T>
    [[nodiscard]] static constexpr T identity() {
        return std::same_as<T, bool> ? T(1) : static_cast<T>(-1);
    }
    template <std::integral T>
    static constexpr void fold(T& into, const T& value) {
        into = static_cast<T>(into & value);
    }
};

struct BitOr {
    template <std::integral T>
    [[nodiscard]] static constexpr T identity() {
        return T(0);
    }
    template <std::integral T>
    static constexpr void fold(T& into, const T& value) {
        into = static_cast<T>(into | value);
    }
};

struct BitXor {
    template <std::integral T>
    [[nodiscard]] static constexpr T identity() {
        return T(0);
    }
    template <std::integral T>
    static constexpr void fold(T& into, const T& value) {
        into = static_cast<T>(into ^ value);
    }
};

namespace data {

/// The name of type Op as the compiler spells it, without namespaces.
template <class Op>
consteval std::string_view operator_name() {
    // "... operator_name() [with Op = refrain::Sum; ...]" (GCC), "... [Op = refrain::Sum]" (Clang)
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find("Op = ") + 5);
    text = text.substr(0, text.find_first_of(";]"));
    const std::size_t colon = text.substr(0, text.find('<')).rfind("::");
    return colon == std::string_view::npos ? text : text.substr(colon + 2);
}

/// The same, zero-terminated.
template <class Op>
struct OperatorName {
    char text[operator_name<Op>().size() + 1] = {};
    consteval OperatorName() {
        for (std::size_t i = 0; i < operator_name<Op>().size(); ++i)
            text[i] = operator_name<Op>()[i];
    }
};

template <class Op>
inline constexpr OperatorName<Op> operator_name_instance{};

template <class Op, class T>
void initialise_elements(void* elements, std::size_t count) {
    T* const first = static_cast<T*>(elements);
    for (std::size_t i = 0; i < count; ++i) std::construct_at(first + i, identity_of<Op, T>());
}

template <class Op, class T>
void fold_elements(void* into, const void* from, std::size_t count) {
    T* const to = static_cast<T*>(into);
    const T* const values = static_cast<const T*>(from);
    for (std::size_t i = 0; i < count; ++i) Op::fold(to[i], values[i]);
}

template <class Op, class T>
requires ReductionOperator<Op, T>
inline constexpr ReductionFunctions reduction_functions_instance{
    .name = operator_name_instance<Op>.text,
    .initialise = &initialise_elements<Op, T>,
    .fold = &fold_elements<Op, T>,
    .element_bytes = sizeof(T)};

/// The functions of Op on T; one object per program, which lives as long as it.
template <class Op, class T>
[[nodiscard]] constexpr const ReductionFunctions& reduction_functions() noexcept {
    return reduction_functions_instance<Op, T>;
}

}  // namespace data
}  // namespace refrain
