#include "refrain/array/with_type.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "arrays/parts.hpp"

namespace refrain::array {

namespace {

std::string quoted(DType type) {
    return "dtype('" + std::string(name_of(type)) + "')";
}
const char* name_of_casting(Casting casting) {
    switch (casting) {
        case Casting::no:
            return "no";
        case Casting::safe:
            return "safe";
        case Casting::same_kind:
            return "same_kind";
        case Casting::unsafe:
            return "unsafe";
    }
    return "";
}

[[noreturn]] void refuse_shapes(std::span<const Operand> inputs, const UfuncOptions& options) {
    std::string shapes;
    for (const Operand& input : inputs)
        shapes += (input.is_array() ? input.array->shape().text() : std::string("()")) + " ";
    if (options.out != nullptr) shapes += options.out->shape().text() + " ";
    if (options.where != nullptr) shapes += options.where->shape().text() + " ";
    throw ArrayError(ErrorKind::value,
                     "operands could not be broadcast together with shapes " + shapes);
}

[[noreturn]] void refuse_output(const Extents& out, const Extents& shape) {
    throw ArrayError(ErrorKind::value, "non-broadcastable output operand with shape " + out.text() +
                                           " doesn't match the broadcast shape " + shape.text());
}

[[noreturn]] void refuse_types(Ufunc function, std::span<const Operand> inputs) {
    const std::string name(name_of(function));
    bool all_boolean = true;
    std::string types;
    for (const Operand& input : inputs) {
        const DType type = input.is_array() ? input.array->dtype() : input.scalar.dtype;
        all_boolean = all_boolean && type == DType::boolean;
        types += (types.empty() ? "" : ", ") + quoted(type);
    }
    if (all_boolean && function == Ufunc::subtract)
        throw ArrayError(ErrorKind::type,
                         "numpy boolean subtract, the `-` operator, is not supported, use the "
                         "bitwise_xor, the `^` operator, or the logical_xor function instead.");
    if (all_boolean && function == Ufunc::negative)
        throw ArrayError(ErrorKind::type,
                         "The numpy boolean negative, the `-` operator, is not supported, use the "
                         "`~` operator or the logical_not function instead.");
    throw ArrayError(ErrorKind::ufunc_type,
                     "ufunc '" + name +
                         "' not supported for the input types, and the inputs could not be safely "
                         "coerced to any supported types according to the casting rule ''safe'': " +
                         types);
}

void check_writable(const Array& target) {
    if (!target.store().writable) throw ArrayError(ErrorKind::value, "output array is read-only");
}

bool is_negative_integer(const Scalar& value) {
    return with_type(value.dtype, [&]<class T>(T) {
        if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
            return value.as<T>() < 0;
        else
            return false;
    });
}

/// An input as the loop reads it: broadcast, and copied first where the output overlaps it.
struct Input {
    const Layout* layout = nullptr;
    Store* store = nullptr;
    std::optional<Array> copy;
    std::optional<Layout> broadcast;

