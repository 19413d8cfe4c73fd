// Tasks of a program's own: functions of C, by their address (refrain/task.h).
#include "refrain/array/work.hpp"
#include "refrain/task.h"

#include <set>
#include <string>
#include <vector>

#include "ndarray/convert.hpp"
#include "ndarray/methods.hpp"

namespace refrain::ndarray {

namespace {

char kind_letter(DType type) noexcept {
    switch (array::kind_of(type)) {
        case array::DTypeKind::boolean:
            return 'b';
        case array::DTypeKind::integer:
            return array::is_signed_integer(type) ? 'i' : 'u';
        case array::DTypeKind::inexact:
            return array::is_complex(type) ? 'c' : 'f';
    }
    return '?';
}

void run_body(const array::WorkFrame& frame) {
    std::vector<refrain_task_view> views;
    std::vector<std::int64_t> strides;
    std::size_t ranks = 0;
    for (const array::WorkView& view : frame.views)
        ranks += static_cast<std::size_t>(view.layout.rank());
    strides.reserve(ranks);  // so that addresses stay
    for (const array::WorkView& view : frame.views) {
        const auto bytes = static_cast<Extent>(array::bytes_of(view.dtype));
        const std::int64_t* first = strides.data() + strides.size();
        for (const Extent stride : view.layout.strides) strides.push_back(stride * bytes);
        views.push_back({view.address, view.layout.shape.data(), first, view.begin.data(),
                         view.layout.rank(), kind_letter(view.dtype),
                         static_cast<std::int8_t>(bytes)});
    }
    frame.parameters<refrain_task_body>()(views.data(), static_cast<std::int32_t>(views.size()),
                                          frame.numbers.data(),
                                          static_cast<std::int32_t>(frame.numbers.size()));
}

/// A copy of the name that lives as long as the process.
const char* kept_name(PyObject* name) {
    static auto* names = new std::set<std::string>;
    const char* text = PyUnicode_AsUTF8(name);
    if (text == nullptr) throw PythonError();
    return names->insert(text).first->c_str();
}

Extents integers_in(PyObject* tuple) {
    Extents extents(static_cast<int>(PyTuple_GET_SIZE(tuple)), 0);
    for (int i = 0; i < extents.size(); ++i) extents[i] = integer_of(PyTuple_GET_ITEM(tuple, i));
    return extents;
}

/// Of a tuple (relation, from, to, dims, low, high, line), the relation as in refrain/task.h.
array::Constraint constraint_of(PyObject* tuple) {
    int relation = 0;
    int from = 0;
    int to = 0;
    unsigned dims = 0;
    int line = 0;
    PyObject* low = nullptr;
    PyObject* high = nullptr;
    if (PyArg_ParseTuple(tuple, "iiiIO!O!i", &relation, &from, &to, &dims, &PyTuple_Type, &low,
                         &PyTuple_Type, &high, &line) == 0)
        throw PythonError();
    switch (relation) {
        case REFRAIN_ALIGN:
            return array::align(from, to, line);
        case REFRAIN_BROADCAST:
            return array::broadcast(from, dims, line);
        case REFRAIN_SCALE:
            return array::scale(from, to, integers_in(low), line);
        case REFRAIN_BLOAT:
            return array::bloat(from, to, integers_in(low), integers_in(high), line);
        case REFRAIN_IMAGE:
            return array::image(from, to, line);
        default:
            refuse(PyExc_ValueError,
                   "a constraint's relation is 0 to 4, not " + std::to_string(relation));
    }
}

/// `held` keeps the arrays of scalars that are read; it has room for all.
void add_uses(std::vector<array::WorkUse>& uses, PyObject* arrays, Privilege privilege,
              std::vector<Array>& held) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(arrays); ++i) {
        PyObject* item = PyTuple_GET_ITEM(arrays, i);
        if (privilege == Privilege::read && is_scalar(item)) {
            held.push_back(array_of_scalar(as_scalar(item)));
            uses.push_back({&held.back(), privilege});
            continue;
        }
        if (!is_ndarray(item)) refuse(PyExc_TypeError, "a task takes arrays of refrain");
        if (privilege != Privilege::read && !as_ndarray(item)->writable)
            refuse(PyExc_ValueError,
                   (privilege == Privilege::reduce ? "reduced[" : "written[") + std::to_string(i) +
                       "] of a task is read-only; numpy.copy makes an array that can be written");
        uses.push_back({&array_of(item), privilege});
    }
}

