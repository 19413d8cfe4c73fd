/// Loops over elements in memory, with NumPy's results.
///
/// A *loop* computes a run of elements, operands as byte addresses and byte steps; a *run_* function
/// drives loops over a shape: it merges and orders axes, converts operands whose type is not the
/// loop's through a buffer on the stack, and says which floating-point flags were raised. All are
/// pure functions of their operands: any thread may call them, none allocates on the heap except where
/// it says so.
///
/// An output may be the same memory as an input, element for element; otherwise they must not overlap
/// (the caller copies first).
///
// room: kernels
#pragma once

#include "refrain/array/dtype.hpp"
#include "refrain/array/layout.hpp"
#include "refrain/array/ufunc.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace refrain::array::kernels {

/// operands: inputs, then the output. A step of 0 repeats an element.
using Loop = void (*)(std::byte* const* operands, const std::int64_t* byte_steps,
                      std::int64_t count);

/// What happened to values, to be warned about: a set.
using ValueFlags = std::uint8_t;
inline constexpr ValueFlags divided_by_zero = 1;
inline constexpr ValueFlags overflowed = 2;
inline constexpr ValueFlags underflowed = 4;
inline constexpr ValueFlags invalid = 8;
/// An integer was raised to a negative power; NumPy raises ValueError, and the result is 0 here.
inline constexpr ValueFlags negative_power = 16;

/// An operand of a run: the address of the element of index 0, a byte stride per axis of the shape.
struct Operand {
    std::byte* address = nullptr;
    const Extent* byte_strides = nullptr;
    DType dtype = DType::float64;
};

/// Which loops this machine runs: "portable", "avx2" or "avx512". All give the same bits, but for
/// functions such as exp. REFRAIN_ARRAY_LOOPS in the environment takes those of an older machine.
[[nodiscard]] std::string_view variant_chosen() noexcept;
/// The loop of a function for the types that resolve() gave; null where there is none.
[[nodiscard]] Loop loop_of(Ufunc function, const UfuncTypes& types) noexcept;
/// astype's conversion; complex to real drops the imaginary part.
[[nodiscard]] Loop cast_loop(DType from, DType to) noexcept;

/// output = function(inputs) for each index of the shape, where the mask (boolean), if there is one,
/// is true. Operands: inputs, then the output, of any types.
ValueFlags run_elementwise(Ufunc function, const UfuncTypes& types, std::span<const Extent> shape,
                           std::span<const Operand> operands, const Operand* mask = nullptr);
/// output = input, converted.
ValueFlags run_copy(std::span<const Extent> shape, const Operand& input, const Operand& output,
                    const Operand* mask = nullptr);
/// output = the value, converted.
ValueFlags run_fill(std::span<const Extent> shape, const Scalar& value, const Operand& output,
                    const Operand* mask = nullptr);
/// output = condition ? yes : no; the condition counts as numpy.where's, not zero.
ValueFlags run_select(std::span<const Extent> shape, const Operand& condition, const Operand& yes,
                      const Operand& no, const Operand& output);
/// output = start + i * step of the output's type (numpy.arange: step is next - start), `first` the
/// number of the first element. Integers and floats; booleans have none.
void run_arange(const Scalar& start, const Scalar& next, Extent first, Extent count,
                std::byte* output);

/// NumPy reduces in runs of at most that many elements, each summed by its own tree and added to the
/// result one after the other.
inline constexpr std::int64_t reduction_run_max = 8192;

/// f.reduce. `shape` is the input's; the output's strides are 0 along the axes that go away. The
/// types are those of resolve_reduction(). `initial`: what each result starts with; not given: the
/// function's identity, and for functions without one the first element (of a masked reduction:
/// `initial` must be given). Float results have NumPy's bits for an input of these strides; where the
/// operands are a tile, `tile_axis` says along which axis the whole is longer, for an axis of one
/// element does not count in the order.
ValueFlags run_reduction(Ufunc function, const UfuncTypes& types, std::span<const Extent> shape,
                         const Operand& input, const Operand& output, const Operand* mask = nullptr,
                         const Scalar* initial = nullptr, int tile_axis = -1);
/// f.accumulate along one axis.
ValueFlags run_accumulate(Ufunc function, const UfuncTypes& types, std::span<const Extent> shape,
                          int axis, const Operand& input, const Operand& output);
enum class Extreme : std::uint8_t { least, greatest };
/// numpy.argmin or argmax along one axis; the output is int64, its stride along the axis 0. The first
/// of equal elements; a NaN comes before all others. The axis must not be empty.
void run_arg_extreme(Extreme extreme, std::span<const Extent> shape, int axis, const Operand& input,
                     const Operand& output);

/// The raised flags since the last call of this thread, cleared.
ValueFlags take_value_flags() noexcept;

}  // namespace refrain::array::kernels
