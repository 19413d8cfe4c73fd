// A loop over the tiles of a region, with the installed runtime.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <refrain/refrain.hpp>

namespace {

/// Instantiates the templates of one rank, because the build compiles this file with stricter warnings
/// than Refrain's own. Returns how many elements are wrong.
template <int R>
std::int64_t wrong_elements(refrain::Runtime& runtime, const refrain::Rect<R>& space) {
    using refrain::Point;
    const auto pieces = refrain::tiles(space, Point<R>::all(2));
    const auto near =
        refrain::halo(pieces, Point<R>::all(1), Point<R>::all(1), refrain::Boundary::periodic);
    const auto copies = refrain::whole(space, pieces.colours());
    auto x = runtime.create_region<double>(space, "x");
    auto sum = runtime.create_region<std::int64_t>(refrain::extents(1), "sum");
    auto next = runtime.create_region<Point<R>>(space, "next");

    runtime.fill(x, pieces, 1.0);
    runtime.fill(sum, 0);
    runtime.launch(
        "step", pieces.colours(),
        [](const Point<R>& colour, refrain::View<double, R> mine, refrain::View<Point<R>, R> to,
           double factor) {
            for (const Point<R>& p : mine.domain()) {
                mine[p] *= factor;
                to[p] = p + colour - colour;
            }
        },
        refrain::read_write(x, pieces), refrain::write(next, pieces), 2.0);
    runtime.launch(
        "count", pieces.colours(),
        [](refrain::View<const double, R> around, refrain::View<const double, R> all,
           refrain::ReduceView<refrain::Sum, std::int64_t, 1> counted) {
            for (const Point<R>& p : around.domain()) counted.reduce(0, all[p] == 2.0 ? 0 : 1);
        },
        refrain::read(x, near), refrain::read(x, copies), refrain::reduce<refrain::Sum>(sum));

    const auto targets = runtime.image(space, pieces, next);
    const auto sources = runtime.preimage(next, targets);
    const auto wrong = runtime.launch(
        "wrong", [](refrain::View<const std::int64_t, 1> v) { return v[0]; }, refrain::read(sum));
    return wrong.get() + (targets == pieces && sources == pieces ? 0 : 1);
}

}  // namespace

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
    {
        const auto view = runtime.read(numbers);
        for (const double number : view.elements()) sum += number;
    }
    std::printf("%.0f on %u workers\n", sum, runtime.worker_count());
    const std::int64_t wrong = wrong_elements(runtime, refrain::extents(12)) +
                               wrong_elements(runtime, refrain::extents(6, 8)) +
                               wrong_elements(runtime, refrain::extents(4, 4, 6));
    const bool right = std::fabs(sum - double{size} * steps) < 0.5 && wrong == 0;
    return right && runtime.worker_count() == 2 && argc == 1 ? 0 : 1;
}
