// [own task]
#include <algorithm>
#include <cstdio>
#include <refrain/array/operators.hpp>
#include <refrain/array/typed_task.hpp>

using namespace refrain::array;

// How many elements of x lie in each eighth of [0, 1).
const TypedTask count_eighths("count_eighths(x, counts)",
                              [](Read<double> x, Reduce<std::int64_t> counts) {
                                  for (const Extent i : x.indices())
                                      counts.fold(1, static_cast<Extent>(x(i) * 8));
                              },
                              {broadcast("counts")});  // every tile may count in every eighth

// y[i] = (x[i-1] + x[i+1]) / total, at both ends with x[i] itself.
const TypedTask smooth("smooth(y, x, total)",
                       [](Write<double> y, Read<double> x, double total) {
                           for (const Extent i : y.indices())
                               y(i) = (x(std::max(i - 1, x.begin())) +
                                       x(std::min(i + 1, x.end() - 1))) /
                                      total;
                       },
                       {bloat("y", "x", {1}, {1})});  // a tile needs a neighbour on either side

int main(int argc, char** argv) {
    Machine machine(argc, argv);
    const Array x = machine.arange(Scalar::of(0.0), Scalar::of(0x1p-20), 1 << 20);
    const Array counts = machine.zeros({8}, DType::int64);
    count_eighths(x, counts);
    const Array y = machine.empty(x.shape(), DType::float64);
    smooth(y, x, sum(x));  // the task waits for the sum, the program does not
    std::printf("%lld in the last eighth; smoothed sum %.6f\n",
                static_cast<long long>(machine.item(counts[{7}]).as<std::int64_t>()),
                machine.item(sum(y)).as<double>());
    try {
        smooth(machine.astype(y, DType::float32), x, 1.0);
    } catch (const ArrayError& error) {
        std::printf("%s\n", error.what());
    }
}
// [/own task]
