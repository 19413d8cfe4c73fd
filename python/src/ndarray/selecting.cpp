// array[key] and array[key] = value where arrays of integers or booleans select.
//
//     x[0, :, idx]      a view without what slices leave out, the arrays' axes whole; then one task that
//                       gathers: the arrays' common shape first, then the axes of the view
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "ndarray/convert.hpp"

namespace refrain::ndarray {

namespace {

/// One item of a key.
struct Item {
    enum class Kind { slice, new_axis, rest, integer, indices, mask };
    Kind kind;
    PyObject* object = nullptr;
    Extent integer = 0;
    Array array{};
    [[nodiscard]] bool is_advanced() const { return kind >= Kind::integer; }
    [[nodiscard]] int axes() const {  // that it uses up
        switch (kind) {
            case Kind::new_axis:
            case Kind::rest:
                return 0;
            case Kind::mask:
                return array.rank();
            default:
                return 1;
        }
    }
};

/// What a key selects: all of a view, but of the axes of `indices` the elements at the indices.
struct Selected {
    Layout view;
    std::vector<Array> indices;      // int64, of one shape
    std::vector<std::int64_t> axes;  // of the view
    Extents by;                      // the indices' shape
    struct Check {
        Array indices;
        int axis;
        Extent extent;
    };
    std::vector<Check> checks;  // of what may be out of bounds
    int place = 0;              // where it comes among the other axes of the result
    Array whole_mask;           // instead of all that: a mask of the array's shape
};

/// An array that selects; false for what NumPy must judge.
bool array_item(PyObject* object, Item& item) {
    std::optional<Array> array;
    if (is_ndarray(object)) {
        array = array_of(object);
    } else if (PyBool_Check(object) || PyList_Check(object) || PyTuple_Check(object) ||
               is_scalar(object) || Py_TYPE(object) == core.numpy_scalars[0] ||
               reinterpret_cast<PyObject*>(Py_TYPE(object)) == core.numpy_ndarray) {
        array = convert_array(object);
        if (array && array->size() == 0 && PyList_Check(object))
            array = machine_here().astype(*array, DType::int64);
    }
    if (!array) return false;
    if (array->dtype() == DType::boolean) {
        item = {Item::Kind::mask, object, 0, std::move(*array)};
        return true;
    }
    if (array::kind_of(array->dtype()) != array::DTypeKind::integer) return false;
    item = {Item::Kind::indices, object, 0, std::move(*array)};
    return true;
}

bool parse(PyObject* key, std::vector<Item>& items) {
    PyObject* single[1] = {key};
    PyObject** objects = single;
    Py_ssize_t count = 1;
    if (PyTuple_Check(key)) {
        objects = reinterpret_cast<PyTupleObject*>(key)->ob_item;
        count = PyTuple_GET_SIZE(key);
    }
    bool has_rest = false;
    for (Py_ssize_t i = 0; i < count; ++i) {
        PyObject* object = objects[i];
        Item item{Item::Kind::slice, object};
        if (PySlice_Check(object)) {
        } else if (object == Py_None) {
            item.kind = Item::Kind::new_axis;
        } else if (object == Py_Ellipsis) {
            if (has_rest)
                refuse(PyExc_IndexError, "an index can only have a single ellipsis ('...')");
            has_rest = true;
            item.kind = Item::Kind::rest;
        } else if (integer_index(object, item.integer)) {
            item.kind = Item::Kind::integer;
        } else if (!array_item(object, item)) {
            return false;
        }
        items.push_back(std::move(item));
    }
    if (!has_rest) items.push_back({Item::Kind::rest, nullptr});
    return true;
}

void check_mask(const Array& mask, const Layout& layout, int axis) {
    for (int d = 0; d < mask.rank(); ++d) {
        if (mask.shape()[d] == layout.shape[axis + d]) continue;
        refuse(PyExc_IndexError, "boolean index did not match indexed array along dimension " +
                                     std::to_string(axis + d) + "; dimension is " +
                                     std::to_string(layout.shape[axis + d]) +
                                     " but corresponding boolean dimension is " +
                                     std::to_string(mask.shape()[d]));
    }
}

/// The indices of the elements that are true: a row for each, or an array per axis.
Array table_of_indices(const Array& mask) {
    static const array::Task& nonzero = *array::task_named("nonzero");
    const Extent count = count_true(mask);
    Machine& entered = machine_here();
    Array places = entered.empty({count, mask.rank()}, DType::int64);
    if (count > 0) entered.run(nonzero, {&places, 1}, {&mask, 1});
    return places;
}
std::vector<Array> indices_of(const Array& mask) {
    const Array places = table_of_indices(mask);
    std::vector<Array> result;
    for (int d = 0; d < mask.rank(); ++d) result.push_back(places.view(places.layout().at(1, d)));
    return result;
}

/// Builds the view axis by axis.
class Builder {
  public:
    Builder(const Layout& layout, Selected& selected) : from_(layout), to_(selected) {
        to_.view.offset = layout.offset;
    }

