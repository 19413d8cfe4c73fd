// Methods that reduce or accumulate: sum, mean, cumsum, argmax.
#include "ndarray/convert.hpp"
#include "ndarray/methods.hpp"

namespace refrain::ndarray {

namespace {

/// The type in which NumPy sums and multiplies small integers.
std::optional<DType> sum_type(Ufunc function, DType type) noexcept {
    if (function != Ufunc::add && function != Ufunc::multiply) return std::nullopt;
    if (type == DType::boolean || array::is_signed_integer(type)) return DType::int64;
    if (array::is_unsigned_integer(type)) return DType::uint64;
    return std::nullopt;
}

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

PyObject* method_cumsum(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords) {
    return accumulation(self, arguments, count, keywords, Ufunc::add, "cumsum");
}
PyObject* method_cumprod(PyObject* self, Arguments arguments, Py_ssize_t count,
                         PyObject* keywords) {
    return accumulation(self, arguments, count, keywords, Ufunc::multiply, "cumprod");
}

PyObject* method_argmax(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords) {
    return extreme_index(self, arguments, count, keywords, true);
}
PyObject* method_argmin(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords) {
    return extreme_index(self, arguments, count, keywords, false);
}

}  // namespace refrain::ndarray
