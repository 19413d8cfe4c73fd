/// The program that README.md begins with.

#include <cstdio>
#include <refrain/refrain.hpp>
#include <utility>

// [program]
using namespace refrain;

void smooth(View<double, 1> next, View<const double, 1> u) {  // a task: an ordinary function
    for (Point<1> p : next.domain()) {
        const bool is_end = !u.contains(p - 1) || !u.contains(p + 1);
        next[p] = is_end ? u[p] : (u[p - 1] + u[p + 1]) / 2;
    }
}

int main(int argc, char** argv) {
    Runtime rt(argc, argv);
    auto u = rt.create_region<double>(extents(1000), "u");
    auto next = rt.create_region<double>(extents(1000), "next");
    auto pieces = tiles(u.bounds(), 4);  // what each of four tasks writes
    auto halos = halo(pieces, 1);        // what each of them reads: a point more on either side
    rt.fill(u, 0.0);
    rt.read_write(u)[500] = 1.0;
    for (int step = 0; step < 2000; ++step) {
        rt.launch("smooth", pieces.colours(), smooth, write(next, pieces), read(u, halos));
        std::swap(u, next);
    }
    std::printf("u[500] = %.6f\n", rt.read(u)[500]);
    // [/program]

    const Statistics counts = rt.statistics();
    std::printf("%d of %d launches were replayed\n", static_cast<int>(counts.traces.replayed),
                static_cast<int>(counts.launches.operations));
    return 2 * counts.traces.replayed > counts.launches.operations ? 0 : 1;
}
