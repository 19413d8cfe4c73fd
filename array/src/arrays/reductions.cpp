#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "arrays/parts.hpp"

namespace refrain::array {

namespace {

int checked_axis(int axis, int rank) {
    const int counted = axis < 0 ? axis + rank : axis;
    if (counted < 0 || counted >= rank)
        throw ArrayError(ErrorKind::axis, "axis " + std::to_string(axis) +
                                              " is out of bounds for array of dimension " +
                                              std::to_string(rank));
    return counted;
}

/// The layout with the axes that `axes` names, of extent 1, left out.
Layout without(const Layout& layout, std::uint32_t axes) {
    Layout result = layout;
    for (int d = layout.rank(); d-- > 0;) {
        if ((axes >> d & 1) != 0) result = result.at(d, 0);
    }
    return result;
}
/// The layout with axes of extent 1 and stride 0 where `axes` names them.
Layout with_axes(const Layout& layout, std::uint32_t axes, int rank) {
    Layout result = layout;
    for (int d = 0; d < rank; ++d) {
        if ((axes >> d & 1) != 0) result = result.with_axis(d);
    }
    for (int d = 0; d < rank; ++d) {
        if ((axes >> d & 1) != 0) result.strides[d] = 0;
    }
    return result;
}

/// From that many elements on, sums of contiguous floating-point numbers are cut into runs.
constexpr Extent run_sums_min = Extent{1} << 17;

/// NumPy sums each run of reduction_run_max elements by a tree of its own, and adds the sums one after
/// the other. So the runs are rows of a matrix that tiles can share, and the bits are NumPy's.
Array sum_of_runs(Machine& machine, const Array& array, const UfuncTypes& types) {
    const Extent run = kernels::reduction_run_max;
    const Extent runs = array.size() / run;
    const Extent rest = array.size() - runs * run;
    const Layout rows =
        array.layout().is_row_major() ? array.layout() : array.layout().transposed();
    const Layout line = *rows.reshaped({array.size()});
    const Array sums = machine.empty({runs + (rest > 0 ? 1 : 0)}, types.output);
    const Array of_runs = sums.view(sums.layout().slice(0, 0, 1, runs));
    ReduceOptions options;
    options.axes = std::vector<int>{1};
    options.dtype = types.output;
    options.out = &of_runs;
    (void)machine.reduce(
        Ufunc::add, array.view(*line.slice(0, 0, 1, runs * run).reshaped({runs, run})), options);
    if (rest > 0) {
        const Array of_rest = sums.view(sums.layout().slice(0, runs, 1, 1));
        options.axes = std::vector<int>{0};
        options.keepdims = true;
        options.out = &of_rest;
        (void)machine.reduce(Ufunc::add, array.view(line.slice(0, runs * run, 1, rest)), options);
    }
    const Array running = machine.accumulate(Ufunc::add, sums, 0, types.output);
    return machine.copy(running.view(running.layout().at(0, running.size() - 1)));
}

}  // namespace

Array Machine::reduce(Ufunc function, const Array& array, const ReduceOptions& options) {
    const std::string name(name_of(function));
    const int rank = array.rank();
    std::uint32_t axes = 0;
    if (options.axes.has_value()) {
        for (const int axis : *options.axes) {
            const std::uint32_t bit = std::uint32_t{1} << checked_axis(axis, rank);
            if ((axes & bit) != 0) throw ArrayError(ErrorKind::value, "duplicate value in 'axis'");
            axes |= bit;
        }
    } else if (rank > 0) {
        axes = rank == 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << rank) - 1;
    }
    if ((axes & (axes - 1)) != 0 && !is_reorderable(function))
        throw ArrayError(ErrorKind::value, "reduction operation '" + name +
                                               "' is not reorderable, so at most one axis may be "
                                               "specified");
    std::optional<DType> wanted = options.dtype;
    if (!wanted.has_value() && options.out != nullptr) {
        // NumPy computes in the type of `out` for sums and products of any type.
        if (function == Ufunc::add || function == Ufunc::multiply) wanted = options.out->dtype();
    }
    const std::optional<UfuncTypes> types = resolve_reduction(function, array.dtype(), wanted);
    if (!types.has_value())
        throw ArrayError(ErrorKind::ufunc_type, "ufunc '" + name +
                                                    "' has no reduction for dtype('" +
                                                    std::string(name_of(array.dtype())) + "')");
    Extents kept_shape = array.shape();
    Extent reduced = 1;
    for (int d = 0; d < rank; ++d) {
        if ((axes >> d & 1) == 0) continue;
        reduced *= kept_shape[d];
        kept_shape[d] = 1;
    }
    const std::optional<Scalar> identity = identity_of(function, types->output);
    if (!identity.has_value() && !options.initial.has_value()) {
        if (reduced == 0)  // even if the result has no element
            throw ArrayError(ErrorKind::value, "zero-size array to reduction operation " + name +
                                                   " which has no identity");
        if (options.where != nullptr)
            throw ArrayError(ErrorKind::value,
                             "reduction operation '" + name +
                                 "' does not have an identity, so to use a where mask one has to "
                                 "specify 'initial'");
    }

