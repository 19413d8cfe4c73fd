#include "ndarray/convert.hpp"

#include "refrain/array/with_type.hpp"

#include <algorithm>
#include <complex>
#include <cstring>
#include <limits>

namespace refrain::ndarray {

std::optional<DType> dtype_named(PyObject* object) {
    for (int i = 0; i < array::dtype_count; ++i)
        if (object == core.dtypes[i]) return static_cast<DType>(i);
    if (PyObject* number = PyDict_GetItemWithError(core.dtype_of_object, object))
        return static_cast<DType>(PyLong_AsLong(number));
    PyErr_Clear();  // not hashable
    const Reference dtype(checked(PyObject_CallMethod(core.numpy, "dtype", "O", object)));
    // Another name of the same type, as numpy.longlong; other byte orders are not equal.
    for (int i = 0; i < array::dtype_count; ++i) {
        const int equal = PyObject_RichCompareBool(dtype.get(), core.dtypes[i], Py_EQ);
        if (equal < 0) throw PythonError();
        if (equal == 1) return static_cast<DType>(i);
    }
    return std::nullopt;
}

namespace {

PyObject* python_object(bool value) {
    return PyBool_FromLong(value ? 1 : 0);
}
template <class T>
PyObject* python_object(const T& value) {
    if constexpr (std::is_floating_point_v<T>)
        return PyFloat_FromDouble(value);
    else if constexpr (std::is_unsigned_v<T>)
        return PyLong_FromUnsignedLongLong(value);
    else
        return PyLong_FromLongLong(value);
}
template <class T>
PyObject* python_object(const std::complex<T>& value) {
    return PyComplex_FromDoubles(value.real(), value.imag());
}

}  // namespace

PyObject* python_value(const Scalar& value) noexcept {
    return array::with_type(value.dtype,
                            [&](auto zero) { return python_object(value.as<decltype(zero)>()); });
}

PyObject* numpy_value(const Scalar& value) noexcept {
    const Reference python(python_value(value));
    if (!python) return nullptr;
    return PyObject_CallOneArg(
        reinterpret_cast<PyObject*>(core.numpy_scalars[static_cast<int>(value.dtype)]),
        python.get());
}

std::optional<double> real_number(const Scalar& value) noexcept {
    return array::with_type(value.dtype, [&](auto zero) -> std::optional<double> {
        using T = decltype(zero);
        if constexpr (std::is_arithmetic_v<T>)
            return static_cast<double>(value.as<T>());
        else
            return std::nullopt;
    });
}

std::optional<Scalar> scalar_of(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    if (type == &PyFloat_Type) return Scalar::of(PyFloat_AS_DOUBLE(object));
    if (type == &PyBool_Type) return Scalar::of(object == Py_True);
    const auto integer = [&]() -> std::optional<Scalar> {
        int overflow = 0;
        const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
        if (overflow == 0) return Scalar::of(static_cast<std::int64_t>(value));
        if (overflow < 0) return std::nullopt;
        const unsigned long long large = PyLong_AsUnsignedLongLong(object);
        if (PyErr_Occurred() != nullptr) {
            PyErr_Clear();
            return std::nullopt;
        }
        return Scalar::of(static_cast<std::uint64_t>(large));
    };
    if (type == &PyLong_Type) return integer();
    if (is_scalar(object)) return value_of(as_scalar(object));
    if (type == &PyComplex_Type)
        return Scalar::of(
            std::complex<double>(PyComplex_RealAsDouble(object), PyComplex_ImagAsDouble(object)));
    for (int i = 0; i < array::dtype_count; ++i) {
        if (type != core.numpy_scalars[i]) continue;
        Py_buffer buffer;
        if (PyObject_GetBuffer(object, &buffer, PyBUF_SIMPLE) != 0) throw PythonError();
        Scalar scalar{.dtype = static_cast<DType>(i)};
        std::memcpy(scalar.bytes.data(), buffer.buf, array::bytes_of(scalar.dtype));
        PyBuffer_Release(&buffer);
        return scalar;
    }
    if (PyLong_Check(object)) return integer();  // enumerations and the like
    if (PyFloat_Check(object)) return Scalar::of(PyFloat_AS_DOUBLE(object));
    return std::nullopt;
}

namespace {

/// NumPy leaves a binary operator to the other operand's class: one that says so by
/// `__array_ufunc__ = None`, or that has an `__array_ufunc__` of its own, as masked arrays.
bool leaves_to_class(PyObject* object) {
    if (PyList_Check(object) || PyTuple_Check(object) || PyUnicode_Check(object) ||
        object == Py_None || reinterpret_cast<PyObject*>(Py_TYPE(object)) == core.numpy_ndarray)
        return false;
    auto* type = reinterpret_cast<PyObject*>(Py_TYPE(object));
    const Reference own(PyObject_GetAttrString(type, "__array_ufunc__"));
    if (!own) {
        PyErr_Clear();
        const Reference priority(PyObject_GetAttrString(object, "__array_priority__"));
        if (!priority) {
            PyErr_Clear();
            return false;
        }
        const double value = PyFloat_AsDouble(priority.get());
        PyErr_Clear();
        return value > 0;
    }
    if (own.get() == Py_None) return true;
    const Reference numpys(PyObject_GetAttrString(core.numpy_ndarray, "__array_ufunc__"));
    if (PyObject_RichCompareBool(own.get(), numpys.get(), Py_EQ) == 1) {
        const Reference priority(PyObject_GetAttrString(object, "__array_priority__"));
        const double value = priority ? PyFloat_AsDouble(priority.get()) : 0;
        PyErr_Clear();
        return value > 0;
    }
    PyErr_Clear();
    return true;
}

}  // namespace

void warn_of_lost_parts(DType from, DType to) {
    if (!array::is_complex(from) || array::is_complex(to) || to == DType::boolean) return;
    const Reference warning(checked(PyObject_GetAttrString(core.numpy, "ComplexWarning")));
    if (PyErr_WarnEx(warning.get(), "Casting complex values to real discards the imaginary part",
                     1) < 0)
        throw PythonError();
}

Reference number_to_store(PyObject* object, DType type) {
    const bool takes_complex = array::is_complex(type) || type == DType::boolean;
    const auto refuse_sequence = [&] {
        refuse(array::is_complex(type) ? PyExc_TypeError : PyExc_ValueError,
               "setting an array element with a sequence.");
    };
    if (PyList_Check(object) || PyTuple_Check(object)) {
        if (type != DType::boolean) refuse_sequence();
        return Reference::borrowed(truth_of(object) ? Py_True : Py_False);
    }
    if (!is_ndarray(object) && reinterpret_cast<PyObject*>(Py_TYPE(object)) != core.numpy_ndarray)
        return Reference::borrowed(object);
    const Reference size(checked(PyObject_GetAttrString(object, "size")));
    if (integer_of(size.get()) != 1) refuse_sequence();
    const std::optional<Array> array = convert_array(object);
    if (!array || array->rank() == 0) return Reference::borrowed(object);
    const DType from = array->dtype();
    if (array::is_complex(from) && !takes_complex) refuse_sequence();
    // NumPy makes it a number first: integers take floating-point numbers otherwise than they take elements, and most take no
    // number above those of int64.
    const bool may_be_large =
        from == DType::uint64 && type != DType::uint32 && type != DType::uint64;
    if (array::kind_of(type) != array::DTypeKind::integer ||
        (!array::is_floating(from) && !may_be_large))
        return Reference::borrowed(object);
    Reference number(checked(PyObject_CallMethod(object, "item", nullptr)));
    if (array::is_floating(from)) return number;
    if (PyLong_AsUnsignedLongLong(number.get()) >> 63 != 0) refuse_sequence();
    return Reference::borrowed(object);
}

Conversion convert_operand(PyObject* object, OperandHolder& holder, bool binary) {
    if (is_ndarray(object)) {
        holder.operand.array = &array_of(object);
        return Conversion::done;
    }
    if (is_scalar(object)) {
        ScalarObject* scalar = as_scalar(object);
        if (scalar->known)
            holder.operand.scalar = scalar->value;
        else
            holder.operand.array = &scalar->array;
        return Conversion::done;
    }
    if (const std::optional<Scalar> scalar = scalar_of(object)) {
        holder.operand.scalar = *scalar;
        return Conversion::done;
    }
    if (binary && leaves_to_class(object)) return Conversion::not_implemented;
    std::optional<Array> array = convert_array(object);
    if (!array) return Conversion::foreign;
    holder.held = std::move(array);
    holder.operand.array = &*holder.held;
    return Conversion::done;
}

std::optional<Array> convert_array(PyObject* object) {
    if (is_ndarray(object)) return array_of(object);
    if (is_scalar(object)) return array_of_scalar(as_scalar(object));
    if (const std::optional<Scalar> scalar = scalar_of(object))
        return machine_here().full({}, *scalar);
    if (reinterpret_cast<PyObject*>(Py_TYPE(object)) == core.numpy_ndarray) {
        const Reference adopted(adopt_buffer(object));
        if (adopted) return array_of(adopted.get());
        if (PyErr_Occurred() != nullptr) throw PythonError();
        return std::nullopt;
    }
    Reference converted;
    if (core.hooks.convert != nullptr)
        converted = Reference(checked(PyObject_CallOneArg(core.hooks.convert, object)));
    else
        converted = Reference(checked(PyObject_CallMethod(core.numpy, "asarray", "O", object)));
    if (is_ndarray(converted.get())) return array_of(converted.get());
    if (is_scalar(converted.get())) return array_of_scalar(as_scalar(converted.get()));
    if (reinterpret_cast<PyObject*>(Py_TYPE(converted.get())) == core.numpy_ndarray) {
        const Reference adopted(adopt_buffer(converted.get()));
        if (adopted) return array_of(adopted.get());
        if (PyErr_Occurred() != nullptr) throw PythonError();
    }
    return std::nullopt;
}

PyObject* tuple_of(const Extents& extents) noexcept {
    PyObject* tuple = PyTuple_New(extents.size());
    if (tuple == nullptr) return nullptr;
    for (int i = 0; i < extents.size(); ++i) {
        PyObject* number = PyLong_FromLongLong(extents[i]);
        if (number == nullptr) {
            Py_DECREF(tuple);
            return nullptr;
        }
        PyTuple_SET_ITEM(tuple, i, number);
    }
    return tuple;
}

PyObject* strides_tuple(const Layout& layout, DType type) noexcept {
    Extents bytes = layout.strides;
    for (Extent& stride : bytes) stride *= static_cast<Extent>(array::bytes_of(type));
    return tuple_of(bytes);
}

Extent integer_of(PyObject* object) {
    const Py_ssize_t value = PyNumber_AsSsize_t(object, PyExc_OverflowError);
    if (value == -1 && PyErr_Occurred() != nullptr) throw PythonError();
    return value;
}

bool truth_of(PyObject* object) {
    const int truth = PyObject_IsTrue(object);
    if (truth < 0) throw PythonError();
    return truth == 1;
}

namespace {

/// A truth value, which NumPy takes for no extent.
bool is_truth(PyObject* object) noexcept {
    if (PyBool_Check(object) || Py_TYPE(object) == core.numpy_scalars[0]) return true;
    if (!is_scalar(object)) return false;
    const ScalarObject* scalar = as_scalar(object);
    return (scalar->known ? scalar->value.dtype : scalar->array.dtype()) == DType::boolean;
}

}  // namespace

Extent extent_of(PyObject* object) {
    const Py_ssize_t value = PyNumber_AsSsize_t(object, PyExc_OverflowError);
    if (value == -1 && PyErr_Occurred() != nullptr) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError) != 0)
            PyErr_SetString(PyExc_ValueError, "Maximum allowed dimension exceeded");
        throw PythonError();
    }
    return value;
}

