#include <cstdint>
#include <cstdio>
#include <refrain/refrain.hpp>

using namespace refrain;

namespace {

// [vectors]
using Vector = Region<double, 1>;

template <class Operation>
Vector combine(Runtime& rt, LaunchSite site, const Vector& a, const Vector& b, Operation) {
    const auto pieces = tiles(a.bounds(), 4);
    Vector result = rt.create_region<double>(a.bounds());
    rt.launch(
        site, pieces.colours(),
        [](View<double, 1> r, View<const double, 1> x, View<const double, 1> y) {
            for (Point<1> p : r.domain()) r[p] = Operation{}(x[p], y[p]);
        },
        write(result, pieces), read(a, pieces), read(b, pieces));
    return result;
}

struct Divide {
    double operator()(double x, double y) const { return x / y; }
};
struct Mean {
    double operator()(double x, double y) const { return (x + y) / 2; }
};
// [/vectors]

int count(std::uint64_t number) {
    return static_cast<int>(number);
}

void automatic(const Options& options) {
    // [automatic]
    Runtime rt(options);
    Vector b = rt.create_region<double>(extents(100), "b");
    Vector x = rt.create_region<double>(extents(100), "x");
    rt.fill(b, 2.0);
    rt.fill(x, 1.0);
    for (int step = 0; step < 2000; ++step) {
        Vector quotient = combine(rt, "divide", b, x, Divide{});
        x = combine(rt, "mean", x, quotient, Mean{});
    }
    std::printf("x[0] = %.12f\n", rt.read(x)[0]);

    const Statistics s = rt.statistics();
    std::printf("%d regions created, %d operations, %d of them replayed, the first after %d\n",
                count(s.launches.regions), count(s.launches.operations), count(s.traces.replayed),
                count(s.autotrace.first_replay));
    // [/automatic]
}

void manual(Options options) {
    // [manual]
    options.tracing.automatic = false;
    Runtime rt(options);
    Vector b = rt.create_region<double>(extents(100), "b");
    Vector x = rt.create_region<double>(extents(100), "x");
    rt.fill(b, 2.0);
    rt.fill(x, 1.0);
    for (int step = 0; step < 100; ++step) {
        rt.begin_trace(1);
        Vector quotient = combine(rt, "divide", b, x, Divide{});
        if (step % 10 == 9) quotient = combine(rt, "once more", quotient, x, Mean{});
        x = combine(rt, "mean", x, quotient, Mean{});
        rt.end_trace(1);
    }
    const Statistics s = rt.statistics();
    std::printf("recorded %d, replayed %d, variants %d\n", count(s.traces.recorded),
                count(s.traces.replayed), count(s.traces.variants));
    std::printf("left %d time: %s\n", count(s.traces.mismatches), s.traces.last_mismatch.c_str());
    // [/manual]
}

void of_interest(Options options) {
    // [interest]
    options.observe.explain = true;  // or report, or timeline
    Runtime rt(options);
    Vector b = rt.create_region<double>(extents(100), "b");
    Vector x = rt.create_region<double>(extents(100), "x");
    rt.fill(b, 2.0);
    rt.fill(x, 1.0);
    for (int step = 0; step < 300; ++step) {
        if (step == 100) rt.begin_interest();
        Vector quotient = combine(rt, "divide", b, x, Divide{});
        x = combine(rt, "mean", x, quotient, Mean{});
        if (step == 199) rt.end_interest();
    }
    for (const LaunchSiteReport& site : rt.why_not_traced())
        std::printf("%s\n", site.to_string().c_str());
    // [/interest]
}

}  // namespace

int main(int argc, char** argv) {
    const Options options = Options::from_arguments_or_exit(argc, argv);
    automatic(options);
    manual(options);
    of_interest(options);
}
