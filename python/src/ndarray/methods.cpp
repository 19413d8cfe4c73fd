// Methods that read, write or export elements, and the table of all methods.
#include "ndarray/methods.hpp"

#include "ndarray/convert.hpp"

namespace refrain::ndarray {

namespace {

PyObject* method_fill(PyObject* self, PyObject* value) {
    return guarded([&]() -> PyObject* {
        NdArray* of = as_ndarray(self);
        assign_object(of, of->array, number_to_store(value, of->array.dtype()).get());
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
        return new_ndarray(machine_here().astype(array, array.dtype(), array::Order::keep));
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
        {"resize", as_method(method_resize), fast, "Another shape in place; what is new is 0."},
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
