#include <cstdio>
#include <refrain/refrain.hpp>

using namespace refrain;

/// Prints the region names in the loop of traced_loop.cpp, without its launches.
int main(int argc, char** argv) {
    Runtime rt(argc, argv);
    // [names]
    auto b = rt.create_region<double>(extents(100));
    auto x = rt.create_region<double>(extents(100));
    for (int step = 0; step < 6; ++step) {
        auto quotient = rt.create_region<double>(extents(100));
        std::printf("%s = %s / %s", quotient.name().c_str(), b.name().c_str(), x.name().c_str());
        auto mean = rt.create_region<double>(extents(100));
        std::printf("    %s = mean of %s and %s\n", mean.name().c_str(), x.name().c_str(),
                    quotient.name().c_str());
        x = mean;
    }
    // [/names]
}