    void add(const Item& item, int untouched) {
        switch (item.kind) {
            case Item::Kind::slice:
                slice(item.object);
                break;
            case Item::Kind::new_axis:
                append(1, 0);
                break;
            case Item::Kind::rest:
                for (int d = 0; d < untouched; ++d, ++axis_)
                    append(from_.shape[axis_], from_.strides[axis_]);
                break;
            case Item::Kind::integer:
                to_.view.offset +=
                    checked_index(item.integer, axis_, from_.shape[axis_]) * from_.strides[axis_];
                ++axis_;
                break;
            case Item::Kind::indices:
                index(item.array, false);
                break;
            case Item::Kind::mask:
                if (item.array.rank() == 0) {
                    truth(item.array);
                } else {
                    check_mask(item.array, from_, axis_);
                    for (Array& along : indices_of(item.array)) index(along, true);
                }
                break;
        }
    }
    void finish() {
        Layout& view = to_.view;
        view.shape = Extents(static_cast<int>(shape_.size()), 1);
        view.strides = view.shape;
        for (int d = 0; d < view.rank(); ++d) {
            view.shape[d] = shape_[static_cast<std::size_t>(d)];
            view.strides[d] = strides_[static_cast<std::size_t>(d)];
        }
    }
    [[nodiscard]] int others() const noexcept {  // axes so far that nothing indexes
        return static_cast<int>(shape_.size() - to_.axes.size());
    }

  private:
    void append(Extent extent, Extent stride) {
        shape_.push_back(extent);
        strides_.push_back(stride);
    }
    void slice(PyObject* object) {
        Py_ssize_t start;
        Py_ssize_t stop;
        Py_ssize_t step;
        if (PySlice_Unpack(object, &start, &stop, &step) < 0) throw PythonError();
        const Extent count = PySlice_AdjustIndices(from_.shape[axis_], &start, &stop, step);
        const Extent stride = from_.strides[axis_];
        if (count > 0) to_.view.offset += start * stride;
        append(count, stride * step);
        ++axis_;
    }
    void index(const Array& indices, bool is_checked) {
        const Array whole = indices.dtype() == DType::int64
                                ? indices
                                : machine_here().astype(indices, DType::int64);
        if (!is_checked) to_.checks.push_back({whole, axis_, from_.shape[axis_]});
        to_.axes.push_back(static_cast<std::int64_t>(shape_.size()));
        to_.indices.push_back(whole);
        append(from_.shape[axis_], from_.strides[axis_]);
        ++axis_;
    }
    /// True is a new axis of one element, False one of none.
    void truth(const Array& value) {
        const Extent count = value_of(value).as<bool>() ? 1 : 0;
        to_.axes.push_back(static_cast<std::int64_t>(shape_.size()));
        to_.indices.push_back(machine_here().zeros({count}, DType::int64));
        append(1, 0);
    }