    void set(Machine::Parts& parts, const Array& array, const Extents& shape, const Array* out) {
        const Array* source = &array;
        if (array.shape() == shape) {
            layout = &array.layout();
        } else {
            broadcast = array.layout().broadcast_to(shape);
            layout = &*broadcast;
        }
        store = &array.store();
        if (out == nullptr || !out->same_store(array) || *layout == out->layout() ||
            !may_overlap(*layout, out->layout()))
            return;
        copy = parts.copied(*source);
        store = &copy->store();
        if (array.shape() == shape) {
            layout = &copy->layout();
        } else {
            broadcast = copy->layout().broadcast_to(shape);
            layout = &*broadcast;
        }
    }
};

}  // namespace

Extents root_of(const Layout& layout) {
    const int rank = layout.rank();
    std::array<int, rank_max> axes;
    for (int d = 0; d < rank; ++d) axes[static_cast<std::size_t>(d)] = d;
    std::stable_sort(axes.begin(), axes.begin() + rank,
                     [&](int a, int b) { return layout.strides[a] > layout.strides[b]; });
    Extents root = layout.shape;
    for (int d = 0; d < rank; ++d) root[d] = layout.shape[axes[static_cast<std::size_t>(d)]];
    return root;
}

Layout layout_like(const Extents& shape, std::span<const Layout* const> operands) {
    const int rank = shape.size();
    // Axes from the outermost to the innermost, sorted by insertion as the operands vote.
    std::array<int, rank_max> order;
    bool rows = true;
    for (int d = 0; d < rank; ++d) order[static_cast<std::size_t>(d)] = d;
    // From the innermost on: axis a is to be moved inside of the axes with smaller strides.
    for (int position = rank - 2; position >= 0; --position) {
        const int axis = order[static_cast<std::size_t>(position)];
        int target = position;
        for (int other = position + 1; other < rank; ++other) {
            const int inner = order[static_cast<std::size_t>(other)];
            bool decided = false;
            bool swap = false;
            for (const Layout* operand : operands) {
                const Extent outer_stride = std::abs(operand->strides[axis]);
                const Extent inner_stride = std::abs(operand->strides[inner]);
                if (operand->shape[axis] == 1 || operand->shape[inner] == 1) continue;
                if (outer_stride == 0 || inner_stride == 0) continue;
                if (inner_stride <= outer_stride)
                    swap = false;
                else if (!decided)
                    swap = true;
                decided = true;
            }
            if (!decided) continue;
            if (!swap) break;
            target = other;
        }
        if (target == position) continue;
        rows = false;
        for (int d = position; d < target; ++d)
            order[static_cast<std::size_t>(d)] = order[static_cast<std::size_t>(d + 1)];
        order[static_cast<std::size_t>(target)] = axis;
    }
    Layout layout = Layout::row_major(shape);
    if (rows) return layout;
    Extent stride = 1;
    for (int d = rank; d-- > 0;) {
        const int axis = order[static_cast<std::size_t>(d)];
        layout.strides[axis] = stride;
        stride *= std::max<Extent>(shape[axis], 1);
    }
    return layout;
}

Array Machine::Parts::make_like(const Extents& shape, std::span<const Layout* const> operands,
                                DType type) {
    const auto is_row_major = [](const Layout* layout) { return layout->is_row_major(); };
    if (shape.size() < 2 || std::all_of(operands.begin(), operands.end(), is_row_major))
        return make(shape, type);
    return make(layout_like(shape, operands), type);
}

Layout layout_of_copy(const Layout& view) {
    if (view.rank() < 2 || view.is_row_major()) return Layout::row_major(view.shape);
    if (view.is_column_major()) return Layout::column_major(view.shape);
    return layout_by_strides(view);
}

Layout layout_by_strides(const Layout& view) {
    const int rank = view.rank();
    std::array<int, rank_max> order;
    for (int d = 0; d < rank; ++d) order[static_cast<std::size_t>(d)] = d;
    std::stable_sort(order.begin(), order.begin() + rank, [&](int a, int b) {
        return std::abs(view.strides[a]) > std::abs(view.strides[b]);
    });
    Layout layout = Layout::row_major(view.shape);
    Extent stride = 1;
    for (int i = rank; i-- > 0;) {
        const int axis = order[static_cast<std::size_t>(i)];
        layout.strides[axis] = stride;
        stride *= std::max<Extent>(view.shape[axis], 1);
    }
    return layout;
}

void Machine::Parts::find_types(Signature& what, std::span<const array::Operand> inputs,
                                std::optional<DType> dtype) {
    const Ufunc function = what.function;
    // Types that values cannot change are remembered: of arrays of rank 1 and more, and of numbers
    // beside arrays of the widest type of their kind.
    const std::size_t count = inputs.size();
    std::size_t key = static_cast<std::size_t>(function);
    bool remembered = !dtype.has_value();
    bool has_array = false;
    bool wide = false;
    for (std::size_t i = 0; i < count; ++i) {
        const array::Operand& input = inputs[i];
        const bool scalar = !input.is_array() || input.array->rank() == 0;
        const DType type = input.is_array() ? input.array->dtype() : input.scalar.dtype;
        key = key * 32 + static_cast<std::size_t>(type) + (scalar ? 16 : 0);
        if (!scalar) {
            has_array = true;
            wide = type == DType::float64 || type == DType::complex128;
        }
    }
    if (count == 1) key = key * 32 + 31;
    for (std::size_t i = 0; i < count && remembered; ++i) {
        const array::Operand& input = inputs[i];
        if (input.is_array() && input.array->rank() != 0) continue;
        const DType type = input.is_array() ? input.array->dtype() : input.scalar.dtype;
        remembered = has_array && wide && !is_complex(type);
    }
    if (remembered) {
        if (cached_types.empty()) cached_types.resize(std::size_t{ufunc_count} * 32 * 32);
        const CachedTypes& cached = cached_types[key];
        if (cached.known) {
            what.types = cached.types;
            what.loop = cached.loop;
            return;
        }
    }
    std::array<TypeOperand, 2> operands;
    std::array<Scalar, 2> values;
    for (std::size_t i = 0; i < count; ++i) {
        const array::Operand& input = inputs[i];
        if (input.is_array())
            operands[i] = {input.array->dtype(), input.array->rank() == 0, nullptr};
        else
            operands[i] = {input.scalar.dtype, true, &input.scalar};
    }
    if (needs_values({operands.data(), count})) {
        for (std::size_t i = 0; i < count; ++i) {
            if (!inputs[i].is_array() || inputs[i].array->rank() != 0) continue;
            values[i] = machine->item(*inputs[i].array);
            operands[i].value = &values[i];
        }
    }
    const std::optional<UfuncTypes> types = resolve(function, {operands.data(), count}, dtype);
    if (!types.has_value()) refuse_types(function, inputs);
    what.types = *types;
    what.loop = kernels::loop_of(function, *types);
    if (remembered) cached_types[key] = {*types, what.loop, true};
}

Array Machine::call(Ufunc function, const Array& a, const Array& b) {
    Parts& parts = *parts_;
    parts
        .make_room();  // first: while it waits, a handler of signals may put another call into the place
    RepeatedCalls::Call& known = parts.repeated_calls.place_of(function, a, b);
    if (!RepeatedCalls::holds(known, function, a, b, parts.stores.forms_age())) {
        const Operand operands[] = {a, b};
        Array result = call(function, operands, {});
        if (a.rank() == 0 || !(a.shape() == b.shape())) return result;
        known.forms[0] = a.store().form;
        known.forms[1] = b.store().form;
        known.layouts[0] = a.layout();
        known.layouts[1] = b.layout();
        known.result_form = result.store().form;
        known.result_layout = result.layout();
        known.record = {};
        known.record.use_count = 3;
        known.record.what = {.action = Action::ufunc, .function = function};
        parts.find_types(known.record.what, operands, {});
        known.age = parts.stores.forms_age();
        known.views_age = 0;
        parts.note_cost(known);
        return result;
    }
    Array result(parts.stores.make(*known.result_form), known.result_layout);
    if (known.is_launched && a.store().exports == 0 && b.store().exports == 0 && !parts.hashing) {
        parts.launch_again(known, result.store(), a.store(), b.store());
        return result;
    }
    Operation operation;
    operation.what = known.record.what;
    operation.set_output(result);
    operation.add(a.store(), a.layout());
    operation.add(b.store(), b.layout());
    parts.issue(operation);
    return result;
}

Array Machine::call(Ufunc function, std::span<const Operand> inputs, const UfuncOptions& options) {
    Parts& parts = *parts_;
    const std::size_t count = static_cast<std::size_t>(inputs_of(function));
    if (inputs.size() != count)
        throw ArrayError(ErrorKind::type, std::string(name_of(function)) + "() takes " +
                                              std::to_string(count) + " arguments, not " +
                                              std::to_string(inputs.size()));
    Operation operation;
    operation.what.action = Action::ufunc;
    operation.what.function = function;
    parts.find_types(operation.what, inputs, options.dtype);
    const UfuncTypes& types = operation.what.types;
    if (options.dtype.has_value()) {
        for (std::size_t i = 0; i < count; ++i) {
            const DType type =
                inputs[i].is_array() ? inputs[i].array->dtype() : inputs[i].scalar.dtype;
            if (!can_cast(type, types.inputs[i], options.casting) &&
                !(!inputs[i].is_array() &&
                  scalar_fits({type, true, &inputs[i].scalar}, types.inputs[i])))
                throw ArrayError(ErrorKind::casting,
                                 "Cannot cast ufunc '" + std::string(name_of(function)) +
                                     "' input" + (count > 1 ? " " + std::to_string(i) : "") +
                                     " from " + quoted(type) + " to " + quoted(types.inputs[i]) +
                                     " with casting rule '" + name_of_casting(options.casting) +
                                     "'");
        }
    }
    if (options.out != nullptr && !can_cast(types.output, options.out->dtype(), options.casting))
        throw ArrayError(ErrorKind::casting,
                         "Cannot cast ufunc '" + std::string(name_of(function)) + "' output from " +
                             quoted(types.output) + " to " + quoted(options.out->dtype()) +
                             " with casting rule '" + name_of_casting(options.casting) + "'");
    if (options.where != nullptr && options.where->dtype() != DType::boolean)
        throw ArrayError(ErrorKind::type, "Cannot cast array data from " +
                                              quoted(options.where->dtype()) +
                                              " to dtype('bool') according to the rule 'safe'");
    const bool has_no_base = count == 2 && inputs[0].is_array() && inputs[0].array->size() == 0;
    if (function == Ufunc::power && count == 2 && !inputs[1].is_array() && !has_no_base &&
        kind_of(types.inputs[1]) == DTypeKind::integer && is_negative_integer(inputs[1].scalar))
        throw ArrayError(ErrorKind::value, "Integers to negative integer powers are not allowed.");

    // The shape: mostly that of the first array.
    const Extents* shape = nullptr;
    bool equal = true;
    const auto look_at = [&](const Array& array) {
        if (shape == nullptr)
            shape = &array.shape();
        else
            equal = equal && *shape == array.shape();
    };
    for (const Operand& input : inputs) {
        if (input.is_array()) look_at(*input.array);
    }
    if (options.where != nullptr) look_at(*options.where);
    if (options.out != nullptr) look_at(*options.out);
    Extents broadcast;
    if (shape == nullptr) shape = &broadcast;
    if (!equal) {
        std::array<Extents, 4> shapes;
        std::size_t number = 0;
        for (const Operand& input : inputs) {
            if (input.is_array()) shapes[number++] = input.array->shape();
        }
        if (options.where != nullptr) shapes[number++] = options.where->shape();
        const std::optional<Extents> of_inputs = broadcast_shapes({shapes.data(), number});
        if (!of_inputs.has_value()) refuse_shapes(inputs, options);
        broadcast = *of_inputs;
        if (options.out != nullptr) {
            const std::array<Extents, 2> both{broadcast, options.out->shape()};
            const std::optional<Extents> of_all = broadcast_shapes(both);
            if (!of_all.has_value()) refuse_shapes(inputs, options);
            if (!(*of_all == options.out->shape())) refuse_output(options.out->shape(), *of_all);
            broadcast = *of_all;
        }
        shape = &broadcast;
    }

    if (options.out != nullptr) check_writable(*options.out);
    std::array<Input, 3> places;
    operation.count = 1;
    std::array<const Layout*, 3> layouts;
    std::size_t layout_count = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (!inputs[i].is_array()) {
            operation.add(converted(inputs[i].scalar, types.inputs[i]));
            continue;
        }
        places[i].set(parts, *inputs[i].array, *shape, options.out);
        operation.add(*places[i].store, *places[i].layout);
        layouts[layout_count++] = places[i].layout;
    }
    if (options.where != nullptr) {
        places[2].set(parts, *options.where, *shape, options.out);
        operation.add(*places[2].store, *places[2].layout);
        operation.what.masked = true;
    }
    Array result = options.out != nullptr
                       ? *options.out
                       : parts.make_like(*shape, {layouts.data(), layout_count}, types.output);
    operation.operands[0] = {&result.store(), &result.layout()};
    parts.issue(operation);
    return result;
}

