/// Arrays as they are written: operators, slices, functions, reductions.
///
///     using namespace refrain::array;
///     Array u = machine.zeros({64, 64}, DType::float64);
///     u[{Slice(1, -1), Slice(1, -1)}] = 1.0;                  // assigns the elements of the view
///     Array v = 0.25 * (u[{Slice::from(2), Slice(1, -1)}] + u[{Slice::to(-2), Slice(1, -1)}]);
///     v += sqrt(v);
///     double total = machine.item(sum(v)).as<double>();        // waits for what it depends on
///
/// Each operator is one operation of the machine: there are no expression templates. Indices count
/// from the end if they are negative, as in Python.
///
/// Errors:  ArrayError, as Machine; an index out of bounds has the kind `index`.
#pragma once

#include "refrain/array/array.hpp"

#include <initializer_list>
#include <string>
#include <utility>

namespace refrain::array {

/// start:stop:step of Python. Without arguments: the whole axis.
struct Slice {
    Slice() noexcept = default;
    Slice(Extent from, Extent to, Extent by = 1) noexcept : start(from), stop(to), step(by) {}
    [[nodiscard]] static Slice from(Extent start) noexcept { return {start, open}; }
    [[nodiscard]] static Slice to(Extent stop) noexcept { return {0, stop}; }
    [[nodiscard]] static Slice every(Extent step) noexcept {
        return step > 0 ? Slice(0, open, step) : Slice(open, -open, step);
    }
    [[nodiscard]] static Slice reversed() noexcept { return every(-1); }

