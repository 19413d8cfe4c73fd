#include <cstdio>
#include <iostream>
#include <refrain/refrain.hpp>
#include <utility>

using namespace refrain;

namespace {

// [stencil]
constexpr std::int64_t size = 10;

/// Each point becomes the mean of its neighbours; the two ends stay as they are.
void smooth(View<double, 1> next, View<const double, 1> u) {
    for (Point<1> p : next.domain()) {
        const bool is_end = p == Point<1>(0) || p == Point<1>(size - 1);
        next[p] = is_end ? u[p] : (u[p - 1] + u[p + 1]) / 2;
    }
}
// [/stencil]

void show_tiles() {
    // [tiles]
    auto pieces = tiles(extents(10), 4);
    auto halos = halo(pieces, 1);
    for (Point<1> colour : pieces.colours())
        std::cout << colour << ": " << pieces[colour] << " with halo " << halos[colour] << '\n';
    std::cout << std::boolalpha << "pieces: disjoint " << pieces.is_disjoint() << ", complete "
              << pieces.is_complete() << '\n';
    std::cout << "halos:  disjoint " << halos.is_disjoint() << ", complete " << halos.is_complete()
              << '\n';
    // [/tiles]
}

void diffuse(Runtime& rt) {
    // [index launch]
    auto u = rt.create_region<double>(extents(size), "u");
    auto next = rt.create_region<double>(extents(size), "next");
    auto pieces = tiles(u.bounds(), 4);
    auto halos = halo(pieces, 1);
    rt.fill(u, pieces, 0.0);
    rt.read_write(u)[size - 1] = 9;
    for (int step = 0; step < 500; ++step) {
        rt.launch("smooth", pieces.colours(), smooth, write(next, pieces), read(u, halos));
        std::swap(u, next);
    }
    for (double value : rt.read(u).elements()) std::printf("%.2f ", value);
    std::printf("\n");
    // [/index launch]
}

void transpose(Runtime& rt) {
    // [projection]
    auto matrix = rt.create_region<int>(extents(4, 4), "matrix");
    auto transposed = rt.create_region<int>(extents(4, 4), "transposed");
    auto blocks = tiles(matrix.bounds(), {2, 2});
    rt.launch(
        "number", blocks.colours(),
        [](Point<2> colour, View<int, 2> v) {
            for (Point<2> p : v.domain()) v[p] = static_cast<int>(10 * colour[0] + colour[1]);
        },
        write(matrix, blocks));
    rt.launch(
        "transpose", blocks.colours(),
        [](View<int, 2> to, View<const int, 2> from) {
            for (Point<2> p : to.domain()) to[p] = from(p[1], p[0]);
        },
        write(transposed, blocks),
        read(matrix, blocks, [](Point<2> c) { return Point<2>(c[1], c[0]); }));
    const auto view = rt.read(transposed);
    for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 4; ++column) std::printf("%02d ", view(row, column));
        std::printf("\n");
    }
    // [/projection]
}

}  // namespace

int main(int argc, char** argv) {
    Runtime rt(argc, argv);
    show_tiles();
    std::cout << std::flush;
    diffuse(rt);
    transpose(rt);
}
