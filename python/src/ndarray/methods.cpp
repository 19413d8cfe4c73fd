#include "ndarray/methods.hpp"

#include <string>

#include "ndarray/convert.hpp"

namespace refrain::ndarray {

bool complete_shape(Extents& shape, Extent size) noexcept {
    Extent known = 1;
    int missing = -1;
    for (int i = 0; i < shape.size(); ++i) {
        if (shape[i] >= 0) {
            known *= shape[i];
            continue;
        }
        if (missing >= 0) {
            PyErr_SetString(PyExc_ValueError, "can only specify one unknown dimension");
            return false;
        }
        missing = i;
    }
    const bool fits = missing < 0 ? known == size : known != 0 && size % known == 0;
    if (!fits) {
        // NumPy writes (2,3), and the missing extent as newaxis.
        std::string text = "(";
        for (int i = 0; i < shape.size(); ++i) {
            if (i > 0) text += ',';
            text += shape[i] < 0 ? "newaxis" : std::to_string(shape[i]);
        }
        text += shape.size() == 1 ? ",)" : ")";
        PyErr_Format(PyExc_ValueError, "cannot reshape array of size %lld into shape %s",
                     static_cast<long long>(size), text.c_str());
        return false;
    }
    if (missing >= 0) shape[missing] = size / known;
    return true;
}

namespace {

/// Whether an optional argument was given.
bool given(PyObject* object) noexcept {
    return object != nullptr && object != Py_None;
}

/// The type in which NumPy sums and multiplies small integers.
std::optional<DType> sum_type(Ufunc function, DType type) noexcept {
    if (function != Ufunc::add && function != Ufunc::multiply) return std::nullopt;
    if (type == DType::boolean || array::is_signed_integer(type)) return DType::int64;
    if (array::is_unsigned_integer(type)) return DType::uint64;
    return std::nullopt;
}

}  // namespace

PyObject* reduce_object(Ufunc function, const Array& array, const ReductionArguments& arguments) {
    array::ReduceOptions options;
    options.axes = axes_of(arguments.axis, array.rank());
    options.keepdims = arguments.keepdims != nullptr && truth_of(arguments.keepdims);
    if (given(arguments.dtype)) {
        options.dtype = dtype_named(arguments.dtype);
        if (!options.dtype) return nullptr;
    } else if (!given(arguments.out)) {
        options.dtype = sum_type(function, array.dtype());
    }
    if (given(arguments.out)) {
        if (!is_ndarray(arguments.out) || !as_ndarray(arguments.out)->writable) return nullptr;
        options.out = &array_of(arguments.out);
    }
    std::optional<Array> where;
    if (arguments.where != nullptr && arguments.where != Py_True) {
        where = convert_array(arguments.where);
        if (!where || where->dtype() != DType::boolean) return nullptr;
        options.where = &*where;
    }
    if (given(arguments.initial)) {
        options.initial = scalar_of(arguments.initial);
        if (!options.initial) return nullptr;
    } else if (arguments.initial == Py_None) {
        return nullptr;
    }
    try {
        Array result = machine_here().reduce(function, array, options);
        if (given(arguments.out)) return Py_NewRef(arguments.out);
        return new_result(std::move(result));
    } catch (const array::ArrayError& error) {
        if (!is_numpys(error)) throw;
    }
    return nullptr;
}

PyObject* accumulate_object(Ufunc function, const Array& array, PyObject* axis, PyObject* dtype,
                            PyObject* out, bool flattens) {
    std::optional<DType> type;
    if (given(dtype)) {
        type = dtype_named(dtype);
        if (!type) return nullptr;
    } else if (!given(out)) {
        type = sum_type(function, array.dtype());
    }
    if (given(out) && (!is_ndarray(out) || !as_ndarray(out)->writable)) return nullptr;
    Machine& entered = machine_here();
    Array source = array;
    int along = 0;
    if (flattens && !given(axis)) {
        const Extents flat({array.size()});
        const std::optional<Layout> layout = array.layout().reshaped(flat);
        if (layout)
            source = array.view(*layout);
        else
            source = entered.copy(array), source = source.view(*source.layout().reshaped(flat));
    } else {
        along = axis == nullptr ? checked_axis(0, array.rank()) : axis_of(axis, array.rank());
    }
    try {
        Array result = entered.accumulate(function, source, along, type,
                                          given(out) ? &array_of(out) : nullptr);
        if (given(out)) return Py_NewRef(out);
        return new_ndarray(std::move(result));
    } catch (const array::ArrayError& error) {
        if (!is_numpys(error)) throw;
    }
    return nullptr;
}

namespace {

using Arguments = PyObject* const*;

/// Copies in row-major (column-major) order; views where it can if `may_view`.
Array in_order(const Array& array, const Extents& shape, bool by_columns) {
    if (const std::optional<Layout> layout = array.layout().reshaped(shape, by_columns))
        return array.view(*layout);
    Machine& entered = machine_here();
    Array copied = entered.empty(array.shape(), array.dtype(), by_columns);
    entered.assign(copied, array);
    return copied.view(*copied.layout().reshaped(shape, by_columns));
}

bool is_view_of(const Array& made, const Array& of) noexcept {
    return made.same_store(of);
}

PyObject* wrap_view_or_copy(PyObject* self, Array&& made) {
    if (is_view_of(made, array_of(self))) return new_view(as_ndarray(self), Layout(made.layout()));
    return new_ndarray(std::move(made));
}

/// The letter of an argument order=; 'C' if it is not given; 0 for what is no order.
char order_of(PyObject* object, char otherwise) noexcept {
    if (!given(object)) return otherwise;
    Py_ssize_t length = 0;
    const char* text = PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, &length) : nullptr;
    if (text == nullptr || length != 1) return 0;
    const char letter = static_cast<char>(*text >= 'a' ? *text - 32 : *text);
    return letter == 'C' || letter == 'F' || letter == 'A' || letter == 'K' ? letter : char{0};
}

bool by_columns(char order, const Layout& layout) noexcept {
    if (order == 'F') return true;
    if (order == 'C') return false;
    return layout.is_column_major() && !layout.is_row_major();
}

Array copied_in_order(const Array& array, DType type, char order) {
    const bool columns = order == 'A' && by_columns(order, array.layout());
    return machine_here().astype(array, type,
                                 order == 'K'              ? array::Order::keep
                                 : order == 'F' || columns ? array::Order::columns
                                                           : array::Order::rows);
}

// Methods without a word of their own.

template <Ufunc function, bool takes_dtype>
PyObject* reduction_method(PyObject* self, Arguments arguments, Py_ssize_t count,
                           PyObject* keywords, const char* name) {
    return guarded([&]() -> PyObject* {
        ReductionArguments a;
        bool sorted;
        if constexpr (takes_dtype) {
            PyObject* places[6] = {};
            sorted = sort_arguments<6>({"axis", "dtype", "out", "keepdims", "initial", "where"},
                                       arguments, count, keywords, places);
            a = {places[0], places[1], places[2], places[3], places[4], places[5]};
        } else if constexpr (function == Ufunc::logical_and || function == Ufunc::logical_or) {
            PyObject* places[4] = {};
            sorted = sort_arguments<4>({"axis", "out", "keepdims", "where"}, arguments, count,
                                       keywords, places, 3);
            a = {places[0], nullptr, places[1], places[2], nullptr, places[3]};
        } else {
            PyObject* places[5] = {};
            sorted = sort_arguments<5>({"axis", "out", "keepdims", "initial", "where"}, arguments,
                                       count, keywords, places);
            a = {places[0], nullptr, places[1], places[2], places[3], places[4]};
        }
        if (sorted)
            if (PyObject* result = reduce_object(function, array_of(self), a)) return result;
        if (PyErr_Occurred() != nullptr) return nullptr;
        return method_by_hook(self, name, arguments, count, keywords);
    });
}

#define REFRAIN_REDUCTION(name, ufunc, takes_dtype)                                          \
    PyObject* method_##name(PyObject* self, Arguments arguments, Py_ssize_t count,           \
                            PyObject* keywords) {                                            \
        return reduction_method<Ufunc::ufunc, takes_dtype>(self, arguments, count, keywords, \
                                                           #name);                           \
    }
REFRAIN_REDUCTION(sum, add, true)
REFRAIN_REDUCTION(prod, multiply, true)
REFRAIN_REDUCTION(min, minimum, false)
REFRAIN_REDUCTION(max, maximum, false)
REFRAIN_REDUCTION(all, logical_and, false)
REFRAIN_REDUCTION(any, logical_or, false)
#undef REFRAIN_REDUCTION

/// How many elements each result of a reduction is made of.
Extent reduced_count(const Array& array, const std::optional<std::vector<int>>& axes) {
    if (!axes) return array.size();
    Extent count = 1;
    for (const int axis : *axes) count *= array.shape()[axis];
    return count;
}

/// sum / count, by NumPy's steps.
Array divided_by_count(Machine& entered, Array&& total, Extent count, bool is_scalar) {
    if (is_scalar) {
        const array::Operand operands[] = {array::Operand(total), array::Operand(count)};
        Array quotient = entered.call(Ufunc::true_divide, operands);
        if (quotient.dtype() == total.dtype()) return quotient;
        return entered.astype(quotient, total.dtype());
    }
    const array::Operand operands[] = {array::Operand(total), array::Operand(count)};
    static_cast<void>(entered.call(Ufunc::true_divide, operands,
                                   {.out = &total, .casting = array::Casting::unsafe}));
    return std::move(total);
}

PyObject* method_mean(PyObject* self, Arguments arguments, Py_ssize_t positional,
                      PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[5] = {};
        const Array& array = array_of(self);
        const bool sorted = sort_arguments<5>({"axis", "dtype", "out", "keepdims", "where"},
                                              arguments, positional, keywords, places, 4);
        if (sorted && !given(places[2]) && !given(places[1]) &&
            (places[4] == nullptr || places[4] == Py_True)) {
            array::ReduceOptions options;
            options.axes = axes_of(places[0], array.rank());
            options.keepdims = places[3] != nullptr && truth_of(places[3]);
            if (!array::is_floating(array.dtype()) && !array::is_complex(array.dtype()))
                options.dtype = DType::float64;
            const Extent count = reduced_count(array, options.axes);
            if (count > 0) {
                Machine& entered = machine_here();
                Array total = entered.reduce(Ufunc::add, array, options);
                const bool is_scalar = total.rank() == 0;
                return new_result(divided_by_count(entered, std::move(total), count, is_scalar));
            }
        }
        return method_by_hook(self, "mean", arguments, positional, keywords);
    });
}

