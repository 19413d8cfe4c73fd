// The functions of layouts and kernels for a test in Python, which compares them with NumPy's.
#include "refrain/array/layout.hpp"

#include <array>
#include <cstring>
#include <vector>

#include "kernels/kernels.hpp"

using namespace refrain::array;           // NOLINT: a library of C functions
using namespace refrain::array::kernels;  // NOLINT

namespace {

DType type_of(int number) {
    return static_cast<DType>(number);
}
int number_of(DType type) {
    return static_cast<int>(type);
}

/// An operand as the test passes it: values of 16 bytes each.
struct TypeOperands {
    std::vector<Scalar> values;
    std::vector<TypeOperand> operands;

    TypeOperands(int count, const int* types, const int* is_scalar, const int* is_known,
                 const std::byte* bytes)
        : values(static_cast<std::size_t>(count)) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i].dtype = type_of(types[i]);
            std::memcpy(values[i].bytes.data(), bytes + 16 * i, 16);
            operands.push_back(
                {.dtype = type_of(types[i]),
                 .is_scalar = is_scalar[i] != 0,
                 .value = is_scalar[i] != 0 && is_known[i] != 0 ? &values[i] : nullptr});
        }
    }
};

/// Operands as the test passes them: addresses, strides of one after the other, types.
struct Operands {
    std::vector<Operand> operands;
    Operands(int count, int rank, void* const* addresses, const Extent* strides, const int* types) {
        for (int i = 0; i < count; ++i)
            operands.push_back(
                {static_cast<std::byte*>(addresses[i]), strides + i * rank, type_of(types[i])});
    }
    const Operand& operator[](std::size_t i) const { return operands[i]; }
};

std::span<const Extent> shape_of(const Extent* shape, int rank) {
    return {shape, static_cast<std::size_t>(rank)};
}
Layout layout_of(const Extent* shape, const Extent* strides, int rank, Extent offset) {
    return {Extents(shape_of(shape, rank)), Extents(shape_of(strides, rank)), offset};
}
int write(const std::optional<Layout>& layout, Extent* shape, Extent* strides, Extent* offset) {
    if (!layout) return -1;
    for (int i = 0; i < layout->rank(); ++i) {
        shape[i] = layout->shape[i];
        strides[i] = layout->strides[i];
    }
    *offset = layout->offset;
    return layout->rank();
}

}  // namespace

