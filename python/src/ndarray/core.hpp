/// What the module knows besides its objects: the one Machine, NumPy's objects, hooks into Python; how
/// the interpreter lock, other threads and exceptions meet the runtime.
///
///     PyObject* copied(PyObject* self, PyObject*) {
///         return guarded([&] { return new_ndarray(machine().copy(array_of(self))); });
///     }
///
/// Invariants:
///   C1  The Machine is entered by the thread that holds the interpreter lock, and by one at a time: a
///       thread that waits without the lock is `busy`, and others wait for it in `machine()`, in a line:
///       who has been busy goes to its end, so that each has its turn.
///   C2  Stores are released in machine() or by a thread that may enter it: never while one is busy,
///       nor in the middle of a cyclic collection, whose order is not the program's.
#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <semaphore>
#include <string>
#include <vector>

#include "ndarray/objects.hpp"

namespace refrain::ndarray {

/// Python functions that do what is not done here.
struct Hooks {
    PyObject* getitem = nullptr;        // (array, key) -> anything
    PyObject* setitem = nullptr;        // (array, key, value)
    PyObject* attribute = nullptr;      // (array or scalar, name) -> anything
    PyObject* set_attribute = nullptr;  // (array, name, value)
    PyObject* ufunc_method =
        nullptr;                   // (ufunc, "__call__", "reduce", ..., args, kwargs) -> anything
    PyObject* function = nullptr;  // (function, types, args, kwargs): __array_function__
    PyObject* values = nullptr;    // ([((file, line), function, flags, NumPy's error mask)])
    PyObject* convert = nullptr;   // (object) -> ndarray, scalar, Python or NumPy scalar, or other
};

inline const std::atomic<bool> never{false};

struct Core {
    Machine* machine = nullptr;                     // made when first needed
    const std::atomic<bool>* value_alarm = &never;  // the machine's
    std::atomic<bool> attention{true};              // machine() must take the long way
    pthread_t owner{};
    bool busy = false;        // C1; guarded by the interpreter lock
    bool collecting = false;  // C2; likewise
    // Who waits for its turn, guarded by the interpreter lock. Not destroyed with the process.
    std::deque<std::counting_semaphore<>*>& line = *new std::deque<std::counting_semaphore<>*>;
    PyThreadState* released = nullptr;
    std::mutex queue_lock;
    // Not destroyed with the process: an array that ends then adds to the second queue.
    std::vector<Array>& dropped = *new std::vector<Array>;  // by other threads or collections
    std::vector<Py_buffer*>& foreign = *new std::vector<Py_buffer*>;  // exports of others' memory
                                                                      // that ended; any thread adds
    Hooks hooks;
    bool sites = true;
    bool errors_now = false;  // every call waits
    bool counts_sites = false;
    array::Tuning tuning;  // of the machine that will be made