/// Null: NumPy must do it.
PyObject* variance(PyObject* self, Arguments arguments, Py_ssize_t positional, PyObject* keywords,
                   bool root) {
    PyObject* places[6] = {};
    const Array& array = array_of(self);
    if (!sort_arguments<6>({"axis", "dtype", "out", "ddof", "keepdims", "where"}, arguments,
                           positional, keywords, places, 5))
        return nullptr;
    if (given(places[1]) || given(places[2]) || (places[5] != nullptr && places[5] != Py_True) ||
        array::is_complex(array.dtype()))
        return nullptr;
    const Extent ddof = places[3] == nullptr           ? 0
                        : PyLong_CheckExact(places[3]) ? integer_of(places[3])
                                                       : -1;
    array::ReduceOptions options;
    options.axes = axes_of(places[0], array.rank());
    const Extent count = reduced_count(array, options.axes);
    if (ddof < 0 || ddof >= count) return nullptr;  // warnings, and counts that are no integers
    if (!array::is_floating(array.dtype())) options.dtype = DType::float64;
    Machine& entered = machine_here();
    options.keepdims = true;
    // With keepdims NumPy has an array here, of rank 0 for rank 0.
    const Array mean = divided_by_count(entered, entered.reduce(Ufunc::add, array, options), count,
                                        array.rank() == 0);
    const array::Operand differences[] = {array::Operand(array), array::Operand(mean)};
    Array rest = entered.call(Ufunc::subtract, differences);
    const array::Operand squares[] = {array::Operand(rest), array::Operand(rest)};
    static_cast<void>(entered.call(Ufunc::multiply, squares, {.out = &rest}));
    options.keepdims = places[4] != nullptr && truth_of(places[4]);
    Array total = entered.reduce(Ufunc::add, rest, options);
    const bool is_scalar = total.rank() == 0;
    Array result = divided_by_count(entered, std::move(total), count - ddof, is_scalar);
    if (root) {
        const array::Operand operands[] = {array::Operand(result)};
        return new_result(entered.call(Ufunc::sqrt, operands));
    }
    return new_result(std::move(result));
}

