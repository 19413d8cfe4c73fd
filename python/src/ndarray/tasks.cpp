// Tasks over whole arrays for the Python files of the package (array/, refrain/array/task.hpp).
#include <string>
#include <vector>

#include "ndarray/convert.hpp"
#include "ndarray/methods.hpp"

namespace refrain::ndarray {
namespace {

std::vector<Array> arrays_of(PyObject* tuple, bool written) {
    if (!PyTuple_Check(tuple)) {
        refuse(PyExc_TypeError, "run(name, written, read, numbers) takes tuples");
    }
    std::vector<Array> arrays;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) {
        PyObject* item = PyTuple_GET_ITEM(tuple, i);
        if (!is_ndarray(item)) {
            refuse(PyExc_TypeError, "tasks take ndarrays of this module");
        }
        if (written && !as_ndarray(item)->writable) {
            refuse(PyExc_ValueError, "assignment destination is read-only");
        }
        arrays.push_back(array_of(item));
    }
    return arrays;
}

/// run(name, written, read, numbers): the arrays must be what the task expects.
PyObject* module_run(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        const char* name = count == 4 ? PyUnicode_AsUTF8(arguments[0]) : nullptr;
        const array::Task* task = name != nullptr ? array::task_named(name) : nullptr;
        if (task == nullptr) {
            if (PyErr_Occurred() == nullptr)
                PyErr_SetString(PyExc_ValueError, "run(name, written, read, numbers)");
            return nullptr;
        }
        const std::vector<Array> written = arrays_of(arguments[1], true);
        const std::vector<Array> read = arrays_of(arguments[2], false);
        std::vector<std::int64_t> numbers;
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(arguments[3]); ++i)
            numbers.push_back(integer_of(PyTuple_GET_ITEM(arguments[3], i)));
        machine_here().run(*task, written, read, numbers);
        Py_RETURN_NONE;
    });
}

Array indices_of(PyObject* object) {
    if (!is_ndarray(object) || array_of(object).dtype() != DType::int64) {
        refuse(PyExc_TypeError, "indices are an ndarray of int64");
    }
    return array_of(object);
}

PyObject* module_bounds(PyObject*, PyObject* object) {
    return guarded([&]() -> PyObject* {
        const Array indices = indices_of(object);
        Machine& entered = machine();
        const auto bounds = entered.is_ready(indices)
                                ? entered.bounds_of(indices)
                                : without_lock([&] { return entered.bounds_of(indices); });
        if (!bounds) Py_RETURN_NONE;
        return Py_BuildValue("LL", static_cast<long long>(bounds->first),
                             static_cast<long long>(bounds->second));
    });
}

PyObject* module_note_bounds(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        if (count != 3) refuse(PyExc_TypeError, "note_bounds(indices, low, high)");
        machine().note_bounds(indices_of(arguments[0]), integer_of(arguments[1]),
                              integer_of(arguments[2]));
        Py_RETURN_NONE;
    });
}

/// checked_indices(indices, axis, extent): as int64; IndexError if one is out of bounds.
PyObject* module_checked_indices(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        if (count != 3 || !is_ndarray(arguments[0]))
            refuse(PyExc_TypeError, "checked_indices(indices, axis, extent)");
        return new_ndarray(checked_indices(array_of(arguments[0]),
                                           static_cast<int>(integer_of(arguments[1])),
                                           integer_of(arguments[2])));
    });
}

PyObject* module_count_true(PyObject*, PyObject* object) {
    return guarded([&]() -> PyObject* {
        if (!is_ndarray(object) || array_of(object).dtype() != DType::boolean)
            refuse(PyExc_TypeError, "count_true takes an ndarray of booleans");
        return PyLong_FromLongLong(count_true(array_of(object)));
    });
}

PyObject* module_nonzero(PyObject*, PyObject* object) {
    return guarded([&]() -> PyObject* {
        if (!is_ndarray(object) || array_of(object).dtype() != DType::boolean)
            refuse(PyExc_TypeError, "nonzero takes an ndarray of booleans");
        return places_of(array_of(object));
    });
}

/// ufunc_types(ufunc, first, second): what f.at computes in, as numbers of f and of types: {function,
/// input, input, output}; `second` is None, an array or a number. ufunc_types(ufunc, array): the same of
/// f.reduceat. None where NumPy has another loop, or none.
PyObject* module_ufunc_types(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        if (count < 2 || Py_TYPE(arguments[0]) != &ufunc_type || !is_ndarray(arguments[1]))
            refuse(PyExc_TypeError, "ufunc_types(ufunc, array, ...)");
        const Ufunc function = reinterpret_cast<UfuncObject*>(arguments[0])->function;
        const DType first = array_of(arguments[1]).dtype();
        std::optional<array::UfuncTypes> types;
        if (count == 2) {
            types = array::resolve_reduction(function, first);
        } else {
            std::vector<array::TypeOperand> operands{{first, false, nullptr}};
            Scalar value;
            if (arguments[2] != Py_None) {
                OperandHolder holder;
                if (convert_operand(arguments[2], holder, false) != Conversion::done)
                    Py_RETURN_NONE;
                const array::Operand& operand = holder.operand;
                if (operand.is_array() && operand.array->rank() > 0) {
                    operands.push_back({operand.array->dtype(), false, nullptr});
                } else {
                    value = operand.is_array() ? value_of(*operand.array) : operand.scalar;
                    operands.push_back({value.dtype, true, &value});
                }
            }
            if (operands.size() != static_cast<std::size_t>(array::inputs_of(function)))
                Py_RETURN_NONE;
            types = array::resolve(function, operands);
            if (types && !array::can_cast(types->output, first, array::Casting::same_kind))
                Py_RETURN_NONE;
        }
        if (!types) Py_RETURN_NONE;
        return Py_BuildValue("iiii", static_cast<int>(function), static_cast<int>(types->inputs[0]),
                             static_cast<int>(types->inputs[1]), static_cast<int>(types->output));
    });
}

PyMethodDef task_table[] = {
    {"run", as_method(module_run), METH_FASTCALL, "run(name, written, read, numbers)"},
    {"bounds", module_bounds, METH_O, "(least, greatest) of an array of int64; waits."},
    {"note_bounds", as_method(module_note_bounds), METH_FASTCALL,
     "note_bounds(indices, low, high): of a new array."},
    {"checked_indices", as_method(module_checked_indices), METH_FASTCALL,
     "checked_indices(indices, axis, extent)"},
    {"count_true", module_count_true, METH_O, "How many elements are true; waits."},
    {"nonzero", module_nonzero, METH_O, "Indices of what is true, an array per axis; waits."},
    {"ufunc_types", as_method(module_ufunc_types), METH_FASTCALL,
     "ufunc_types(ufunc, array, value)"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* task_functions() noexcept {
    return task_table;
}

}  // namespace refrain::ndarray
