// The module refrain._core: functions, and its beginning and end.
#include <string>

#include "ndarray/convert.hpp"
#include "ndarray/methods.hpp"

namespace refrain::ndarray {
namespace {

using Values = PyObject* const*;

bool is_present(PyObject* object) noexcept {
    return object != nullptr && object != Py_None;
}

/// The type that an argument names; float64 if it is not given.
DType required_type(PyObject* object) {
    if (!is_present(object)) return DType::float64;
    const std::optional<DType> type = dtype_named(object);
    if (!type) refuse(PyExc_TypeError, "arrays of this dtype are NumPy's");
    return *type;
}

Extents extents_for_array(PyObject* object) {
    Extents shape = shape_of(object);
    for (const Extent extent : shape)
        if (extent < 0) refuse(PyExc_ValueError, "negative dimensions are not allowed");
    return shape;
}

bool wants_columns(PyObject* order) noexcept {
    return is_present(order) && PyUnicode_Check(order) &&
           PyUnicode_CompareWithASCIIString(order, "F") == 0;
}

PyObject* module_empty(PyObject*, Values arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[3] = {};
        if (!sort_arguments<3>({"shape", "dtype", "order"}, arguments, count, keywords, places) ||
            places[0] == nullptr)
            refuse(PyExc_TypeError, "empty(shape, dtype=None, order='C')");
        return new_ndarray(machine_here().empty(
            extents_for_array(places[0]), required_type(places[1]), wants_columns(places[2])));
    });
}

Array filled(const Extents& shape, const Scalar& value, bool by_columns) {
    Machine& entered = machine_here();
    if (!by_columns || shape.size() < 2) return entered.full(shape, value);
    Array made = entered.empty(shape, value.dtype, true);
    entered.assign(made, value);
    return made;
}

PyObject* filled_with(Values arguments, Py_ssize_t count, PyObject* keywords, double value,
                      const char* usage) {
    return guarded([&]() -> PyObject* {
        PyObject* places[3] = {};
        if (!sort_arguments<3>({"shape", "dtype", "order"}, arguments, count, keywords, places) ||
            places[0] == nullptr)
            refuse(PyExc_TypeError, usage);
        const Scalar filler = array::converted(Scalar::of(value), required_type(places[1]));
        return new_ndarray(filled(extents_for_array(places[0]), filler, wants_columns(places[2])));
    });
}
PyObject* module_zeros(PyObject*, Values arguments, Py_ssize_t count, PyObject* keywords) {
    return filled_with(arguments, count, keywords, 0.0, "zeros(shape, dtype=None, order='C')");
}
PyObject* module_ones(PyObject*, Values arguments, Py_ssize_t count, PyObject* keywords) {
    return filled_with(arguments, count, keywords, 1.0, "ones(shape, dtype=None, order='C')");
}

PyObject* module_full(PyObject*, Values arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[4] = {};
        if (!sort_arguments<4>({"shape", "fill_value", "dtype", "order"}, arguments, count,
                               keywords, places) ||
            places[1] == nullptr)
            refuse(PyExc_TypeError, "full(shape, fill_value, dtype=None, order='C')");
        const Extents shape = extents_for_array(places[0]);
        OperandHolder value;
        if (convert_operand(places[1], value, false) != Conversion::done)
            refuse(PyExc_TypeError, "the fill value is of a dtype that is NumPy's");
        if (!value.operand.is_array()) {
            const DType type =
                is_present(places[2]) ? required_type(places[2]) : value.operand.scalar.dtype;
            return new_ndarray(filled(shape, array::converted(value.operand.scalar, type),
                                      wants_columns(places[3])));
        }
        Machine& entered = machine_here();
        const DType type =
            is_present(places[2]) ? required_type(places[2]) : value.operand.array->dtype();
        Array made = entered.empty(shape, type, wants_columns(places[3]));
        entered.assign(made, value.operand);
        return new_ndarray(std::move(made));
    });
}