PyObject* method_var(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        if (PyObject* result = variance(self, arguments, count, keywords, false)) return result;
        if (PyErr_Occurred() != nullptr) return nullptr;
        return method_by_hook(self, "var", arguments, count, keywords);
    });
}
PyObject* method_std(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        if (PyObject* result = variance(self, arguments, count, keywords, true)) return result;
        if (PyErr_Occurred() != nullptr) return nullptr;
        return method_by_hook(self, "std", arguments, count, keywords);
    });
}

PyObject* accumulation(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords,
                       Ufunc function, const char* name) {
    return guarded([&]() -> PyObject* {
        PyObject* places[3] = {};
        if (sort_arguments<3>({"axis", "dtype", "out"}, arguments, count, keywords, places))
            if (PyObject* result = accumulate_object(function, array_of(self), places[0], places[1],
                                                     places[2], true))
                return result;
        if (PyErr_Occurred() != nullptr) return nullptr;
        return method_by_hook(self, name, arguments, count, keywords);
    });
}
PyObject* method_cumsum(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords) {
    return accumulation(self, arguments, count, keywords, Ufunc::add, "cumsum");
}
PyObject* method_cumprod(PyObject* self, Arguments arguments, Py_ssize_t count,
                         PyObject* keywords) {
    return accumulation(self, arguments, count, keywords, Ufunc::multiply, "cumprod");
}

