// Functions whose commonest calls are answered here, without a frame of Python. All other calls go on to the function
// of Python that quick() was given.
#include <array>
#include <string>

#include "ndarray/convert.hpp"
#include "ndarray/methods.hpp"

namespace refrain::ndarray {
namespace {

using Values = PyObject* const*;

/// The shape that an int, or a tuple of a few, says; false for all else.
bool plain_shape(PyObject* object, Extents& shape) noexcept {
    constexpr Py_ssize_t few = 4;
    PyObject* single[1] = {object};
    PyObject* const* items = single;
    Py_ssize_t count = 1;
    if (PyTuple_CheckExact(object)) {
        items = reinterpret_cast<PyTupleObject*>(object)->ob_item;
        count = PyTuple_GET_SIZE(object);
    }
    if (count > few) return false;
    shape = Extents(static_cast<int>(count), 0);
    for (Py_ssize_t d = 0; d < count; ++d) {
        Extent extent = 0;
        if (!small_integer(items[d], extent) || extent < 0) return false;
        shape[static_cast<int>(d)] = extent;
    }
    return true;
}

// Each gives null without an error where the function of Python must do it; there are no keywords.

PyObject* quick_zeros(Values arguments, Py_ssize_t count) {
    Extents shape;
    if (count != 1 || !plain_shape(arguments[0], shape)) return nullptr;
    return new_ndarray_of([&] { return machine_here().zeros(shape, DType::float64); });
}

PyObject* quick_empty(Values arguments, Py_ssize_t count) {
    Extents shape;
    if (count != 1 || !plain_shape(arguments[0], shape)) return nullptr;
    return new_ndarray_of([&] { return machine_here().empty(shape, DType::float64); });
}

PyObject* quick_arange(Values arguments, Py_ssize_t count) {
    Extent extent = 0;
    if (count != 1 || !small_integer(arguments[0], extent) || extent < 0) return nullptr;
    return new_ndarray_of([&] {
        return machine_here().arange(Scalar::of(std::int64_t{0}), Scalar::of(std::int64_t{1}),
                                     extent);
    });
}

bool is_line_or_more(PyObject* object) noexcept {
    return is_ndarray(object) && array_of(object).rank() > 0 && array_of(object).size() > 0;
}

PyObject* quick_sort(Values arguments, Py_ssize_t count) {
    static const array::Task& sort = *array::task_named("sort");
    if (count != 1 || !is_line_or_more(arguments[0])) return nullptr;
    const Array& array = array_of(arguments[0]);
    Machine& entered = machine_here();
    return new_ndarray_of([&] {
        Array sorted = entered.copy(array, array::Order::keep);
        const std::int64_t last_axis_by_quicksort[] = {array.rank() - 1, 0};
        entered.run(sort, {&sorted, 1}, {}, last_axis_by_quicksort);
        return sorted;
    });
}

PyObject* quick_argsort(Values arguments, Py_ssize_t count) {
    static const array::Task& argsort = *array::task_named("argsort");
    if (count != 1 || !is_line_or_more(arguments[0])) return nullptr;
    const Array& array = array_of(arguments[0]);
    Machine& entered = machine_here();
    return new_ndarray_of([&] {
        Array indices = entered.empty(array.shape(), DType::int64);
        const int last = array.rank() - 1;
        const std::int64_t last_axis_by_quicksort[] = {last, 0};
        entered.run(argsort, {&indices, 1}, {&array, 1}, last_axis_by_quicksort);
        entered.note_bounds(indices, 0, array.shape()[last] - 1);
        return indices;
    });
}

PyObject* quick_searchsorted(Values arguments, Py_ssize_t count) {
    static const array::Task& searchsorted = *array::task_named("searchsorted");
    if (count != 2 || !is_line_or_more(arguments[0]) || !is_line_or_more(arguments[1]))
        return nullptr;
    const Array& array = array_of(arguments[0]);
    const Array& keys = array_of(arguments[1]);
    if (array.rank() != 1 || array.dtype() != keys.dtype()) return nullptr;
    Machine& entered = machine_here();
    return new_ndarray_of([&] {
        Array places = entered.empty(keys.shape(), DType::int64);
        const Array read[] = {keys, array};
        const std::int64_t on_the_left[] = {0};
        entered.run(searchsorted, {&places, 1}, read, on_the_left);
        entered.note_bounds(places, 0, array.size());
        return places;
    });
}

/// A function with a quick way.
struct Quick {
    const char* name;
    const char* signature;  // as inspect reads it; "" where NumPy's has none
    PyObject* (*attempt)(Values, Py_ssize_t);
    PyObject* function = nullptr;  // of Python; null once the module has gone
    std::string text{};
};
Quick quick_functions[] = {
    {"zeros", "", quick_zeros},
    {"empty", "", quick_empty},
    {"arange", "", quick_arange},
    {"sort", "(a, axis=-1, kind=None, order=None)", quick_sort},
    {"argsort", "(a, axis=-1, kind=None, order=None)", quick_argsort},
    {"searchsorted", "(a, v, side='left', sorter=None)", quick_searchsorted},
};
constexpr std::size_t quick_count = std::size(quick_functions);

template <std::size_t which>
PyObject* call_quick(PyObject*, Values arguments, Py_ssize_t count, PyObject* keywords) {
    const Quick& quick = quick_functions[which];
    if (keywords == nullptr) {
        PyObject* result = guarded([&] { return quick.attempt(arguments, count); });
        if (result != nullptr || PyErr_Occurred() != nullptr) return result;
    }
    if (quick.function == nullptr) {
        PyErr_Format(PyExc_RuntimeError, "%s: the interpreter ends", quick.name);
        return nullptr;
    }
    return PyObject_Vectorcall(quick.function, arguments, static_cast<std::size_t>(count),
                               keywords);
}

template <std::size_t... I>
constexpr std::array<FastMethod, sizeof...(I)> calls_of(std::index_sequence<I...>) noexcept {
    return {{call_quick<I>...}};
}

/// Lives in the module's dictionary: what the functions of Python hold alive goes with it.
void forget_functions(PyObject*) {
    for (Quick& quick : quick_functions) Py_CLEAR(quick.function);
}

/// quick(function): a function that does what that one does, commonest calls without it.
PyObject* module_quick(PyObject* self, PyObject* function) {
    return guarded([&]() -> PyObject* {
        static constexpr auto calls = calls_of(std::make_index_sequence<quick_count>());
        static PyMethodDef definitions[quick_count];
        const Reference name(checked(PyObject_GetAttrString(function, "__name__")));
        for (std::size_t i = 0; i < quick_count; ++i) {
            Quick& quick = quick_functions[i];
            if (PyUnicode_CompareWithASCIIString(name.get(), quick.name) != 0) continue;
            const Reference text(checked(PyObject_GetAttrString(function, "__doc__")));
            const Reference module(checked(PyObject_GetAttrString(function, "__module__")));
            quick.text.clear();
            if (*quick.signature != 0)
                quick.text = std::string(quick.name) + quick.signature + "\n--\n\n";
            if (PyUnicode_Check(text.get())) {
                const char* words = PyUnicode_AsUTF8(text.get());
                if (words == nullptr) throw PythonError();
                quick.text += words;
            }
            if (!PyObject_HasAttrString(self, "_quick")) {
                const Reference owner(
                    checked(PyCapsule_New(&quick_functions, nullptr, forget_functions)));
                if (PyModule_AddObjectRef(self, "_quick", owner.get()) < 0) throw PythonError();
            }
            Py_XSETREF(quick.function, Py_NewRef(function));
            definitions[i] = {quick.name, as_method(calls[i]), METH_FASTCALL | METH_KEYWORDS,
                              quick.text.c_str()};
            return PyCFunction_NewEx(&definitions[i], self, module.get());
        }
        PyErr_Format(PyExc_ValueError, "quick(function): there is no quick way of %R", name.get());
        return nullptr;
    });
}

PyMethodDef quick_table[] = {
    {"quick", module_quick, METH_O, "The same function, quicker in its commonest calls."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* quick_calls() noexcept {
    return quick_table;
}

}  // namespace refrain::ndarray