    PyObject* numpy = nullptr;
    PyObject* dtypes[array::dtype_count] = {};
    PyTypeObject* numpy_scalars[array::dtype_count] = {};
    PyObject* numpy_ndarray = nullptr;
    PyObject* numpy_ufunc = nullptr;
    PyObject* axis_error = nullptr;
    PyObject* linear_algebra_error = nullptr;
    PyObject* dtype_of_object = nullptr;  // dict: what names a dtype -> its number
};
extern Core core;

/// Wakes the first in the line; a thread that has been called in vain waits on.
inline void call_next() {
    if (!core.busy && !core.line.empty()) core.line.front()->release();
}
/// The long way of machine(): makes it, waits for a busy thread, takes it over, releases what queued.
void enter_slowly();

/// The machine, ready for calls of this thread.
[[nodiscard]] inline Machine& machine() {
    if (core.attention.load(std::memory_order_acquire) || core.owner != pthread_self())
        enter_slowly();
    return *core.machine;
}
/// Tells the machine where the running line is; of a call that launches.
void note_site();
[[nodiscard]] inline Machine& machine_here() {
    Machine& entered = machine();
    if (core.sites) note_site();
    return entered;
}

/// Thrown after a Python function failed: the error is set.
struct PythonError {};
/// Raises a Python exception.
[[noreturn]] inline void refuse(PyObject* type, const char* message) {
    PyErr_SetString(type, message);
    throw PythonError();
}
[[noreturn]] inline void refuse(PyObject* type, const std::string& message) {
    refuse(type, message.c_str());
}
/// Sets the Python error for the exception being handled.
void set_error_of_exception() noexcept;

/// Lines get names, in reports and in the text of failures.
void resolve_sites() noexcept;
/// Tells the machine what this thread's numpy.seterr wants.
void apply_error_mask() noexcept;
PyObject* set_error_mask(unsigned mask);
/// Hands what happened to values to the hook, which warns or raises; where calls wait, waits first.
void tell_values();
[[nodiscard]] inline bool has_values_to_tell() noexcept {
    return core.value_alarm->load(std::memory_order_relaxed);
}

/// Calls `body`, which gives a new reference; exceptions become Python errors.
template <class Body>
[[nodiscard]] PyObject* guarded(Body&& body) noexcept {
    PyObject* result = nullptr;
    try {
        result = body();
        if (has_values_to_tell() && result != nullptr) [[unlikely]]
            tell_values();
        return result;
    } catch (...) {
        Py_XDECREF(result);
        set_error_of_exception();
        return nullptr;
    }
}
template <class Body>
[[nodiscard]] int guarded_status(Body&& body) noexcept {
    try {
        body();
        if (has_values_to_tell()) [[unlikely]]
            tell_values();
        return 0;
    } catch (...) {
        set_error_of_exception();
        return -1;
    }
}

/// Throws if `object` is null.
inline PyObject* checked(PyObject* object) {
    if (object == nullptr) throw PythonError();
    return object;
}

/// Owns a reference.
class Reference {
  public:
    Reference() noexcept = default;
    explicit Reference(PyObject* owned) noexcept : object_(owned) {}
    Reference(Reference&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Reference(const Reference&) = delete;
    Reference& operator=(Reference&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    Reference& operator=(const Reference&) = delete;
    ~Reference() { Py_XDECREF(object_); }
    [[nodiscard]] static Reference borrowed(PyObject* object) noexcept {
        Py_XINCREF(object);
        return Reference(object);
    }
    [[nodiscard]] PyObject* get() const noexcept { return object_; }
    [[nodiscard]] PyObject* release() noexcept { return std::exchange(object_, nullptr); }
    explicit operator bool() const noexcept { return object_ != nullptr; }

  private:
    PyObject* object_ = nullptr;
};

/// Runs `body`, which waits, without the interpreter lock.
template <class Body>
auto without_lock(Body&& body) {
    struct Unlocked {
        Unlocked() {
            if (core.busy) enter_slowly();
            core.busy = true;
            core.attention.store(true, std::memory_order_release);
            core.released = PyEval_SaveThread();
        }
        Unlocked(const Unlocked&) = delete;
        Unlocked& operator=(const Unlocked&) = delete;
        ~Unlocked() {
            PyEval_RestoreThread(core.released);
            core.released = nullptr;
            core.busy = false;
            call_next();
        }
    } unlocked;
    return body();
}

/// Whether C2 allows this thread to release stores now.
[[nodiscard]] inline bool may_drop() noexcept {
    return !core.busy && !core.collecting && core.owner == pthread_self();
}
/// Releases a store as soon as C2 allows.
void drop(Array&& array) noexcept;

/// The value of an array of size 1; waits.
[[nodiscard]] Scalar value_of(const Array& array);
[[nodiscard]] const Scalar& value_of(ScalarObject* scalar);
/// The scalar as an array of rank 0: its own, or a new one.
[[nodiscard]] Array array_of_scalar(ScalarObject* scalar);

/// Remembers NumPy's objects; false with an error set.
[[nodiscard]] bool import_numpy() noexcept;

/// Where running code is, as words of array::Site; those of the module's own Python files are skipped.
[[nodiscard]] array::Site running_site() noexcept;
/// (file, line) of a site that running_site() gave; None for none.
[[nodiscard]] PyObject* resolved_site(const array::Site& site);
/// What happened at a line, counted while core.counts_sites.
void count_operation(const array::Site& site);
void count_wait() noexcept;
/// A list of (file, line, operations, waits).
[[nodiscard]] PyObject* site_counts();

/// Code of files below this folder is never a site.
[[nodiscard]] bool add_own_folder(PyObject* path) noexcept;

/// Whether NumPy shall do what we cannot: types for which we have no loop. It words the error, too.
[[nodiscard]] inline bool is_numpys(const array::ArrayError& error) noexcept {
    return error.kind() == array::ErrorKind::ufunc_type ||
           error.kind() == array::ErrorKind::casting;
}

}  // namespace refrain::ndarray