/// arange(start, next, count, dtype): start + i * (next - start).
PyObject* module_arange(PyObject*, Values arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[4] = {};
        if (!sort_arguments<4>({"start", "next", "count", "dtype"}, arguments, count, keywords,
                               places) ||
            places[2] == nullptr)
            refuse(PyExc_TypeError, "arange(start, next, count, dtype=None)");
        const std::optional<Scalar> start = scalar_of(places[0]);
        const std::optional<Scalar> next = scalar_of(places[1]);
        if (!start || !next) refuse(PyExc_TypeError, "arange takes numbers");
        const DType type = is_present(places[3]) ? required_type(places[3])
                                                 : array::promote(start->dtype, next->dtype);
        return new_ndarray(machine_here().arange(
            array::converted(*start, type), array::converted(*next, type), integer_of(places[2])));
    });
}

/// asarray(object, dtype=None, copy=False): null hooks are NumPy's business; None where it is NumPy's.
PyObject* module_asarray(PyObject*, Values arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[3] = {};
        if (!sort_arguments<3>({"object", "dtype", "copy"}, arguments, count, keywords, places) ||
            places[0] == nullptr)
            refuse(PyExc_TypeError, "asarray(object, dtype=None, copy=False)");
        const bool copies = is_present(places[2]) && truth_of(places[2]);
        Reference made;
        if (is_ndarray(places[0])) {
            made = Reference::borrowed(places[0]);
        } else if (PyObject_CheckBuffer(places[0]) != 0 && !is_scalar(places[0])) {
            made = Reference(adopt_buffer(places[0]));
            if (!made && PyErr_Occurred() != nullptr) return nullptr;
        } else if (std::optional<Array> converted = convert_array(places[0])) {
            made = Reference(checked(new_ndarray(std::move(*converted))));
        }
        if (!made) refuse(PyExc_TypeError, "arrays of this dtype are NumPy's");
        const Array& array = array_of(made.get());
        const DType type = is_present(places[1]) ? required_type(places[1]) : array.dtype();
        if (type == array.dtype() && !copies) return made.release();
        return new_ndarray(machine_here().astype(array, type));
    });
}

PyObject* module_where(PyObject*, Values arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[3] = {};
        if (!sort_arguments<3>({"condition", "x", "y"}, arguments, count, keywords, places) ||
            places[2] == nullptr)
            refuse(PyExc_TypeError, "where(condition, x, y)");
        OperandHolder holders[3];
        for (int i = 0; i < 3; ++i)
            if (convert_operand(places[i], holders[i], false) != Conversion::done)
                refuse(PyExc_TypeError, "operands of this dtype are NumPy's");
        // NumPy's where gives arrays, of rank 0, too.
        return new_ndarray(
            machine_here().where(holders[0].operand, holders[1].operand, holders[2].operand));
    });
}

/// assign_where(target, value, mask): an unsafe cast of an array, of those elements only.
PyObject* module_assign_where(PyObject*, Values arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        if (count != 3 || !is_ndarray(arguments[0]) || !is_ndarray(arguments[1]) ||
            !is_ndarray(arguments[2]) || array_of(arguments[2]).dtype() != DType::boolean)
            refuse(PyExc_TypeError, "assign_where(target, value, mask of booleans)");
        if (!as_ndarray(arguments[0])->writable)
            refuse(PyExc_ValueError, "assignment destination is read-only");
        const Array& target = array_of(arguments[0]);
        const Array& value = array_of(arguments[1]);
        if (Machine::can_assign(target, value)) warn_of_lost_parts(value.dtype(), target.dtype());
        machine_here().assign_where(target, array_of(arguments[2]), value);
        Py_RETURN_NONE;
    });
}

