// Memory that others see, and others' memory.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>

#include "ndarray/convert.hpp"

namespace refrain::ndarray {
namespace {

/// NumPy's letters, by type number.
constexpr const char* formats[array::dtype_count] = {"?", "b", "B", "h", "H",  "i", "I",
                                                     "l", "L", "f", "d", "Zf", "Zd"};

struct Export {
    Array array;  // keeps the store, and its address
    Py_ssize_t shape[array::rank_max];
    Py_ssize_t strides[array::rank_max];
};

/// The type that a buffer's format names.
std::optional<DType> dtype_of_format(const Py_buffer& buffer) {
    const char* format = buffer.format == nullptr ? "B" : buffer.format;
    if (*format == '@' || *format == '=' || *format == '<') ++format;
    const auto integer = [&](bool is_signed) -> std::optional<DType> {
        switch (buffer.itemsize) {
            case 1:
                return is_signed ? DType::int8 : DType::uint8;
            case 2:
                return is_signed ? DType::int16 : DType::uint16;
            case 4:
                return is_signed ? DType::int32 : DType::uint32;
            case 8:
                return is_signed ? DType::int64 : DType::uint64;
            default:
                return std::nullopt;
        }
    };
    if (std::strcmp(format, "Zf") == 0) return DType::complex64;
    if (std::strcmp(format, "Zd") == 0) return DType::complex128;
    if (std::strlen(format) != 1) return std::nullopt;
    switch (*format) {
        case '?':
            return DType::boolean;
        case 'b':
        case 'h':
        case 'i':
        case 'l':
        case 'q':
        case 'n':
            return integer(true);
        case 'B':
        case 'H':
        case 'I':
        case 'L':
        case 'Q':
        case 'N':
            return integer(false);
        case 'f':
            return DType::float32;
        case 'd':
            return DType::float64;
        default:
            return std::nullopt;
    }
}

/// The ndarray of ours whose memory a NumPy array shows; null if it is another's. Borrowed.
PyObject* our_origin(PyObject* object) {
    Reference base = Reference::borrowed(object);
    for (int depth = 0; depth < 8; ++depth) {
        if (PyMemoryView_Check(base.get())) {
            PyObject* exporter = PyMemoryView_GET_BUFFER(base.get())->obj;
            return exporter != nullptr && is_ndarray(exporter) ? exporter : nullptr;
        }
        if (PyObject_TypeCheck(base.get(), reinterpret_cast<PyTypeObject*>(core.numpy_ndarray)) ==
            0)
            return nullptr;
        base = Reference(PyObject_GetAttrString(base.get(), "base"));
        if (!base || base.get() == Py_None) break;
    }
    PyErr_Clear();
    return nullptr;
}

/// Layout of a buffer from the address `first` on; nothing if strides are not whole elements.
std::optional<Layout> layout_of(const Py_buffer& buffer, const char* first) {
    Layout layout;
    layout.shape = Extents(buffer.ndim, 0);
    layout.strides = Extents(buffer.ndim, 0);
    const Py_ssize_t distance = static_cast<const char*>(buffer.buf) - first;
    if (distance % buffer.itemsize != 0) return std::nullopt;
    layout.offset = distance / buffer.itemsize;
    for (int i = 0; i < buffer.ndim; ++i) {
        layout.shape[i] = buffer.shape[i];
        if (buffer.strides[i] % buffer.itemsize != 0) {
            if (buffer.shape[i] > 1) return std::nullopt;
            continue;
        }
        layout.strides[i] = buffer.strides[i] / buffer.itemsize;
    }
    return layout;
}

struct BufferOwner {
    Py_buffer* buffer = new Py_buffer{};
    bool filled = false;
    BufferOwner() = default;
    BufferOwner(const BufferOwner&) = delete;
    BufferOwner& operator=(const BufferOwner&) = delete;
    ~BufferOwner() {
        if (buffer == nullptr) return;
        if (filled) PyBuffer_Release(buffer);
        delete buffer;
    }
};

}  // namespace

int get_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
    view->obj = nullptr;
    return guarded_status([&] {
        NdArray* of = as_ndarray(self);
        const Array& array = of->array;
        const Layout& layout = array.layout();
        const bool wants_write = (flags & PyBUF_WRITABLE) != 0;
        const auto refuse = [](const char* why) {
            PyErr_SetString(PyExc_BufferError, why);
            throw PythonError();
        };
        if (wants_write && !of->writable) refuse("the array is read-only");
        if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !layout.is_row_major())
            refuse("the array is not C-contiguous");
        if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && !layout.is_column_major())
            refuse("the array is not Fortran contiguous");
        if ((flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS && !layout.is_row_major() &&
            !layout.is_column_major())
            refuse("the array is not contiguous");
        if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !layout.is_row_major())
            refuse("the array is not C-contiguous, and no strides were asked for");
        auto made = std::make_unique<Export>();
        made->array = array;
        Machine& entered = machine_here();
        const bool writable = of->writable;
        void* address = entered.is_ready(array)
                            ? entered.begin_export(array, writable)
                            : without_lock([&] { return entered.begin_export(array, writable); });
        static double nothing[2];
        const auto bytes = static_cast<Py_ssize_t>(array::bytes_of(array.dtype()));
        for (int i = 0; i < layout.rank(); ++i) {
            made->shape[i] = layout.shape[i];
            made->strides[i] = layout.strides[i] * bytes;
        }
        view->buf = address == nullptr ? nothing : address;
        view->itemsize = bytes;
        view->len = layout.size() * bytes;
        view->readonly = of->writable ? 0 : 1;
        view->ndim = layout.rank();
        view->format = (flags & PyBUF_FORMAT) != 0
                           ? const_cast<char*>(formats[static_cast<int>(array.dtype())])
                           : nullptr;
        view->shape = (flags & PyBUF_ND) != 0 ? made->shape : nullptr;
        view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? made->strides : nullptr;
        view->suboffsets = nullptr;
        view->internal = made.release();
        view->obj = Py_NewRef(self);
    });
}

