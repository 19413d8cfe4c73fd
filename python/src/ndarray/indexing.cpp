// array[key] and array[key] = value. Integers, slices, Ellipsis, None and tuples of them make views
// here; arrays select in selecting.cpp. Hot path: a tuple of slices makes no object but the view.
#include <algorithm>
#include <cmath>

#include "ndarray/convert.hpp"

namespace refrain::ndarray {

Extent checked_index(Extent index, int axis, Extent extent) {
    if (index < -extent || index >= extent) {
        PyErr_Format(PyExc_IndexError, "index %lld is out of bounds for axis %d with size %lld",
                     static_cast<long long>(index), axis, static_cast<long long>(extent));
        throw PythonError();
    }
    return index < 0 ? index + extent : index;
}

/// An index that is an integer; nothing for other keys, as booleans, which are masks.
bool integer_index(PyObject* key, Extent& index) {
    if (PyLong_CheckExact(key)) {
        index = PyLong_AsSsize_t(key);
        if (index != -1 || PyErr_Occurred() == nullptr) return true;
        PyErr_Clear();  // the hook finds the words
        return false;
    }
    if (PyBool_Check(key) || PyList_Check(key) || PyTuple_Check(key)) return false;
    if (is_ndarray(key)) {
        if (array_of(key).rank() != 0 || array_of(key).dtype() == DType::boolean) return false;
    } else if (is_scalar(key)) {
        const ScalarObject* scalar = as_scalar(key);
        if ((scalar->known ? scalar->value.dtype : scalar->array.dtype()) == DType::boolean)
            return false;
    } else if (!PyIndex_Check(key) ||
               PyObject_TypeCheck(key, reinterpret_cast<PyTypeObject*>(core.numpy_ndarray)) != 0 ||
               Py_TYPE(key) == core.numpy_scalars[0]) {
        return false;
    }
    const Reference number(PyNumber_Index(key));
    if (!number) {
        PyErr_Clear();  // the hook finds the words
        return false;
    }
    index = PyLong_AsSsize_t(number.get());
    if (index == -1 && PyErr_Occurred() != nullptr) throw PythonError();
    return true;
}

namespace {

/// What basic indexing makes of a layout.
struct Selection {
    Layout layout;
    bool is_basic = false;
    bool is_element = false;  // an integer for every axis, and nothing else: gives a scalar
    bool is_copy = false;     // an index is an array of rank 0
};

/// What a slice takes of an axis.
struct Range {
    Extent start;
    Extent step;
    Extent count;
};
[[gnu::always_inline]] inline Range range_of(PyObject* slice, Extent extent) {
    const auto* parts = reinterpret_cast<PySliceObject*>(slice);
    Extent from = 0;
    Extent to = extent;
    const auto read = [](PyObject* bound, Extent& value) {
        return bound == Py_None || small_integer(bound, value);
    };
    if (parts->step == Py_None && read(parts->start, from) && read(parts->stop, to)) {
        const auto clamped = [extent](Extent bound) {
            return bound < 0 ? std::max<Extent>(bound + extent, 0) : std::min(bound, extent);
        };
        from = clamped(from);
        return {from, 1, std::max<Extent>(clamped(to) - from, 0)};
    }
    Py_ssize_t start;
    Py_ssize_t stop;
    Py_ssize_t step;
    if (PySlice_Unpack(slice, &start, &stop, &step) < 0) throw PythonError();
    const Py_ssize_t count = PySlice_AdjustIndices(extent, &start, &stop, step);
    return {start, step, count};
}

Selection select(const Layout& layout, PyObject* key) {
    PyObject* single[1] = {key};
    PyObject** items = single;
    Py_ssize_t count = 1;
    if (PyTuple_CheckExact(key)) {
        items = reinterpret_cast<PyTupleObject*>(key)->ob_item;
        count = PyTuple_GET_SIZE(key);
    }
    const int rank = layout.rank();
    // First pass: what there is, so that the result's rank is known.
    int integers = 0;
    int slices = 0;
    int added = 0;
    bool has_ellipsis = false;
    Selection selection;
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject* item = items[i];
        if (PySlice_Check(item)) {
            ++slices;
        } else if (item == Py_None) {
            ++added;
        } else if (item == Py_Ellipsis) {
            if (has_ellipsis) {
                PyErr_SetString(PyExc_IndexError,
                                "an index can only have a single ellipsis ('...')");
                throw PythonError();
            }
            has_ellipsis = true;
        } else {
            Extent ignored;
            if (!integer_index(item, ignored)) return selection;
            ++integers;
            selection.is_copy = selection.is_copy || is_ndarray(item);
        }
    }
    if (integers + slices > rank) {
        PyErr_Format(PyExc_IndexError,
                     "too many indices for array: array is %d-dimensional, but %d were indexed",
                     rank, integers + slices);
        throw PythonError();
    }
    const int untouched = rank - integers - slices;
    const int result_rank = slices + untouched + added;
    if (result_rank > array::rank_max) {
        PyErr_Format(PyExc_IndexError,
                     "number of dimensions must be within [0, 32], indexing result would have %d",
                     result_rank);
        throw PythonError();
    }
    Layout& result = selection.layout;
    result.shape = Extents(result_rank, 1);
    result.strides = Extents(result_rank, 0);
    Extent offset = layout.offset;
    const Extent* extents = layout.shape.data();
    const Extent* strides = layout.strides.data();
    Extent* shape_out = result.shape.data();
    Extent* strides_out = result.strides.data();
    int axis = 0;
    int out = 0;
    const auto keep = [&](int axes) {
        for (; axes > 0; --axes, ++axis, ++out) {
            shape_out[out] = extents[axis];
            strides_out[out] = strides[axis];
        }
    };
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject* item = items[i];
        if (PySlice_Check(item)) {
            const Range range = range_of(item, extents[axis]);
            if (range.count > 0) offset += range.start * strides[axis];
            shape_out[out] = range.count;
            strides_out[out] = strides[axis] * range.step;
            ++axis;
            ++out;
        } else if (item == Py_None) {
            ++out;
        } else if (item == Py_Ellipsis) {
            keep(untouched);
        } else {
            Extent index = 0;
            static_cast<void>(integer_index(item, index));
            offset += checked_index(index, axis, extents[axis]) * strides[axis];
            ++axis;
        }
    }
    keep(rank - axis);
    result.offset = offset;
    selection.is_basic = true;
    selection.is_element = result_rank == 0 && !has_ellipsis;
    return selection;
}

