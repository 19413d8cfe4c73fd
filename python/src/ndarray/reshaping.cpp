// Methods that give the same elements in another shape, order or type.
#include <algorithm>
#include <string>

#include "ndarray/convert.hpp"
#include "ndarray/methods.hpp"

namespace refrain::ndarray {

bool complete_shape(Extents& shape, Extent size) noexcept {
    Extent known = 1;
    bool overflows = false;
    int missing = -1;
    for (int i = 0; i < shape.size(); ++i) {
        if (shape[i] >= 0) {
            overflows = __builtin_mul_overflow(known, shape[i], &known) || overflows;
            continue;
        }
        if (missing >= 0) {
            PyErr_SetString(PyExc_ValueError, "can only specify one unknown dimension");
            return false;
        }
        missing = i;
    }
    const bool fits = !overflows && (missing < 0 ? known == size : known != 0 && size % known == 0);
    if (!fits) {
        // NumPy writes (2,3), and the missing extent as newaxis, but not where it is the first one.
        std::string text = "(";
        for (int i = 0; i < shape.size(); ++i) {
            if (i == 0 && shape[i] < 0) continue;
            if (text.size() > 1) text += ',';
            text += shape[i] < 0 ? "newaxis" : std::to_string(shape[i]);
        }
        text += shape.size() == 1 ? ",)" : ")";
        PyErr_Format(PyExc_ValueError, "cannot reshape array of size %lld into shape %s",
                     static_cast<long long>(size), text.c_str());
        return false;
    }
    if (missing >= 0) shape[missing] = size / known;
    return true;
}

Extents integers_of(Arguments arguments, Py_ssize_t count) {
    if (count == 1) return shape_of(arguments[0]);
    if (count > array::rank_max) {
        PyErr_Format(PyExc_ValueError,
                     "maximum supported dimension for an ndarray is 32, found %zd", count);
        throw PythonError();
    }
    Extents extents(static_cast<int>(count), 0);
    for (int i = 0; i < extents.size(); ++i) extents[i] = extent_of(arguments[i]);
    return extents;
}

namespace {

/// Copies in row-major (column-major) order; views where it can if `may_view`.
Array in_order(const Array& array, const Extents& shape, bool by_columns) {
    if (const std::optional<Layout> layout = array.layout().reshaped(shape, by_columns))
        return array.view(*layout);
    Machine& entered = machine_here();
    Array copied = entered.empty(array.shape(), array.dtype(), by_columns);
    entered.assign(copied, array);
    return copied.view(*copied.layout().reshaped(shape, by_columns));
}

bool is_view_of(const Array& made, const Array& of) noexcept {
    return made.same_store(of);
}

PyObject* wrap_view_or_copy(PyObject* self, Array&& made) {
    if (is_view_of(made, array_of(self))) return new_view(as_ndarray(self), Layout(made.layout()));
    return new_ndarray(std::move(made));
}

/// The letter of an argument order=; 'C' if it is not given; 0 for what is no order.
char order_of(PyObject* object, char otherwise) noexcept {
    if (!given(object)) return otherwise;
    Py_ssize_t length = 0;
    const char* text = PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, &length) : nullptr;
    if (text == nullptr || length != 1) return 0;
    const char letter = static_cast<char>(*text >= 'a' ? *text - 32 : *text);
    return letter == 'C' || letter == 'F' || letter == 'A' || letter == 'K' ? letter : char{0};
}

bool by_columns(char order, const Layout& layout) noexcept {
    if (order == 'F') return true;
    if (order == 'C') return false;
    return layout.is_column_major() && !layout.is_row_major();
}

Array copied_in_order(const Array& array, DType type, char order) {
    const bool columns = order == 'A' && by_columns(order, array.layout());
    return machine_here().astype(array, type,
                                 order == 'K'              ? array::Order::keep
                                 : order == 'F' || columns ? array::Order::columns
                                                           : array::Order::rows);
}

}  // namespace

PyObject* method_copy(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[1] = {};
        const Array& array = array_of(self);
        if (sort_arguments<1>({"order"}, arguments, count, keywords, places)) {
            const char order = order_of(places[0], 'C');
            if (order != 0) return new_ndarray(copied_in_order(array, array.dtype(), order));
        }
        return method_by_hook(self, "copy", arguments, count, keywords);
    });
}

PyObject* method_astype(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[5] = {};
        const Array& array = array_of(self);
        if (sort_arguments<5>({"dtype", "order", "casting", "subok", "copy"}, arguments, count,
                              keywords, places) &&
            places[0] != nullptr &&
            (places[2] == nullptr || PyUnicode_CompareWithASCIIString(places[2], "unsafe") == 0)) {
            const char order = order_of(places[1], 'K');
            const std::optional<DType> type = dtype_named(places[0]);
            if (type && order != 0) {
                warn_of_lost_parts(array.dtype(), *type);
                const bool copies = places[4] == nullptr || truth_of(places[4]);
                if (!copies && *type == array.dtype() &&
                    (order == 'K' || (order == 'C' && array.layout().is_row_major()) ||
                     (order == 'F' && array.layout().is_column_major())))
                    return Py_NewRef(self);
                return new_ndarray(copied_in_order(array, *type, order));
            }
        }
        return method_by_hook(self, "astype", arguments, count, keywords);
    });
}

