/// Single tasks on one piece each: of a region that an index launch of very many points wrote, of a
/// region of very many tiles, and of very many regions. Times are CPU time of the launching thread.

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <refrain/refrain.hpp>
#include <vector>

#include "cliffs/rows.hpp"

namespace cliffs {
namespace {

using namespace refrain;

double thread_us() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

/// A fixed sequence of numbers below `limit`.
class Sequence {
  public:
    explicit Sequence(std::int64_t limit) : limit_(limit) {}
    std::int64_t next() {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::int64_t>((state_ >> 33) % static_cast<std::uint64_t>(limit_));
    }

  private:
    std::uint64_t state_ = 1;
    std::int64_t limit_;
};

Options one_worker() {
    Options options;
    options.workers = 1;
    return options;
}

enum class Of { mean, worst, next_index };

/// Of the most expensive one of `tasks` launches. To read the clock takes half as long as a launch.
template <class Launch>
double worst_microseconds(std::int64_t tasks, const Launch& launch) {
    double worst = 0;
    double last = thread_us();
    for (std::int64_t i = 0; i < tasks; ++i) {
        launch();
        const double now = thread_us();
        worst = std::max(worst, now - last);
        last = now;
    }
    return worst;
}

/// Microseconds per launch; or of the most expensive one.
template <class Launch>
double microseconds(std::int64_t tasks, Of of, const Launch& launch) {
    if (of == Of::worst) return worst_microseconds(tasks, launch);
    const double begin = thread_us();
    for (std::int64_t i = 0; i < tasks; ++i) launch();
    return (thread_us() - begin) / static_cast<double>(tasks);
}

double after_index_launch(std::int64_t points, std::int64_t tasks, Of of) {
    Runtime runtime(one_worker());
    const auto region = runtime.create_region<int>(extents(points), "cells");
    const auto own = tiles(region.bounds(), points);
    runtime.launch(
        "write all", own.colours(), [](View<int, 1> v) { v.fill(1); }, write(region, own));
    runtime.wait_all();
    runtime.launch(
        "write all", own.colours(), [](View<int, 1> v) { v.fill(1); }, write(region, own));
    Sequence random(points);
    const double us = microseconds(tasks, of, [&] {
        runtime.launch(
            "update one", [](View<int, 1>) {}, read_write(region, own, Point<1>(random.next())));
    });
    if (of != Of::next_index) return us;
    return microseconds(1, Of::mean, [&] {
        runtime.launch(
            "write all", own.colours(), [](View<int, 1> v) { v.fill(1); }, write(region, own));
    });
}

double random_tiles(std::int64_t pieces, std::int64_t tasks) {
    Runtime runtime(one_worker());
    const auto region = runtime.create_region<int>(extents(pieces), "cells");
    const auto own = tiles(region.bounds(), pieces);
    runtime.fill(region, 1);
    Sequence random(pieces);
    const double us = microseconds(tasks, Of::mean, [&] {
        runtime.launch(
            "update one", [](View<int, 1>) {}, read_write(region, own, Point<1>(random.next())));
    });
    return us;
}

double random_regions(std::int64_t count, std::int64_t tasks) {
    Runtime runtime(one_worker());
    std::vector<Region<int, 1>> regions;
    for (std::int64_t i = 0; i < count; ++i) {
        regions.push_back(runtime.create_region<int>(extents(4)));
        runtime.fill(regions.back(), 1);
    }
    Sequence random(count);
    const auto any = [&]() -> const Region<int, 1>& {
        return regions[static_cast<std::size_t>(random.next())];
    };
    return microseconds(tasks, Of::mean, [&] {
        runtime.launch(
            "update one", [](View<int, 1>) {}, read_write(any()));
    });
}

}  // namespace

void add_single_tasks(std::vector<Row>& rows, bool quick) {
    const std::int64_t pieces = quick ? 256 : 100'000;
    const std::int64_t tasks = quick ? 64 : 4'000;
    const std::int64_t many = quick ? 64 : 100'000;
    rows.push_back({"single_tasks/after_index_launch", "us", 5,
                    [=] { return after_index_launch(pieces, tasks, Of::mean); }});
    rows.push_back({"single_tasks/after_index_launch/worst", "us", 0,
                    [=] { return after_index_launch(pieces, tasks, Of::worst); }});
    rows.push_back({"single_tasks/index_launch_after_them", "us", 0,
                    [=] { return after_index_launch(pieces, tasks, Of::next_index); }});
    rows.push_back(
        {"single_tasks/random_tiles", "us", 2, [=] { return random_tiles(pieces, many); }});
    rows.push_back(
        {"single_tasks/random_regions", "us", 2, [=] { return random_regions(pieces, many); }});
}

}  // namespace cliffs