/// The view that slices make, one or more for the first axes; null for other keys.
PyObject* view_of_slices(NdArray* of, PyObject* key) {
    PyObject* single[1] = {key};
    PyObject** items = single;
    Py_ssize_t count = 1;
    if (PyTuple_CheckExact(key)) {
        items = reinterpret_cast<PyTupleObject*>(key)->ob_item;
        count = PyTuple_GET_SIZE(key);
    }
    const Layout& layout = of->array.layout();
    if (count == 0 || count > layout.rank()) return nullptr;
    for (Py_ssize_t i = 0; i < count; ++i)
        if (!PySlice_Check(items[i])) return nullptr;
    Layout sliced = layout;
    Extent* shape = sliced.shape.data();
    Extent* strides = sliced.strides.data();
    for (Py_ssize_t axis = 0; axis < count; ++axis) {
        const Range range = range_of(items[axis], shape[axis]);
        if (range.count > 0) sliced.offset += range.start * strides[axis];
        shape[axis] = range.count;
        strides[axis] *= range.step;
    }
    return checked(new_view(of, std::move(sliced)));
}

/// The element of a view of rank 0: immutable, so it is read now, or copied in program order.
PyObject* element(const Array& array, Layout&& layout) {
    const Array view = array.view(std::move(layout));
    Machine& entered = machine();
    if (entered.is_certain(view)) return new_certain_scalar(entered.item(view));
    return new_scalar(machine_here().copy(view));
}

/// Whether an integer type holds the number.
bool fits(std::int64_t number, DType type) noexcept {
    const auto bits = static_cast<unsigned>(8 * array::bytes_of(type));
    if (array::is_unsigned_integer(type)) return number >= 0 && (bits == 64 || number >> bits == 0);
    return number >> (bits - 1) == 0 || number >> (bits - 1) == -1;
}
bool fits(PyObject* value, DType type) noexcept {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow < 0) return false;
    if (overflow > 0) {
        if (type != DType::uint64) return false;
        const bool holds = PyLong_AsUnsignedLongLong(value) != ~0ULL || PyErr_Occurred() == nullptr;
        PyErr_Clear();
        return holds;
    }
    return fits(std::int64_t{number}, type);
}
/// The same of a list's numbers; false where they are of another type than int64, which NumPy must judge.
bool fit(const Array& numbers, DType type) {
    if (numbers.dtype() == type || numbers.dtype() == DType::boolean) return true;
    if (numbers.dtype() != DType::int64) return false;
    const auto bounds = machine().bounds_of(numbers);
    return !bounds || (fits(bounds->first, type) && fits(bounds->second, type));
}

