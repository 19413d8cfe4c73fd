// The type ufunc, and NumPy's protocols that lead to it. Hot path: positional operands, and out=.
#include <cstddef>
#include <string>
#include <unordered_map>

#include "ndarray/convert.hpp"
#include "ndarray/methods.hpp"

namespace refrain::ndarray {

PyTypeObject ufunc_type{};

namespace {

PyObject* ufunc_objects[array::ufunc_count] = {};

Ufunc function_of(PyObject* self) noexcept {
    return reinterpret_cast<UfuncObject*>(self)->function;
}

/// NumPy's __name__: true_divide is called divide there.
std::string numpy_name(Ufunc function) {
    return function == Ufunc::true_divide ? "divide" : std::string(array::name_of(function));
}

bool is_given(PyObject* object) noexcept {
    return object != nullptr && object != Py_None;
}

/// numpy._NoValue stands for arguments that were not given.
PyObject* without_no_value(PyObject* object) noexcept {
    static PyObject* no_value = PyObject_GetAttrString(core.numpy, "_NoValue");
    return object == no_value ? nullptr : object;
}

PyObject* tuple_of_arguments(PyObject* const* arguments, Py_ssize_t count) {
    PyObject* tuple = checked(PyTuple_New(count));
    for (Py_ssize_t i = 0; i < count; ++i) PyTuple_SET_ITEM(tuple, i, Py_NewRef(arguments[i]));
    return tuple;
}

PyObject* keywords_dict(PyObject* const* arguments, Py_ssize_t positional, PyObject* keywords) {
    PyObject* dict = checked(PyDict_New());
    if (keywords == nullptr) return dict;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keywords); ++i)
        if (PyDict_SetItem(dict, PyTuple_GET_ITEM(keywords, i), arguments[positional + i]) < 0) {
            Py_DECREF(dict);
            throw PythonError();
        }
    return dict;
}

PyObject* by_hook(PyObject* self, const char* method, PyObject* const* arguments, Py_ssize_t count,
                  PyObject* keywords) {
    const Py_ssize_t positional = PyVectorcall_NARGS(count);
    const Reference tuple(tuple_of_arguments(arguments, positional));
    const Reference dict(keywords_dict(arguments, positional, keywords));
    return ufunc_by_hook(self, method, tuple.get(), dict.get());
}

std::optional<array::Casting> casting_named(PyObject* object) noexcept {
    if (!PyUnicode_Check(object)) return std::nullopt;
    const auto is = [&](const char* name) {
        return PyUnicode_CompareWithASCIIString(object, name) == 0;
    };
    if (is("no")) return array::Casting::no;
    if (is("safe")) return array::Casting::safe;
    if (is("same_kind")) return array::Casting::same_kind;
    if (is("unsafe")) return array::Casting::unsafe;
    return std::nullopt;
}

/// Null without an error: NumPy must do it.
PyObject* call_natively(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                        PyObject* keywords) {
    const Ufunc function = function_of(self);
    const int inputs = array::inputs_of(function);
    const Py_ssize_t positional = PyVectorcall_NARGS(count);
    if (positional < inputs || positional > inputs + 1) return nullptr;
    PyObject* out = positional > inputs ? arguments[inputs] : nullptr;
    PyObject* places[5] = {};
    if (keywords != nullptr && !sort_arguments<5>({"out", "where", "dtype", "casting", "subok"},
                                                  arguments + positional, 0, keywords, places))
        return nullptr;
    if (is_given(places[0])) {
        if (out != nullptr) return nullptr;
        out = places[0];
        if (PyTuple_CheckExact(out)) {
            if (PyTuple_GET_SIZE(out) != 1) return nullptr;
            out = PyTuple_GET_ITEM(out, 0);
        }
    }
    array::UfuncOptions options;
    std::optional<Array> held_out;
    if (is_given(out)) {
        if (is_ndarray(out)) {
            if (!as_ndarray(out)->writable) {
                PyErr_SetString(PyExc_ValueError, "output array is read-only");
                return nullptr;
            }
            options.out = &array_of(out);
        } else if (reinterpret_cast<PyObject*>(Py_TYPE(out)) == core.numpy_ndarray) {
            const Reference adopted(adopt_buffer(out));
            if (!adopted || !as_ndarray(adopted.get())->writable) return nullptr;
            held_out = array_of(adopted.get());
            options.out = &*held_out;
        } else {
            return nullptr;
        }
    }
    std::optional<Array> where;
    if (places[1] != nullptr && places[1] != Py_True) {
        where = convert_array(places[1]);
        if (!where || where->dtype() != DType::boolean) return nullptr;
        options.where = &*where;
    }
    if (is_given(places[2])) {
        options.dtype = dtype_named(places[2]);
        if (!options.dtype) return nullptr;
    }
    if (places[3] != nullptr) {
        const std::optional<array::Casting> casting = casting_named(places[3]);
        if (!casting) return nullptr;
        options.casting = *casting;
    }
    OperandHolder holders[2];
    for (int i = 0; i < inputs; ++i)
        if (convert_operand(arguments[i], holders[i], false) != Conversion::done) return nullptr;
    const array::Operand operands[2] = {holders[0].operand, holders[1].operand};
    try {
        Array result = machine_here().call(
            function, std::span(operands, static_cast<std::size_t>(inputs)), options);
        if (is_given(out)) return Py_NewRef(out);
        return new_result(std::move(result));
    } catch (const array::ArrayError& error) {
        if (!is_numpys(error)) throw;
    }
    return nullptr;
}

