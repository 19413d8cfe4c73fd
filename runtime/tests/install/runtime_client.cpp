// A loop over the tiles of a region, with the installed runtime.
#include <cmath>
#include <cstdio>
#include <refrain/refrain.hpp>

int main(int argc, char** argv) {
    constexpr int size = 1000;
    constexpr int steps = 500;
    refrain::Runtime runtime(argc, argv);
    auto numbers = runtime.create_region<double>(refrain::extents(size), "numbers");
    const auto pieces = refrain::tiles(numbers.bounds(), 8);

    runtime.fill(numbers, pieces, 0.0);
    const auto add_one = [](refrain::View<double, 1> piece) {
        for (const auto& point : piece.domain()) piece[point] += 1.0;
    };
    for (int step = 0; step < steps; ++step) {
        runtime.launch("add_one", pieces.colours(), add_one, refrain::read_write(numbers, pieces));
    }

    double sum = 0;
    for (const double number : runtime.read(numbers).elements()) sum += number;
    std::printf("%.0f on %u workers\n", sum, runtime.worker_count());
    const bool right = std::fabs(sum - double{size} * steps) < 0.5;
    return right && runtime.worker_count() == 2 && argc == 1 ? 0 : 1;
}
