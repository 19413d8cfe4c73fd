#include <cstdio>
#include <refrain/array/operators.hpp>

int main(int argc, char** argv) {
    using namespace refrain::array;
    Machine machine(argc, argv);
    const Array a = machine.arange(Scalar::of(0.0), Scalar::of(1.0), 1000000);
    const double total = machine.item(sum(a * 2.0 + 1.0)).as<double>();
    std::printf("%.1f\n", total);
    return total == 1000000000000.0 ? 0 : 1;
}
