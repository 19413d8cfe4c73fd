/// n points write a tile each, then n points read all of it, then the tiles are written again: all
/// precede all, twice. Times are of a fresh runtime, whose tables know nothing yet.

#include <refrain/refrain.hpp>

#include "cliffs/rows.hpp"
#include "common/stopwatch.hpp"

namespace cliffs {
namespace {

using namespace refrain;

enum class Measure { launch_ms, step_ms, table_mib };

double step(std::int64_t points, Measure what) {
    Options options;
    options.workers = 1;
    Runtime runtime(options);
    const auto space = extents(4 * points);
    const auto positions = runtime.create_region<int>(space, "positions");
    const auto forces = runtime.create_region<int>(space, "forces");
    const auto own = tiles(space, points);
    const auto all = whole(space, own.colours());
    const auto set = [](View<int, 1> to) { to[to.domain().lo] = 1; };
    runtime.launch("set", own.colours(), set, write(positions, own));
    const std::size_t before = runtime.statistics().analysis.bytes;
    const bench::Stopwatch watch;
    runtime.launch(
        "force", own.colours(), [](View<const int, 1>, View<int, 1> f) { f[f.domain().lo] = 2; },
        read(positions, all), write(forces, own));
    runtime.launch(
        "move", own.colours(), [](View<int, 1> x, View<const int, 1>) { x[x.domain().lo] = 3; },
        write(positions, own), read(forces, own));
    // Of the only thread, since other programs run, too.
    if (what == Measure::launch_ms) return 1e-6 * watch.per(2).cpu_ns;
    const std::size_t bytes = runtime.statistics().analysis.bytes - before;
    runtime.wait_all();
    if (what == Measure::step_ms) return 1e3 * watch.wall_seconds();
    return static_cast<double>(bytes) / (1 << 20);
}

}  // namespace

void add_all_to_all(std::vector<Row>& rows, bool quick) {
    const std::int64_t points = quick ? 64 : 8192;
    const std::string name = "all_to_all/points_" + std::to_string(points);
    rows.push_back({name + "/launch", "ms", 5, [=] { return step(points, Measure::launch_ms); }});
    rows.push_back({name + "/step", "ms", 0, [=] { return step(points, Measure::step_ms); }});
    rows.push_back({name + "/tables", "MiB", 16, [=] { return step(points, Measure::table_mib); }});
    const std::int64_t many = quick ? 128 : 1 << 20;
    rows.push_back({"all_to_all/points_" + std::to_string(many) + "/launch", "ms", 0,
                    [=] { return step(many, Measure::launch_ms); }});
}

}  // namespace cliffs
