#include <cstdio>
#include <refrain/array/operators.hpp>

using namespace refrain::array;

int main(int argc, char** argv) {
    Machine machine(argc, argv);
    // [errors]
    const Array a = machine.zeros({3}, DType::float64);
    const Array b = machine.zeros({4}, DType::float64);
    try {
        const Array sum = a + b;
    } catch (const ArrayError& error) {
        std::printf("%s\n", error.what());
    }
    try {
        a[{7}] = 1.0;
    } catch (const ArrayError& error) {
        std::printf("%s\n", error.what());
    }
    // [/errors]
}