PyObject* call_ufunc(PyObject* self, PyObject* const* arguments, std::size_t count,
                     PyObject* keywords) noexcept {
    return guarded([&]() -> PyObject* {
        const auto signed_count = static_cast<Py_ssize_t>(count);
        if (PyObject* result = call_natively(self, arguments, signed_count, keywords))
            return result;
        if (PyErr_Occurred() != nullptr) return nullptr;
        return by_hook(self, "__call__", arguments, signed_count, keywords);
    });
}

PyObject* ufunc_reduce(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                       PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[7] = {};
        if (array::inputs_of(function_of(self)) == 2 &&
            sort_arguments<7>({"array", "axis", "dtype", "out", "keepdims", "initial", "where"},
                              arguments, count, keywords, places) &&
            places[0] != nullptr) {
            PyObject* out = places[3];
            if (out != nullptr && PyTuple_CheckExact(out) && PyTuple_GET_SIZE(out) == 1)
                out = PyTuple_GET_ITEM(out, 0);
            const std::optional<Array> array = convert_array(places[0]);
            if (array) {
                // axis=0 if it is not given, unlike the methods.
                Reference axis = Reference::borrowed(places[1]);
                if (!axis) axis = Reference(checked(PyLong_FromLong(0)));
                PyObject* result =
                    reduce_object(function_of(self), *array,
                                  {axis.get(), places[2], out, without_no_value(places[4]),
                                   without_no_value(places[5]), without_no_value(places[6])});
                if (result != nullptr) return result;
                if (PyErr_Occurred() != nullptr) return nullptr;
            }
        }
        return by_hook(self, "reduce", arguments, count, keywords);
    });
}

PyObject* ufunc_accumulate(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                           PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[4] = {};
        if (array::inputs_of(function_of(self)) == 2 &&
            sort_arguments<4>({"array", "axis", "dtype", "out"}, arguments, count, keywords,
                              places) &&
            places[0] != nullptr && places[1] != Py_None) {
            const std::optional<Array> array = convert_array(places[0]);
            if (array && array->rank() > 0) {
                PyObject* result = accumulate_object(function_of(self), *array, places[1],
                                                     places[2], places[3], false);
                if (result != nullptr) return result;
                if (PyErr_Occurred() != nullptr) return nullptr;
            }
        }
        return by_hook(self, "accumulate", arguments, count, keywords);
    });
}

PyObject* ufunc_outer(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                      PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        if (array::inputs_of(function_of(self)) == 2 && PyVectorcall_NARGS(count) == 2 &&
            keywords == nullptr) {
            const std::optional<Array> a = convert_array(arguments[0]);
            const std::optional<Array> b = convert_array(arguments[1]);
            if (a && b && a->rank() + b->rank() <= array::rank_max) {
                Layout spread;
                spread.offset = a->layout().offset;
                spread.shape = Extents(a->rank() + b->rank(), 1);
                spread.strides = Extents(a->rank() + b->rank(), 0);
                for (int i = 0; i < a->rank(); ++i) {
                    spread.shape[i] = a->shape()[i];
                    spread.strides[i] = a->layout().strides[i];
                }
                const Array first = a->view(std::move(spread));
                const array::Operand operands[] = {array::Operand(first), array::Operand(*b)};
                try {
                    return new_result(machine_here().call(function_of(self), operands));
                } catch (const array::ArrayError& error) {
                    if (error.kind() != array::ErrorKind::ufunc_type) throw;
                }
            }
        }
        return by_hook(self, "outer", arguments, count, keywords);
    });
}