extern "C" {

/// Which loops this machine runs.
const char* probe_loops() {
    return kernels::variant_chosen().data();
}

int probe_promote(int a, int b) {
    return number_of(promote(type_of(a), type_of(b)));
}
int probe_can_cast(int from, int to, int casting) {
    return can_cast(type_of(from), type_of(to), static_cast<Casting>(casting)) ? 1 : 0;
}
int probe_smallest(int type, const void* bytes) {
    Scalar scalar{.dtype = type_of(type)};
    std::memcpy(scalar.bytes.data(), bytes, 16);
    return number_of(smallest_type(scalar));
}
void probe_converted(int type, const void* bytes, int to, void* result) {
    Scalar scalar{.dtype = type_of(type)};
    std::memcpy(scalar.bytes.data(), bytes, 16);
    std::memcpy(result, converted(scalar, type_of(to)).bytes.data(), 16);
}
int probe_result_type(int count, const int* types, const int* is_scalar, const int* is_known,
                      const std::byte* bytes) {
    const TypeOperands all(count, types, is_scalar, is_known, bytes);
    return number_of(result_type(all.operands));
}
int probe_needs_values(int count, const int* types, const int* is_scalar, const std::byte* bytes) {
    const std::vector<int> none(static_cast<std::size_t>(count), 0);
    const TypeOperands all(count, types, is_scalar, none.data(), bytes);
    return needs_values(all.operands) ? 1 : 0;
}
int probe_function(const char* name) {
    const auto function = ufunc_named(name);
    return function ? static_cast<int>(*function) : -1;
}
int probe_inputs(int function) {
    return inputs_of(static_cast<Ufunc>(function));
}
/// result: the inputs' types and the output's.
int probe_resolve(int function, int count, const int* types, const int* is_scalar,
                  const int* is_known, const std::byte* bytes, int wanted, int* result) {
    const TypeOperands all(count, types, is_scalar, is_known, bytes);
    const auto found = resolve(static_cast<Ufunc>(function), all.operands,
                               wanted < 0 ? std::nullopt : std::optional<DType>(type_of(wanted)));
    if (!found) return 0;
    result[0] = number_of(found->inputs[0]);
    result[1] = number_of(found->inputs[1]);
    result[2] = number_of(found->output);
    return 1;
}
int probe_resolve_reduction(int function, int type, int wanted, int* result) {
    const auto found =
        resolve_reduction(static_cast<Ufunc>(function), type_of(type),
                          wanted < 0 ? std::nullopt : std::optional<DType>(type_of(wanted)));
    if (!found) return 0;
    *result = number_of(found->output);
    return 1;
}
int probe_identity(int function, int type, void* result) {
    const auto identity = identity_of(static_cast<Ufunc>(function), type_of(type));
    if (!identity) return 0;
    std::memcpy(result, identity->bytes.data(), 16);
    return 1;
}
int probe_is_reorderable(int function) {
    return is_reorderable(static_cast<Ufunc>(function)) ? 1 : 0;
}

/// types: the inputs' and the output's; a mask, if there is one, is the last operand.
int probe_elementwise(int function, const int* types, int rank, const Extent* shape, int count,
                      void* const* addresses, const Extent* strides, const int* dtypes,
                      int has_mask) {
    const Operands all(count, rank, addresses, strides, dtypes);
    const std::size_t operands = static_cast<std::size_t>(count - has_mask);
    const UfuncTypes computed{{type_of(types[0]), type_of(types[1])}, type_of(types[2])};
    return run_elementwise(static_cast<Ufunc>(function), computed, shape_of(shape, rank),
                           std::span(all.operands.data(), operands),
                           has_mask != 0 ? &all.operands.back() : nullptr);
}
int probe_copy(int rank, const Extent* shape, void* const* addresses, const Extent* strides,
               const int* dtypes) {
    const Operands all(2, rank, addresses, strides, dtypes);
    return run_copy(shape_of(shape, rank), all[0], all[1]);
}
int probe_select(int rank, const Extent* shape, void* const* addresses, const Extent* strides,
                 const int* dtypes) {
    const Operands all(4, rank, addresses, strides, dtypes);
    return run_select(shape_of(shape, rank), all[0], all[1], all[2], all[3]);
}
/// Operands: the input, the output, a mask if there is one.
int probe_reduction(int function, int rank, const Extent* shape, int count, void* const* addresses,
                    const Extent* strides, const int* dtypes, const void* initial) {
    const Operands all(count, rank, addresses, strides, dtypes);
    const DType type = all[1].dtype;
    Scalar start{.dtype = type};
    if (initial != nullptr) std::memcpy(start.bytes.data(), initial, 16);
    return run_reduction(
        static_cast<Ufunc>(function), UfuncTypes{{type, type}, type}, shape_of(shape, rank), all[0],
        all[1], count > 2 ? &all.operands[2] : nullptr, initial != nullptr ? &start : nullptr);
}
int probe_accumulate(int function, int axis, int rank, const Extent* shape, void* const* addresses,
                     const Extent* strides, const int* dtypes) {
    const Operands all(2, rank, addresses, strides, dtypes);
    const DType type = all[1].dtype;
    return run_accumulate(static_cast<Ufunc>(function), UfuncTypes{{type, type}, type},
                          shape_of(shape, rank), axis, all[0], all[1]);
}
void probe_arg_extreme(int greatest, int axis, int rank, const Extent* shape,
                       void* const* addresses, const Extent* strides, const int* dtypes) {
    const Operands all(2, rank, addresses, strides, dtypes);
    run_arg_extreme(greatest != 0 ? Extreme::greatest : Extreme::least, shape_of(shape, rank), axis,
                    all[0], all[1]);
}
void probe_arange(int type, const void* start, const void* next, Extent first, Extent count,
                  void* output) {
    Scalar from{.dtype = type_of(type)};
    Scalar to{.dtype = type_of(type)};
    std::memcpy(from.bytes.data(), start, 16);
    std::memcpy(to.bytes.data(), next, 16);
    run_arange(from, to, first, count, static_cast<std::byte*>(output));
}

/// The rank of the new layout; -1 where NumPy copies.
int probe_reshape(int rank, const Extent* shape, const Extent* strides, int wanted_rank,
                  const Extent* wanted, int by_columns, Extent* new_strides) {
    const Layout layout = layout_of(shape, strides, rank, 0);
    std::array<Extent, rank_max> new_shape{};
    Extent offset = 0;
    return write(layout.reshaped(Extents(shape_of(wanted, wanted_rank)), by_columns != 0),
                 new_shape.data(), new_strides, &offset);
}
int probe_overlap(int rank_a, const Extent* shape_a, const Extent* strides_a, Extent offset_a,
                  int rank_b, const Extent* shape_b, const Extent* strides_b, Extent offset_b) {
    return may_overlap(layout_of(shape_a, strides_a, rank_a, offset_a),
                       layout_of(shape_b, strides_b, rank_b, offset_b))
               ? 1
               : 0;
}
/// Bits: row-major, column-major.
int probe_order(int rank, const Extent* shape, const Extent* strides) {
    const Layout layout = layout_of(shape, strides, rank, 0);
    return (layout.is_row_major() ? 1 : 0) | (layout.is_column_major() ? 2 : 0);
}

}  // extern "C"