Extents shape_of(PyObject* object) {
    const bool is_one_truth = is_truth(object);
    if (PyIndex_Check(object) && !is_ndarray(object) && !is_one_truth)
        return Extents({extent_of(object)});
    const bool is_sequence = !is_one_truth && PySequence_Check(object) != 0;
    // A tuple stays what it is while the items' own code runs.
    const Reference items(is_sequence ? PySequence_Tuple(object) : nullptr);
    if (!is_sequence) PyErr_SetNone(PyExc_TypeError);
    if (!items) {
        if (PyErr_ExceptionMatches(PyExc_TypeError) != 0)
            PyErr_Format(PyExc_TypeError,
                         "expected a sequence of integers or a single integer, got '%.100R'",
                         object);
        throw PythonError();
    }
    const Py_ssize_t rank = PyTuple_GET_SIZE(items.get());
    if (rank > array::rank_max) {
        PyErr_Format(PyExc_ValueError,
                     "maximum supported dimension for an ndarray is 32, found %zd", rank);
        throw PythonError();
    }
    Extents extents(static_cast<int>(rank), 0);
    for (int i = 0; i < extents.size(); ++i) {
        PyObject* item = PyTuple_GET_ITEM(items.get(), i);
        if (is_truth(item)) refuse(PyExc_TypeError, "an integer is required");
        extents[i] = extent_of(item);
    }
    return extents;
}

