#include "refrain/array/operators.hpp"

#include <algorithm>

namespace refrain::array {

namespace {

Extent bound_of(Extent at, Extent extent, Extent least, Extent most) {
    if (at < 0 && at > -Slice::open) at += extent;
    return std::clamp(at, least, most);
}

}  // namespace

Layout sliced(const Layout& layout, std::span<const Key> keys) {
    const auto axes = std::count_if(keys.begin(), keys.end(),
                                    [](const Key& key) { return key.kind != Key::Kind::new_axis; });
    if (axes > layout.rank())
        throw ArrayError(ErrorKind::index,
                         "too many indices for array: array is " + std::to_string(layout.rank()) +
                             "-dimensional, but " + std::to_string(axes) + " were indexed");
    Layout result = layout;
    int axis = 0;
    int of_array = 0;  // the axis before indices went away
    for (const Key& key : keys) {
        if (key.kind == Key::Kind::new_axis) {
            result = result.with_axis(axis++);
            continue;
        }
        const Extent extent = result.shape[axis];
        if (key.kind == Key::Kind::index) {
            const Extent index = key.slice.start < 0 ? key.slice.start + extent : key.slice.start;
            if (index < 0 || index >= extent)
                throw ArrayError(ErrorKind::index, "index " + std::to_string(key.slice.start) +
                                                       " is out of bounds for axis " +
                                                       std::to_string(of_array) + " with size " +
                                                       std::to_string(extent));
            result = result.at(axis, index);
        } else {
            const Extent step = key.slice.step;
            if (step == 0) throw ArrayError(ErrorKind::value, "slice step cannot be zero");
            Extent start = 0;
            Extent count = 0;
            if (step > 0) {
                start = bound_of(key.slice.start, extent, 0, extent);
                const Extent stop = bound_of(key.slice.stop, extent, 0, extent);
                count = stop > start ? (stop - start + step - 1) / step : 0;
            } else {
                start = bound_of(key.slice.start, extent, -1, extent - 1);
                const Extent stop = bound_of(key.slice.stop, extent, -1, extent - 1);
                count = start > stop ? (start - stop - step - 1) / -step : 0;
            }
            result = result.slice(axis, count == 0 ? 0 : start, step, count);
            ++axis;
        }
        ++of_array;
    }
    return result;
}

namespace detail {

Array call(Ufunc function, const Operand& a) {
    return a.array->machine().call(function, {&a, 1});
}

Array call(Ufunc function, const Operand& a, const Operand& b) {
    const Operand operands[] = {a, b};
    Machine& machine = (a.is_array() ? a : b).array->machine();
    if (a.is_array() && b.is_array()) return machine.call(function, *a.array, *b.array);
    return machine.call(function, operands);
}

void call_in_place(Ufunc function, const Array& target, const Operand& value) {
    const Operand operands[] = {target, value};
    UfuncOptions options;
    options.out = &target;
    (void)target.machine().call(function, operands, options);
}

}  // namespace detail

Array mean(const Array& a) {
    ReduceOptions options;
    if (kind_of(a.dtype()) != DTypeKind::inexact) options.dtype = DType::float64;
    return sum(a, options) / static_cast<double>(a.size());
}

}  // namespace refrain::array