    const bool whole = std::popcount(axes) == rank;
    if (whole && array.size() >= run_sums_min && function == Ufunc::add &&
        kind_of(types->output) == DTypeKind::inexact && options.out == nullptr &&
        options.where == nullptr && !options.initial.has_value() &&
        (array.layout().is_row_major() || array.layout().is_column_major())) {
        const Array sum = sum_of_runs(*this, array, *types);
        if (!options.keepdims) return sum;
        return sum.view(*sum.layout().reshaped(kept_shape));
    }

    Array result;
    Layout kept;  // the output's layout with all axes
    if (options.out != nullptr) {
        result = *options.out;
        const Layout expected = options.keepdims ? Layout::row_major(kept_shape)
                                                 : without(Layout::row_major(kept_shape), axes);
        if (!(result.shape() == expected.shape))
            throw ArrayError(ErrorKind::value, "output parameter for reduction operation " + name +
                                                   " has the wrong shape " + result.shape().text() +
                                                   ", not " + expected.shape.text());
        if (!result.store().writable)
            throw ArrayError(ErrorKind::value, "output array is read-only");
        if (!can_cast(types->output, result.dtype(), Casting::same_kind))
            throw ArrayError(ErrorKind::casting,
                             "Cannot cast ufunc '" + name + "' output from dtype('" +
                                 std::string(name_of(types->output)) + "') to dtype('" +
                                 std::string(name_of(result.dtype())) +
                                 "') with casting rule 'same_kind'");
        kept = options.keepdims ? result.layout() : with_axes(result.layout(), axes, rank);
        if (options.keepdims) {
            for (int d = 0; d < rank; ++d) {
                if ((axes >> d & 1) != 0) kept.strides[d] = 0;
            }
        }
    } else {
        const Layout* layouts[] = {&array.layout()};
        Layout layout = without(layout_like(kept_shape, layouts), axes);
        Layout full = options.keepdims ? layout_like(kept_shape, layouts) : layout;
        result = parts_->make(std::move(full), types->output);
        kept = with_axes(layout, axes, rank);
    }

    Operation operation;
    operation.what.action = Action::reduce;
    operation.what.function = function;
    operation.what.types = *types;
    operation.what.axes = axes;
    operation.count = 1;
    operation.operands[0] = {&result.store(), &kept};
    Array source = array;
    if (options.out != nullptr && result.same_store(array) &&
        may_overlap(result.layout(), array.layout()))
        source = parts_->copied(array);
    operation.add(source.store(), source.layout());
    Array mask;
    Layout mask_layout;
    if (options.where != nullptr) {
        if (options.where->dtype() != DType::boolean)
            throw ArrayError(ErrorKind::type,
                             "Cannot cast array data from dtype('" +
                                 std::string(name_of(options.where->dtype())) +
                                 "') to dtype('bool') according to the rule 'safe'");
        const std::optional<Layout> fitted = options.where->layout().broadcast_to(array.shape());
        if (!fitted.has_value())
            throw ArrayError(ErrorKind::value,
                             "operands could not be broadcast together with shapes " +
                                 array.shape().text() + " " + options.where->shape().text() + " ");
        mask = *options.where;
        if (options.out != nullptr && result.same_store(mask)) mask = parts_->copied(mask);
        mask_layout = *mask.layout().broadcast_to(array.shape());
        operation.add(mask.store(), mask_layout);
        operation.what.masked = true;
    }
    if (options.initial.has_value()) {
        operation.what.has_initial = true;
        operation.values[2] = converted(*options.initial, types->output).bytes;
    }
    parts_->issue(operation);
    return result;
}

