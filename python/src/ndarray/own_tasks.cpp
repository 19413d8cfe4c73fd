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
        views.push_back({view.address, view.layout.shape.data(), first, view.layout.rank(),
                         kind_letter(view.dtype), static_cast<std::int8_t>(bytes)});
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

/// run_task(address, name, written, read, numbers, is_tiled): tuples of ndarrays and of ints.
PyObject* run_own_task(PyObject*, Arguments arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        if (count != 6 || !PyTuple_Check(arguments[2]) || !PyTuple_Check(arguments[3]) ||
            !PyTuple_Check(arguments[4]))
            refuse(PyExc_TypeError, "run_task(address, name, written, read, numbers, is_tiled)");
        const auto address = static_cast<std::uintptr_t>(integer_of(arguments[0]));
        std::vector<array::WorkUse> uses;
        for (const int place : {2, 3}) {
            for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(arguments[place]); ++i) {
                PyObject* item = PyTuple_GET_ITEM(arguments[place], i);
                if (!is_ndarray(item)) refuse(PyExc_TypeError, "a task takes arrays of refrain");
                if (place == 2 && !as_ndarray(item)->writable)
                    refuse(PyExc_ValueError, "a task writes an array that is read-only");
                uses.push_back(
                    {&array_of(item), place == 2 ? Privilege::read_write : Privilege::read});
            }
        }
        std::vector<std::int64_t> numbers;
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(arguments[4]); ++i)
            numbers.push_back(integer_of(PyTuple_GET_ITEM(arguments[4], i)));
        std::vector<array::Constraint> constraints;
        if (truth_of(arguments[5]))
            for (int i = 1; i < static_cast<int>(uses.size()); ++i)
                constraints.push_back(array::align(0, i));
        array::Work work;
        work.name = kept_name(arguments[1]);
        work.function = &run_body;
        work.uses = uses;
        work.numbers = numbers;
        work.constraints = constraints;
        work.hashes_bytes = false;  // an address: the name stands for it
        machine_here().issue(std::move(work).with(reinterpret_cast<refrain_task_body>(address)));
        Py_RETURN_NONE;
    });
}

PyMethodDef own_task_table[] = {
    {"run_task", as_method(run_own_task), METH_FASTCALL,
     "run_task(address, name, written, read, numbers, is_tiled)"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* own_task_functions() noexcept {
    return own_task_table;
}

}  // namespace refrain::ndarray
