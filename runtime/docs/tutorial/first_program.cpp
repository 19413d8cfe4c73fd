// [first program]
#include <cstdio>
#include <refrain/refrain.hpp>

using namespace refrain;

int main(int argc, char** argv) {
    Runtime rt(argc, argv);
    auto x = rt.create_region<double>(extents(10), "x");
    rt.fill(x, 1.0);
    rt.launch(
        "scale",
        [](View<double, 1> v, double factor) {
            for (Point<1> p : v.domain()) v[p] *= factor;
        },
        read_write(x), 3.0);
    std::printf("launched\n");
    std::printf("x[7] = %g\n", rt.read(x)[7]);
}
// [/first program]
