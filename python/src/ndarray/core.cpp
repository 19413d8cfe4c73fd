#include "ndarray/core.hpp"

#include "refrain/dynamic.hpp"
#include "refrain/options.hpp"

#include <new>
#include <string>

#include "ndarray/convert.hpp"

namespace refrain::ndarray {

Core core;

namespace {

/// Asked during waits: whether Ctrl-C was pressed, or another signal's handler raised.
bool signal_raised(void*) {
    PyThreadState* released = core.released;
    if (released != nullptr) PyEval_RestoreThread(released);
    const bool raised = PyErr_CheckSignals() != 0;
    if (released != nullptr) PyEval_SaveThread();
    return raised;
}

void make_machine() {
    core.machine = new Machine(Options::from_environment(), core.tuning);
    core.machine->set_give_up(signal_raised, nullptr);
    core.value_alarm = &core.machine->value_alarm();
    core.owner = pthread_self();
    resolve_sites();
    apply_error_mask();
}

void release_queued() {
    std::vector<Array> dropped;
    std::vector<Py_buffer*> foreign;
    {
        const std::lock_guard lock(core.queue_lock);
        dropped.swap(core.dropped);
        foreign.swap(core.foreign);
    }
    dropped.clear();
    for (Py_buffer* buffer : foreign) {
        PyBuffer_Release(buffer);
        delete buffer;
    }
}

void wait_in_line() {
    std::counting_semaphore<> turn(0);
    core.line.push_back(&turn);
    while (core.busy || core.line.front() != &turn) {
        Py_BEGIN_ALLOW_THREADS;
        turn.acquire();
        Py_END_ALLOW_THREADS;
    }
    core.line.pop_front();
    call_next();
}

}  // namespace

void enter_slowly() {
    if (core.busy || !core.line.empty()) wait_in_line();
    if (core.machine == nullptr) make_machine();
    if (core.owner != pthread_self()) {
        core.machine->runtime().use_from_this_thread();
        core.owner = pthread_self();
        apply_error_mask();
    }
    if (core.collecting) return;
    core.attention.store(false, std::memory_order_release);
    release_queued();
}

void drop(Array&& array) noexcept {
    if (may_drop()) {
        const Array released = std::move(array);
        return;
    }
    const std::lock_guard lock(core.queue_lock);
    core.dropped.push_back(std::move(array));
    core.attention.store(true, std::memory_order_release);
}

Scalar value_of(const Array& array) {
    Machine& entered = machine();
    if (core.counts_sites) count_wait();
    if (entered.is_ready(array)) return entered.item(array);
    return without_lock([&] { return entered.item(array); });
}

const Scalar& value_of(ScalarObject* scalar) {
    if (!scalar->known) {
        scalar->value = value_of(scalar->array);
        scalar->known = true;
        drop(std::exchange(scalar->array, Array()));
    } else if (!scalar->was_read) {
        scalar->was_read = true;
        if (core.counts_sites) count_wait();
    }
    return scalar->value;
}

Array array_of_scalar(ScalarObject* scalar) {
    if (!scalar->known) return scalar->array;
    return machine_here().full({}, scalar->value);
}

namespace {

void set_array_error(const array::ArrayError& error) {
    PyObject* type = nullptr;
    switch (error.kind()) {
        case array::ErrorKind::value:
            type = PyExc_ValueError;
            break;
        case array::ErrorKind::type:
        case array::ErrorKind::ufunc_type:
        case array::ErrorKind::casting:
            type = PyExc_TypeError;
            break;
        case array::ErrorKind::index:
            type = PyExc_IndexError;
            break;
        case array::ErrorKind::axis:
            type = core.axis_error;
            break;
        case array::ErrorKind::memory:
            type = PyExc_MemoryError;
            break;
        case array::ErrorKind::zero_division:
            type = PyExc_ZeroDivisionError;
            break;
        case array::ErrorKind::linear_algebra:
            type = core.linear_algebra_error;
            break;
    }
    PyErr_SetString(type, error.what());
}

/// A task that refused values raises what NumPy would, with the line that asked for it.
void set_task_error(const TaskError& error) {
    try {
        if (error.cause() != nullptr) std::rethrow_exception(error.cause());
    } catch (const array::ArrayError& cause) {
        set_array_error(array::ArrayError(
            cause.kind(), error.original_message() + " (" + error.launch_site() + ")"));
        return;
    } catch (const OutOfMemory&) {
        PyErr_SetString(PyExc_MemoryError, error.what());
        return;
    } catch (const std::out_of_range&) {  // of a kernel that selects
        PyErr_SetString(PyExc_IndexError,
                        (error.original_message() + " (" + error.launch_site() + ")").c_str());
        return;
    } catch (const std::bad_alloc&) {
        PyErr_SetString(PyExc_MemoryError, error.what());
        return;
    } catch (...) {  // its text says enough
    }
    PyErr_SetString(PyExc_RuntimeError, error.what());
}

}  // namespace

void set_error_of_exception() noexcept {
    try {
        throw;
    } catch (const PythonError&) {
    } catch (const array::ArrayError& error) {
        set_array_error(error);
    } catch (const dynamic::WaitGivenUp&) {
        if (PyErr_Occurred() == nullptr) PyErr_SetNone(PyExc_KeyboardInterrupt);
    } catch (const TaskError& error) {
        set_task_error(error);
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    } catch (const OutOfMemory& error) {
        PyErr_SetString(PyExc_MemoryError, error.what());
    } catch (const UsageError& error) {
        PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const std::out_of_range& error) {
        PyErr_SetString(PyExc_IndexError, error.what());
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    }
}

bool import_numpy() noexcept {
    core.numpy = PyImport_ImportModule("numpy");
    if (core.numpy == nullptr) return false;
    const auto named = [](const char* name) { return PyObject_GetAttrString(core.numpy, name); };
    core.numpy_ndarray = named("ndarray");
    core.numpy_ufunc = named("ufunc");
    core.axis_error = named("AxisError");
    if (core.axis_error == nullptr) {  // NumPy 2
        PyErr_Clear();
        const Reference exceptions(named("exceptions"));
        if (exceptions) core.axis_error = PyObject_GetAttrString(exceptions.get(), "AxisError");
    }
    const Reference linalg(named("linalg"));
    if (linalg) core.linear_algebra_error = PyObject_GetAttrString(linalg.get(), "LinAlgError");
    core.dtype_of_object = PyDict_New();
    if (core.linear_algebra_error == nullptr || core.numpy_ndarray == nullptr ||
        core.numpy_ufunc == nullptr || core.axis_error == nullptr ||
        core.dtype_of_object == nullptr)
        return false;
    for (int i = 0; i < array::dtype_count; ++i) {
        const std::string name(array::name_of(static_cast<DType>(i)));
        const Reference dtype(PyObject_CallMethod(core.numpy, "dtype", "s", name.c_str()));
        if (!dtype) return false;
        core.dtypes[i] = Py_NewRef(dtype.get());
        PyObject* type = PyObject_GetAttrString(dtype.get(), "type");
        if (type == nullptr) return false;
        core.numpy_scalars[i] = reinterpret_cast<PyTypeObject*>(type);
        const Reference number(PyLong_FromLong(i));
        const Reference text(PyUnicode_FromString(name.c_str()));
        if (!number || !text || PyDict_SetItem(core.dtype_of_object, type, number.get()) < 0 ||
            PyDict_SetItem(core.dtype_of_object, text.get(), number.get()) < 0 ||
            PyDict_SetItem(core.dtype_of_object, dtype.get(), number.get()) < 0)
            return false;
    }
    const auto builtin = [](PyTypeObject& type, DType dtype) {
        const Reference number(PyLong_FromLong(static_cast<long>(dtype)));
        return number && PyDict_SetItem(core.dtype_of_object, reinterpret_cast<PyObject*>(&type),
                                        number.get()) == 0;
    };
    return builtin(PyBool_Type, DType::boolean) && builtin(PyLong_Type, DType::int64) &&
           builtin(PyFloat_Type, DType::float64) && builtin(PyComplex_Type, DType::complex128);
}

}  // namespace refrain::ndarray