/// The numbers of a task; those that are still to come are 0, and their scalars are in `pending`. `held` keeps the
/// arrays of those, which an __index__ of a later number may wait for; it has room for all.
std::vector<std::int64_t> numbers_of(PyObject* tuple, std::vector<array::WorkScalar>& pending,
                                     std::vector<Array>& held) {
    std::vector<std::int64_t> numbers;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) {
        PyObject* item = PyTuple_GET_ITEM(tuple, i);
        if (!is_scalar(item)) {
            numbers.push_back(integer_of(item));
            continue;
        }
        ScalarObject* scalar = as_scalar(item);
        const DType type = scalar->known ? scalar->value.dtype : scalar->array.dtype();
        if (array::is_floating(type) || array::is_complex(type))
            refuse(PyExc_TypeError, "numbers[" + std::to_string(i) + "] of a task is of type " +
                                        std::string(array::name_of(type)) +
                                        ", not an integer; a task reads it by read=[...]");
        // It may be too large, which is an error of this call: so that it is waited for.
        if (type == DType::uint64) {
            numbers.push_back(integer_of(item));
            continue;
        }
        if (scalar->known) {
            numbers.push_back(array::converted(scalar->value, DType::int64).as<std::int64_t>());
            continue;
        }
        held.push_back(scalar->array);
        pending.push_back({.array = &held.back(),
                           .into = array::WorkScalar::Into::numbers,
                           .at = numbers.size()});
        numbers.push_back(0);
    }
    return numbers;
}

/// The fold of each use that is reduced; the last ones.
void set_folds(std::vector<array::WorkUse>& uses, PyObject* folds) {
    const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(folds));
    for (std::size_t i = 0; i < count; ++i) {
        const char* name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(folds, static_cast<Py_ssize_t>(i)));
        if (name == nullptr) throw PythonError();
        const std::optional<Ufunc> fold = array::ufunc_named(name);
        if (!fold) refuse(PyExc_ValueError, std::string("there is no fold '") + name + "'");
        uses[uses.size() - count + i].fold = *fold;
    }
}

/// run_task(address, name, (written, read, reduced), folds, numbers, constraints): all tuples.
PyObject* run_own_task(PyObject*, Arguments arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        const char* usage =
            "run_task(address, name, (written, read, reduced), folds, numbers, constraints)";
        if (count != 6) refuse(PyExc_TypeError, usage);
        for (int i = 2; i < 6; ++i)
            if (!PyTuple_Check(arguments[i])) refuse(PyExc_TypeError, usage);
        const auto address = static_cast<std::uintptr_t>(integer_of(arguments[0]));
        PyObject* lists[3];
        if (PyArg_ParseTuple(arguments[2], "O!O!O!", &PyTuple_Type, &lists[0], &PyTuple_Type,
                             &lists[1], &PyTuple_Type, &lists[2]) == 0)
            throw PythonError();
        std::vector<array::WorkUse> uses;
        std::vector<Array> scalars;
        scalars.reserve(
            static_cast<std::size_t>(PyTuple_GET_SIZE(lists[1]) + PyTuple_GET_SIZE(arguments[4])));
        add_uses(uses, lists[0], Privilege::read_write, scalars);
        add_uses(uses, lists[1], Privilege::read, scalars);
        add_uses(uses, lists[2], Privilege::reduce, scalars);
        if (PyTuple_GET_SIZE(arguments[3]) != PyTuple_GET_SIZE(lists[2]))
            refuse(PyExc_TypeError, usage);
        set_folds(uses, arguments[3]);
        std::vector<array::WorkScalar> pending;
        const std::vector<std::int64_t> numbers = numbers_of(arguments[4], pending, scalars);
        std::vector<array::Constraint> constraints;
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(arguments[5]); ++i)
            constraints.push_back(constraint_of(PyTuple_GET_ITEM(arguments[5], i)));
        array::Work work;
        work.name = kept_name(arguments[1]);
        work.function = &run_body;
        work.uses = uses;
        work.numbers = numbers;
        work.scalars = pending;
        work.constraints = constraints;
        work.hashes_bytes = false;  // an address: the name stands for it
        machine_here().issue(std::move(work).with(reinterpret_cast<refrain_task_body>(address)));
        Py_RETURN_NONE;
    });
}

PyMethodDef own_task_table[] = {
    {"run_task", as_method(run_own_task), METH_FASTCALL,
     "run_task(address, name, (written, read, reduced), folds, numbers, constraints)"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* own_task_functions() noexcept {
    return own_task_table;
}

}  // namespace refrain::ndarray
