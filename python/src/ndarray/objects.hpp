/// The Python objects of the module, and how they are made.
///
///     ndarray   a view of a store: an array::Array
///     scalar    an immutable value, which may still be pending: what full reductions and x[i] give
///     ufunc     one per array::Ufunc
///
/// Memory of ndarrays and scalars is kept in free lists. All functions here need the interpreter lock.
#pragma once

#define PY_SSIZE_T_CLEAN
#include "refrain/array/array.hpp"

#include <Python.h>
#include <new>
#include <utility>

namespace refrain::ndarray {

using array::Array;
using array::DType;
using array::Extent;
using array::Extents;
using array::Layout;
using array::Machine;
using array::Scalar;
using array::Ufunc;

struct NdArray {
    PyObject_HEAD PyObject* base;  // of a view: the ndarray that was viewed first; else null
    PyObject* weak_references;
    bool writable;
    Array array;
};

struct ScalarObject {
    PyObject_HEAD PyObject* weak_references;
    bool known;     // `value` is valid, `array` is empty; else the other way round
    bool was_read;  // the program has asked for the value, or made it
    Scalar value;
    Array array;
};

struct UfuncObject {
    PyObject_HEAD vectorcallfunc vectorcall;
    Ufunc function;
};

extern PyTypeObject ndarray_type;
extern PyTypeObject scalar_type;
extern PyTypeObject ufunc_type;

[[nodiscard]] inline bool is_ndarray(PyObject* object) noexcept {
    return Py_TYPE(object) == &ndarray_type;
}
[[nodiscard]] inline bool is_scalar(PyObject* object) noexcept {
    return Py_TYPE(object) == &scalar_type;
}
[[nodiscard]] inline NdArray* as_ndarray(PyObject* object) noexcept {
    return reinterpret_cast<NdArray*>(object);
}
[[nodiscard]] inline ScalarObject* as_scalar(PyObject* object) noexcept {
    return reinterpret_cast<ScalarObject*>(object);
}
[[nodiscard]] inline Array& array_of(PyObject* ndarray) noexcept {
    return as_ndarray(ndarray)->array;
}

/// An ndarray whose array is still to be made; null with an error set if there is no memory.
[[nodiscard]] NdArray* allocate_ndarray() noexcept;
/// Gives the memory back, of one without an array.
void free_ndarray(NdArray* object) noexcept;

/// New references; null with an error set if there is no memory.
[[nodiscard]] PyObject* new_ndarray(Array&& array) noexcept;
/// Of the array that `make()` returns, which is made in place.
template <class Make>
[[nodiscard]] PyObject* new_ndarray_of(Make&& make) {
    NdArray* object = allocate_ndarray();
    if (object == nullptr) return nullptr;
    try {
        new (&object->array) Array(make());
    } catch (...) {
        free_ndarray(object);
        throw;
    }
    return reinterpret_cast<PyObject*>(object);
}
/// A view whose `base` is that of `of`, or `of` itself; writable as `of` is.
[[nodiscard]] PyObject* new_view(NdArray* of, Layout&& layout);
[[nodiscard]] PyObject* new_scalar(Array&& array) noexcept;
[[nodiscard]] PyObject* new_scalar(const Scalar& value) noexcept;
/// What a ufunc gives: a scalar if its rank is 0, else an ndarray. The host knows at once what is
/// certain: its arithmetic needs no operations then.
[[nodiscard]] PyObject* new_scalar_result(Array&& array);
/// The scalar of a value that is certain, but not read yet.
[[nodiscard]] PyObject* new_certain_scalar(const Scalar& value) noexcept;
[[nodiscard]] inline PyObject* new_result(Array&& array) {
    return array.rank() == 0 ? new_scalar_result(std::move(array)) : new_ndarray(std::move(array));
}
[[nodiscard]] PyObject* new_ufunc(Ufunc function) noexcept;
/// The one ufunc object of `function`; borrowed.
[[nodiscard]] PyObject* ufunc_object(Ufunc function) noexcept;

[[nodiscard]] bool make_ndarray_type() noexcept;
[[nodiscard]] bool make_scalar_type() noexcept;
[[nodiscard]] bool make_ufunc_type() noexcept;

}  // namespace refrain::ndarray