    static constexpr Extent open = Extent{1} << 62;  // beyond any axis
    Extent start = 0;
    Extent stop = open;
    Extent step = 1;
};

/// An index, a slice, a new axis.
struct Key {
    enum class Kind : std::uint8_t { index, slice, new_axis };
    Key(int at) noexcept : Key(Extent{at}) {}
    Key(Extent at) noexcept : kind(Kind::index), slice(at, at, 1) {}
    Key(const Slice& of) noexcept : kind(Kind::slice), slice(of) {}
    [[nodiscard]] static Key new_axis() noexcept {
        Key key(0);
        key.kind = Kind::new_axis;
        return key;
    }
    Kind kind;
    Slice slice;
};

/// a[keys] of a layout; axes without a key are whole.
/// Errors: ArrayError of kind `index` for too many keys or an index out of bounds, `value` for a step
///     of 0.
[[nodiscard]] Layout sliced(const Layout& layout, std::span<const Key> keys);

/// What `array[keys]` is: an array to read, and a place to assign to.
class Selection : public Array {
  public:
    explicit Selection(Array view) noexcept : Array(std::move(view)) {}
    Selection(const Selection&) = default;
    Selection(Selection&&) = default;
    ~Selection() = default;
    /// The elements, with broadcasting and casts.
    const Selection& operator=(const Operand& value) const {
        machine().assign(*this, value);
        return *this;
    }
    const Selection& operator=(const Selection& value) const {
        return *this = Operand(static_cast<const Array&>(value));
    }
};

inline Selection Array::operator[](std::initializer_list<Key> keys) const {
    return Selection(view(sliced(layout_, {keys.begin(), keys.size()})));
}

namespace detail {
[[nodiscard]] Array call(Ufunc function, const Operand& a);
[[nodiscard]] Array call(Ufunc function, const Operand& a, const Operand& b);
void call_in_place(Ufunc function, const Array& target, const Operand& value);
}  // namespace detail

// Operators of an array and an array or a number, in either order.
#define REFRAIN_ARRAY_OPERATOR(symbol, name)                                       \
    [[nodiscard]] inline Array operator symbol(const Array& a, const Operand& b) { \
        return detail::call(Ufunc::name, a, b);                                    \
    }                                                                              \
    [[nodiscard]] inline Array operator symbol(const Operand& a, const Array& b) { \
        return detail::call(Ufunc::name, a, b);                                    \
    }                                                                              \
    [[nodiscard]] inline Array operator symbol(const Array& a, const Array& b) {   \
        return detail::call(Ufunc::name, a, b);                                    \
    }
REFRAIN_ARRAY_OPERATOR(+, add)
REFRAIN_ARRAY_OPERATOR(-, subtract)
REFRAIN_ARRAY_OPERATOR(*, multiply)
REFRAIN_ARRAY_OPERATOR(/, true_divide)
REFRAIN_ARRAY_OPERATOR(%, remainder)
REFRAIN_ARRAY_OPERATOR(<, less)
REFRAIN_ARRAY_OPERATOR(<=, less_equal)
REFRAIN_ARRAY_OPERATOR(>, greater)
REFRAIN_ARRAY_OPERATOR(>=, greater_equal)
REFRAIN_ARRAY_OPERATOR(==, equal)
REFRAIN_ARRAY_OPERATOR(!=, not_equal)
REFRAIN_ARRAY_OPERATOR(&, bitwise_and)
REFRAIN_ARRAY_OPERATOR(|, bitwise_or)
REFRAIN_ARRAY_OPERATOR(^, bitwise_xor)
#undef REFRAIN_ARRAY_OPERATOR

[[nodiscard]] inline Array operator-(const Array& a) {
    return detail::call(Ufunc::negative, a);
}
[[nodiscard]] inline Array operator~(const Array& a) {
    return detail::call(Ufunc::invert, a);
}

// In place; `target` may be a selection.
#define REFRAIN_ARRAY_ASSIGNMENT(symbol, name)                                       \
    inline const Array& operator symbol(const Array& target, const Operand& value) { \
        detail::call_in_place(Ufunc::name, target, value);                           \
        return target;                                                               \
    }
REFRAIN_ARRAY_ASSIGNMENT(+=, add)
REFRAIN_ARRAY_ASSIGNMENT(-=, subtract)
REFRAIN_ARRAY_ASSIGNMENT(*=, multiply)
REFRAIN_ARRAY_ASSIGNMENT(/=, true_divide)
#undef REFRAIN_ARRAY_ASSIGNMENT

#define REFRAIN_ARRAY_FUNCTION(name)                  \
    [[nodiscard]] inline Array name(const Array& a) { \
        return detail::call(Ufunc::name, a);          \
    }
REFRAIN_ARRAY_FUNCTION(absolute)
REFRAIN_ARRAY_FUNCTION(square)
REFRAIN_ARRAY_FUNCTION(sqrt)
REFRAIN_ARRAY_FUNCTION(cbrt)
REFRAIN_ARRAY_FUNCTION(exp)
REFRAIN_ARRAY_FUNCTION(log)
REFRAIN_ARRAY_FUNCTION(sin)
REFRAIN_ARRAY_FUNCTION(cos)
REFRAIN_ARRAY_FUNCTION(tan)
REFRAIN_ARRAY_FUNCTION(tanh)
REFRAIN_ARRAY_FUNCTION(floor)
REFRAIN_ARRAY_FUNCTION(ceil)
REFRAIN_ARRAY_FUNCTION(isnan)
#undef REFRAIN_ARRAY_FUNCTION

[[nodiscard]] inline Array power(const Array& a, const Operand& b) {
    return detail::call(Ufunc::power, a, b);
}
[[nodiscard]] inline Array maximum(const Array& a, const Operand& b) {
    return detail::call(Ufunc::maximum, a, b);
}
[[nodiscard]] inline Array minimum(const Array& a, const Operand& b) {
    return detail::call(Ufunc::minimum, a, b);
}
[[nodiscard]] inline Array where(const Array& condition, const Operand& yes, const Operand& no) {
    return condition.machine().where(condition, yes, no);
}

[[nodiscard]] inline Array sum(const Array& a, const ReduceOptions& options = {}) {
    return a.machine().reduce(Ufunc::add, a, options);
}
[[nodiscard]] inline Array prod(const Array& a, const ReduceOptions& options = {}) {
    return a.machine().reduce(Ufunc::multiply, a, options);
}
[[nodiscard]] inline Array max(const Array& a, const ReduceOptions& options = {}) {
    return a.machine().reduce(Ufunc::maximum, a, options);
}
[[nodiscard]] inline Array min(const Array& a, const ReduceOptions& options = {}) {
    return a.machine().reduce(Ufunc::minimum, a, options);
}
/// sum / n, as NumPy's mean.
[[nodiscard]] Array mean(const Array& a);

}  // namespace refrain::array
