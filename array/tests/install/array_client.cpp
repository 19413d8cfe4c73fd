#include <cstdio>
#include <refrain/array/operators.hpp>
#include <refrain/array/typed_task.hpp>

int main(int argc, char** argv) {
    using namespace refrain::array;
    Machine machine(argc, argv);
    const Array a = machine.arange(Scalar::of(0.0), Scalar::of(1.0), 1000000);
    const double total = machine.item(sum(a * 2.0 + 1.0)).as<double>();
    const TypedTask add_to("add_to(y, x, a)",
                           [](ReadWrite<double> y, Read<double> x, double factor) {
                               for (const Extent i : y.indices()) y(i) += factor * x(i);
                           },
                           {align("y", "x")});
    const Array y = machine.zeros(a.shape(), DType::float64);
    add_to(y, a, max(a));
    const double last = machine.item(y[{-1}]).as<double>();
    std::printf("%.1f %.1f\n", total, last);
    return total == 1000000000000.0 && last == 999999.0 * 999999.0 ? 0 : 1;
}