namespace {

/// Without the leading axes of extent 1 that the target does not have: NumPy drops those of what is assigned.
Layout trimmed(const Array& value, const Array& target) {
    Layout layout = value.layout();
    while (layout.rank() > target.rank() && layout.shape[0] == 1) layout = layout.at(0, 0);
    return layout;
}

bool fits(const Layout& layout, const Array& target) {
    return layout.shape == target.shape() ||
           (layout.rank() <= target.rank() && layout.broadcast_to(target.shape()).has_value());
}

void check_fits(const Layout& layout, const Array& target, const char* what) {
    if (!fits(layout, target))
        throw ArrayError(ErrorKind::value, std::string("could not broadcast ") + what +
                                               " from shape " + layout.shape.text() +
                                               " into shape " + target.shape().text());
}

Array fitted(const Array& value, const Array& target) {
    Layout layout = trimmed(value, target);
    check_fits(layout, target, "input array");
    return value.rank() == layout.rank() ? value : value.view(std::move(layout));
}

}  // namespace

bool Machine::can_assign(const Array& target, const Array& value) {
    return fits(trimmed(value, target), target);
}

void Machine::assign(const Array& target, const Operand& value, Casting casting) {
    check_writable(target);
    const DType from = value.is_array() ? value.array->dtype() : value.scalar.dtype;
    if (casting != Casting::unsafe && !can_cast(from, target.dtype(), casting))
        throw ArrayError(ErrorKind::type, "Cannot cast array data from " + quoted(from) + " to " +
                                              quoted(target.dtype()) + " according to the rule '" +
                                              name_of_casting(casting) + "'");
    Operation operation;
    operation.what.action = Action::assign;
    operation.what.types = {{from, from}, target.dtype()};
    operation.set_output(target);
    if (!value.is_array()) {
        if (target.rank() == 0 && from == target.dtype() &&
            parts_->put(target.store(), target.layout().offset, value.scalar))
            return;
        operation.add(value.scalar);
        parts_->issue(operation);
        return;
    }
    const Array source = fitted(*value.array, target);
    if (source.same_store(target) && source.layout() == target.layout()) return;
    Input input;
    input.set(*parts_, source, target.shape(), &target);
    operation.add(*input.store, *input.layout);
    parts_->issue(operation);
}