void release_buffer(PyObject*, Py_buffer* view) noexcept {
    const std::unique_ptr<Export> ended(static_cast<Export*>(view->internal));
    view->internal = nullptr;
    try {
        machine().end_export(ended->array);
    } catch (...) {
        PyErr_WriteUnraisable(view->obj);
    }
    drop(std::move(ended->array));
}

PyObject* numpy_view(PyObject* object) {
    if (is_scalar(object)) {
        const Reference value(checked(numpy_value(value_of(as_scalar(object)))));
        return PyObject_CallMethod(core.numpy, "asarray", "O", value.get());
    }
    const Reference memory(checked(PyMemoryView_FromObject(object)));
    static PyObject* asarray = PyObject_GetAttrString(core.numpy, "asarray");
    PyObject* view = PyObject_CallOneArg(asarray, memory.get());
    return view;
}

PyObject* adopt_buffer(PyObject* object) {
    if (is_ndarray(object)) return Py_NewRef(object);
    BufferOwner owner;
    bool writable = true;
    if (PyObject_GetBuffer(object, owner.buffer, PyBUF_FULL) != 0) {
        PyErr_Clear();
        writable = false;
        if (PyObject_GetBuffer(object, owner.buffer, PyBUF_FULL_RO) != 0) {
            // Types that buffers cannot name.
            if (PyErr_ExceptionMatches(PyExc_ValueError) != 0 ||
                PyErr_ExceptionMatches(PyExc_BufferError) != 0 ||
                PyErr_ExceptionMatches(PyExc_TypeError) != 0)
                PyErr_Clear();
            return nullptr;
        }
    }
    owner.filled = true;
    Py_buffer& buffer = *owner.buffer;
    const std::optional<DType> type = dtype_of_format(buffer);
    if (!type || buffer.itemsize == 0 || buffer.suboffsets != nullptr ||
        buffer.ndim > array::rank_max)
        return nullptr;
    if (reinterpret_cast<std::uintptr_t>(buffer.buf) %
            std::min<std::size_t>(8, static_cast<std::size_t>(buffer.itemsize)) !=
        0)
        return nullptr;

    PyObject* origin = our_origin(object);
    if (origin != nullptr && array_of(origin).dtype() == *type) {
        NdArray* of = as_ndarray(origin);
        const Layout& layout = of->array.layout();
        const void* address = machine().begin_export(of->array, false);
        machine().end_export(of->array);
        const char* first = static_cast<const char*>(address) - layout.offset * buffer.itemsize;
        const std::optional<Layout> seen = layout_of(buffer, first);
        if (!seen) return nullptr;
        PyObject* view = new_view(of, Layout(*seen));
        if (view != nullptr && !writable) as_ndarray(view)->writable = false;
        return view;
    }

    // The root is the run of elements from the first address to the last.
    Py_ssize_t below = 0;
    Py_ssize_t above = 0;
    bool is_empty = false;
    for (int i = 0; i < buffer.ndim; ++i) {
        if (buffer.shape[i] == 0) is_empty = true;
        const Py_ssize_t reach = (buffer.shape[i] - 1) * buffer.strides[i];
        (reach < 0 ? below : above) += reach;
    }
    if (is_empty) {
        Layout empty_layout = Layout::row_major(Extents(buffer.ndim, 0));
        for (int i = 0; i < buffer.ndim; ++i) empty_layout.shape[i] = buffer.shape[i];
        return new_ndarray(machine_here().empty(empty_layout.shape, *type));
    }
    char* first = static_cast<char*>(buffer.buf) + below;
    const std::optional<Layout> seen = layout_of(buffer, first);
    if (!seen) return nullptr;
    const Extent count = (above - below) / buffer.itemsize + 1;
    Py_buffer* held = owner.buffer;
    Machine& entered = machine_here();
    const bool row_major = seen->is_row_major();
    Array root =
        entered.adopt(first, row_major ? seen->shape : Extents({count}), *type, writable, [held] {
            const std::lock_guard lock(core.queue_lock);
            core.foreign.push_back(held);
            core.attention.store(true, std::memory_order_release);
        });
    owner.buffer = nullptr;
    PyObject* made = new_ndarray(row_major ? std::move(root) : root.view(*seen));
    if (made != nullptr) {
        as_ndarray(made)->writable = writable;
    }
    return made;
}

}  // namespace refrain::ndarray