PyObject* extreme_index(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords,
                        bool maximum) {
    return guarded([&]() -> PyObject* {
        PyObject* places[3] = {};
        const Array& array = array_of(self);
        if (sort_arguments<3>({"axis", "out", "keepdims"}, arguments, count, keywords, places, 2) &&
            !given(places[1]) && array.size() > 0) {
            std::optional<int> axis;
            if (given(places[0])) axis = axis_of(places[0], array.rank());
            const bool keepdims = places[2] != nullptr && truth_of(places[2]);
            return new_result(machine_here().index_of_extreme(maximum, array, axis, keepdims));
        }
        return method_by_hook(self, maximum ? "argmax" : "argmin", arguments, count, keywords);
    });
}
PyObject* method_argmax(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords) {
    return extreme_index(self, arguments, count, keywords, true);
}
PyObject* method_argmin(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords) {
    return extreme_index(self, arguments, count, keywords, false);
}

PyObject* method_copy(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[1] = {};
        const Array& array = array_of(self);
        if (sort_arguments<1>({"order"}, arguments, count, keywords, places)) {
            const char order = order_of(places[0], 'C');
            if (order != 0) return new_ndarray(copied_in_order(array, array.dtype(), order));
        }
        return method_by_hook(self, "copy", arguments, count, keywords);
    });
}

PyObject* method_astype(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[5] = {};
        const Array& array = array_of(self);
        if (sort_arguments<5>({"dtype", "order", "casting", "subok", "copy"}, arguments, count,
                              keywords, places) &&
            places[0] != nullptr &&
            (places[2] == nullptr || PyUnicode_CompareWithASCIIString(places[2], "unsafe") == 0)) {
            const char order = order_of(places[1], 'K');
            const std::optional<DType> type = dtype_named(places[0]);
            // Dropping imaginary parts warns.
            const bool warns = type && array::is_complex(array.dtype()) &&
                               !array::is_complex(*type) && *type != DType::boolean;
            if (type && order != 0 && !warns) {
                const bool copies = places[4] == nullptr || truth_of(places[4]);
                if (!copies && *type == array.dtype() &&
                    (order == 'K' || (order == 'C' && array.layout().is_row_major()) ||
                     (order == 'F' && array.layout().is_column_major())))
                    return Py_NewRef(self);
                return new_ndarray(copied_in_order(array, *type, order));
            }
        }
        return method_by_hook(self, "astype", arguments, count, keywords);
    });
}

/// Extents or axes given as `f(2, 3)`, `f((2, 3))` or `f(2)`.
Extents integers_of(Arguments arguments, Py_ssize_t count) {
    if (count == 1) return shape_of(arguments[0]);
    Extents extents(static_cast<int>(count), 0);
    for (int i = 0; i < extents.size(); ++i) extents[i] = integer_of(arguments[i]);
    return extents;
}

