#include "arrays/compute.hpp"

#include <cstdlib>

#include "kernels/kernels.hpp"
#include "kernels/loops.hpp"

namespace refrain::array {

namespace {

/// An operand for the kernels, with room for its strides.
struct KernelOperand {
    kernels::Operand operand;
    std::array<Extent, rank_max> strides;

    void place(const Placed& place) noexcept {
        const auto bytes = static_cast<Extent>(bytes_of(place.dtype));
        const Layout& layout = *place.layout;
        const Extent* from = layout.strides.data();
        const int rank = layout.rank();
        for (int d = 0; d < rank; ++d) strides[static_cast<std::size_t>(d)] = from[d] * bytes;
        operand = {place.root + layout.offset * bytes, strides.data(), place.dtype};
    }
    void place(const std::array<std::byte, 16>& value, DType type, int rank) noexcept {
        for (int d = 0; d < rank; ++d) strides[static_cast<std::size_t>(d)] = 0;
        operand = {const_cast<std::byte*>(value.data()), strides.data(), type};
    }
};

Scalar scalar_of(const std::array<std::byte, 16>& value, DType type) noexcept {
    return Scalar{.dtype = type, .bytes = value};
}

/// A function of operands of the loop's types on at most two axes: without what kernels do to order
/// and merge more. False: not such a call.
bool compute_directly(const Signature& what, std::span<const Placed> places, const Values& values) {
    const Layout& output = *places[0].layout;
    const int rank = output.rank();
    if (rank > 2 || what.loop == nullptr || what.masked || places[0].dtype != what.types.output)
        return false;
    if (rank == 2 && std::abs(output.strides[1]) > std::abs(output.strides[0])) return false;
    const std::size_t inputs = places.size() - 1;
    std::array<std::byte*, uses_max> at;
    std::array<std::array<Extent, 2>, uses_max> steps{};  // inner, outer
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::size_t to = i == 0 ? inputs : i - 1;  // the output comes last
        const Placed& place = places[i];
        if (i > 0 && place.dtype != what.types.inputs[i - 1]) return false;
        if (place.root == nullptr) {
            at[to] = const_cast<std::byte*>(values[i - 1].data());
            continue;
        }
        const auto bytes = static_cast<Extent>(bytes_of(place.dtype));
        const Layout& layout = *place.layout;
        at[to] = place.root + layout.offset * bytes;
        for (int d = 0; d < rank; ++d)
            steps[to][static_cast<std::size_t>(rank - 1 - d)] = layout.strides[d] * bytes;
    }
    Extent count = rank > 0 ? output.shape[rank - 1] : 1;
    Extent rows = rank > 1 ? output.shape[0] : 1;
    bool one_row = true;
    for (std::size_t i = 0; i <= inputs; ++i)
        one_row = one_row && steps[i][1] == count * steps[i][0];
    if (one_row && rank > 1) {
        count *= rows;
        rows = 1;
    }
    std::array<Extent, uses_max> inner;
    for (std::size_t i = 0; i <= inputs; ++i) inner[i] = steps[i][0];
    for (Extent row = 0; row < rows; ++row) {
        std::array<std::byte*, uses_max> now;
        for (std::size_t i = 0; i <= inputs; ++i) now[i] = at[i] + row * steps[i][1];
        what.loop(now.data(), inner.data(), count);
    }
    return true;
}

}  // namespace

unsigned compute(const Signature& what, std::span<const Placed> places, const Values& values,
                 Extent first, int tile_axis) {
    if (what.action == Action::ufunc) {
        (void)kernels::take_value_flags();
        if (compute_directly(what, places, values))
            return kernels::take_value_flags() & kernels::flags_of(what.function);
    }
    std::array<KernelOperand, uses_max> operands;
    const Layout& output = *places[0].layout;
    const int rank = places.size() > 1 && what.axes != 0 ? places[1].layout->rank() : output.rank();
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i].root != nullptr)
            operands[i].place(places[i]);
        else
            operands[i].place(values[i - 1], places[i].dtype, rank);
    }
    const kernels::Operand* mask = what.masked ? &operands[places.size() - 1].operand : nullptr;
    switch (what.action) {
        case Action::ufunc: {
            const auto inputs = static_cast<std::size_t>(inputs_of(what.function));
            std::array<kernels::Operand, 3> list;
            for (std::size_t i = 0; i < inputs; ++i) list[i] = operands[i + 1].operand;
            list[inputs] = operands[0].operand;
            return kernels::run_elementwise(what.function, what.types, output.shape,
                                            {list.data(), inputs + 1}, mask);
        }
        case Action::assign:
            if (places[1].root == nullptr)
                return kernels::run_fill(output.shape, scalar_of(values[0], places[1].dtype),
                                         operands[0].operand, mask);
            return kernels::run_copy(output.shape, operands[1].operand, operands[0].operand, mask);
        case Action::select:
            return kernels::run_select(output.shape, operands[1].operand, operands[2].operand,
                                       operands[3].operand, operands[0].operand);
        case Action::arange:
            kernels::run_arange(scalar_of(values[0], places[0].dtype),
                                scalar_of(values[1], places[0].dtype), first, output.shape[0],
                                operands[0].operand.address);
            return 0;
        case Action::reduce: {
            Scalar initial;
            if (what.has_initial) initial = scalar_of(values[2], what.types.output);
            return kernels::run_reduction(what.function, what.types, places[1].layout->shape,
                                          operands[1].operand, operands[0].operand, mask,
                                          what.has_initial ? &initial : nullptr, tile_axis);
        }
        case Action::accumulate:
            return kernels::run_accumulate(what.function, what.types, output.shape,
                                           __builtin_ctz(what.axes), operands[1].operand,
                                           operands[0].operand);
        case Action::argmin:
        case Action::argmax:
            kernels::run_arg_extreme(what.action == Action::argmax ? kernels::Extreme::greatest
                                                                   : kernels::Extreme::least,
                                     places[1].layout->shape, __builtin_ctz(what.axes),
                                     operands[1].operand, operands[0].operand);
            return 0;
    }
    return 0;
}

}  // namespace refrain::array