void Machine::assign_where(const Array& target, const Array& mask, const Operand& value) {
    check_writable(target);
    const DType from = value.is_array() ? value.array->dtype() : value.scalar.dtype;
    Operation operation;
    operation.what.action = Action::assign;
    operation.what.types = {{from, from}, target.dtype()};
    operation.what.masked = true;
    operation.set_output(target);
    Array array;  // lives as long as the input
    Input source;
    if (value.is_array()) {
        array = fitted(*value.array, target);
        source.set(*parts_, array, target.shape(), &target);
        operation.add(*source.store, *source.layout);
    } else {
        operation.add(value.scalar);
    }
    check_fits(mask.layout(), target, "where mask");
    Input chosen;
    chosen.set(*parts_, mask, target.shape(), &target);
    operation.add(*chosen.store, *chosen.layout);
    parts_->issue(operation);
}

bool Machine::Parts::copy_at_once(const Array& array, Array& result) {
    const Store& source = array.store();
    const auto bytes = static_cast<std::size_t>(array.size()) * bytes_of(array.dtype());
    if (hashing || bytes == 0 || 2 * static_cast<std::int64_t>(bytes) > tuning.at_once_bytes ||
        source.may_be_written || source.is_pending(Privilege::read) || !source.is_placed())
        return false;
    result = make(array.shape(), array.dtype());
    stores.allocate(result.store());
    ++order;
    ++counts.immediate;
    const auto offset = array.layout().offset * static_cast<Extent>(bytes_of(array.dtype()));
    std::memcpy(result.store().memory_for(Privilege::write),
                array.store().memory_for(Privilege::read) + offset, bytes);
    return true;
}