/// join(arrays, axis): numpy.concatenate of a list or tuple of our arrays of one type, all in C order; None for all else.
PyObject* module_join(PyObject*, Values arguments, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        if (count != 2 || !PyLong_CheckExact(arguments[1])) Py_RETURN_NONE;
        PyObject* parts = arguments[0];
        if (!PyList_CheckExact(parts) && !PyTuple_CheckExact(parts)) Py_RETURN_NONE;
        const Py_ssize_t part_count = PySequence_Fast_GET_SIZE(parts);
        PyObject* const* items = PySequence_Fast_ITEMS(parts);
        if (part_count == 0 || !is_ndarray(items[0])) Py_RETURN_NONE;
        const Array& first = array_of(items[0]);
        const int rank = first.rank();
        const long given = PyLong_AsLong(arguments[1]);
        if (given == -1 && PyErr_Occurred() != nullptr) PyErr_Clear();
        if (given < -rank || given >= rank) Py_RETURN_NONE;
        const int axis = static_cast<int>(given < 0 ? given + rank : given);
        Extents shape = first.shape();
        shape[axis] = 0;
        for (Py_ssize_t i = 0; i < part_count; ++i) {
            if (!is_ndarray(items[i])) Py_RETURN_NONE;
            const Array& part = array_of(items[i]);
            if (part.dtype() != first.dtype() || part.rank() != rank ||
                !part.layout().is_row_major())
                Py_RETURN_NONE;
            for (int d = 0; d < rank; ++d)
                if (d != axis && part.shape()[d] != shape[d]) Py_RETURN_NONE;
            if (__builtin_add_overflow(shape[axis], part.shape()[axis], &shape[axis]))
                Py_RETURN_NONE;
        }
        Machine& entered = machine_here();
        Array joined = entered.empty(shape, first.dtype());
        Extent start = 0;
        for (Py_ssize_t i = 0; i < part_count; ++i) {
            const Array& part = array_of(items[i]);
            const Extent extent = part.shape()[axis];
            entered.assign(joined.view(joined.layout().slice(axis, start, 1, extent)), part);
            start += extent;
        }
        return new_ndarray(std::move(joined));
    });
}

PyObject* module_to_numpy(PyObject*, PyObject* object) {
    return guarded([&]() -> PyObject* {
        if (!is_ndarray(object) && !is_scalar(object))
            refuse(PyExc_TypeError, "to_numpy takes an ndarray of this module");
        return numpy_view(object);
    });
}

/// from_numpy(array, owned=False): `owned` says that nobody else sees the array.
PyObject* module_from_numpy(PyObject*, Values arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[2] = {};
        if (!sort_arguments<2>({"array", "owned"}, arguments, count, keywords, places) ||
            places[0] == nullptr)
            refuse(PyExc_TypeError, "from_numpy(array, owned=False)");
        Reference adopted(adopt_buffer(places[0]));
        if (!adopted) {
            if (PyErr_Occurred() != nullptr) return nullptr;
            refuse(PyExc_TypeError, "arrays of this dtype or alignment are NumPy's");
        }
        // Small ones are cheaper to copy than to keep as another's memory.
        constexpr Extent small_bytes = 4 << 10;
        const Array& array = array_of(adopted.get());
        const bool owned = is_present(places[1]) && truth_of(places[1]);
        if (!owned || as_ndarray(adopted.get())->base != nullptr) return adopted.release();
        if (array.size() * static_cast<Extent>(array::bytes_of(array.dtype())) > small_bytes) {
            machine().end_export(array);  // adopting began one, but nobody else sees this memory
            return adopted.release();
        }
        return new_ndarray(machine_here().copy(array, array::Order::keep));
    });
}

PyObject* module_broadcast_to(PyObject*, Values arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[2] = {};
        if (!sort_arguments<2>({"array", "shape"}, arguments, count, keywords, places) ||
            places[1] == nullptr || !is_ndarray(places[0]))
            refuse(PyExc_TypeError, "broadcast_to(array, shape)");
        const Extents shape = extents_for_array(places[1]);
        NdArray* of = as_ndarray(places[0]);
        std::optional<Layout> layout = of->array.layout().broadcast_to(shape);
        if (!layout) {
            PyErr_Format(PyExc_ValueError,
                         "operands could not be broadcast together with remapped shapes "
                         "[original->remapped]: %s  and requested shape %s",
                         of->array.shape().text().c_str(), shape.text().c_str());
            return nullptr;
        }
        for (int d = 0; d < shape.size(); ++d)
            if (shape[d] == 1) layout->strides[d] = 0;  // as NumPy says
        PyObject* view = new_view(of, std::move(*layout));
        if (view != nullptr) as_ndarray(view)->writable = false;
        return view;
    });
}