int checked_axis(Extent axis, int rank, const char* argument) {
    if (axis < -rank || axis >= rank) {
        const Reference error(checked(PyObject_CallFunction(
            core.axis_error, "niz", static_cast<Py_ssize_t>(axis), rank, argument)));
        PyErr_SetObject(core.axis_error, error.get());
        throw PythonError();
    }
    return static_cast<int>(axis < 0 ? axis + rank : axis);
}

int axis_of(PyObject* object, int rank, const char* argument) {
    return checked_axis(integer_of(object), rank, argument);
}

std::optional<std::vector<int>> axes_of(PyObject* object, int rank) {
    if (object == nullptr || object == Py_None) return std::nullopt;
    std::vector<int> axes;
    if (!PyTuple_Check(object)) {
        // NumPy lets an axis of 0 or -1 pass for rank 0.
        const Extent axis = integer_of(object);
        if (rank == 0 && (axis == 0 || axis == -1)) return axes;
        axes.push_back(checked_axis(axis, rank));
        return axes;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(object); ++i) {
        const int axis = axis_of(PyTuple_GET_ITEM(object, i), rank);
        for (const int other : axes)
            if (other == axis) {
                PyErr_SetString(PyExc_ValueError, "duplicate value in 'axis'");
                throw PythonError();
            }
        axes.push_back(axis);
    }
    return axes;
}

