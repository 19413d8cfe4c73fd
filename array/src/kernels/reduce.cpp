#include <cassert>
#include <cstdlib>
#include <vector>

#include "kernels/choose.hpp"
#include "kernels/nest.hpp"
#include "kernels/runner.hpp"

namespace refrain::array::kernels {

namespace {

// Operands of a reduction's nest.
constexpr std::size_t result = 0;
constexpr std::size_t source = 1;
constexpr std::size_t selected = 2;

/// Orders axes as NumPy's iterator does: by strides, where they are comparable, the longest outside;
/// in the order of the shape else. Directions stay.
void arrange_as_numpy(Nest& nest) noexcept {
    const auto operands = static_cast<std::size_t>(nest.operands);
    // From the innermost axis: whether `inner` should go inside of `outer`.
    enum class Order { undecided, keep, swap };
    const auto order = [&](int outer, int inner) {
        Order found = Order::undecided;
        for (std::size_t i = source; i < operands; ++i) {
            const Extent far = std::abs(nest.strides[static_cast<std::size_t>(outer)][i]);
            const Extent near = std::abs(nest.strides[static_cast<std::size_t>(inner)][i]);
            if (far == 0 || near == 0) continue;
            if (near <= far)
                found = Order::keep;
            else if (found == Order::undecided)
                found = Order::swap;
        }
        return found;
    };
    for (int axis = nest.rank - 2; axis >= 0; --axis) {
        int to = axis;
        for (int inner = axis + 1; inner < nest.rank; ++inner) {
            const Order found = order(axis, inner);
            if (found == Order::keep) break;
            if (found == Order::swap) to = inner;
        }
        for (int i = axis; i < to; ++i) nest.swap_axes(i, i + 1);
    }
    nest.merge();
}

/// Adds a run, without the elements that a mask leaves out: then each piece has its own tree.
void add_selected(AddRun add, std::byte* sum, const std::byte* run, Extent step, std::int64_t count,
                  const std::byte* mask, Extent mask_step) {
    for (std::int64_t begin = 0; begin < count;) {
        if (mask[begin * mask_step] == std::byte{0}) {
            ++begin;
            continue;
        }
        std::int64_t end = begin + 1;
        while (end < count && mask[end * mask_step] != std::byte{0}) ++end;
        add(sum, run + begin * step, step, end - begin);
        begin = end;
    }
}

/// Floating-point sums along the inner axes, from `first_inner` on, in runs.
class RunSum {
  public:
    RunSum(const Nest& nest, int first_inner, DType from, DType type) noexcept
        : nest_(nest),
          first_(first_inner),
          add_(best_add_run(type)),
          bytes_(static_cast<Extent>(bytes_of(type))),
          gather_(from != type || first_inner + 1 < nest.rank ? cast_loop(from, type) : nullptr),
          masked_(nest.operands > static_cast<int>(selected)) {}

    /// Of the element of the outer axes at these addresses.
    void sum(std::byte* const* at) const {
        if (gather_ == nullptr) {
            sum_directly(at);
        } else {
            sum_gathered(at);
        }
    }

  private:
    void sum_directly(std::byte* const* at) const {
        const auto inner = static_cast<std::size_t>(first_);
        const Extent count = nest_.shape[inner];
        const Extent step = nest_.strides[inner][source];
        for (Extent done = 0; done < count; done += reduction_run_max) {
            const Extent now = std::min(count - done, reduction_run_max);
            const std::byte* run = at[source] + done * step;
            if (masked_) {
                const Extent mask_step = nest_.strides[inner][selected];
                add_selected(add_, at[result], run, step, now, at[selected] + done * mask_step,
                             mask_step);
            } else {
                add_(at[result], run, step, now);
            }
        }
    }