PyObject* method_reshape(PyObject* self, Arguments arguments, Py_ssize_t count,
                         PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        const Py_ssize_t positional = PyVectorcall_NARGS(count);
        char order = 'C';
        if (keywords != nullptr) {
            if (PyTuple_GET_SIZE(keywords) != 1 ||
                PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(keywords, 0), "order") != 0)
                return method_by_hook(self, "reshape", arguments, count, keywords);
            order = order_of(arguments[positional], 'C');
        }
        if (positional == 0 || positional > array::rank_max || order == 0 || order == 'K' ||
            (positional == 1 && arguments[0] == Py_None))
            return method_by_hook(self, "reshape", arguments, count, keywords);
        const Array& array = array_of(self);
        Extents shape = integers_of(arguments, positional);
        if (!complete_shape(shape, array.size())) return nullptr;
        return wrap_view_or_copy(self, in_order(array, shape, by_columns(order, array.layout())));
    });
}

PyObject* method_ravel(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[1] = {};
        const Array& array = array_of(self);
        if (sort_arguments<1>({"order"}, arguments, count, keywords, places)) {
            const char order = order_of(places[0], 'C');
            const bool columns = by_columns(order, array.layout());
            const Extents flat({array.size()});
            if (order == 'C' || order == 'F' || order == 'A') {
                // NumPy's ravel copies what is not contiguous, although it might be viewed.
                const bool contiguous =
                    columns ? array.layout().is_column_major() : array.layout().is_row_major();
                if (contiguous) return wrap_view_or_copy(self, in_order(array, flat, columns));
                Machine& entered = machine_here();
                Array copied = entered.empty(array.shape(), array.dtype(), columns);
                entered.assign(copied, array);
                return new_ndarray(copied.view(*copied.layout().reshaped(flat, columns)));
            }
        }
        return method_by_hook(self, "ravel", arguments, count, keywords);
    });
}

PyObject* method_flatten(PyObject* self, Arguments arguments, Py_ssize_t count,
                         PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[1] = {};
        const Array& array = array_of(self);
        if (sort_arguments<1>({"order"}, arguments, count, keywords, places)) {
            const char order = order_of(places[0], 'C');
            if (order == 'C' || order == 'F' || order == 'A') {
                const bool columns = by_columns(order, array.layout());
                Machine& entered = machine_here();
                Array copied = entered.empty(array.shape(), array.dtype(), columns);
                entered.assign(copied, array);
                return new_ndarray(
                    copied.view(*copied.layout().reshaped(Extents({array.size()}), columns)));
            }
        }
        return method_by_hook(self, "flatten", arguments, count, keywords);
    });
}

PyObject* method_transpose(PyObject* self, Arguments arguments, Py_ssize_t count,
                           PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        const Py_ssize_t positional = PyVectorcall_NARGS(count);
        if (keywords != nullptr)
            return method_by_hook(self, "transpose", arguments, count, keywords);
        NdArray* of = as_ndarray(self);
        const Layout& layout = of->array.layout();
        if (positional == 0 || (positional == 1 && arguments[0] == Py_None))
            return new_view(of, layout.transposed());
        const Extents given_axes = integers_of(arguments, positional);
        if (given_axes.size() != layout.rank()) {
            PyErr_SetString(PyExc_ValueError, "axes don't match array");
            return nullptr;
        }
        std::vector<int> axes;
        std::vector<bool> seen(static_cast<std::size_t>(layout.rank()));
        for (const Extent axis : given_axes) {
            axes.push_back(checked_axis(axis, layout.rank()));
            const auto i = static_cast<std::size_t>(axes.back());
            if (seen[i]) {
                PyErr_SetString(PyExc_ValueError, "repeated axis in transpose");
                return nullptr;
            }
            seen[i] = true;
        }
        return new_view(of, layout.transposed(axes));
    });
}