PyObject* method_reshape(PyObject* self, Arguments arguments, Py_ssize_t count,
                         PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        const Py_ssize_t positional = PyVectorcall_NARGS(count);
        char order = 'C';
        if (keywords != nullptr) {
            if (PyTuple_GET_SIZE(keywords) != 1 ||
                PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(keywords, 0), "order") != 0)
                return method_by_hook(self, "reshape", arguments, count, keywords);
            order = order_of(arguments[positional], 'C');
        }
        if (positional == 0 || positional > array::rank_max || order == 0 || order == 'K' ||
            (positional == 1 && arguments[0] == Py_None))
            return method_by_hook(self, "reshape", arguments, count, keywords);
        const Array& array = array_of(self);
        Extents shape = integers_of(arguments, positional);
        if (!complete_shape(shape, array.size())) return nullptr;
        return wrap_view_or_copy(self, in_order(array, shape, by_columns(order, array.layout())));
    });
}

PyObject* method_ravel(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[1] = {};
        const Array& array = array_of(self);
        if (sort_arguments<1>({"order"}, arguments, count, keywords, places)) {
            const char order = order_of(places[0], 'C');
            const bool columns = by_columns(order, array.layout());
            const Extents flat({array.size()});
            if (order == 'C' || order == 'F' || order == 'A') {
                // NumPy's ravel copies what is not contiguous, although it might be viewed.
                const bool contiguous =
                    columns ? array.layout().is_column_major() : array.layout().is_row_major();
                if (contiguous) return wrap_view_or_copy(self, in_order(array, flat, columns));
                Machine& entered = machine_here();
                Array copied = entered.empty(array.shape(), array.dtype(), columns);
                entered.assign(copied, array);
                return new_ndarray(copied.view(*copied.layout().reshaped(flat, columns)));
            }
        }
        return method_by_hook(self, "ravel", arguments, count, keywords);
    });
}

PyObject* method_flatten(PyObject* self, Arguments arguments, Py_ssize_t count,
                         PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[1] = {};
        const Array& array = array_of(self);
        if (sort_arguments<1>({"order"}, arguments, count, keywords, places)) {
            const char order = order_of(places[0], 'C');
            if (order == 'C' || order == 'F' || order == 'A') {
                const bool columns = by_columns(order, array.layout());
                Machine& entered = machine_here();
                Array copied = entered.empty(array.shape(), array.dtype(), columns);
                entered.assign(copied, array);
                return new_ndarray(
                    copied.view(*copied.layout().reshaped(Extents({array.size()}), columns)));
            }
        }
        return method_by_hook(self, "flatten", arguments, count, keywords);
    });
}

PyObject* method_transpose(PyObject* self, Arguments arguments, Py_ssize_t count,
                           PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        const Py_ssize_t positional = PyVectorcall_NARGS(count);
        if (keywords != nullptr)
            return method_by_hook(self, "transpose", arguments, count, keywords);
        NdArray* of = as_ndarray(self);
        const Layout& layout = of->array.layout();
        if (positional == 0 || (positional == 1 && arguments[0] == Py_None))
            return new_view(of, layout.transposed());
        const Extents given_axes = integers_of(arguments, positional);
        if (given_axes.size() != layout.rank()) {
            PyErr_SetString(PyExc_ValueError, "axes don't match array");
            return nullptr;
        }
        std::vector<int> axes;
        std::vector<bool> seen(static_cast<std::size_t>(layout.rank()));
        for (const Extent axis : given_axes) {
            axes.push_back(checked_axis(axis, layout.rank()));
            const auto i = static_cast<std::size_t>(axes.back());
            if (seen[i]) {
                PyErr_SetString(PyExc_ValueError, "repeated axis in transpose");
                return nullptr;
            }
            seen[i] = true;
        }
        return new_view(of, layout.transposed(axes));
    });
}

PyObject* method_swapaxes(PyObject* self, Arguments arguments, Py_ssize_t count,
                          PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[2] = {};
        NdArray* of = as_ndarray(self);
        const int rank = of->array.rank();
        if (!sort_arguments<2>({"axis1", "axis2"}, arguments, count, keywords, places) ||
            places[1] == nullptr)
            return method_by_hook(self, "swapaxes", arguments, count, keywords);
        const int first = axis_of(places[0], rank, "axis1");
        const int second = axis_of(places[1], rank, "axis2");
        std::vector<int> axes;
        for (int i = 0; i < rank; ++i)
            axes.push_back(i == first ? second : i == second ? first : i);
        return new_view(of, of->array.layout().transposed(axes));
    });
}