    /// Copies the elements of a run of several axes, or of another type, side by side.
    void sum_gathered(std::byte* const* at) const {
        alignas(64) std::array<std::byte, reduction_run_max * 16> run;  // not initialised
        std::array<std::byte, reduction_run_max> mask;
        Extent filled = 0;
        const auto flush = [&] {
            if (masked_)
                add_selected(add_, at[result], run.data(), bytes_, filled, mask.data(), 1);
            else
                add_(at[result], run.data(), bytes_, filled);
            filled = 0;
        };
        const auto inner = static_cast<std::size_t>(nest_.rank - 1);
        const auto first = static_cast<std::size_t>(first_);
        std::array<Extent, rank_max + 1> index;
        for (std::size_t i = first; i <= inner; ++i) index[i] = 0;
        std::byte* from = at[source];
        std::byte* from_mask = masked_ ? at[selected] : nullptr;
        const Extent step = nest_.strides[inner][source];
        const Extent mask_step = masked_ ? nest_.strides[inner][selected] : 0;
        for (;;) {
            const Extent count = nest_.shape[inner];
            for (Extent done = 0; done < count;) {
                const Extent now = std::min(count - done, reduction_run_max - filled);
                std::byte* const ends[2] = {from + done * step, run.data() + filled * bytes_};
                const std::int64_t steps[2] = {step, bytes_};
                gather_(ends, steps, now);
                for (Extent i = 0; masked_ && i < now; ++i)
                    mask[static_cast<std::size_t>(filled + i)] = from_mask[(done + i) * mask_step];
                done += now;
                filled += now;
                if (filled == reduction_run_max) flush();
            }
            std::size_t axis = inner;
            for (;;) {
                if (axis == first) {
                    if (filled > 0) flush();
                    return;
                }
                --axis;
                const auto& strides = nest_.strides[axis];
                if (++index[axis] < nest_.shape[axis]) {
                    from += strides[source];
                    if (masked_) from_mask += strides[selected];
                    break;
                }
                from -= strides[source] * (nest_.shape[axis] - 1);
                if (masked_) from_mask -= strides[selected] * (nest_.shape[axis] - 1);
                index[axis] = 0;
            }
        }
    }