PyObject* module_diagonal(PyObject*, Values arguments, Py_ssize_t count, PyObject* keywords) {
    if (PyVectorcall_NARGS(count) < 1) {
        PyErr_SetString(PyExc_TypeError, "diagonal(array, offset=0, axis1=0, axis2=1)");
        return nullptr;
    }
    const Reference method(PyObject_GetAttrString(arguments[0], "diagonal"));
    if (!method) return nullptr;
    return PyObject_Vectorcall(method.get(), arguments + 1,
                               static_cast<std::size_t>(PyVectorcall_NARGS(count) - 1), keywords);
}

PyObject* module_wait(PyObject*, PyObject*) {
    return guarded([&]() -> PyObject* {
        if (core.machine != nullptr) {
            Machine& entered = machine();
            without_lock([&] { entered.wait(); });
        }
        Py_RETURN_NONE;
    });
}

PyObject* module_statistics(PyObject*, PyObject*) {
    return guarded([&]() -> PyObject* {
        const Machine::Counts counts = machine().counts();
        const auto number = [](std::uint64_t value) {
            return static_cast<unsigned long long>(value);
        };
        return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K}", "operations", number(counts.operations),
                             "immediate", number(counts.immediate), "waits", number(counts.waits),
                             "stores", number(counts.stores), "bytes", number(counts.bytes));
    });
}

/// [(text, operations, replayed)], the most operations first: how the launches of each line were served.
PyObject* module_why_not_traced(PyObject*, PyObject*) {
    return guarded([&]() -> PyObject* {
        Reference list(checked(PyList_New(0)));
        for (const LaunchSiteReport& site : machine_here().runtime().why_not_traced()) {
            const Reference row(checked(Py_BuildValue(
                "(sKK)", site.to_string().c_str(), static_cast<unsigned long long>(site.operations),
                static_cast<unsigned long long>(site.replayed))));
            if (PyList_Append(list.get(), row.get()) < 0) throw PythonError();
        }
        return list.release();
    });
}

PyObject* module_set_hooks(PyObject*, PyObject* arguments, PyObject* keywords) {
    if (PyTuple_GET_SIZE(arguments) != 0) {
        PyErr_SetString(PyExc_TypeError, "set_hooks takes keywords");
        return nullptr;
    }
    const struct {
        const char* name;
        PyObject** hook;
    } hooks[] = {
        {"getitem", &core.hooks.getitem},           {"setitem", &core.hooks.setitem},
        {"attribute", &core.hooks.attribute},       {"set_attribute", &core.hooks.set_attribute},
        {"ufunc_method", &core.hooks.ufunc_method}, {"function", &core.hooks.function},
        {"convert", &core.hooks.convert},           {"values", &core.hooks.values},
    };
    PyObject* key;
    PyObject* value;
    Py_ssize_t position = 0;
    while (keywords != nullptr && PyDict_Next(keywords, &position, &key, &value) != 0) {
        bool found = false;
        for (const auto& [name, hook] : hooks) {
            if (PyUnicode_CompareWithASCIIString(key, name) != 0) continue;
            found = true;
            Py_XDECREF(*hook);
            *hook = value == Py_None ? nullptr : Py_NewRef(value);
        }
        if (!found) {
            PyErr_Format(PyExc_TypeError, "there is no hook %R", key);
            return nullptr;
        }
    }
    Py_RETURN_NONE;
}

/// sites(on): whether operations note their line.
PyObject* module_sites(PyObject*, PyObject* on) {
    return guarded([&]() -> PyObject* {
        core.sites = truth_of(on);
        if (core.machine != nullptr) resolve_sites();
        Py_RETURN_NONE;
    });
}

