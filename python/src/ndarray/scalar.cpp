// The type scalar: what full reductions and x[i] give. Immutable; waits when the host asks for its value.
#include <cstddef>
#include <new>

#include "ndarray/convert.hpp"
#include "ndarray/methods.hpp"

namespace refrain::ndarray {

PyTypeObject scalar_type{};

namespace {

struct FreeScalars {
    static constexpr int capacity = 256;
    void* memory[capacity];
    int count = 0;
};
FreeScalars free_scalars;

ScalarObject* allocate_scalar() noexcept {
    if (free_scalars.count > 0) {
        auto* object = static_cast<ScalarObject*>(free_scalars.memory[--free_scalars.count]);
        PyObject_Init(reinterpret_cast<PyObject*>(object), &scalar_type);
        return object;
    }
    return PyObject_New(ScalarObject, &scalar_type);
}

void deallocate_scalar(PyObject* self) noexcept {
    ScalarObject* object = as_scalar(self);
    if (object->weak_references != nullptr) PyObject_ClearWeakRefs(self);
    if (object->array) drop(std::move(object->array));
    object->array.~Array();
    if (free_scalars.count < FreeScalars::capacity)
        free_scalars.memory[free_scalars.count++] = object;
    else
        PyObject_Free(object);
}

DType dtype_of_scalar(PyObject* self) noexcept {
    const ScalarObject* scalar = as_scalar(self);
    return scalar->known ? scalar->value.dtype : scalar->array.dtype();
}

PyObject* real_scalar(PyObject* self) {
    return checked(numpy_value(value_of(as_scalar(self))));
}

PyObject* scalar_class(PyObject* self, void*) {
    return Py_NewRef(
        reinterpret_cast<PyObject*>(core.numpy_scalars[static_cast<int>(dtype_of_scalar(self))]));
}
PyObject* scalar_dtype(PyObject* self, void*) {
    return Py_NewRef(dtype_object(dtype_of_scalar(self)));
}
PyObject* scalar_shape(PyObject*, void*) {
    return PyTuple_New(0);
}
PyObject* scalar_ndim(PyObject*, void*) {
    return PyLong_FromLong(0);
}
PyObject* scalar_size(PyObject*, void*) {
    return PyLong_FromLong(1);
}
PyObject* scalar_bytes(PyObject* self, void*) {
    return PyLong_FromSize_t(array::bytes_of(dtype_of_scalar(self)));
}
PyObject* scalar_itself(PyObject* self, void*) {
    return Py_NewRef(self);
}
PyObject* scalar_base(PyObject*, void*) {
    Py_RETURN_NONE;
}
PyObject* scalar_priority(PyObject*, void*) {
    return PyFloat_FromDouble(-1000000.0);
}
PyObject* scalar_real(PyObject* self, void*) {
    return guarded([&]() -> PyObject* {
        if (!array::is_complex(dtype_of_scalar(self))) return Py_NewRef(self);
        const Reference real(real_scalar(self));
        return PyObject_GetAttrString(real.get(), "real");
    });
}

PyGetSetDef scalar_attributes[] = {
    {"dtype", scalar_dtype, nullptr, "The numpy.dtype.", nullptr},
    {"shape", scalar_shape, nullptr, "()", nullptr},
    {"strides", scalar_shape, nullptr, "()", nullptr},
    {"ndim", scalar_ndim, nullptr, "0", nullptr},
    {"size", scalar_size, nullptr, "1", nullptr},
    {"itemsize", scalar_bytes, nullptr, "Bytes of the value.", nullptr},
    {"nbytes", scalar_bytes, nullptr, "Bytes of the value.", nullptr},
    {"T", scalar_itself, nullptr, "Itself.", nullptr},
    {"base", scalar_base, nullptr, "None", nullptr},
    {"real", scalar_real, nullptr, "The real part.", nullptr},
    {"__class__", scalar_class, nullptr, "NumPy's type, as numpy.float64.", nullptr},
    {"__array_priority__", scalar_priority, nullptr, "As NumPy's.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyObject* scalar_get_attribute(PyObject* self, PyObject* name) noexcept {
    PyObject* found = PyObject_GenericGetAttr(self, name);
    if (found != nullptr || PyErr_ExceptionMatches(PyExc_AttributeError) == 0) return found;
    Py_ssize_t length = 0;
    const char* text = PyUnicode_AsUTF8AndSize(name, &length);
    if (text == nullptr || (length > 4 && text[0] == '_' && text[1] == '_')) return nullptr;
    PyErr_Clear();
    return guarded([&] { return attribute_by_hook(self, name); });
}

PyObject* scalar_representation(PyObject* self) {
    return guarded([&] {
        const Reference real(real_scalar(self));
        return PyObject_Repr(real.get());
    });
}
PyObject* scalar_text(PyObject* self) {
    return guarded([&] {
        const Reference real(real_scalar(self));
        return PyObject_Str(real.get());
    });
}
Py_hash_t scalar_hash(PyObject* self) {
    Py_hash_t hash = -1;
    const int status = guarded_status([&] {
        const Reference value(checked(python_value(value_of(as_scalar(self)))));
        hash = PyObject_Hash(value.get());
    });
    return status < 0 ? -1 : hash;
}

PyObject* scalar_item(PyObject* self, PyObject* const* places, Py_ssize_t count) {
    return guarded([&]() -> PyObject* {
        const Scalar& value = value_of(as_scalar(self));
        if (count == 0) return python_value(value);
        const Reference real(checked(numpy_value(value)));  // NumPy judges the index
        const Reference item(checked(PyObject_GetAttrString(real.get(), "item")));
        return PyObject_Vectorcall(item.get(), places, static_cast<std::size_t>(count), nullptr);
    });
}
PyObject* scalar_tolist(PyObject* self, PyObject*) {
    return guarded([&] { return python_value(value_of(as_scalar(self))); });
}
PyObject* scalar_copy(PyObject* self, PyObject*) {
    return Py_NewRef(self);
}
PyObject* scalar_deep_copy(PyObject* self, PyObject*) {
    return Py_NewRef(self);
}
PyObject* scalar_format(PyObject* self, PyObject* specification) {
    return guarded([&] {
        const Reference real(real_scalar(self));
        return PyObject_Format(real.get(), specification);
    });
}
PyObject* scalar_array(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                       PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[2] = {};
        static_cast<void>(sort_arguments<2>({"dtype", "copy"}, arguments, count, keywords, places));
        const Reference real(real_scalar(self));
        return PyObject_CallMethod(core.numpy, "array", "OO", real.get(),
                                   places[0] == nullptr ? Py_None : places[0]);
    });
}
PyObject* scalar_reduce_ex(PyObject* self, PyObject* protocol) {
    return guarded([&] {
        const Reference real(real_scalar(self));
        return PyObject_CallMethod(real.get(), "__reduce_ex__", "O", protocol);
    });
}
PyObject* scalar_complex(PyObject* self, PyObject*) {
    return guarded([&] {
        return python_value(array::converted(value_of(as_scalar(self)), DType::complex128));
    });
}
PyObject* scalar_round(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
    return guarded([&] {
        const Reference real(real_scalar(self));
        const Reference method(checked(PyObject_GetAttrString(real.get(), "__round__")));
        return PyObject_Vectorcall(method.get(), arguments, static_cast<std::size_t>(count),
                                   nullptr);
    });
}
/// math.trunc, math.floor, math.ceil: as of the Python number.
PyObject* python_number_method(PyObject* self, const char* name) {
    return guarded([&] {
        const Reference value(checked(python_value(value_of(as_scalar(self)))));
        return PyObject_CallMethod(value.get(), name, nullptr);
    });
}
PyObject* scalar_trunc(PyObject* self, PyObject*) {
    return python_number_method(self, "__trunc__");
}
PyObject* scalar_floor(PyObject* self, PyObject*) {
    return python_number_method(self, "__floor__");
}
PyObject* scalar_ceil(PyObject* self, PyObject*) {
    return python_number_method(self, "__ceil__");
}

/// s[()] is s; s[...] an array of rank 0.
PyObject* scalar_subscript(PyObject* self, PyObject* key) {
    return guarded([&]() -> PyObject* {
        if (PyTuple_CheckExact(key) && PyTuple_GET_SIZE(key) == 0) return Py_NewRef(self);
        if (key == Py_Ellipsis)
            return new_ndarray(machine_here().copy(array_of_scalar(as_scalar(self))));
        const Reference real(real_scalar(self));
        return PyObject_GetItem(real.get(), key);
    });
}

/// Conversion of NumPy's own functions: the value's memory, which nobody changes.
int scalar_get_buffer(PyObject* self, Py_buffer* view, int flags) noexcept {
    view->obj = nullptr;
    return guarded_status([&] {
        const Scalar& value = value_of(as_scalar(self));
        const auto bytes = static_cast<Py_ssize_t>(array::bytes_of(value.dtype));
        static const char* const letters[array::dtype_count] = {"?", "b", "B", "h", "H",  "i", "I",
                                                                "l", "L", "f", "d", "Zf", "Zd"};
        if (PyBuffer_FillInfo(view, self, const_cast<std::byte*>(value.bytes.data()), bytes, 1,
                              flags) < 0)
            throw PythonError();
        view->ndim = 0;
        view->itemsize = bytes;
        view->shape = nullptr;
        view->strides = nullptr;
        if ((flags & PyBUF_FORMAT) != 0)
            view->format = const_cast<char*>(letters[static_cast<int>(value.dtype)]);
    });
}

constexpr int with_keywords = METH_FASTCALL | METH_KEYWORDS;
template <class Function>
PyCFunction plain_method(Function* function) noexcept {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

PyNumberMethods scalar_numbers{};
PyMappingMethods scalar_mapping{};
PyBufferProcs scalar_buffers{};

}  // namespace

PyObject* new_scalar(Array&& array) noexcept {
    ScalarObject* object = allocate_scalar();
    if (object == nullptr) return PyErr_NoMemory();
    object->weak_references = nullptr;
    object->known = false;
    object->was_read = true;  // it counts when it is waited for
    new (&object->value) Scalar();
    new (&object->array) Array(std::move(array));
    return reinterpret_cast<PyObject*>(object);
}

PyObject* new_scalar_result(Array&& array) {
    Machine& entered = machine();
    if (!entered.is_certain(array)) return new_scalar(std::move(array));
    const Array seen = std::move(array);
    return new_certain_scalar(entered.item(seen));
}

PyObject* new_certain_scalar(const Scalar& value) noexcept {
    PyObject* scalar = new_scalar(value);
    if (scalar != nullptr) as_scalar(scalar)->was_read = false;
    return scalar;
}

PyObject* new_scalar(const Scalar& value) noexcept {
    ScalarObject* object = allocate_scalar();
    if (object == nullptr) return PyErr_NoMemory();
    object->weak_references = nullptr;
    object->known = true;
    object->was_read = true;
    new (&object->value) Scalar(value);
    new (&object->array) Array();
    return reinterpret_cast<PyObject*>(object);
}

bool make_scalar_type() noexcept {
    static PyMethodDef methods[] = {
        {"item", plain_method(scalar_item), METH_FASTCALL, "The Python number; waits for it."},
        {"tolist", scalar_tolist, METH_NOARGS, "The Python number; waits for it."},
        {"__copy__", scalar_copy, METH_NOARGS, "Itself."},
        {"__deepcopy__", scalar_deep_copy, METH_O, "Itself."},
        {"__format__", scalar_format, METH_O, "As NumPy formats."},
        {"__array__", as_method(scalar_array), with_keywords, "A numpy.ndarray of rank 0."},
        {"__array_ufunc__", plain_method(array_ufunc), METH_VARARGS | METH_KEYWORDS,
         "NumPy's ufuncs on our values."},
        {"__reduce_ex__", scalar_reduce_ex, METH_O, "Pickles as NumPy's scalar."},
        {"__complex__", scalar_complex, METH_NOARGS, "The value as a complex number."},
        {"__round__", plain_method(scalar_round), METH_FASTCALL, "Rounded."},
        {"__trunc__", scalar_trunc, METH_NOARGS, "Rounded towards 0."},
        {"__floor__", scalar_floor, METH_NOARGS, "Rounded down."},
        {"__ceil__", scalar_ceil, METH_NOARGS, "Rounded up."},
        {nullptr, nullptr, 0, nullptr},
    };
    set_number_slots(scalar_numbers, false);
    scalar_mapping.mp_subscript = scalar_subscript;
    scalar_buffers.bf_getbuffer = scalar_get_buffer;
    PyTypeObject& type = scalar_type;
    Py_SET_REFCNT(reinterpret_cast<PyObject*>(&type), 1);
    type.tp_name = "refrain._core.scalar";
    type.tp_basicsize = sizeof(ScalarObject);
    type.tp_dealloc = deallocate_scalar;
    type.tp_repr = scalar_representation;
    type.tp_str = scalar_text;
    type.tp_as_number = &scalar_numbers;
    type.tp_as_mapping = &scalar_mapping;
    type.tp_as_buffer = &scalar_buffers;
    type.tp_hash = scalar_hash;
    type.tp_getattro = scalar_get_attribute;
    type.tp_flags = Py_TPFLAGS_DEFAULT;
    type.tp_doc = "A NumPy scalar that may still be pending.";
    type.tp_richcompare = compare;
    type.tp_weaklistoffset = offsetof(ScalarObject, weak_references);
    type.tp_methods = methods;
    type.tp_getset = scalar_attributes;
    return PyType_Ready(&type) == 0;
}

}  // namespace refrain::ndarray