    const Nest& nest_;
    int first_;
    AddRun add_;
    Extent bytes_;
    Loop gather_;
    bool masked_;
};

/// Sums along the inner axes for each index of the outer ones.
void sum_runs(const Nest& nest, int first_inner, DType from, DType type) {
    const RunSum run(nest, first_inner, from, type);
    Nest outer = nest;
    outer.rank = first_inner;
    if (first_inner == 0) {
        outer.rank = 1;
        outer.shape[0] = 1;
        outer.strides[0].fill(0);
    }
    const auto operands = static_cast<std::size_t>(nest.operands);
    outer.for_each_row([&](std::byte* const* at, const Extent* steps, std::int64_t count) {
        std::array<std::byte*, operands_max> now{};
        for (std::size_t i = 0; i < operands; ++i) now[i] = at[i];
        for (std::int64_t done = 0; done < count; ++done) {
            run.sum(now.data());
            for (std::size_t i = 0; i < operands; ++i) now[i] += steps[i];
        }
    });
}

/// The result's first axis that goes away, if there is one.
int reduced_axis(std::span<const Extent> shape, const Operand& output) noexcept {
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (shape[i] > 1 && output.byte_strides[i] == 0) return static_cast<int>(i);
    return -1;
}

}  // namespace

ValueFlags run_reduction(Ufunc function, const UfuncTypes& types, std::span<const Extent> shape,
                         const Operand& input, const Operand& output, const Operand* mask,
                         const Scalar* initial, int tile_axis) {
    assert(output.dtype == types.output && "a reduction accumulates in its own type");
    std::vector<Extent> kept_shape(shape.begin(), shape.end());
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (output.byte_strides[i] == 0) kept_shape[i] = 1;
    take_value_flags();

    std::vector<Extent> rest(shape.begin(), shape.end());
    Operand others = input;
    const auto start = identity_of(function, types.output);
    if (initial != nullptr || start) {
        run_fill(kept_shape, initial != nullptr ? *initial : *start, output);
    } else {
        const bool is_empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
        assert(!is_empty && "nothing to start with: the caller says so");
        if (is_empty) return 0;
        run_copy(kept_shape, input, output);
        const int axis = reduced_axis(shape, output);
        // Minima and maxima may see their first element twice.
        if (!is_reorderable(function)) {
            if (axis < 0) return take_value_flags();
            const auto at = static_cast<std::size_t>(axis);
            --rest[at];
            others.address += input.byte_strides[at];
        }
    }

    std::array<const Operand*, 3> all = {&output, &others, mask};
    Nest nest(rest, std::span(all.data(), mask != nullptr ? 3U : 2U), tile_axis);
    if (nest.empty) return take_value_flags();
    arrange_as_numpy(nest);

    int first_inner = nest.rank;
    while (first_inner > 0 && nest.strides[static_cast<std::size_t>(first_inner - 1)][result] == 0)
        --first_inner;
    if (function == Ufunc::add && kind_of(types.output) == DTypeKind::inexact &&
        first_inner < nest.rank) {
        sum_runs(nest, first_inner, input.dtype, types.output);
        return take_value_flags();
    }

    const std::array<Operand, 3> operands = {output, others, output};
    const std::array<DType, 3> loop_types = {types.inputs[0], types.inputs[1], types.output};
    const Runner runner(loop_of(function, types), operands, loop_types);
    const bool masked = mask != nullptr;
    nest.for_each_row([&](std::byte* const* at, const Extent* steps, std::int64_t count) {
        std::byte* const addresses[3] = {at[result], at[source], at[result]};
        const Extent loop_steps[3] = {steps[result], steps[source], steps[result]};
        if (masked)
            runner.run_masked(addresses, loop_steps, count, at[selected], steps[selected]);
        else
            runner.run(addresses, loop_steps, count);
    });
    return static_cast<ValueFlags>(take_value_flags() & flags_of(function));
}

ValueFlags run_accumulate(Ufunc function, const UfuncTypes& types, std::span<const Extent> shape,
                          int axis, const Operand& input, const Operand& output) {
    assert(output.dtype == types.output && "an accumulation is of its own type");
    take_value_flags();
    const auto along = static_cast<std::size_t>(axis);
    const Extent count = shape[along];
    const Extent in_step = input.byte_strides[along];
    const Extent out_step = output.byte_strides[along];
    std::vector<Extent> others(shape.begin(), shape.end());
    others[along] = 1;
    for (const Extent extent : shape)
        if (extent == 0) return 0;
    run_copy(others, input, output);

    const std::array<Operand, 3> operands = {output, input, output};
    const std::array<DType, 3> loop_types = {types.inputs[0], types.inputs[1], types.output};
    const Runner runner(loop_of(function, types), operands, loop_types);
    const std::array<const Operand*, 2> all = {&output, &input};
    Nest nest(others, all);
    nest.arrange_by(0);
    const Extent inner_step = nest.strides[static_cast<std::size_t>(nest.rank - 1)][0];
    if (inner_step == 0 || std::abs(out_step) <= std::abs(inner_step)) {
        // Along the axis, for each of the others.
        nest.for_each_row([&](std::byte* const* at, const Extent* steps, std::int64_t lanes) {
            for (Extent lane = 0; lane < lanes; ++lane) {
                std::byte* const out = at[0] + lane * steps[0];
                std::byte* const in = at[1] + lane * steps[1];
                std::byte* const addresses[3] = {out, in + in_step, out + out_step};
                const Extent loop_steps[3] = {out_step, in_step, out_step};
                runner.run(addresses, loop_steps, count - 1);
            }
        });
    } else {
        for (Extent i = 1; i < count; ++i)
            nest.for_each_row([&](std::byte* const* at, const Extent* steps, std::int64_t lanes) {
                std::byte* const out = at[0] + i * out_step;
                std::byte* const addresses[3] = {out - out_step, at[1] + i * in_step, out};
                const Extent loop_steps[3] = {steps[0], steps[1], steps[0]};
                runner.run(addresses, loop_steps, lanes);
            });
    }
    return static_cast<ValueFlags>(take_value_flags() & flags_of(function));
}

void run_arg_extreme(Extreme extreme, std::span<const Extent> shape, int axis, const Operand& input,
                     const Operand& output) {
    const FindExtreme loop = best_find_extreme(extreme, input.dtype);
    const auto along = static_cast<std::size_t>(axis);
    const Extent count = shape[along];
    const Extent step = input.byte_strides[along];
    std::vector<Extent> index(shape.size(), 0);
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (i != along && shape[i] == 0) return;
    const std::byte* from = input.address;
    std::byte* to = output.address;
    for (;;) {
        *as<std::int64_t>(to) = loop(from, step, count);
        std::size_t i = shape.size();
        for (;;) {
            if (i == 0) return;
            --i;
            if (i == along) continue;
            if (++index[i] < shape[i]) {
                from += input.byte_strides[i];
                to += output.byte_strides[i];
                break;
            }
            from -= input.byte_strides[i] * (shape[i] - 1);
            to -= output.byte_strides[i] * (shape[i] - 1);
            index[i] = 0;
        }
    }
}

}  // namespace refrain::array::kernels
