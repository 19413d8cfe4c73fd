#include "refrain/array/with_type.hpp"

#include <cassert>
#include <cstring>

#include "kernels/choose.hpp"
#include "kernels/nest.hpp"
#include "kernels/runner.hpp"
#include "kernels/ufunc_table.hpp"

namespace refrain::array::kernels {

namespace {

void run(const Runner& runner, std::span<const Extent> shape, std::span<const Operand> operands,
         const Operand* mask) {
    std::array<const Operand*, operands_max> pointers{};
    std::size_t count = 0;
    for (const Operand& operand : operands) pointers[count++] = &operand;
    if (mask != nullptr) pointers[count++] = mask;
    Nest nest(shape, std::span(pointers.data(), count));
    if (nest.empty) return;
    const std::size_t output = operands.size() - 1;
    nest.arrange_by(static_cast<int>(output));
    if (mask == nullptr) {
        nest.for_each_row([&](std::byte* const* at, const Extent* steps, std::int64_t n) {
            runner.run(at, steps, n);
        });
    } else {
        nest.for_each_row([&](std::byte* const* at, const Extent* steps, std::int64_t n) {
            runner.run_masked(at, steps, n, at[output + 1], steps[output + 1]);
        });
    }
}

template <class T>
void arange(const Scalar& start, const Scalar& next, Extent first, Extent count,
            std::byte* output) {
    T* to = as<T>(output);
    const T from = start.as<T>();
    if constexpr (is_integer<T>) {
        const auto step = wide(next.as<T>()) - wide(from);
        using W = std::remove_cv_t<decltype(step)>;
        auto value = static_cast<W>(wide(from) + static_cast<W>(first) * step);
        for (Extent i = 0; i < count; ++i, value = static_cast<W>(value + step))
            to[i] = static_cast<T>(value);
    } else {
        const T step = next.as<T>() - from;
        for (Extent i = 0; i < count; ++i) to[i] = from + static_cast<T>(first + i) * step;
    }
}

}  // namespace

ValueFlags flags_of(Ufunc function) noexcept {
    if (facts_of(function).has(raises_nothing)) return 0;
    return divided_by_zero | overflowed | underflowed | invalid | negative_power;
}

ValueFlags run_elementwise(Ufunc function, const UfuncTypes& types, std::span<const Extent> shape,
                           std::span<const Operand> operands, const Operand* mask) {
    const Loop loop = loop_of(function, types);
    assert(loop != nullptr && "resolve() gave the types");
    std::array<DType, 3> loop_types = {types.inputs[0], types.inputs[1], types.output};
    if (operands.size() == 2) loop_types[1] = types.output;
    const Runner runner(loop, operands, std::span(loop_types.data(), operands.size()));
    take_value_flags();
    run(runner, shape, operands, mask);
    const ValueFlags wanted = flags_of(function);
    return static_cast<ValueFlags>(take_value_flags() & wanted);
}

ValueFlags run_copy(std::span<const Extent> shape, const Operand& input, const Operand& output,
                    const Operand* mask) {
    const std::array<Operand, 2> operands = {input, output};
    const std::array<DType, 2> types = {input.dtype, output.dtype};
    const Runner runner(cast_loop(input.dtype, output.dtype), operands, types);
    take_value_flags();
    run(runner, shape, operands, mask);
    return static_cast<ValueFlags>(take_value_flags() & (overflowed | invalid));
}

ValueFlags run_fill(std::span<const Extent> shape, const Scalar& value, const Operand& output,
                    const Operand* mask) {
    take_value_flags();
    Scalar element = converted(value, output.dtype);
    const auto flags = static_cast<ValueFlags>(take_value_flags() & (overflowed | invalid));
    static constexpr std::array<Extent, rank_max> no_strides{};
    const Operand input{element.bytes.data(), no_strides.data(), output.dtype};
    run_copy(shape, input, output, mask);
    return flags;
}

ValueFlags run_select(std::span<const Extent> shape, const Operand& condition, const Operand& yes,
                      const Operand& no, const Operand& output) {
    const std::array<Operand, 4> operands = {condition, yes, no, output};
    const std::array<DType, 4> types = {DType::boolean, output.dtype, output.dtype, output.dtype};
    const Runner runner(best_select_loop(output.dtype), operands, types);
    take_value_flags();
    run(runner, shape, operands, nullptr);
    return static_cast<ValueFlags>(take_value_flags() & (overflowed | invalid));
}

void run_arange(const Scalar& start, const Scalar& next, Extent first, Extent count,
                std::byte* output) {
    with_type(start.dtype, [&]<class T>(T) {
        if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
            arange<T>(start, next, first, count, output);
        else
            assert(false && "numpy.arange has numbers");
    });
}

}  // namespace refrain::array::kernels
