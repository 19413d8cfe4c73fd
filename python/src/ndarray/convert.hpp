/// Between Python's and NumPy's values and ours.
#pragma once

#include <array>
#include <string_view>

#include "ndarray/core.hpp"

namespace refrain::ndarray {

// Element types.
[[nodiscard]] inline PyObject* dtype_object(DType type) noexcept {  // borrowed
    return core.dtypes[static_cast<int>(type)];
}
/// The type that an argument dtype= names; nothing for a type that we do not have. Throws PythonError
/// for what names no type.
[[nodiscard]] std::optional<DType> dtype_named(PyObject* object);

// Scalars.
[[nodiscard]] PyObject* python_value(const Scalar& value) noexcept;  // bool, int, float, complex
[[nodiscard]] PyObject* numpy_value(const Scalar& value) noexcept;   // numpy.float64, ...
/// A Python or NumPy scalar; nothing for what is neither, and for integers beyond 64 bits.
[[nodiscard]] std::optional<Scalar> scalar_of(PyObject* object);

/// The value as a Python float, if it is a real number.
[[nodiscard]] std::optional<double> real_number(const Scalar& value) noexcept;

/// The value of an int of one digit; CPython's own call costs more than a view.
[[gnu::always_inline]] inline bool small_integer(PyObject* object, Extent& value) noexcept {
    if (!PyLong_CheckExact(object)) return false;
    auto* number = reinterpret_cast<PyLongObject*>(object);
#if PY_VERSION_HEX >= 0x030C0000
    if (!PyUnstable_Long_IsCompact(number)) return false;
    value = PyUnstable_Long_CompactValue(number);
#else
    const Py_ssize_t digits = Py_SIZE(object);  // negative where the number is
    if (digits < -1 || digits > 1) return false;
    value = digits * static_cast<Extent>(number->ob_digit[0]);
#endif
    return true;
}

// Operands.
enum class Conversion {
    done,
    foreign,         // NumPy must do it
    not_implemented  // the other operand wants to do it
};
/// An operand and whatever it needs to live during the call.
struct OperandHolder {
    array::Operand operand = false;
    std::optional<Array> held;  // of an array that was made for the call
    Reference object;
};
/// `binary`: for an operator, which leaves operands to their own class.
[[nodiscard]] Conversion convert_operand(PyObject* object, OperandHolder& holder, bool binary);
/// ComplexWarning for a cast that drops imaginary parts.
void warn_of_lost_parts(DType from, DType to);
/// What NumPy stores as one element for an object that must be one: of lists their truth, if booleans are stored. Throws for
/// other sequences.
[[nodiscard]] Reference number_to_store(PyObject* object, DType type);
/// An array: ours, an adopted NumPy array or buffer, a scalar as rank 0, anything that the hook
/// converts. Nothing where NumPy must do it.
[[nodiscard]] std::optional<Array> convert_array(PyObject* object);

// Shapes and axes.
[[nodiscard]] PyObject* tuple_of(const Extents& extents) noexcept;
[[nodiscard]] PyObject* strides_tuple(const Layout& layout, DType type) noexcept;
/// An integer; ValueError where it is larger than any extent.
[[nodiscard]] Extent extent_of(PyObject* object);
/// An integer or a sequence of integers.
[[nodiscard]] Extents shape_of(PyObject* object);
/// An axis of an array of that rank, not negative; throws numpy.AxisError.
[[nodiscard]] int axis_of(PyObject* object, int rank, const char* argument = nullptr);
/// None, an integer or a tuple; nothing for None.
[[nodiscard]] std::optional<std::vector<int>> axes_of(PyObject* object, int rank);
[[nodiscard]] int checked_axis(Extent axis, int rank, const char* argument = nullptr);
[[nodiscard]] Extent integer_of(PyObject* object);
[[nodiscard]] bool truth_of(PyObject* object);

// NumPy's arrays.
/// A numpy.ndarray on the array's memory, which keeps the export alive.
[[nodiscard]] PyObject* numpy_view(PyObject* ndarray_or_scalar);
/// An ndarray on a NumPy array's or another buffer's memory; of memory that is ours, a view of the
/// store. Null without an error where the type or the layout is not ours.
[[nodiscard]] PyObject* adopt_buffer(PyObject* object);
int get_buffer(PyObject* self, Py_buffer* view, int flags) noexcept;
void release_buffer(PyObject* self, Py_buffer* view) noexcept;

// Arguments.
/// Sorts the arguments of a call into places; false, without an error, if there is one without a place.
template <std::size_t Count>
[[nodiscard]] bool sort_arguments(const std::array<const char*, Count>& names,
                                  PyObject* const* arguments, Py_ssize_t positional,
                                  PyObject* keywords, PyObject* (&places)[Count],
                                  std::size_t positional_max = Count) noexcept {
    const auto given = static_cast<std::size_t>(PyVectorcall_NARGS(positional));
    if (given > positional_max) return false;
    for (std::size_t i = 0; i < given; ++i) places[i] = arguments[i];
    if (keywords == nullptr) return true;
    const Py_ssize_t count = PyTuple_GET_SIZE(keywords);
    for (Py_ssize_t k = 0; k < count; ++k) {
        PyObject* name = PyTuple_GET_ITEM(keywords, k);
        std::size_t place = 0;
        while (place < Count && PyUnicode_CompareWithASCIIString(name, names[place]) != 0) ++place;
        if (place == Count || places[place] != nullptr) return false;
        places[place] = arguments[given + static_cast<std::size_t>(k)];
    }
    return true;
}
/// With keywords, and without.
using FastMethod = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
using PlainMethod = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t);
[[nodiscard]] PyCFunction as_method(FastMethod method) noexcept;
[[nodiscard]] PyCFunction as_method(PlainMethod method) noexcept;