PyObject* method_swapaxes(PyObject* self, Arguments arguments, Py_ssize_t count,
                          PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[2] = {};
        NdArray* of = as_ndarray(self);
        const int rank = of->array.rank();
        if (!sort_arguments<2>({"axis1", "axis2"}, arguments, count, keywords, places) ||
            places[1] == nullptr)
            return method_by_hook(self, "swapaxes", arguments, count, keywords);
        const int first = axis_of(places[0], rank, "axis1");
        const int second = axis_of(places[1], rank, "axis2");
        std::vector<int> axes;
        for (int i = 0; i < rank; ++i)
            axes.push_back(i == first ? second : i == second ? first : i);
        return new_view(of, of->array.layout().transposed(axes));
    });
}

PyObject* method_squeeze(PyObject* self, Arguments arguments, Py_ssize_t count,
                         PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[1] = {};
        NdArray* of = as_ndarray(self);
        const Layout& layout = of->array.layout();
        if (!sort_arguments<1>({"axis"}, arguments, count, keywords, places))
            return method_by_hook(self, "squeeze", arguments, count, keywords);
        std::vector<bool> goes(static_cast<std::size_t>(layout.rank()));
        if (const auto axes = axes_of(places[0], layout.rank())) {
            for (const int axis : *axes) {
                if (layout.shape[axis] != 1) {
                    PyErr_SetString(
                        PyExc_ValueError,
                        "cannot select an axis to squeeze out which has size not equal to one");
                    return nullptr;
                }
                goes[static_cast<std::size_t>(axis)] = true;
            }
        } else {
            for (int i = 0; i < layout.rank(); ++i)
                goes[static_cast<std::size_t>(i)] = layout.shape[i] == 1;
        }
        int rank = 0;
        for (const bool gone : goes) rank += gone ? 0 : 1;
        Layout kept;
        kept.offset = layout.offset;
        kept.shape = Extents(rank, 0);
        kept.strides = Extents(rank, 0);
        int out = 0;
        for (int i = 0; i < layout.rank(); ++i) {
            if (goes[static_cast<std::size_t>(i)]) continue;
            kept.shape[out] = layout.shape[i];
            kept.strides[out++] = layout.strides[i];
        }
        return new_view(of, std::move(kept));
    });
}

PyObject* method_diagonal(PyObject* self, Arguments arguments, Py_ssize_t count,
                          PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[3] = {};
        NdArray* of = as_ndarray(self);
        const int rank = of->array.rank();
        if (rank < 2) {
            PyErr_SetString(PyExc_ValueError, "diag requires an array of at least two dimensions");
            return nullptr;
        }
        if (!sort_arguments<3>({"offset", "axis1", "axis2"}, arguments, count, keywords, places))
            return method_by_hook(self, "diagonal", arguments, count, keywords);
        const Extent offset = places[0] == nullptr ? 0 : integer_of(places[0]);
        const int axis1 = places[1] == nullptr ? 0 : axis_of(places[1], rank);
        const int axis2 = places[2] == nullptr ? 1 : axis_of(places[2], rank);
        if (axis1 == axis2) {
            PyErr_SetString(PyExc_ValueError, "axis1 and axis2 cannot be the same");
            return nullptr;
        }
        PyObject* view = new_view(of, of->array.layout().diagonal(offset, axis1, axis2));
        if (view != nullptr) as_ndarray(view)->writable = false;
        return view;
    });
}

PyObject* method_fill(PyObject* self, PyObject* value) {
    return guarded([&]() -> PyObject* {
        NdArray* of = as_ndarray(self);
        assign_object(of, of->array, value);
        Py_RETURN_NONE;
    });
}

