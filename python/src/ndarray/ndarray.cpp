// The type ndarray: memory, attributes, sequence and mapping slots. Its methods are in methods.cpp.
#include <cstddef>
#include <new>
#include <string_view>

#include "ndarray/convert.hpp"
#include "ndarray/methods.hpp"

namespace refrain::ndarray {

PyTypeObject ndarray_type{};

namespace {

/// Memory of ndarrays that were freed; guarded by the interpreter lock.
struct FreeList {
    static constexpr int capacity = 256;
    void* memory[capacity];
    int count = 0;
};
FreeList free_ndarrays;

void deallocate(PyObject* self) noexcept {
    NdArray* object = as_ndarray(self);
    if (object->weak_references != nullptr) PyObject_ClearWeakRefs(self);
    PyObject* base = object->base;
    if (!may_drop()) drop(std::move(object->array));
    object->array.~Array();
    free_ndarray(object);
    Py_XDECREF(base);
}

// Attributes.

PyObject* get_shape(PyObject* self, void*) {
    return tuple_of(array_of(self).shape());
}
int set_shape(PyObject* self, PyObject* value, void*) noexcept {
    return guarded_status([&] {
        if (value == nullptr) {
            PyErr_SetString(PyExc_AttributeError, "Cannot delete array shape");
            throw PythonError();
        }
        Array& array = array_of(self);
        Extents shape = shape_of(value);
        if (!complete_shape(shape, array.size())) throw PythonError();
        std::optional<Layout> layout = array.layout().reshaped(shape);
        if (!layout) {
            PyErr_SetString(
                PyExc_AttributeError,
                "Incompatible shape for in-place modification. Use `.reshape()` to make "
                "a copy with the desired shape.");
            throw PythonError();
        }
        array = array.view(std::move(*layout));
    });
}
PyObject* get_ndim(PyObject* self, void*) {
    return PyLong_FromLong(array_of(self).rank());
}
PyObject* get_size(PyObject* self, void*) {
    return PyLong_FromLongLong(array_of(self).size());
}
PyObject* get_dtype(PyObject* self, void*) {
    return Py_NewRef(dtype_object(array_of(self).dtype()));
}
int set_dtype(PyObject*, PyObject*, void*) noexcept {
    PyErr_SetString(PyExc_AttributeError,
                    "the dtype of an array stays what it is; a.view(dtype) sees its memory as "
                    "another one, a.astype(dtype) converts");
    return -1;
}
PyObject* get_itemsize(PyObject* self, void*) {
    return PyLong_FromSize_t(array::bytes_of(array_of(self).dtype()));
}
PyObject* get_nbytes(PyObject* self, void*) {
    const Array& array = array_of(self);
    return PyLong_FromLongLong(array.size() * static_cast<Extent>(array::bytes_of(array.dtype())));
}
PyObject* get_strides(PyObject* self, void*) {
    const Array& array = array_of(self);
    // NumPy's arrays without elements have strides of 0; views of them do not.
    if (array.size() == 0 && as_ndarray(self)->base == nullptr)
        return tuple_of(Extents(array.rank(), 0));
    return strides_tuple(array.layout(), array.dtype());
}
PyObject* get_transposed(PyObject* self, void*) {
    return guarded(
        [&] { return new_view(as_ndarray(self), array_of(self).layout().transposed()); });
}
PyObject* get_base(PyObject* self, void*) {
    PyObject* base = as_ndarray(self)->base;
    return Py_NewRef(base == nullptr ? Py_None : base);
}
PyObject* get_writable(PyObject* self, void*) {
    return PyBool_FromLong(as_ndarray(self)->writable ? 1 : 0);
}
int set_writable(PyObject* self, PyObject* value, void*) noexcept {
    return guarded_status([&] {
        NdArray* of = as_ndarray(self);
        const bool on = value != nullptr && truth_of(value);
        const bool may_be =
            of->base != nullptr ? as_ndarray(of->base)->writable : of->array.is_writable();
        if (on && !may_be)
            refuse(PyExc_ValueError, "cannot set WRITEABLE flag to True of this array");
        of->writable = on;
    });
}
PyObject* get_class(PyObject*, void*) {
    return Py_NewRef(core.numpy_ndarray);
}
PyObject* get_priority(PyObject*, void*) {
    return PyFloat_FromDouble(0.0);
}
PyObject* get_real(PyObject* self, void*) {
    return guarded([&]() -> PyObject* {
        if (!array::is_complex(array_of(self).dtype())) return Py_NewRef(self);
        const Reference name(checked(PyUnicode_InternFromString("real")));
        return attribute_by_hook(self, name.get());
    });
}
int set_real(PyObject* self, PyObject* value, void*) noexcept {
    return guarded_status([&] {
        if (value != nullptr && !array::is_complex(array_of(self).dtype())) {
            assign_object(as_ndarray(self), array_of(self), value);
            return;
        }
        const Reference real(checked(numpy_view(self)));
        if (PyObject_SetAttrString(real.get(), "real", value) < 0) throw PythonError();
    });
}

PyGetSetDef ndarray_attributes[] = {
    {"shape", get_shape, set_shape, "Tuple of extents.", nullptr},
    {"ndim", get_ndim, nullptr, "Number of dimensions.", nullptr},
    {"size", get_size, nullptr, "Number of elements.", nullptr},
    {"dtype", get_dtype, set_dtype, "The numpy.dtype of the elements.", nullptr},
    {"itemsize", get_itemsize, nullptr, "Bytes of an element.", nullptr},
    {"nbytes", get_nbytes, nullptr, "Bytes of all elements.", nullptr},
    {"strides", get_strides, nullptr, "Bytes from one element to the next, by dimension.", nullptr},
    {"T", get_transposed, nullptr, "The transposed view.", nullptr},
    {"base", get_base, nullptr, "The array whose memory this is, or None.", nullptr},
    {"real", get_real, set_real, "The real part.", nullptr},
    {"_writable", get_writable, set_writable, "flags.writeable.", nullptr},
    {"__class__", get_class, nullptr, "numpy.ndarray.", nullptr},
    {"__array_priority__", get_priority, nullptr, "0, as NumPy's.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

/// Names that only look like attributes: NumPy and others ask for them to find out what an object is.
bool is_protocol(PyObject* name) noexcept {
    Py_ssize_t length = 0;
    const char* text = PyUnicode_AsUTF8AndSize(name, &length);
    if (text == nullptr) {
        PyErr_Clear();
        return true;
    }
    const std::string_view view(text, static_cast<std::size_t>(length));
    return view.substr(0, 2) == "__" && view != "__array_wrap__" && view != "__array_prepare__";
}

PyObject* get_attribute(PyObject* self, PyObject* name) noexcept {
    PyObject* found = PyObject_GenericGetAttr(self, name);
    if (found != nullptr || PyErr_ExceptionMatches(PyExc_AttributeError) == 0 || is_protocol(name))
        return found;
    PyErr_Clear();
    return guarded([&] { return attribute_by_hook(self, name); });
}

int set_attribute(PyObject* self, PyObject* name, PyObject* value) noexcept {
    const Reference own(PyObject_GetAttr(reinterpret_cast<PyObject*>(&ndarray_type), name));
    if (own) return PyObject_GenericSetAttr(self, name, value);
    PyErr_Clear();
    return guarded_status([&] {
        if (core.hooks.set_attribute != nullptr) {
            const Reference done(
                checked(PyObject_CallFunctionObjArgs(core.hooks.set_attribute, self, name,
                                                     value == nullptr ? Py_None : value, nullptr)));
            return;
        }
        const Reference real(checked(numpy_view(self)));
        if (PyObject_SetAttr(real.get(), name, value) < 0) throw PythonError();
    });
}

// Sequence and mapping.

Py_ssize_t length(PyObject* self) {
    const Extents& shape = array_of(self).shape();
    if (shape.empty()) {
        PyErr_SetString(PyExc_TypeError, "len() of unsized object");
        return -1;
    }
    return shape[0];
}

PyObject* iterate(PyObject* self) {
    if (array_of(self).rank() == 0) {
        PyErr_SetString(PyExc_TypeError, "iteration over a 0-d array");
        return nullptr;
    }
    return PySeqIter_New(self);
}

int contains(PyObject* self, PyObject* value) noexcept {
    bool found = false;
    const int status = guarded_status([&] {
        const Reference equal(checked(compare(self, value, Py_EQ)));
        if (is_ndarray(equal.get())) {
            found = value_of(machine_here().reduce(Ufunc::logical_or, array_of(equal.get())))
                        .as<bool>();
            return;
        }
        found = truth_of(equal.get());
    });
    return status < 0 ? -1 : (found ? 1 : 0);
}

PyObject* by_numpy(PyObject* self, PyObject* (*print)(PyObject*)) noexcept {
    return guarded([&]() -> PyObject* {
        const Reference real(checked(numpy_view(self)));
        return print(real.get());
    });
}
PyObject* representation(PyObject* self) {
    return by_numpy(self, PyObject_Repr);
}
PyObject* text(PyObject* self) {
    return by_numpy(self, PyObject_Str);
}

PySequenceMethods sequence_methods{};
PyMappingMethods mapping_methods{};
PyNumberMethods number_methods{};
PyBufferProcs buffer_procedures{};

}  // namespace

NdArray* allocate_ndarray() noexcept {
    NdArray* object;
    if (free_ndarrays.count > 0) [[likely]] {
        object = static_cast<NdArray*>(free_ndarrays.memory[--free_ndarrays.count]);
        PyObject_Init(reinterpret_cast<PyObject*>(object), &ndarray_type);
    } else {
        object = PyObject_New(NdArray, &ndarray_type);
        if (object == nullptr) {
            PyErr_NoMemory();
            return nullptr;
        }
    }
    object->base = nullptr;
    object->weak_references = nullptr;
    object->writable = true;
    return object;
}

void free_ndarray(NdArray* object) noexcept {
    if (free_ndarrays.count < FreeList::capacity)
        free_ndarrays.memory[free_ndarrays.count++] = object;
    else
        PyObject_Free(object);
}

PyObject* new_ndarray(Array&& array) noexcept {
    NdArray* object = allocate_ndarray();
    if (object == nullptr) return nullptr;
    new (&object->array) Array(std::move(array));
    return reinterpret_cast<PyObject*>(object);
}

PyObject* new_view(NdArray* of, Layout&& layout) {
    NdArray* object = allocate_ndarray();
    if (object == nullptr) return nullptr;
    object->base = Py_NewRef(of->base != nullptr ? of->base : reinterpret_cast<PyObject*>(of));
    object->writable = of->writable;
    array::Store* store = &of->array.store();
    array::retain(store);
    new (&object->array) Array(store, std::move(layout));
    return reinterpret_cast<PyObject*>(object);
}

bool make_ndarray_type() noexcept {
    sequence_methods.sq_length = length;
    sequence_methods.sq_item = get_row;
    sequence_methods.sq_contains = contains;
    mapping_methods.mp_length = length;
    mapping_methods.mp_subscript = get_item;
    mapping_methods.mp_ass_subscript = set_item;
    buffer_procedures.bf_getbuffer = get_buffer;
    buffer_procedures.bf_releasebuffer = release_buffer;
    set_number_slots(number_methods, true);

    PyTypeObject& type = ndarray_type;
    Py_SET_REFCNT(reinterpret_cast<PyObject*>(&type), 1);
    type.tp_name = "numpy.ndarray";  // as programs print and read it
    type.tp_basicsize = sizeof(NdArray);
    type.tp_dealloc = deallocate;
    type.tp_repr = representation;
    type.tp_str = text;
    type.tp_as_number = &number_methods;
    type.tp_as_sequence = &sequence_methods;
    type.tp_as_mapping = &mapping_methods;
    type.tp_as_buffer = &buffer_procedures;
    type.tp_hash = PyObject_HashNotImplemented;
    type.tp_getattro = get_attribute;
    type.tp_setattro = set_attribute;
    type.tp_flags = Py_TPFLAGS_DEFAULT;
    type.tp_doc = "A NumPy array, computed by tasks.";
    type.tp_richcompare = compare;
    type.tp_weaklistoffset = offsetof(NdArray, weak_references);
    type.tp_iter = iterate;
    type.tp_methods = ndarray_methods();
    type.tp_getset = ndarray_attributes;
    return PyType_Ready(&type) == 0;
}

}  // namespace refrain::ndarray
