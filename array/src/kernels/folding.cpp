// ufunc.at and ufunc.reduceat.
#include <array>
#include <cstdint>

#include "kernels/kernels.hpp"
#include "kernels/whole.hpp"

namespace refrain::array::kernels {

namespace {

/// numbers {function, types of the first input, the second, the output}.
struct Function {
    Ufunc function;
    UfuncTypes types;
    Loop loop;

    explicit Function(std::span<const std::int64_t> numbers)
        : function(static_cast<Ufunc>(numbers[0])),
          types{{static_cast<DType>(numbers[1]), static_cast<DType>(numbers[2])},
                static_cast<DType>(numbers[3])},
          loop(loop_of(function, types)) {}
};

/// Converts one element to another type, where that is needed.
class Conversion {
  public:
    Conversion(DType from, DType to) noexcept : cast_(from != to ? cast_loop(from, to) : nullptr) {}
    /// The element itself, or the converted one.
    std::byte* of(std::byte* element) noexcept {
        if (cast_ == nullptr) return element;
        store(element, buffer_.data());
        return buffer_.data();
    }
    [[nodiscard]] bool is_needed() const noexcept { return cast_ != nullptr; }
    void store(std::byte* from, std::byte* to) const noexcept {
        std::byte* const ends[2] = {from, to};
        const std::int64_t steps[2] = {0, 0};
        cast_(ends, steps, 1);
    }
    std::byte* buffer() noexcept { return buffer_.data(); }

  private:
    Loop cast_;
    alignas(16) std::array<std::byte, 16> buffer_{};
};

/// array[index] = f(array[index], value), one after the other. views: array of rank 1, int64 indices
/// within it, values of their shape unless f takes one operand.
void at(const TaskCall& call) {
    const Function f(call.numbers);
    const TaskView& array = call.views[0];
    const TaskView& indices = call.views[1];
    const bool binary = call.views.size() > 2;
    Conversion first(array.dtype, f.types.inputs[0]);
    Conversion second(binary ? call.views[2].dtype : f.types.inputs[1], f.types.inputs[1]);
    Conversion result(f.types.output, array.dtype);
    const std::array<std::int64_t, 3> steps{};
    for (Extent i = 0; i < indices.extent(0); ++i) {
        std::byte* element = array.address + *indices.at<std::int64_t>(i) * array.step(0);
        std::byte* to = result.is_needed() ? result.buffer() : element;
        std::array<std::byte*, 3> operands{first.of(element), to, nullptr};
        if (binary) {
            operands[1] = second.of(call.views[2].address + i * call.views[2].step(0));
            operands[2] = to;
        }
        f.loop(operands.data(), steps.data(), 1);
        if (result.is_needed()) result.store(to, element);
    }
}

/// views: out, array, int64 indices of rank 1; numbers: function and types, then the axis. Of each index
/// to the next one, and of the last one to the end; an index that is not below the next one is alone.
void reduceat(const TaskCall& call) {
    const Function f(call.numbers);
    const TaskView& out = call.views[0];
    const TaskView& array = call.views[1];
    const TaskView& indices = call.views[2];
    const int axis = static_cast<int>(call.numbers[4]);
    const Extent step = array.step(axis);
    const Extent count = indices.extent(0);
    Conversion first(array.dtype, f.types.output);
    for_each_lane(out.layout->shape, axis, std::array<const TaskView*, 2>{&out, &array},
                  [&](const std::array<std::byte*, 2>& lane) {
                      for (Extent i = 0; i < count; ++i) {
                          const Extent begin = *indices.at<std::int64_t>(i);
                          const Extent next =
                              i + 1 < count ? *indices.at<std::int64_t>(i + 1) : array.extent(axis);
                          const Extent rest = next > begin ? next - begin - 1 : 0;
                          Scalar initial{.dtype = f.types.output};
                          std::memcpy(initial.bytes.data(), first.of(lane[1] + begin * step),
                                      bytes_of(initial.dtype));
                          const Extent out_step = 0;
                          const Operand to{lane[0] + i * out.step(axis), &out_step, out.dtype};
                          if (rest == 0) {
                              run_fill({}, initial, to);
                              continue;
                          }
                          const Operand from{lane[1] + (begin + 1) * step, &step, array.dtype};
                          (void)run_reduction(f.function, f.types, std::array<Extent, 1>{rest},
                                              from, to, nullptr, &initial);
                      }
                  });
}

constexpr Task folding_table[] = {{"at", at, 8}, {"reduceat", reduceat, 4}};

const Task* named(std::span<const Task> tasks_of, std::string_view name) noexcept {
    for (const Task& task : tasks_of)
        if (task.name == name) return &task;
    return nullptr;
}

}  // namespace

std::span<const Task> folding_tasks() noexcept {
    return folding_table;
}

}  // namespace refrain::array::kernels

namespace refrain::array {

const Task* task_named(std::string_view name) noexcept {
    const std::span<const Task> tables[] = {kernels::selecting_tasks(), kernels::sorting_tasks(),
                                            kernels::searching_tasks(), kernels::counting_tasks(),
                                            kernels::folding_tasks()};
    for (const std::span<const Task> table : tables)
        if (const Task* task = kernels::named(table, name)) return task;
    return nullptr;
}

}  // namespace refrain::array