/// tune(at_once_bytes=None, tile_bytes=None, tiles=None): before the first array is made.
PyObject* module_tune(PyObject*, Values arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[3] = {};
        if (!sort_arguments<3>({"at_once_bytes", "tile_bytes", "tiles"}, arguments, count, keywords,
                               places))
            refuse(PyExc_TypeError, "tune(at_once_bytes=None, tile_bytes=None, tiles=None)");
        if (core.machine != nullptr)
            refuse(PyExc_RuntimeError, "tune comes too late: arrays were made already");
        if (is_present(places[0])) core.tuning.at_once_bytes = integer_of(places[0]);
        if (is_present(places[1])) core.tuning.tile_bytes = integer_of(places[1]);
        if (is_present(places[2])) core.tuning.tiles = static_cast<int>(integer_of(places[2]));
        Py_RETURN_NONE;
    });
}

/// errors_now(on): whether every call waits; gives what was so before.
PyObject* module_errors_now(PyObject*, PyObject* on) {
    return guarded([&]() -> PyObject* {
        static_cast<void>(machine());
        const bool before = std::exchange(core.errors_now, truth_of(on));
        apply_error_mask();
        return PyBool_FromLong(before ? 1 : 0);
    });
}
PyObject* module_set_error_mask(PyObject*, PyObject* mask) {
    return guarded([&] { return set_error_mask(static_cast<unsigned>(integer_of(mask))); });
}
/// stream_hash(): of what shaped the stream since the first call, which gives 0.
PyObject* module_stream_hash(PyObject*, PyObject*) {
    return guarded([&]() -> PyObject* {
        Machine& entered = machine();
        const std::uint64_t hash = entered.stream_hash();
        entered.hash_stream();
        return PyLong_FromUnsignedLongLong(hash);
    });
}
/// fail_operation(count): for tests.
PyObject* module_fail_operation(PyObject*, PyObject* count) {
    return guarded([&]() -> PyObject* {
        machine().fail_operation(static_cast<std::uint64_t>(integer_of(count)));
        Py_RETURN_NONE;
    });
}

/// discard_operations(on): for benchmarks.
PyObject* module_discard_operations(PyObject*, PyObject* on) {
    return guarded([&]() -> PyObject* {
        machine().discard_operations(truth_of(on));
        Py_RETURN_NONE;
    });
}

PyObject* module_count_sites(PyObject*, PyObject* on) {
    return guarded([&]() -> PyObject* {
        core.counts_sites = truth_of(on);
        Py_RETURN_NONE;
    });
}
PyObject* module_site_counts(PyObject*, PyObject*) {
    return guarded(site_counts);
}

PyObject* module_current_site(PyObject*, PyObject*) {
    return guarded([&] { return resolved_site(running_site()); });
}

/// Called by gc: releases wait until a collection is over.
PyObject* module_collection(PyObject*, PyObject* arguments) {
    PyObject* phase;
    PyObject* information;
    if (PyArg_ParseTuple(arguments, "OO", &phase, &information) == 0) return nullptr;
    core.collecting = PyUnicode_CompareWithASCIIString(phase, "start") == 0;
    if (!core.collecting) core.attention.store(true, std::memory_order_release);
    Py_RETURN_NONE;
}

/// Called by os.fork(): the runtime prepares for it in the thread that has entered it last.
PyObject* module_before_fork(PyObject*, PyObject*) {
    return guarded([&]() -> PyObject* {
        if (core.machine != nullptr) static_cast<void>(machine());
        Py_RETURN_NONE;
    });
}
/// The other threads are not there.
PyObject* module_in_child(PyObject*, PyObject*) {
    core.line.clear();
    Py_RETURN_NONE;
}

/// Before the interpreter goes: nothing is pending any more.
PyObject* module_finish(PyObject*, PyObject*) {
    return guarded([&]() -> PyObject* {
        if (core.machine != nullptr) {
            Machine& entered = machine();
            without_lock([&] { entered.wait(); });
        }
        Py_RETURN_NONE;
    });
}

