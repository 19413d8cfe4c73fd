#include <cstdint>
#include <cstdio>
#include <iostream>
#include <refrain/refrain.hpp>

using namespace refrain;

int main(int argc, char** argv) {
    Runtime rt(argc, argv);
    // [host]
    constexpr std::int64_t nodes = 6;
    constexpr std::int64_t wires = 8;
    auto charge = rt.create_region<double>(extents(nodes), "charge");
    auto from = rt.create_region<std::int64_t>(extents(wires), "from");
    {
        auto view = rt.write(from);  // the main program sets all elements
        for (Point<1> w : view.domain()) view[w] = (5 * w[0]) % nodes;
    }  // the view ends here; tasks may use the region again
    // [/host]

    // [image]
    auto pieces = tiles(from.bounds(), 2);
    auto reached = rt.image(charge.bounds(), pieces, from);
    std::cout << "piece 0 reaches " << reached[0] << ", piece 1 reaches " << reached[1] << '\n'
              << "disjoint: " << std::boolalpha << reached.is_disjoint() << std::endl;

    rt.fill(charge, 0.0);
    rt.launch(
        "flow", pieces.colours(),
        [](View<const std::int64_t, 1> wires_from, ReduceView<Sum, double, 1> into) {
            for (Point<1> w : wires_from.domain()) into.reduce(wires_from[w], 1.5);
        },
        read(from, pieces), reduce<Sum>(charge, reached));
    for (double value : rt.read(charge).elements()) std::printf("%g ", value);
    std::printf("\n");
    // [/image]
}