PyObject* method_squeeze(PyObject* self, Arguments arguments, Py_ssize_t count,
                         PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[1] = {};
        NdArray* of = as_ndarray(self);
        const Layout& layout = of->array.layout();
        if (!sort_arguments<1>({"axis"}, arguments, count, keywords, places))
            return method_by_hook(self, "squeeze", arguments, count, keywords);
        std::vector<bool> goes(static_cast<std::size_t>(layout.rank()));
        if (const auto axes = axes_of(places[0], layout.rank())) {
            for (const int axis : *axes) {
                if (layout.shape[axis] != 1) {
                    PyErr_SetString(
                        PyExc_ValueError,
                        "cannot select an axis to squeeze out which has size not equal to one");
                    return nullptr;
                }
                goes[static_cast<std::size_t>(axis)] = true;
            }
        } else {
            for (int i = 0; i < layout.rank(); ++i)
                goes[static_cast<std::size_t>(i)] = layout.shape[i] == 1;
        }
        int rank = 0;
        for (const bool gone : goes) rank += gone ? 0 : 1;
        Layout kept;
        kept.offset = layout.offset;
        kept.shape = Extents(rank, 0);
        kept.strides = Extents(rank, 0);
        int out = 0;
        for (int i = 0; i < layout.rank(); ++i) {
            if (goes[static_cast<std::size_t>(i)]) continue;
            kept.shape[out] = layout.shape[i];
            kept.strides[out++] = layout.strides[i];
        }
        return new_view(of, std::move(kept));
    });
}

PyObject* method_diagonal(PyObject* self, Arguments arguments, Py_ssize_t count,
                          PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        PyObject* places[3] = {};
        NdArray* of = as_ndarray(self);
        const int rank = of->array.rank();
        if (rank < 2) {
            PyErr_SetString(PyExc_ValueError, "diag requires an array of at least two dimensions");
            return nullptr;
        }
        if (!sort_arguments<3>({"offset", "axis1", "axis2"}, arguments, count, keywords, places))
            return method_by_hook(self, "diagonal", arguments, count, keywords);
        const Extent offset = places[0] == nullptr ? 0 : integer_of(places[0]);
        const int axis1 = places[1] == nullptr ? 0 : axis_of(places[1], rank);
        const int axis2 = places[2] == nullptr ? 1 : axis_of(places[2], rank, "axis2");
        if (axis1 == axis2) {
            PyErr_SetString(PyExc_ValueError, "axis1 and axis2 cannot be the same");
            return nullptr;
        }
        PyObject* view = new_view(of, of->array.layout().diagonal(offset, axis1, axis2));
        if (view != nullptr) as_ndarray(view)->writable = false;
        return view;
    });
}

namespace {

/// Throws where NumPy would not resize: what others hold must stay.
void check_resizable(PyObject* self, bool counts_references) {
    const std::string referenced =
        "cannot resize an array that references or is referenced\nby another array in this way.";
    if (as_ndarray(self)->base != nullptr)
        refuse(PyExc_ValueError, "cannot resize this array: it does not own its data");
    if (as_ndarray(self)->weak_references != nullptr)
        refuse(PyExc_ValueError, referenced + " Use the np.resize function.");
    // The caller's variable, and the method that is being called.
    if (counts_references && Py_REFCNT(self) > 2)
        refuse(PyExc_ValueError, referenced + "\nUse the np.resize function or refcheck=False");
}

/// As many elements as there are, in the order of memory; the others are 0.
void copy_in_order_of_memory(const Array& from, const Array& to, bool by_columns) {
    const auto line = [&](const Array& array, Extent first, Extent count) {
        const Layout flat = *array.layout().reshaped(Extents({array.size()}), by_columns);
        return array.view(flat.slice(0, first, 1, count));
    };
    const Extent kept = std::min(from.size(), to.size());
    Machine& entered = machine_here();
    entered.assign(line(to, 0, kept), line(from, 0, kept));
    entered.assign(line(to, kept, to.size() - kept), false);
}

}  // namespace

PyObject* method_resize(PyObject* self, Arguments arguments, Py_ssize_t count, PyObject* keywords) {
    return guarded([&]() -> PyObject* {
        const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_GET_SIZE(keywords);
        if (named > 1 || (named == 1 && PyUnicode_CompareWithASCIIString(
                                            PyTuple_GET_ITEM(keywords, 0), "refcheck") != 0))
            refuse(PyExc_TypeError, "resize() takes a shape and refcheck");
        if (count == 0 || (count == 1 && arguments[0] == Py_None)) Py_RETURN_NONE;
        const Extents shape = integers_of(arguments, count);
        if (std::any_of(shape.begin(), shape.end(), [](Extent extent) { return extent < 0; }))
            refuse(PyExc_ValueError, "negative dimensions not allowed");
        Array& array = array_of(self);
        const Layout& layout = array.layout();
        const bool columns = layout.is_column_major() && !layout.is_row_major();
        if (!columns && !layout.is_row_major())
            refuse(PyExc_ValueError, "resize only works on single-segment arrays");
        if (std::optional<Layout> same = layout.reshaped(shape, columns);
            same && same->size() == array.size()) {
            array = array.view(std::move(*same));
            Py_RETURN_NONE;
        }
        check_resizable(self, named == 0 || truth_of(arguments[count]));
        Array made = machine_here().empty(shape, array.dtype(), columns);
        copy_in_order_of_memory(array, made, columns);
        array = std::move(made);
        Py_RETURN_NONE;
    });
}

}  // namespace refrain::ndarray