/// After the interpreter: reports and timelines are written when the runtime ends, which is when the
/// last array does. Others' memory is not given back, since those who would take it have gone.
void end_machine() {
    if (core.machine == nullptr) return;
    core.value_alarm = &never;
    if (core.owner != pthread_self()) core.machine->runtime().use_from_this_thread();
    std::vector<Array> dropped;
    {
        const std::lock_guard lock(core.queue_lock);
        dropped.swap(core.dropped);
    }
    dropped.clear();
    delete core.machine;
    core.machine = nullptr;
}

constexpr int vector_call = METH_FASTCALL | METH_KEYWORDS;

PyMethodDef module_table[] = {
    {"empty", as_method(module_empty), vector_call, "empty(shape, dtype=None, order='C')"},
    {"zeros", as_method(module_zeros), vector_call, "zeros(shape, dtype=None, order='C')"},
    {"ones", as_method(module_ones), vector_call, "ones(shape, dtype=None, order='C')"},
    {"full", as_method(module_full), vector_call, "full(shape, fill_value, dtype=None, order='C')"},
    {"arange", as_method(module_arange), vector_call, "arange(start, next, count, dtype=None)"},
    {"asarray", as_method(module_asarray), vector_call, "asarray(object, dtype=None, copy=False)"},
    {"where", as_method(module_where), vector_call, "where(condition, x, y)"},
    {"assign_where", as_method(module_assign_where), METH_FASTCALL,
     "assign_where(target, value, mask): where the mask is true."},
    {"join", as_method(module_join), METH_FASTCALL, "join(arrays, axis): concatenate, or None."},
    {"to_numpy", module_to_numpy, METH_O, "A numpy.ndarray on the array's memory."},
    {"from_numpy", as_method(module_from_numpy), vector_call, "from_numpy(array, owned=False)"},
    {"broadcast_to", as_method(module_broadcast_to), vector_call, "A read-only view."},
    {"diagonal", as_method(module_diagonal), vector_call,
     "diagonal(array, offset=0, axis1=0, axis2=1)"},
    {"wait", module_wait, METH_NOARGS, "Waits for all operations."},
    {"statistics", module_statistics, METH_NOARGS, "Counts, as a dict."},
    {"why_not_traced", module_why_not_traced, METH_NOARGS, "[(text, operations, replayed)]."},
    {"set_hooks", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(module_set_hooks)),
     METH_VARARGS | METH_KEYWORDS, "Functions for what is not done here."},
    {"sites", module_sites, METH_O, "Whether operations note their line."},
    {"tune", as_method(module_tune), vector_call,
     "tune(at_once_bytes=None, tile_bytes=None, tiles=None)"},
    {"errors_now", module_errors_now, METH_O, "Whether every call waits; what was so before."},
    {"set_error_mask", module_set_error_mask, METH_O, "What numpy.seterr says, of this thread."},
    {"stream_hash", module_stream_hash, METH_NOARGS,
     "A hash of what shaped the stream of operations since the first call, which gives 0."},
    {"fail_operation", module_fail_operation, METH_O,
     "For tests: the task of the launched operation of that number from now on, from 1, fails."},
    {"discard_operations", module_discard_operations, METH_O,
     "Whether operations are recorded and dropped: their results are unspecified."},
    {"count_sites", module_count_sites, METH_O,
     "Whether operations and waits are counted by line."},
    {"site_counts", module_site_counts, METH_NOARGS, "[(file, line, operations, waits)]."},
    {"current_site", module_current_site, METH_NOARGS, "(file, line) of the running code."},
    {nullptr, nullptr, 0, nullptr},
};

/// Lines of the package's own files, and of NumPy's, are not the program's.
bool set_own_folders() noexcept {
    for (const char* name : {"refrain", "numpy"}) {
        const Reference package(PyImport_ImportModule(name));
        if (!package) return false;
        const Reference path(PyObject_GetAttrString(package.get(), "__path__"));
        const Reference folder(path ? PySequence_GetItem(path.get(), 0) : nullptr);
        if (!folder || !add_own_folder(folder.get())) {
            PyErr_Clear();  // built otherwise: its lines count as the program's
        }
    }
    return true;
}