Array Machine::copy(const Array& array, Order order) {
    return astype(array, array.dtype(), order);
}

Array Machine::astype(const Array& array, DType type, Order order) {
    Array result;
    if (type == array.dtype() && order != Order::columns && array.layout().is_row_major() &&
        parts_->copy_at_once(array, result))
        return result;
    if (order == Order::columns) {
        result = parts_->make(Layout::column_major(array.shape()), type);
    } else if (order == Order::rows) {
        result = parts_->make(array.shape(), type);
    } else {
        result = parts_->make(layout_of_copy(array.layout()), type);
    }
    assign(result, array);
    return result;
}

Array Machine::where(const Operand& condition, const Operand& yes, const Operand& no) {
    Array made;
    const Array* chosen = condition.array;
    if (!condition.is_array()) {
        made = full({}, condition.scalar);
        chosen = &made;
    }
    std::array<TypeOperand, 2> types;
    std::array<Scalar, 2> values;
    const std::array<const Operand*, 2> branches{&yes, &no};
    for (std::size_t i = 0; i < 2; ++i) {
        const Operand& branch = *branches[i];
        if (branch.is_array())
            types[i] = {branch.array->dtype(), branch.array->rank() == 0, nullptr};
        else
            types[i] = {branch.scalar.dtype, true, &branch.scalar};
    }
    if (needs_values(types)) {
        for (std::size_t i = 0; i < 2; ++i) {
            if (!branches[i]->is_array() || branches[i]->array->rank() != 0) continue;
            values[i] = item(*branches[i]->array);
            types[i].value = &values[i];
        }
    }
    const DType type = result_type(types);
    std::array<Extents, 3> shapes;
    std::size_t count = 0;
    shapes[count++] = chosen->shape();
    for (const Operand* branch : branches) {
        if (branch->is_array()) shapes[count++] = branch->array->shape();
    }
    const std::optional<Extents> shape = broadcast_shapes({shapes.data(), count});
    if (!shape.has_value()) {
        const Operand all[] = {*chosen, yes, no};
        refuse_shapes(all, {});
    }
    Operation operation;
    operation.what.action = Action::select;
    operation.what.types = {{type, type}, type};
    operation.count = 1;
    std::array<Input, 3> inputs;
    inputs[0].set(*parts_, *chosen, *shape, nullptr);
    operation.add(*inputs[0].store, *inputs[0].layout);
    std::array<const Layout*, 3> layouts{inputs[0].layout, nullptr, nullptr};
    std::size_t layout_count = 1;
    for (std::size_t i = 0; i < 2; ++i) {
        if (!branches[i]->is_array()) {
            operation.add(converted(branches[i]->scalar, type));
            continue;
        }
        inputs[i + 1].set(*parts_, *branches[i]->array, *shape, nullptr);
        operation.add(*inputs[i + 1].store, *inputs[i + 1].layout);
        layouts[layout_count++] = inputs[i + 1].layout;
    }
    Array result = parts_->make(layout_like(*shape, {layouts.data(), layout_count}), type);
    operation.operands[0] = {&result.store(), &result.layout()};
    parts_->issue(operation);
    return result;
}

}  // namespace refrain::array
