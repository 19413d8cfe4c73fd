// [first arrays]
#include <cstdio>
#include <refrain/array/operators.hpp>

using namespace refrain::array;

int main(int argc, char** argv) {
    Machine machine(argc, argv);
    Array u = machine.zeros({1000, 1000}, DType::float64);
    u[{0}] = 1.0;  // the first row
    const Slice inner(1, -1);
    for (int step = 0; step < 100; ++step) {
        u[{inner, inner}] = 0.25 * (u[{Slice::to(-2), inner}] + u[{Slice::from(2), inner}] +
                                    u[{inner, Slice::to(-2)}] + u[{inner, Slice::from(2)}]);
    }
    const Array total = sum(u);  // not computed yet
    std::printf("mean %.6f\n", machine.item(total).as<double>() / static_cast<double>(u.size()));
}
// [/first arrays]