    const Layout& from_;
    Selected& to_;
    int axis_ = 0;
    std::vector<Extent> shape_;
    std::vector<Extent> strides_;
};

void broadcast_indices(Selected& selected) {
    std::vector<Extents> shapes;
    for (const Array& indices : selected.indices) shapes.push_back(indices.shape());
    const std::optional<Extents> shape = array::broadcast_shapes(shapes);
    if (!shape) {
        std::string message =
            "shape mismatch: indexing arrays could not be broadcast together with shapes ";
        for (const Extents& each : shapes) message += each.text() + " ";
        refuse(PyExc_IndexError, message);
    }
    selected.by = *shape;
    for (Array& indices : selected.indices)
        if (!(indices.shape() == *shape))
            indices = indices.view(*indices.layout().broadcast_to(*shape));
}

bool select(const Layout& layout, PyObject* key, Selected& selected) {
    std::vector<Item> items;
    if (!parse(key, items)) return false;
    int used = 0;
    for (const Item& item : items) used += item.axes();
    if (used > layout.rank())
        refuse(PyExc_IndexError, "too many indices for array: array is " +
                                     std::to_string(layout.rank()) + "-dimensional, but " +
                                     std::to_string(used) + " were indexed");
    if (items.size() == 2 && items[0].kind == Item::Kind::mask && layout.rank() > 0 &&
        items[0].array.rank() == layout.rank() && items[1].object == nullptr) {
        check_mask(items[0].array, layout, 0);
        selected.whole_mask = items[0].array;
        return true;
    }
    Builder builder(layout, selected);
    enum class Run { none, inside, over, several } run = Run::none;
    for (const Item& item : items) {
        if (!item.is_advanced()) {
            if (run == Run::inside) run = Run::over;
        } else if (run == Run::none) {
            run = Run::inside;
            selected.place = builder.others();
        } else if (run == Run::over) {
            run = Run::several;
            selected.place = 0;
        }
        builder.add(item, layout.rank() - used);
    }
    builder.finish();
    if (selected.indices.empty()) return false;
    broadcast_indices(selected);
    const int result_rank =
        selected.by.size() + selected.view.rank() - static_cast<int>(selected.axes.size());
    if (result_rank > array::rank_max)
        refuse(PyExc_IndexError,
               "number of dimensions must be within [0, 32], indexing result would have " +
                   std::to_string(result_rank));
    return true;
}

/// Waits, without the lock, for what writes the arrays. From then on no other thread has a turn until this one waits again: what
/// is found in the elements still holds when the operation that trusts in it is issued.
void wait_for_elements(std::span<const Array> arrays) {
    for (const Array& array : arrays) {
        Machine& entered = machine();
        if (!entered.is_ready(array) && !entered.knows_bounds(array))
            without_lock([&] { entered.wait_for(array); });
    }
    static_cast<void>(machine());
}

/// Throws IndexError if one of the indices, of int64, is out of bounds.
void check_bounds(const Array& indices, int axis, Extent extent) {
    Machine& entered = machine();
    const auto bounds = entered.bounds_of(indices);
    if (!bounds || (bounds->first >= -extent && bounds->second < extent)) return;
    std::vector<std::int64_t> elements(static_cast<std::size_t>(indices.size()));
    entered.copy_to(indices, elements.data());
    for (const std::int64_t index : elements) (void)checked_index(index, axis, extent);
}

/// Throws IndexError for an index out of bounds; warns where the result has no element.
void check_bounds(const Selected& selected, Extent result_size) {
    if (Layout::row_major(selected.by).size() == 0) return;
    wait_for_elements(selected.indices);
    for (const Selected::Check& check : selected.checks) {
        try {
            check_bounds(check.indices, check.axis, check.extent);
        } catch (const PythonError&) {
            if (result_size > 0 || PyErr_ExceptionMatches(PyExc_IndexError) == 0) throw;
            PyErr_Clear();
            if (PyErr_WarnEx(
                    PyExc_DeprecationWarning,
                    "Out of bound index found. This was previously ignored when the "
                    "indexing result contained no elements. In the future the index error "
                    "will be raised. This error occurs either due to an empty slice, or if "
                    "an array has zero elements even before indexing.\n(Use "
                    "`warnings.simplefilter('error')` to turn this DeprecationWarning into "
                    "an error and get more details on the invalid index.)",
                    1) < 0)
                throw;
        }
    }
}

/// The indices' layout as NumPy makes it: in the order of memory of the index arrays, and of `beside`,
/// whose first axes are the indices', if it is not null; row-major where other axes are left.
Layout layout_of_indices(const Selected& selected, const Layout* beside) {
    if (static_cast<std::size_t>(selected.view.rank()) != selected.axes.size())
        return Layout::row_major(selected.by);
    std::vector<const Layout*> layouts;
    for (const Array& indices : selected.indices) layouts.push_back(&indices.layout());
    if (beside != nullptr) layouts.push_back(beside);
    return array::layout_like(selected.by, layouts);
}

/// The layouts of an array beside the view: as the task has it, and as the result of the key.
struct Beside {
    Layout task;    // the indices' axes first
    Layout result;  // the indices' axes in their place
};
Beside beside(const Selected& selected) {
    const int by = selected.by.size();
    Layout others = selected.view;  // without the indexed axes
    for (std::size_t k = selected.axes.size(); k-- > 0;)
        others = others.at(static_cast<int>(selected.axes[k]), 0);
    const int rank = by + others.rank();
    if (others.rank() == 0) {
        const Layout layout = layout_of_indices(selected, nullptr);
        return {layout, layout};
    }
    // The indices' axes outside of the other ones, which lie as in a copy.
    const Layout inner = array::layout_by_strides(others);
    const Layout outer = Layout::row_major(selected.by);
    Extent inner_size = 1;
    for (const Extent extent : inner.shape) inner_size *= std::max<Extent>(extent, 1);
    Layout task{Extents(rank, 1), Extents(rank, 0), 0};
    for (int d = 0; d < rank; ++d) {
        task.shape[d] = d < by ? outer.shape[d] : inner.shape[d - by];
        task.strides[d] = d < by ? outer.strides[d] * inner_size : inner.strides[d - by];
    }
    std::vector<int> axes;
    for (int d = 0; d < selected.place; ++d) axes.push_back(by + d);
    for (int d = 0; d < by; ++d) axes.push_back(d);
    for (int d = selected.place; d < others.rank(); ++d) axes.push_back(by + d);
    return {task, task.transposed(axes)};
}

/// By value: while this thread waits, another one may give the objects other shapes or other memory.
PyObject* extracted(const Array array, const Array mask) {
    static const array::Task& extract = *array::task_named("extract");
    const Extent count = count_true(mask);
    Machine& entered = machine_here();
    return new_ndarray_of([&] {
        Array result = entered.empty({count}, array.dtype());
        const Array read[] = {array, mask};
        if (count > 0) entered.run(extract, {&result, 1}, read);
        return result;
    });
}

/// The layout of a value as the result of a key has it; throws ValueError where that is none.
Layout fitted(Layout layout, const Extents& shape) {
    const Extents given = layout.shape;
    while (layout.rank() > shape.size() && layout.shape[0] == 1) layout = layout.at(0, 0);
    const std::optional<Layout> found =
        layout.rank() <= shape.size() ? layout.broadcast_to(shape) : std::nullopt;
    if (!found)
        refuse(PyExc_ValueError, "shape mismatch: value array of shape " + given.text() +
                                     " could not be broadcast to indexing result of shape " +
                                     shape.text());
    return *found;
}

/// The value as an array of the target's type.
Array value_to_write(const array::Operand& value, const Array& target) {
    if (!value.is_array()) return machine_here().full({}, converted(value.scalar, target.dtype()));
    if (value.array->dtype() == target.dtype()) return *value.array;
    warn_of_lost_parts(value.array->dtype(), target.dtype());
    return machine_here().astype(*value.array, target.dtype());
}

void write_where(const Array& target, const Array& mask, const array::Operand& value) {
    static const array::Task& place = *array::task_named("place");
    if (!value.is_array()) {
        machine_here().assign_where(target, mask, value.scalar);
        return;
    }
    if (value.array->rank() > 1)
        refuse(PyExc_TypeError,
               "NumPy boolean array indexing assignment requires a 0 or "
               "1-dimensional input, input has " +
                   std::to_string(value.array->rank()) + " dimensions");
    const Extent given = value.array->size();
    if (value.array->rank() == 1 && given != 1) {
        const Extent count = count_true(mask);
        if (given != count)
            refuse(PyExc_ValueError, "NumPy boolean array indexing assignment cannot assign " +
                                         std::to_string(given) + " input values to the " +
                                         std::to_string(count) +
                                         " output values where the mask is true");
    }
    Array values = value_to_write(value, target);
    if (values.rank() == 0) values = values.view(values.layout().with_axis(0));
    if (values.same_store(target)) values = machine_here().copy(values);
    const Array own_mask = mask.same_store(target) ? machine().copy(mask) : mask;
    const Array read[] = {own_mask, values};
    const std::int64_t by_position[] = {0};
    machine_here().run(place, {&target, 1}, read, by_position);
}

}  // namespace

Extent count_true(const Array& mask) {
    if (core.counts_sites) count_wait();
    wait_for_elements({&mask, 1});
    return machine().count_true(mask);
}

Array checked_indices(const Array& indices, int axis, Extent extent) {
    Array whole =
        indices.dtype() == DType::int64 ? indices : machine_here().astype(indices, DType::int64);
    wait_for_elements({&whole, 1});
    check_bounds(whole, axis, extent);
    return whole;
}

namespace {

const array::Task& gather() {
    static const array::Task& task = *array::task_named("gather");
    return task;
}

/// The commonest key of all: an array of indices into a line. Does what get_by_arrays does with it. By value
/// as above.
PyObject* gathered_from_line(const Array line, const Array indices) {
    const bool is_empty = indices.size() == 0;
    if (!is_empty) wait_for_elements({&indices, 1});
    return new_ndarray_of([&] {
        if (!is_empty) check_bounds(indices, 0, line.shape()[0]);
        Machine& entered = machine_here();
        Array result = entered.empty(indices.shape(), line.dtype());
        const Array read[] = {line, indices};
        const std::int64_t axis[] = {0};
        if (!is_empty) entered.run(gather(), {&result, 1}, read, axis);
        return result;
    });
}

}  // namespace

PyObject* places_of(const Array& mask) {
    const Reference places(checked(new_ndarray(table_of_indices(mask))));
    const Layout& found = array_of(places.get()).layout();
    Reference axes(checked(PyTuple_New(mask.rank())));
    for (int axis = 0; axis < mask.rank(); ++axis)
        PyTuple_SET_ITEM(axes.get(), axis,
                         checked(new_view(as_ndarray(places.get()), found.at(1, axis))));
    return axes.release();
}

PyObject* get_by_arrays(NdArray* self, PyObject* key) {
    if (is_ndarray(key)) {
        const Array& by = array_of(key);
        if (by.dtype() == DType::int64 && self->array.rank() == 1 && by.rank() > 0 &&
            by.layout().is_row_major())
            return gathered_from_line(self->array, by);
        if (by.dtype() == DType::boolean && by.rank() > 0 && by.shape() == self->array.shape())
            return extracted(self->array, by);
    }
    const Array array = self->array;
    Selected selected;
    if (!select(array.layout(), key, selected)) return nullptr;
    if (selected.whole_mask) return extracted(array, selected.whole_mask);
    const Beside sides = beside(selected);
    check_bounds(selected, sides.task.size());
    const Extents shape = sides.task.is_row_major() ? sides.task.shape : Extents{sides.task.size()};
    const Array result = machine_here().empty(shape, array.dtype());
    std::vector<Array> read{array.view(selected.view)};
    read.insert(read.end(), selected.indices.begin(), selected.indices.end());
    const Array written = result.view(sides.task);
    if (written.size() > 0) machine_here().run(gather(), {&written, 1}, read, selected.axes);
    return new_ndarray(result.view(sides.result));
}

bool set_by_arrays(NdArray* self, PyObject* key, PyObject* value) {
    static const array::Task& scatter = *array::task_named("scatter");
    Selected selected;
    OperandHolder holder;
    if (!assignable(value, self->array.dtype(), holder)) return false;
    const Array target = self->array;  // whatever becomes of the object while this thread waits
    if (!select(target.layout(), key, selected)) return false;
    if (selected.whole_mask) {
        write_where(target, selected.whole_mask, holder.operand);
        return true;
    }
    const Beside sides = beside(selected);
    const Extents& shape = sides.result.shape;
    if (holder.operand.is_array()) (void)fitted(holder.operand.array->layout(), shape);
    const Array values = value_to_write(holder.operand, target);
    const Layout given = fitted(values.layout(), shape);
    check_bounds(selected, Layout::row_major(shape).size());
    // The indices' axes first, in the order in which the last of several values stays.
    const Layout going = layout_of_indices(selected, &given);
    std::vector<int> order;
    for (int d = 0; d < going.rank(); ++d) order.push_back(d);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return going.strides[a] > going.strides[b]; });
    const int by = selected.by.size();
    std::vector<int> axes;
    for (const int d : order) axes.push_back(selected.place + d);
    for (int d = 0; d < shape.size(); ++d)
        if (d < selected.place || d >= selected.place + by) axes.push_back(d);
    std::vector<Array> read{values.view(given.transposed(axes))};
    for (const Array& indices : selected.indices) {
        const Array own = indices.same_store(target) ? machine_here().copy(indices) : indices;
        read.push_back(own.view(own.layout().transposed(order)));
    }
    const Array written = target.view(selected.view);
    if (read[0].size() > 0) machine_here().run(scatter, {&written, 1}, read, selected.axes);
    return true;
}

}  // namespace refrain::ndarray
