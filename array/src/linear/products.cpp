#include "refrain/array/linalg.hpp"
#include "refrain/array/work.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "linear/multiply.hpp"

namespace refrain::array::linalg {

namespace {

/// The least work and the least memory of a tile, and the most tiles. Chosen, not derived: results depend
/// on how the rows are cut, so that these must not depend on the machine.
constexpr Extent multiplications_per_tile = Extent{1} << 23;
constexpr Extent bytes_per_tile = Extent{1} << 21;
constexpr Extent tiles_max = 16;
constexpr Extent rows_per_tile = 64;
constexpr Extent elements_per_part = Extent{1} << 16;

MatrixView matrix_at(const WorkView& view, Extent offset) {
    const Layout& layout = view.layout;
    const int rank = layout.rank();
    const auto bytes = static_cast<Extent>(bytes_of(view.dtype));
    return {view.address + offset * bytes, layout.shape[rank - 2], layout.shape[rank - 1],
            layout.strides[rank - 2], layout.strides[rank - 1]};
}

/// views: c, a, b of equal stacks.
void multiply_stacks(const WorkFrame& frame) {
    const Layout& shape = frame.views[0].layout;
    const int axes = shape.rank() - 2;
    std::array<Extent, rank_max> index{};
    for (bool more = shape.size() > 0; more;) {
        std::array<Extent, 3> offsets{};
        for (std::size_t v = 0; v < 3; ++v) {
            for (int d = 0; d < axes; ++d)
                offsets[v] += index[static_cast<std::size_t>(d)] * frame.views[v].layout.strides[d];
        }
        multiply(frame.views[0].dtype, matrix_at(frame.views[1], offsets[1]),
                 matrix_at(frame.views[2], offsets[2]), matrix_at(frame.views[0], offsets[0]));
        more = false;
        for (int d = axes; d-- > 0;) {
            if (++index[static_cast<std::size_t>(d)] < shape.shape[d]) {
                more = true;
                break;
            }
            index[static_cast<std::size_t>(d)] = 0;
        }
    }
}

void multiply_parts(const WorkFrame& frame) {
    const WorkView& a = frame.views[1];
    const WorkView& b = frame.views[2];
    multiply_vectors(a.dtype, a.address, a.layout.strides[0], b.address, b.layout.strides[0],
                     a.layout.shape[0], frame.parameters<bool>(), frame.views[0].address);
}

Layout with_stack(const Layout& matrices, const Extents& stack) {
    Extents shape = Extents(stack.size() + 2, 0);
    for (int d = 0; d < stack.size(); ++d) shape[d] = stack[d];
    const int rank = matrices.rank();
    shape[stack.size()] = matrices.shape[rank - 2];
    shape[stack.size() + 1] = matrices.shape[rank - 1];
    return *matrices.broadcast_to(shape);
}

Extents without_last(const Extents& shape, int count) {
    Extents kept(std::max(shape.size() - count, 0), 0);
    for (int d = 0; d < kept.size(); ++d) kept[d] = shape[d];
    return kept;
}

[[noreturn]] void refuse_sizes(const char* signature, Extent found, Extent wanted) {
    throw ArrayError(ErrorKind::value,
                     "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
                     "signature " +
                         std::string(signature) + " (size " + std::to_string(found) +
                         " is different from " + std::to_string(wanted) + ")");
}

/// How many tiles, and along which axis of c, a and b.
struct Cut {
    Extent tiles = 1;
    std::array<int, 3> axes{-1, -1, -1};
};
Cut cut_of(const Layout& c, Extent inner_extent, std::size_t bytes, bool is_floating) {
    const int rank = c.rank();
    const Extent columns = c.shape[rank - 1];
    const Extent rows = c.shape[rank - 2];
    const Extent multiplications = c.size() * inner_extent * (is_floating ? 1 : 4);
    const Extent touched = (c.size() + (columns == 1 || rows == 1 ? c.size() * inner_extent : 0)) *
                           static_cast<Extent>(bytes);
    const Extent wanted = std::min(
        tiles_max, std::max(multiplications / multiplications_per_tile, touched / bytes_per_tile));
    if (wanted < 2) return {};
    if (rank > 2 && c.shape[0] >= wanted) return {wanted, {0, 0, 0}};
    if (rows >= 2 * rows_per_tile)
        return {std::min(wanted, rows / rows_per_tile), {rank - 2, rank - 2, -1}};
    if (columns >= 2 * rows_per_tile)
        return {std::min(wanted, columns / rows_per_tile), {rank - 1, -1, rank - 1}};
    return {};
}

}  // namespace

Array product(const Array& a, const Array& b) {
    Machine& machine = a.machine();
    if (a.dtype() != b.dtype())
        throw ArrayError(ErrorKind::type, "product: the arrays differ in type");
    if (a.rank() == 0 || b.rank() == 0)
        throw ArrayError(ErrorKind::value,
                         std::string("matmul: Input operand ") + (a.rank() == 0 ? "0" : "1") +
                             " does not have enough dimensions (has 0, gufunc core with signature "
                             "(n?,k),(k,m?)->(n?,m?) requires 1)");
    const Layout left = a.rank() == 1 ? a.layout().with_axis(0) : a.layout();
    const Layout right = b.rank() == 1 ? b.layout().with_axis(1) : b.layout();
    const Extent inner_extent = left.shape[left.rank() - 1];
    if (right.shape[right.rank() - 2] != inner_extent)
        refuse_sizes("(n?,k),(k,m?)->(n?,m?)", right.shape[right.rank() - 2], inner_extent);
    if (a.rank() == 1 && b.rank() == 1) return inner(a, b);
    const Extents stacks[] = {without_last(left.shape, 2), without_last(right.shape, 2)};
    const std::optional<Extents> stack = broadcast_shapes(stacks);
    if (!stack)
        throw ArrayError(ErrorKind::value,
                         "operands could not be broadcast together with remapped shapes "
                         "[original->remapped]: " +
                             a.shape().text() + "->(" + "...)  " + b.shape().text() + "->(...) ");
    Extents shape(stack->size() + 2, 0);
    for (int d = 0; d < stack->size(); ++d) shape[d] = (*stack)[d];
    shape[stack->size()] = left.shape[left.rank() - 2];
    shape[stack->size() + 1] = right.shape[right.rank() - 1];
    const Array c = machine.empty(shape, a.dtype());
    const Array from_a = a.view(with_stack(left, *stack));
    const Array from_b = b.view(with_stack(right, *stack));
    const bool floating = is_floating(a.dtype()) || is_complex(a.dtype());
    const Cut cut = cut_of(c.layout(), inner_extent, bytes_of(a.dtype()), floating);
    const WorkUse uses[] = {{&c, Privilege::write, cut.axes[0]},
                            {&from_a, Privilege::read, cut.axes[1]},
                            {&from_b, Privilege::read, cut.axes[2]}};
    Work work;
    work.name = "matmul";
    work.function = &multiply_stacks;
    work.uses = uses;
    work.cost = c.size() * inner_extent * (is_complex(a.dtype()) ? 4 : 1);
    work.tiles = cut.tiles;
    if (c.size() > 0) machine.issue(work);
    if (a.rank() == 1) return c.view(c.layout().at(c.rank() - 2, 0));
    if (b.rank() == 1) return c.view(c.layout().at(c.rank() - 1, 0));
    return c;
}

Array inner(const Array& a, const Array& b, bool conjugates) {
    Machine& machine = a.machine();
    if (a.rank() != 1 || b.rank() != 1 || a.dtype() != b.dtype())
        throw ArrayError(ErrorKind::type, "inner: takes two vectors of one type");
    const Extent count = a.shape()[0];
    if (b.shape()[0] != count) refuse_sizes("(n?,k),(k,m?)->(n?,m?)", b.shape()[0], count);
    if (count == 0) return machine.zeros({}, a.dtype());
    const Extent parts = std::clamp<Extent>(count / elements_per_part, 1, 256);
    const Array sums = machine.empty({parts}, a.dtype());
    const WorkUse uses[] = {
        {&sums, Privilege::write, 0}, {&a, Privilege::read, 0}, {&b, Privilege::read, 0}};
    Work work;
    work.name = "dot";
    work.function = &multiply_parts;
    work.uses = uses;
    work.tiles = parts;
    machine.issue(std::move(work).with(conjugates));
    if (parts == 1) return sums.view(sums.layout().at(0, 0));
    ReduceOptions options;
    options.dtype = a.dtype();  // short integers wrap
    return machine.reduce(a.dtype() == DType::boolean ? Ufunc::logical_or : Ufunc::add, sums,
                          options);
}

}  // namespace refrain::array::linalg
