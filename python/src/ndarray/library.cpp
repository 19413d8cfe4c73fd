// Functions of libraries: products, linear algebra, Fourier transforms. They take ndarrays of the right types; the
// package's Python files convert, and word NumPy's errors.
#include "refrain/array/fft.hpp"
#include "refrain/array/linalg.hpp"
#include "refrain/array/numbers.hpp"

#include <string>
#include <vector>

#include "ndarray/convert.hpp"
#include "ndarray/methods.hpp"

namespace refrain::ndarray {

namespace {

using Values = PyObject* const*;

bool are_ndarrays(Values arguments, Py_ssize_t count) {
    for (Py_ssize_t i = 0; i < count; ++i)
        if (!is_ndarray(arguments[i])) return false;
    return true;
}

PyObject* library_matmul(PyObject*, Values arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        if (count != 2 || !are_ndarrays(arguments, 2)) refuse(PyExc_TypeError, "matmul(a, b)");
        static_cast<void>(machine_here());
        return new_result(array::linalg::product(array_of(arguments[0]), array_of(arguments[1])));
    });
}

PyObject* library_inner(PyObject*, Values arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        if (count != 3 || !are_ndarrays(arguments, 2))
            refuse(PyExc_TypeError, "inner(a, b, conjugates)");
        static_cast<void>(machine_here());
        return new_result(array::linalg::inner(array_of(arguments[0]), array_of(arguments[1]),
                                               truth_of(arguments[2])));
    });
}

/// linalg(name, array, ...): a tuple of results, or the one.
PyObject* library_linalg(PyObject*, Values arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        if (count < 2 || !PyUnicode_Check(arguments[0]) || !are_ndarrays(arguments + 1, count - 1))
            refuse(PyExc_TypeError, "linalg(name, array, ...)");
        const char* name = PyUnicode_AsUTF8(arguments[0]);
        if (name == nullptr) throw PythonError();
        const std::optional<array::linalg::Routine> routine = array::linalg::routine_named(name);
        if (!routine) refuse(PyExc_TypeError, "there is no routine of that name");
        static_cast<void>(machine_here());
        std::vector<Array> inputs;
        for (Py_ssize_t i = 1; i < count; ++i) inputs.push_back(array_of(arguments[i]));
        std::vector<Array> results = array::linalg::call(*routine, inputs);
        if (results.size() == 1) return new_result(std::move(results.front()));
        Reference tuple(checked(PyTuple_New(static_cast<Py_ssize_t>(results.size()))));
        for (std::size_t i = 0; i < results.size(); ++i)
            PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i),
                             checked(new_result(std::move(results[i]))));
        return tuple.release();
    });
}

PyObject* library_fft(PyObject*, Values arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        if (count != 4 || !is_ndarray(arguments[0]))
            refuse(PyExc_TypeError, "fft(array, kind, forward, factor)");
        const Array& array = array_of(arguments[0]);
        const Extent kind = integer_of(arguments[1]);
        const double factor = PyFloat_AsDouble(arguments[3]);
        if (PyErr_Occurred() != nullptr) throw PythonError();
        if (array.rank() == 0 || kind < 0 || kind > 2)
            refuse(PyExc_TypeError, "fft: rank and kind");
        static_cast<void>(machine_here());
        return new_ndarray(array::fft::transform(static_cast<array::fft::Kind>(kind), array,
                                                 truth_of(arguments[2]), factor));
    });
}

PyObject* pair_of(std::pair<Array, Array>&& made) {
    const Reference first(checked(new_result(std::move(made.first))));
    const Reference second(checked(new_result(std::move(made.second))));
    return PyTuple_Pack(2, first.get(), second.get());
}

PyObject* library_frexp(PyObject*, PyObject* array) {
    return guarded([&]() -> PyObject* {
        if (!is_ndarray(array)) refuse(PyExc_TypeError, "frexp(array)");
        static_cast<void>(machine_here());
        return pair_of(array::frexp(array_of(array)));
    });
}
PyObject* library_modf(PyObject*, PyObject* array) {
    return guarded([&]() -> PyObject* {
        if (!is_ndarray(array)) refuse(PyExc_TypeError, "modf(array)");
        static_cast<void>(machine_here());
        return pair_of(array::modf(array_of(array)));
    });
}
PyObject* library_spacing(PyObject*, PyObject* array) {
    return guarded([&]() -> PyObject* {
        if (!is_ndarray(array)) refuse(PyExc_TypeError, "spacing(array)");
        static_cast<void>(machine_here());
        return new_result(array::spacing(array_of(array)));
    });
}
PyObject* library_ldexp(PyObject*, Values arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        if (count != 2 || !are_ndarrays(arguments, 2))
            refuse(PyExc_TypeError, "ldexp(numbers, exponents)");
        static_cast<void>(machine_here());
        return new_result(array::ldexp(array_of(arguments[0]), array_of(arguments[1])));
    });
}

PyMethodDef library_table[] = {
    {"matmul", as_method(library_matmul), METH_FASTCALL, "matmul(a, b), of one type"},
    {"inner", as_method(library_inner), METH_FASTCALL, "inner(a, b, conjugates), of vectors"},
    {"linalg", as_method(library_linalg), METH_FASTCALL,
     "linalg(name, array, ...): a routine of numpy.linalg._umath_linalg"},
    {"frexp", library_frexp, METH_O, "frexp(array)"},
    {"modf", library_modf, METH_O, "modf(array)"},
    {"spacing", library_spacing, METH_O, "spacing(array)"},
    {"ldexp", as_method(library_ldexp), METH_FASTCALL, "ldexp(numbers, exponents)"},
    {"fft", as_method(library_fft), METH_FASTCALL, "fft(array, kind, forward, factor)"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* library_functions() noexcept {
    return library_table;
}

}  // namespace refrain::ndarray
