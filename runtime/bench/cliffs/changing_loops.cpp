/// Loops that have another number of turns each time, of launches of a few elements: there is no loop that lasts.

#include <random>
#include <refrain/refrain.hpp>

#include "cliffs/rows.hpp"
#include "common/stopwatch.hpp"

namespace cliffs {
namespace {

using namespace refrain;

struct Turns {
    int least, most;
};

void add(View<double, 1> sum, View<const double, 1> more) {
    for (Point<1> p : sum.domain()) sum[p] += more[p];
}

double seconds(unsigned workers, std::int64_t launches, Turns turns) {
    Options options;
    options.workers = workers;
    Runtime runtime(options);
    const auto a = runtime.create_region<double>(extents(16), "a");
    const auto b = runtime.create_region<double>(extents(16), "b");
    const auto pieces = tiles(a.bounds(), 4);
    runtime.fill(a, 1.0);
    runtime.fill(b, 0.0);
    std::mt19937 random;
    std::uniform_int_distribution<int> draw(turns.least, turns.most);
    const bench::Stopwatch watch;
    for (std::int64_t i = 0; i < launches;) {
        for (int turn = draw(random); turn > 0; --turn, i += 2) {
            runtime.launch("there", pieces.colours(), add, read_write(b, pieces), read(a, pieces));
            runtime.launch("back", pieces.colours(), add, read_write(a, pieces), read(b, pieces));
        }
        runtime.fill(a, 1.0);
    }
    runtime.wait_all();
    return watch.wall_seconds();
}

}  // namespace

void add_changing_loops(std::vector<Row>& rows, bool quick) {
    const std::int64_t launches = quick ? 2'000 : 400'000;
    for (const Turns turns : {Turns{20, 40}, Turns{1000, 1100}})
        rows.push_back({"changing_loops/turns_" + std::to_string(turns.least) + "/two_workers", "x",
                        1.25,
                        [=] { return seconds(2, launches, turns) / seconds(1, launches, turns); }});
}

}  // namespace cliffs