PyObject* method_item(PyObject* self, Arguments arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        const Array& array = array_of(self);
        const Layout& layout = array.layout();
        if (count == 0) {
            if (array.size() != 1) {
                PyErr_SetString(PyExc_ValueError,
                                "can only convert an array of size 1 to a Python scalar");
                return nullptr;
            }
            return python_value(value_of(array));
        }
        Extents index = integers_of(arguments, count);
        if (index.size() == 1 && layout.rank() != 1) {
            Extent flat = index[0];
            if (flat < -array.size() || flat >= array.size()) {
                PyErr_Format(PyExc_IndexError, "index %lld is out of bounds for size %lld",
                             static_cast<long long>(flat), static_cast<long long>(array.size()));
                return nullptr;
            }
            if (flat < 0) flat += array.size();
            index = Extents(layout.rank(), 0);
            for (int i = layout.rank() - 1; i >= 0; --i) {
                index[i] = flat % layout.shape[i];
                flat /= layout.shape[i];
            }
        }
        if (index.size() != layout.rank()) {
            PyErr_SetString(PyExc_ValueError, "incorrect number of indices for array");
            return nullptr;
        }
        Layout element;
        element.offset = layout.offset;
        for (int i = 0; i < layout.rank(); ++i) {
            Extent at = index[i];
            if (at < -layout.shape[i] || at >= layout.shape[i]) {
                PyErr_Format(
                    PyExc_IndexError, "index %lld is out of bounds for axis %d with size %lld",
                    static_cast<long long>(at), i, static_cast<long long>(layout.shape[i]));
                return nullptr;
            }
            if (at < 0) at += layout.shape[i];
            element.offset += at * layout.strides[i];
        }
        return python_value(value_of(array.view(std::move(element))));
    });
}

PyObject* method_tolist(PyObject* self, PyObject*) {
    return guarded([&]() -> PyObject* {
        const Reference real(checked(numpy_view(self)));
        return PyObject_CallMethod(real.get(), "tolist", nullptr);
    });
}

/// view() and view(dtype of the same type); others by NumPy.
PyObject* method_view(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        if (keywords == nullptr) {
            const Py_ssize_t positional = PyVectorcall_NARGS(count);
            if (positional == 0) return new_view(as_ndarray(self), Layout(array_of(self).layout()));
            if (positional == 1 && arguments[0] == core.numpy_ndarray)
                return new_view(as_ndarray(self), Layout(array_of(self).layout()));
            if (positional == 1 && arguments[0] == dtype_object(array_of(self).dtype()))
                return new_view(as_ndarray(self), Layout(array_of(self).layout()));
        }
        return method_by_hook(self, "view", arguments, count, keywords);
    });
}

PyObject* method_conjugate(PyObject* self, Arguments arguments, Py_ssize_t count,
                           PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        if (count != 0 || keywords != nullptr)
            return method_by_hook(self, "conjugate", arguments, count, keywords);
        if (!array::is_complex(array_of(self).dtype())) return Py_NewRef(self);
        return unary_operation(Ufunc::conjugate, self);
    });
}

PyObject* method_array(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[2] = {};
        if (!sort_arguments<2>({"dtype", "copy"}, arguments, count, keywords, places)) {
            PyErr_SetString(PyExc_TypeError, "__array__() takes dtype and copy");
            return nullptr;
        }
        Reference real(checked(numpy_view(self)));
        if (!given(places[0])) return real.release();
        return PyObject_CallMethod(real.get(), "astype", "O", places[0]);
    });
}

PyObject* method_reduce_ex(PyObject* self, PyObject* protocol) {
    return guarded([&]() -> PyObject* {
        const Reference real(checked(numpy_view(self)));
        const Reference owned(checked(PyObject_CallMethod(real.get(), "copy", nullptr)));
        return PyObject_CallMethod(owned.get(), "__reduce_ex__", "O", protocol);
    });
}
PyObject* method_dunder_copy(PyObject* self, PyObject*) {
    return guarded([&]() -> PyObject* {
        const Array& array = array_of(self);
        return new_ndarray(copied_in_order(array, array.dtype(), 'K'));
    });
}
PyObject* method_format(PyObject* self, PyObject* specification) {
    return guarded([&]() -> PyObject* {
        const Array& array = array_of(self);
        if (array.rank() == 0) {
            const Reference value(checked(numpy_value(value_of(array))));
            return PyObject_Format(value.get(), specification);
        }
        const Reference real(checked(numpy_view(self)));
        return PyObject_Format(real.get(), specification);
    });
}
PyObject* method_complex(PyObject* self, PyObject*) {
    return guarded([&]() -> PyObject* {
        const Array& array = array_of(self);
        if (array.size() != 1) {
            PyErr_SetString(PyExc_TypeError,
                            "only length-1 arrays can be converted to Python scalars");
            return nullptr;
        }
        const Scalar value = array::converted(value_of(array), DType::complex128);
        return python_value(value);
    });
}