Array Machine::accumulate(Ufunc function, const Array& array, int axis, std::optional<DType> dtype,
                          const Array* out) {
    const std::string name(name_of(function));
    if (array.rank() == 0) throw ArrayError(ErrorKind::type, "cannot accumulate on a scalar");
    axis = checked_axis(axis, array.rank());
    const std::optional<UfuncTypes> types = resolve_reduction(function, array.dtype(), dtype);
    if (!types.has_value())
        throw ArrayError(ErrorKind::ufunc_type, "ufunc '" + name +
                                                    "' has no accumulation for dtype('" +
                                                    std::string(name_of(array.dtype())) + "')");
    Array result;
    if (out != nullptr) {
        if (!(out->shape() == array.shape()))
            throw ArrayError(ErrorKind::value,
                             "provided out is the wrong size for the accumulation: " +
                                 out->shape().text() + ", not " + array.shape().text());
        if (!out->store().writable) throw ArrayError(ErrorKind::value, "output array is read-only");
        if (!can_cast(types->output, out->dtype(), Casting::same_kind))
            throw ArrayError(ErrorKind::casting,
                             "Cannot cast ufunc '" + name + "' output from dtype('" +
                                 std::string(name_of(types->output)) + "') to dtype('" +
                                 std::string(name_of(out->dtype())) +
                                 "') with casting rule 'same_kind'");
        result = *out;
    } else {
        const Layout* layouts[] = {&array.layout()};
        result = parts_->make(layout_like(array.shape(), layouts), types->output);
    }
    Array source = array;
    if (out != nullptr && out->same_store(array) && !(out->layout() == array.layout()) &&
        may_overlap(out->layout(), array.layout()))
        source = parts_->copied(array);
    Operation operation;
    operation.what.action = Action::accumulate;
    operation.what.function = function;
    operation.what.types = *types;
    operation.what.axes = std::uint32_t{1} << axis;
    operation.set_output(result);
    operation.add(source.store(), source.layout());
    parts_->issue(operation);
    return result;
}

Array Machine::index_of_extreme(bool maximum, const Array& array, std::optional<int> axis,
                                bool keepdims) {
    const int rank = array.rank();
    if (rank > 0 && array.size() > 0 && !axis.has_value() && !keepdims &&
        array.layout().is_row_major()) {
        // The commonest call: all elements, which lie side by side.
        Layout line{{array.size()}, {1}, array.layout().offset};
        const Layout one{{1}, {0}, 0};
        Array result = parts_->make(Extents(), DType::int64);
        Operation operation;
        operation.what.action = maximum ? Action::argmax : Action::argmin;
        operation.what.types = {{array.dtype(), array.dtype()}, DType::int64};
        operation.what.axes = 1;
        operation.count = 1;
        operation.operands[0] = {&result.store(), &one};
        operation.add(array.store(), line);
        parts_->issue(operation);
        return result;
    }
    Array source = array;
    int along = 0;
    Extents kept_shape = array.shape();
    if (axis.has_value()) {
        along = checked_axis(*axis, std::max(rank, 1));
    } else {
        std::optional<Layout> line = array.layout().reshaped({array.size()});
        if (line.has_value()) {
            source = array.view(std::move(*line));
        } else {
            source = copy(array, Order::rows);
            source = source.view(*source.layout().reshaped({array.size()}));
        }
        for (Extent& extent : kept_shape) extent = 1;
    }
    if (source.rank() == 0) source = source.view(source.layout().with_axis(0));
    if (source.shape()[along] == 0 && (!axis.has_value() || source.size() == 0))
        throw ArrayError(ErrorKind::value, std::string("attempt to get ") +
                                               (maximum ? "argmax" : "argmin") +
                                               " of an empty sequence");
    if (axis.has_value() && rank > 0) kept_shape[along] = 1;
    const std::uint32_t axes = std::uint32_t{1} << along;
    Extents one = source.shape();
    one[along] = 1;
    const Layout layout = without(Layout::row_major(one), axes);
    Array result = parts_->make(layout.shape, DType::int64);
    const Layout kept = with_axes(layout, axes, source.rank());
    Operation operation;
    operation.what.action = maximum ? Action::argmax : Action::argmin;
    operation.what.types = {{array.dtype(), array.dtype()}, DType::int64};
    operation.what.axes = axes;
    operation.count = 1;
    operation.operands[0] = {&result.store(), &kept};
    operation.add(source.store(), source.layout());
    parts_->issue(operation);
    if (keepdims) result = result.view(Layout::row_major(kept_shape));
    return result;
}

}  // namespace refrain::array
