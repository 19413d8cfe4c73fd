#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <refrain/refrain.hpp>

using namespace refrain;

namespace {

// [operator]
struct Span {
    double low, high;
};

/// The smallest span that contains all others.
struct Hull {
    static Span identity() { return {INFINITY, -INFINITY}; }
    static void fold(Span& into, const Span& value) {
        into = {std::min(into.low, value.low), std::max(into.high, value.high)};
    }
};
// [/operator]

}  // namespace

int main(int argc, char** argv) {
    Runtime rt(argc, argv);
    // [futures]
    auto x = rt.create_region<double>(extents(1000), "x");
    auto pieces = tiles(x.bounds(), 8);
    rt.launch(
        "ramp", pieces.colours(),
        [](View<double, 1> v) {
            for (Point<1> p : v.domain()) v[p] = static_cast<double>(p[0] % 100);
        },
        write(x, pieces));

    Future<double> largest = rt.launch(
        "largest",
        [](View<const double, 1> v) { return *std::max_element(v.span().begin(), v.span().end()); },
        read(x));
    rt.launch(
        "normalise", pieces.colours(),
        [](View<double, 1> v, double by) {
            for (Point<1> p : v.domain()) v[p] /= by;
        },
        read_write(x, pieces), largest);            // the program does not wait here
    std::printf("divided by %g\n", largest.get());  // but here
    // [/futures]

    // [map]
    FutureMap<double, 1> sums = rt.launch(
        "sum", pieces.colours(),
        [](View<const double, 1> v) {
            double sum = 0;
            for (double value : v.span()) sum += value;
            return sum;
        },
        read(x, pieces));
    std::printf("sum of piece 3: %.4f\n", sums.get(3));
    // [/map]

    // [histogram]
    auto histogram = rt.create_region<std::int64_t>(extents(4), "histogram");
    rt.fill(histogram, 0);
    rt.launch(
        "count", pieces.colours(),
        [](View<const double, 1> v, ReduceView<Sum, std::int64_t, 1> counts) {
            for (double value : v.span())
                counts.reduce(std::min(static_cast<int>(4 * value), 3), 1);
        },
        read(x, pieces), reduce<Sum>(histogram));
    for (std::int64_t count : rt.read(histogram).elements())
        std::printf("%lld ", static_cast<long long>(count));
    std::printf("\n");
    // [/histogram]

    // [hull]
    auto hull = rt.create_region<Span>(extents(1), "hull");
    rt.fill(hull, Hull::identity());
    rt.launch(
        "hull", pieces.colours(),
        [](View<const double, 1> v, ReduceView<Hull, Span, 1> all) {
            for (double value : v.span()) all.reduce(0, {value, value});
        },
        read(x, pieces), reduce<Hull>(hull));
    std::printf("values between %g and %g\n", rt.read(hull)[0].low, rt.read(hull)[0].high);
    // [/hull]
}