PyObject* method_dlpack(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        const Reference real(checked(numpy_view(self)));
        const Reference method(checked(PyObject_GetAttrString(real.get(), "__dlpack__")));
        return PyObject_Vectorcall(method.get(), arguments, static_cast<std::size_t>(count),
                                   keywords);
    });
}
PyObject* method_dlpack_device(PyObject*, PyObject*) {
    return Py_BuildValue("(ii)", 1, 0);
}

PyObject* method_array_namespace(PyObject*, Arguments arguments, Py_ssize_t count,
                                 PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        const Reference api(checked(PyImport_ImportModule("refrain.array_api")));
        const Reference function(checked(PyObject_GetAttrString(api.get(), "namespace")));
        return PyObject_Vectorcall(function.get(), arguments, static_cast<std::size_t>(count),
                                   keywords);
    });
}

constexpr int fast = METH_FASTCALL | METH_KEYWORDS;

}  // namespace

PyMethodDef* ndarray_methods() noexcept {
    static PyMethodDef methods[] = {
        {"sum", as_method(method_sum), fast, "Sum over axes."},
        {"prod", as_method(method_prod), fast, "Product over axes."},
        {"min", as_method(method_min), fast, "Minimum over axes."},
        {"max", as_method(method_max), fast, "Maximum over axes."},
        {"all", as_method(method_all), fast, "Whether all elements are true."},
        {"any", as_method(method_any), fast, "Whether an element is true."},
        {"mean", as_method(method_mean), fast, "Mean over axes."},
        {"var", as_method(method_var), fast, "Variance over axes."},
        {"std", as_method(method_std), fast, "Standard deviation over axes."},
        {"cumsum", as_method(method_cumsum), fast, "Running sums."},
        {"cumprod", as_method(method_cumprod), fast, "Running products."},
        {"argmax", as_method(method_argmax), fast, "Where the maximum lies."},
        {"argmin", as_method(method_argmin), fast, "Where the minimum lies."},
        {"copy", as_method(method_copy), fast, "A copy."},
        {"astype", as_method(method_astype), fast, "A copy of another type."},
        {"reshape", as_method(method_reshape), fast, "The same elements in another shape."},
        {"ravel", as_method(method_ravel), fast, "The elements in one dimension."},
        {"flatten", as_method(method_flatten), fast, "A copy in one dimension."},
        {"transpose", as_method(method_transpose), fast, "A view with permuted axes."},
        {"swapaxes", as_method(method_swapaxes), fast, "A view with two axes exchanged."},
        {"squeeze", as_method(method_squeeze), fast, "A view without axes of extent 1."},
        {"diagonal", as_method(method_diagonal), fast, "A view of a diagonal."},
        {"fill", method_fill, METH_O, "Sets all elements."},
        {"item", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(method_item)),
         METH_FASTCALL, "An element as a Python number; waits for it."},
        {"tolist", method_tolist, METH_NOARGS, "Nested lists of Python numbers."},
        {"view", as_method(method_view), fast, "Another view."},
        {"conj", as_method(method_conjugate), fast, "The complex conjugate."},
        {"conjugate", as_method(method_conjugate), fast, "The complex conjugate."},
        {"__array__", as_method(method_array), fast, "A numpy.ndarray on the same memory."},
        {"__array_ufunc__",
         reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(array_ufunc)),
         METH_VARARGS | METH_KEYWORDS, "NumPy's ufuncs on our arrays."},
        {"__array_function__", as_method(array_function), fast, "NumPy's functions on our arrays."},
        {"__reduce_ex__", method_reduce_ex, METH_O, "Pickles as a numpy.ndarray."},
        {"__copy__", method_dunder_copy, METH_NOARGS, "A copy."},
        {"__deepcopy__", method_dunder_copy, METH_O, "A copy."},
        {"__format__", method_format, METH_O, "As NumPy formats."},
        {"__dlpack__", as_method(method_dlpack), fast, "A capsule on the array's memory."},
        {"__dlpack_device__", method_dlpack_device, METH_NOARGS, "The host's memory."},
        {"__array_namespace__", as_method(method_array_namespace), fast, "The array API standard."},
        {"__complex__", method_complex, METH_NOARGS, "The element of an array of size 1."},
        {nullptr, nullptr, 0, nullptr},
    };
    return methods;
}

}  // namespace refrain::ndarray