PyCFunction as_method(FastMethod method) noexcept {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(method));
}
PyCFunction as_method(PlainMethod method) noexcept {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(method));
}

PyObject* attribute_by_hook(PyObject* self, PyObject* name) {
    if (core.hooks.attribute != nullptr)
        return PyObject_CallFunctionObjArgs(core.hooks.attribute, self, name, nullptr);
    const Reference real(
        checked(is_scalar(self) ? numpy_value(value_of(as_scalar(self))) : numpy_view(self)));
    return PyObject_GetAttr(real.get(), name);
}

PyObject* method_by_hook(PyObject* self, const char* name, PyObject* const* arguments,
                         Py_ssize_t positional, PyObject* keywords) {
    const Reference text(checked(PyUnicode_InternFromString(name)));
    const Reference method(checked(attribute_by_hook(self, text.get())));
    return PyObject_Vectorcall(method.get(), arguments, static_cast<std::size_t>(positional),
                               keywords);
}

PyObject* ufunc_by_hook(PyObject* ufunc, const char* method, PyObject* arguments,
                        PyObject* keywords) {
    Reference held;
    if (keywords == nullptr) {
        held = Reference(checked(PyDict_New()));
        keywords = held.get();
    }
    if (core.hooks.ufunc_method != nullptr)
        return PyObject_CallFunction(core.hooks.ufunc_method, "OsOO", ufunc, method, arguments,
                                     keywords);
    const std::string name(array::name_of(reinterpret_cast<UfuncObject*>(ufunc)->function));
    const Reference real(checked(PyObject_GetAttrString(core.numpy, name.c_str())));
    const Reference function(checked(PyObject_GetAttrString(real.get(), method)));
    // NumPy's views of our arrays, or it would call us.
    const Py_ssize_t count = PyTuple_GET_SIZE(arguments);
    const Reference views(checked(PyTuple_New(count)));
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject* argument = PyTuple_GET_ITEM(arguments, i);
        PyTuple_SET_ITEM(views.get(), i,
                         is_ndarray(argument)  ? checked(numpy_view(argument))
                         : is_scalar(argument) ? checked(numpy_value(value_of(as_scalar(argument))))
                                               : Py_NewRef(argument));
    }
    return PyObject_Call(function.get(), views.get(), keywords);
}

}  // namespace refrain::ndarray