PyObject* ufunc_at(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                   PyObject* keywords) {
    return guarded([&] { return by_hook(self, "at", arguments, count, keywords); });
}
PyObject* ufunc_reduceat(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                         PyObject* keywords) {
    return guarded([&] { return by_hook(self, "reduceat", arguments, count, keywords); });
}

PyObject* ufunc_name(PyObject* self, void*) {
    return PyUnicode_FromString(numpy_name(function_of(self)).c_str());
}
PyObject* ufunc_class(PyObject*, void*) {
    return Py_NewRef(core.numpy_ufunc);
}
PyObject* ufunc_inputs(PyObject* self, void*) {
    return PyLong_FromLong(array::inputs_of(function_of(self)));
}
PyObject* ufunc_outputs(PyObject*, void*) {
    return PyLong_FromLong(1);
}
PyObject* ufunc_arguments(PyObject* self, void*) {
    return PyLong_FromLong(array::inputs_of(function_of(self)) + 1);
}

PyGetSetDef ufunc_attributes[] = {
    {"__name__", ufunc_name, nullptr, "NumPy's name.", nullptr},
    {"__qualname__", ufunc_name, nullptr, "NumPy's name.", nullptr},
    {"__class__", ufunc_class, nullptr, "numpy.ufunc.", nullptr},
    {"nin", ufunc_inputs, nullptr, "Number of inputs.", nullptr},
    {"nout", ufunc_outputs, nullptr, "1", nullptr},
    {"nargs", ufunc_arguments, nullptr, "Number of arguments.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

/// types, identity, signature, __doc__ and the like are NumPy's.
PyObject* ufunc_get_attribute(PyObject* self, PyObject* name) noexcept {
    const bool is_doc = PyUnicode_CompareWithASCIIString(name, "__doc__") == 0;
    if (!is_doc) {
        PyObject* found = PyObject_GenericGetAttr(self, name);
        if (found != nullptr || PyErr_ExceptionMatches(PyExc_AttributeError) == 0) return found;
        const char* text = PyUnicode_AsUTF8(name);
        if (text == nullptr || (text[0] == '_' && text[1] == '_')) return nullptr;
        PyErr_Clear();
    }
    const Reference real(PyObject_GetAttrString(core.numpy, numpy_name(function_of(self)).c_str()));
    return real ? PyObject_GetAttr(real.get(), name) : nullptr;
}

PyObject* ufunc_representation(PyObject* self) {
    return PyUnicode_FromFormat("<ufunc '%s'>", numpy_name(function_of(self)).c_str());
}

constexpr int fast_call = METH_FASTCALL | METH_KEYWORDS;

}  // namespace

PyObject* new_ufunc(Ufunc function) noexcept {
    UfuncObject* object = PyObject_New(UfuncObject, &ufunc_type);
    if (object == nullptr) return nullptr;
    object->vectorcall = call_ufunc;
    object->function = function;
    return reinterpret_cast<PyObject*>(object);
}

PyObject* ufunc_object(Ufunc function) noexcept {
    PyObject*& object = ufunc_objects[static_cast<int>(function)];
    if (object == nullptr) object = new_ufunc(function);
    return object;
}

PyObject* ours_of_numpy_ufunc(PyObject* ufunc) noexcept {
    static std::unordered_map<PyObject*, PyObject*> table;
    if (table.empty())
        for (int i = 0; i < array::ufunc_count; ++i) {
            const auto function = static_cast<Ufunc>(i);
            PyObject* real = PyObject_GetAttrString(core.numpy, numpy_name(function).c_str());
            if (real == nullptr) {
                PyErr_Clear();
                continue;
            }
            table.emplace(real, ufunc_object(function));  // keeps the reference
        }
    const auto found = table.find(ufunc);
    return found == table.end() ? nullptr : found->second;
}

PyObject* array_ufunc(PyObject*, PyObject* arguments, PyObject* keywords) noexcept {
    return guarded([&]() -> PyObject* {
        if (PyTuple_GET_SIZE(arguments) < 2) {
            PyErr_SetString(PyExc_TypeError,
                            "__array_ufunc__ takes a ufunc, a method and operands");
            return nullptr;
        }
        PyObject* ufunc = PyTuple_GET_ITEM(arguments, 0);
        PyObject* method = PyTuple_GET_ITEM(arguments, 1);
        const Reference operands(
            checked(PyTuple_GetSlice(arguments, 2, PyTuple_GET_SIZE(arguments))));
        // Other classes with an opinion of their own come first.
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(operands.get()); ++i) {
            PyObject* operand = PyTuple_GET_ITEM(operands.get(), i);
            if (is_ndarray(operand) || is_scalar(operand) || PyFloat_CheckExact(operand) ||
                PyLong_CheckExact(operand))
                continue;
            const Reference other(PyObject_GetAttrString(
                reinterpret_cast<PyObject*>(Py_TYPE(operand)), "__array_ufunc__"));
            if (!other) {
                PyErr_Clear();
                continue;
            }
            const Reference numpys(PyObject_GetAttrString(core.numpy_ndarray, "__array_ufunc__"));
            if (PyObject_RichCompareBool(other.get(), numpys.get(), Py_EQ) == 0)
                Py_RETURN_NOTIMPLEMENTED;
        }
        if (PyObject* ours = ours_of_numpy_ufunc(ufunc)) {
            if (PyUnicode_CompareWithASCIIString(method, "__call__") == 0)
                return PyObject_Call(ours, operands.get(), keywords);
            const Reference bound(checked(PyObject_GetAttr(ours, method)));
            return PyObject_Call(bound.get(), operands.get(), keywords);
        }
        Reference held;
        if (keywords == nullptr) {
            held = Reference(checked(PyDict_New()));
            keywords = held.get();
        }
        if (core.hooks.ufunc_method != nullptr)
            return PyObject_CallFunction(core.hooks.ufunc_method, "OOOO", ufunc, method,
                                         operands.get(), keywords);
        Py_RETURN_NOTIMPLEMENTED;
    });
}