/// Whether an integer type holds a number of a kind that NumPy looks at before it casts: a floating-point number without its
/// fraction, or a uint64, which signed types take from int64.
bool holds_number(const Scalar& value, DType type) {
    if (value.dtype == DType::uint64)
        return array::is_unsigned_integer(type) || value.as<std::uint64_t>() >> 63 == 0;
    if (!array::is_floating(value.dtype)) return true;
    const double number = array::converted(value, DType::float64).as<double>();
    return std::abs(number) < 0x1p63 && fits(static_cast<std::int64_t>(number), type);
}

/// The number of the element that an index, or a tuple of one for each axis, names; false for other keys.
bool element_number(const Layout& layout, PyObject* key, Extent& number) noexcept {
    PyObject* single[1] = {key};
    PyObject** items = single;
    Py_ssize_t count = 1;
    if (PyTuple_CheckExact(key)) {
        items = reinterpret_cast<PyTupleObject*>(key)->ob_item;
        count = PyTuple_GET_SIZE(key);
    }
    if (count != layout.rank()) return false;
    number = layout.offset;
    for (int axis = 0; axis < layout.rank(); ++axis) {
        if (!PyLong_CheckExact(items[axis])) return false;
        int overflow = 0;
        const Extent index = PyLong_AsLongLongAndOverflow(items[axis], &overflow);
        const Extent extent = layout.shape[axis];
        if (overflow != 0 || index < -extent || index >= extent) return false;
        number += (index < 0 ? index + extent : index) * layout.strides[axis];
    }
    return true;
}

/// Sets `element` if storing the value needs no cast: a Python float in float64, an int that fits in int64. False for
/// all else.
bool plain_element(PyObject* value, DType type, Scalar& element) noexcept {
    if (type == DType::float64 && PyFloat_CheckExact(value)) {
        element = Scalar::of(PyFloat_AS_DOUBLE(value));
        return true;
    }
    if (type != DType::int64 || !PyLong_CheckExact(value)) return false;
    int overflow = 0;
    element = Scalar::of(std::int64_t{PyLong_AsLongLongAndOverflow(value, &overflow)});
    return overflow == 0;
}

/// array[key] = number, if one element can be written without an operation.
bool put_number(const Array& array, PyObject* key, PyObject* value) {
    Extent number = 0;
    Scalar element;
    return !core.counts_sites && plain_element(value, array.dtype(), element) &&
           element_number(array.layout(), key, number) && machine().put(array, number, element);
}

DType dtype_of(const ScalarObject* scalar) {
    return scalar->known ? scalar->value.dtype : scalar->array.dtype();
}

}  // namespace

PyObject* get_row(PyObject* self, Py_ssize_t index) noexcept {
    return guarded([&]() -> PyObject* {
        NdArray* of = as_ndarray(self);
        const Layout& layout = of->array.layout();
        if (layout.rank() == 0) {
            PyErr_SetString(
                PyExc_IndexError,
                "too many indices for array: array is 0-dimensional, but 1 were indexed");
            return nullptr;
        }
        Layout row = layout.at(0, checked_index(index, 0, layout.shape[0]));
        if (row.rank() == 0) return element(of->array, std::move(row));
        return new_view(of, std::move(row));
    });
}

PyObject* get_item(PyObject* self, PyObject* key) noexcept {
    return guarded([&]() -> PyObject* {
        NdArray* of = as_ndarray(self);
        Extent index = 0;
        if (of->array.rank() == 1 && small_integer(key, index)) {
            const Layout& layout = of->array.layout();
            Layout one;
            one.offset =
                layout.offset + checked_index(index, 0, layout.shape[0]) * layout.strides[0];
            return element(of->array, std::move(one));
        }
        if (is_ndarray(key) && array_of(key).rank() > 0) {
            if (PyObject* selected = get_by_arrays(of, key)) return selected;
            if (PyErr_Occurred() != nullptr) return nullptr;
        } else if (PyObject* view = view_of_slices(of, key)) {
            return view;
        }
        Selection selection = select(of->array.layout(), key);
        if (!selection.is_basic) {
            if (PyObject* selected = get_by_arrays(of, key)) return selected;
            if (PyErr_Occurred() != nullptr) return nullptr;
            if (core.hooks.getitem != nullptr)
                return PyObject_CallFunctionObjArgs(core.hooks.getitem, self, key, nullptr);
            const Reference real(checked(numpy_view(self)));
            return PyObject_GetItem(real.get(), key);
        }
        if (selection.is_element) return element(of->array, std::move(selection.layout));
        if (selection.is_copy)
            return new_ndarray(
                machine_here().copy(of->array.view(selection.layout), array::Order::keep));
        return new_view(of, std::move(selection.layout));
    });
}