// Hooks.
/// An attribute of the real NumPy object, or what the hook makes of it.
[[nodiscard]] PyObject* attribute_by_hook(PyObject* self, PyObject* name);
[[nodiscard]] PyObject* method_by_hook(PyObject* self, const char* name, PyObject* const* arguments,
                                       Py_ssize_t positional, PyObject* keywords);
/// `arguments` is a tuple, `keywords` a dict or null.
[[nodiscard]] PyObject* ufunc_by_hook(PyObject* ufunc, const char* method, PyObject* arguments,
                                      PyObject* keywords);

// Operations shared by operators, methods and ufuncs.
[[nodiscard]] PyObject* binary_operation(Ufunc function, PyObject* a, PyObject* b);
[[nodiscard]] PyObject* unary_operation(Ufunc function, PyObject* a);
[[nodiscard]] PyObject* reduced(Ufunc function, const Array& array,
                                const array::ReduceOptions& options);
void set_number_slots(PyNumberMethods& methods, bool in_place) noexcept;
PyObject* compare(PyObject* a, PyObject* b, int operation) noexcept;
/// target[...] = value.
void assign_object(NdArray* target, const Array& view, PyObject* value);

// Indexing.
[[nodiscard]] PyObject* get_item(PyObject* self, PyObject* key) noexcept;
[[nodiscard]] int set_item(PyObject* self, PyObject* key, PyObject* value) noexcept;
[[nodiscard]] PyObject* get_row(PyObject* self, Py_ssize_t index) noexcept;
/// The index that a key is, if it is an integer; false for other keys, as booleans, which are masks.
[[nodiscard]] bool integer_index(PyObject* key, Extent& index);
/// Throws IndexError for an index out of bounds; counts negative ones from the end.
Extent checked_index(Extent index, int axis, Extent extent);
/// self[key] where arrays select; null without an error where NumPy must do it, or find the words.
[[nodiscard]] PyObject* get_by_arrays(NdArray* self, PyObject* key);
/// self[key] = value; false where NumPy must do it.
[[nodiscard]] bool set_by_arrays(NdArray* self, PyObject* key, PyObject* value);
/// What an assignment writes: the value, if it can be converted to the type as arrays are; else nothing,
/// and NumPy finds the words.
[[nodiscard]] bool assignable(PyObject* value, DType type, OperandHolder& holder);
/// Integers that select, of any integer type, as int64, checked against the extent of an axis.
[[nodiscard]] Array checked_indices(const Array& indices, int axis, Extent extent);
/// A tuple of the indices of the elements that are true, an array per axis.
[[nodiscard]] PyObject* places_of(const Array& mask);
/// The number of elements that are true.
[[nodiscard]] Extent count_true(const Array& mask);

}  // namespace refrain::ndarray