PyObject* array_function(PyObject*, PyObject* const* arguments, Py_ssize_t count,
                         PyObject* keywords) noexcept {
    return guarded([&]() -> PyObject* {
        PyObject* places[4] = {};
        if (!sort_arguments<4>({"func", "types", "args", "kwargs"}, arguments, count, keywords,
                               places) ||
            places[3] == nullptr) {
            PyErr_SetString(PyExc_TypeError,
                            "__array_function__ takes a function, types, args and kwargs");
            return nullptr;
        }
        if (core.hooks.function == nullptr) Py_RETURN_NOTIMPLEMENTED;
        return PyObject_CallFunctionObjArgs(core.hooks.function, places[0], places[1], places[2],
                                            places[3], nullptr);
    });
}

bool make_ufunc_type() noexcept {
    static PyMethodDef methods[] = {
        {"reduce", as_method(ufunc_reduce), fast_call, "Reduces axes."},
        {"accumulate", as_method(ufunc_accumulate), fast_call, "Running results along an axis."},
        {"outer", as_method(ufunc_outer), fast_call, "All pairs."},
        {"at", as_method(ufunc_at), fast_call, "In place at indices."},
        {"reduceat", as_method(ufunc_reduceat), fast_call, "Reduces slices."},
        {nullptr, nullptr, 0, nullptr},
    };
    PyTypeObject& type = ufunc_type;
    Py_SET_REFCNT(reinterpret_cast<PyObject*>(&type), 1);
    type.tp_name = "numpy.ufunc";
    type.tp_basicsize = sizeof(UfuncObject);
    type.tp_repr = ufunc_representation;
    type.tp_call = PyVectorcall_Call;
    type.tp_vectorcall_offset = offsetof(UfuncObject, vectorcall);
    type.tp_getattro = ufunc_get_attribute;
    type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL;
    type.tp_methods = methods;
    type.tp_getset = ufunc_attributes;
    return PyType_Ready(&type) == 0;
}

}  // namespace refrain::ndarray
