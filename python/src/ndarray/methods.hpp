/// The methods of ndarray, and what they share with others.
#pragma once

#include "ndarray/core.hpp"

namespace refrain::ndarray {

using Arguments = PyObject* const*;

[[nodiscard]] PyMethodDef* ndarray_methods() noexcept;
/// Functions of the module: products, linear algebra, Fourier transforms.
[[nodiscard]] PyMethodDef* library_functions() noexcept;
/// Functions of the module: tasks of a program's own (own_tasks.cpp).
[[nodiscard]] PyMethodDef* own_task_functions() noexcept;
/// Functions of the module: quick(), which makes functions of NumPy quicker (quick.cpp).
[[nodiscard]] PyMethodDef* quick_calls() noexcept;
/// Functions of the module: random numbers.
[[nodiscard]] PyMethodDef* random_functions() noexcept;

/// Puts the missing extent in place of -1; false with an error set if the sizes do not fit.
[[nodiscard]] bool complete_shape(Extents& shape, Extent size) noexcept;
/// f.reduce(array, axis, ...), as a new reference; `out` is null or an ndarray.
struct ReductionArguments {
    PyObject* axis = nullptr;
    PyObject* dtype = nullptr;
    PyObject* out = nullptr;
    PyObject* keepdims = nullptr;
    PyObject* initial = nullptr;
    PyObject* where = nullptr;
};
/// Null without an error: NumPy must do it.
[[nodiscard]] PyObject* reduce_object(Ufunc function, const Array& array,
                                      const ReductionArguments& arguments);
/// Likewise.
[[nodiscard]] PyObject* accumulate_object(Ufunc function, const Array& array, PyObject* axis,
                                          PyObject* dtype, PyObject* out, bool flattens);

/// Whether an optional argument was given.
[[nodiscard]] inline bool given(PyObject* object) noexcept {
    return object != nullptr && object != Py_None;
}
/// Extents or axes given as `f(2, 3)`, `f((2, 3))` or `f(2)`.
[[nodiscard]] Extents integers_of(Arguments arguments, Py_ssize_t count);

/// Methods as CPython calls them: METH_FASTCALL | METH_KEYWORDS.
using Method = PyObject*(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords);
Method method_sum, method_prod, method_min, method_max, method_all, method_any, method_mean,
    method_var, method_std, method_cumsum, method_cumprod, method_argmax, method_argmin;
Method method_copy, method_astype, method_reshape, method_ravel, method_flatten, method_transpose,
    method_swapaxes, method_squeeze, method_diagonal, method_resize;

/// __array_ufunc__ of ndarrays and scalars: METH_VARARGS | METH_KEYWORDS.
PyObject* array_ufunc(PyObject* self, PyObject* arguments, PyObject* keywords) noexcept;
PyObject* array_function(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                         PyObject* keywords) noexcept;
/// The object of ours for a ufunc of NumPy; null without an error if there is none. Borrowed.
[[nodiscard]] PyObject* ours_of_numpy_ufunc(PyObject* ufunc) noexcept;

/// Functions of the module that run tasks (tasks.cpp).
[[nodiscard]] PyMethodDef* task_functions() noexcept;

}  // namespace refrain::ndarray