bool add_fork_callbacks() noexcept {
    static PyMethodDef before{"before_fork", module_before_fork, METH_NOARGS, nullptr};
    static PyMethodDef in_child{"in_child", module_in_child, METH_NOARGS, nullptr};
    const Reference os(PyImport_ImportModule("os"));
    if (!os) return false;
    const Reference at_fork(PyObject_GetAttrString(os.get(), "register_at_fork"));
    const Reference none(PyTuple_New(0));
    const Reference words(Py_BuildValue("{s:N,s:N}", "before", PyCFunction_New(&before, nullptr),
                                        "after_in_child", PyCFunction_New(&in_child, nullptr)));
    if (!at_fork || !none || !words) return false;
    const Reference registered(PyObject_Call(at_fork.get(), none.get(), words.get()));
    return static_cast<bool>(registered);
}

bool add_callbacks() noexcept {
    static PyMethodDef collection{"collection", module_collection, METH_VARARGS, nullptr};
    static PyMethodDef finish{"finish", module_finish, METH_NOARGS, nullptr};
    const Reference gc(PyImport_ImportModule("gc"));
    if (!gc) return false;
    const Reference callbacks(PyObject_GetAttrString(gc.get(), "callbacks"));
    const Reference on_collection(PyCFunction_New(&collection, nullptr));
    if (!callbacks || !on_collection || PyList_Append(callbacks.get(), on_collection.get()) < 0)
        return false;
    const Reference exits(PyImport_ImportModule("atexit"));
    const Reference on_exit(PyCFunction_New(&finish, nullptr));
    if (!exits || !on_exit) return false;
    const Reference registered(PyObject_CallMethod(exits.get(), "register", "O", on_exit.get()));
    return registered && Py_AtExit(end_machine) == 0 && add_fork_callbacks();
}

PyObject* make_ufuncs() {
    Reference table(PyDict_New());
    if (!table) return nullptr;
    const auto add = [&](const char* name, Ufunc function) {
        return PyDict_SetItemString(table.get(), name, ufunc_object(function)) == 0;
    };
    for (int i = 0; i < array::ufunc_count; ++i) {
        const auto function = static_cast<Ufunc>(i);
        if (!add(std::string(array::name_of(function)).c_str(), function)) return nullptr;
    }
    if (!add("divide", Ufunc::true_divide)) return nullptr;
    return table.release();
}

PyModuleDef definition{};

}  // namespace
}  // namespace refrain::ndarray

extern "C" __attribute__((visibility("default"))) PyObject* PyInit__core() {
    using namespace refrain::ndarray;
    definition.m_base = PyModuleDef_HEAD_INIT;
    definition.m_name = "refrain._core";
    definition.m_doc = "NumPy's arrays, computed by tasks of the Refrain runtime.";
    definition.m_size = -1;
    definition.m_methods = module_table;
    if (!import_numpy() || !make_ndarray_type() || !make_scalar_type() || !make_ufunc_type() ||
        !set_own_folders() || !add_callbacks())
        return nullptr;
    Reference module(PyModule_Create(&definition));
    if (!module || PyModule_AddFunctions(module.get(), task_functions()) < 0 ||
        PyModule_AddFunctions(module.get(), library_functions()) < 0 ||
        PyModule_AddFunctions(module.get(), own_task_functions()) < 0 ||
        PyModule_AddFunctions(module.get(), quick_calls()) < 0 ||
        PyModule_AddFunctions(module.get(), random_functions()) < 0)
        return nullptr;
    const auto add = [&](const char* name, PyObject* object) {
        return object != nullptr && PyModule_AddObjectRef(module.get(), name, object) == 0;
    };
    const Reference ufuncs(make_ufuncs());
    if (!add("ndarray", reinterpret_cast<PyObject*>(&ndarray_type)) ||
        !add("scalar", reinterpret_cast<PyObject*>(&scalar_type)) ||
        !add("ufunc", reinterpret_cast<PyObject*>(&ufunc_type)) || !add("ufuncs", ufuncs.get()))
        return nullptr;
    return module.release();
}