bool assignable(PyObject* value, DType type, OperandHolder& holder) {
    const bool takes_integers = array::kind_of(type) == array::DTypeKind::integer;
    if (takes_integers && PyLong_Check(value) && !PyBool_Check(value) && !fits(value, type))
        return false;  // warns, or is an error
    // What does not fit may be an error, so that a scalar of ours is waited for.
    if (takes_integers && is_scalar(value) &&
        (array::is_floating(dtype_of(as_scalar(value))) ||
         (dtype_of(as_scalar(value)) == DType::uint64 && !array::is_unsigned_integer(type))) &&
        !holds_number(value_of(as_scalar(value)), type))
        return false;
    if (convert_operand(value, holder, false) != Conversion::done) return false;
    const array::Operand& operand = holder.operand;
    const DType from = operand.is_array() ? operand.array->dtype() : operand.scalar.dtype;
    if (takes_integers && operand.is_array() && (PyList_Check(value) || PyTuple_Check(value)) &&
        !fit(*operand.array, type))
        return false;
    if (takes_integers && !operand.is_array() && !holds_number(operand.scalar, type)) return false;
    // Numbers and lists warn here, or are an error; for arrays the caller warns.
    return !array::is_complex(from) || array::is_complex(type) || type == DType::boolean ||
           is_ndarray(value) || reinterpret_cast<PyObject*>(Py_TYPE(value)) == core.numpy_ndarray;
}

void assign_object(NdArray* target, const Array& view, PyObject* value) {
    if (!target->writable) {
        PyErr_SetString(PyExc_ValueError, "assignment destination is read-only");
        throw PythonError();
    }
    OperandHolder holder;
    const bool is_list = PyList_Check(value) || PyTuple_Check(value);
    // Of lists, NumPy finds the words of errors; they may not be deeper than the target.
    const auto is_too_deep = [&] {
        return is_list && holder.operand.is_array() && holder.operand.array->rank() > view.rank();
    };
    if (assignable(value, view.dtype(), holder) && !is_too_deep()) {
        if (holder.operand.is_array() && Machine::can_assign(view, *holder.operand.array))
            warn_of_lost_parts(holder.operand.array->dtype(), view.dtype());
        try {
            machine_here().assign(view, holder.operand);
            return;
        } catch (const array::ArrayError&) {
            if (!is_list) throw;
        }
    }
    const Reference seen(checked(new_view(target, Layout(view.layout()))));
    const Reference real(checked(numpy_view(seen.get())));
    const Reference other(checked(is_ndarray(value)  ? numpy_view(value)
                                  : is_scalar(value) ? numpy_value(value_of(as_scalar(value)))
                                                     : Py_NewRef(value)));
    if (PyObject_SetItem(real.get(), Py_Ellipsis, other.get()) < 0) throw PythonError();
}

int set_item(PyObject* self, PyObject* key, PyObject* value) noexcept {
    return guarded_status([&] {
        NdArray* of = as_ndarray(self);
        if (value == nullptr) {
            PyErr_SetString(PyExc_ValueError, "cannot delete array elements");
            throw PythonError();
        }
        if (!of->writable) {
            PyErr_SetString(PyExc_ValueError, "assignment destination is read-only");
            throw PythonError();
        }
        if (put_number(of->array, key, value)) return;
        Selection selection = select(of->array.layout(), key);
        if (selection.is_basic) {
            // `x[key] += y` ends with x[key] = the same view: nothing is left to do.
            if (is_ndarray(value) && array_of(value).same_store(of->array) &&
                array_of(value).layout() == selection.layout)
                return;
            const Array view = of->array.view(std::move(selection.layout));
            Reference number;
            if (selection.is_element) number = number_to_store(value, view.dtype());  // may wait
            assign_object(of, view, number ? number.get() : value);
            return;
        }
        if (set_by_arrays(of, key, value)) return;
        if (core.hooks.setitem != nullptr) {
            const Reference done(checked(
                PyObject_CallFunctionObjArgs(core.hooks.setitem, self, key, value, nullptr)));
            return;
        }
        const Reference real(checked(numpy_view(self)));
        if (PyObject_SetItem(real.get(), key, value) < 0) throw PythonError();
    });
}

}  // namespace refrain::ndarray
