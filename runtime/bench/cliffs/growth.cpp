/// What grows with the program: memory per region, and the longest stall of a program whose launches
/// never repeat, so that every table grows.

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <malloc.h>
#include <refrain/refrain.hpp>
#include <vector>

#include "cliffs/rows.hpp"

namespace cliffs {
namespace {

using namespace refrain;

Options one_worker() {
    Options options;
    options.workers = 1;
    return options;
}

double thread_ms() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

/// Bytes of heap per region that is used once and lives, without its elements.
double bytes_per_region(std::int64_t count, bool is_used) {
    Runtime runtime(one_worker());
    std::vector<Region<char, 1>> regions(static_cast<std::size_t>(count));
    const auto held = [] {
        const auto info = mallinfo2();
        return static_cast<double>(info.uordblks + info.hblkhd);
    };
    const double before = held();
    for (auto& region : regions) {
        region = runtime.create_region<char>(extents(100));
        if (is_used)
            runtime.launch(
                "read nothing", [](View<char, 1>) {}, write(region));
    }
    runtime.wait_all();
    const double elements = is_used ? static_cast<double>(count) * 128 : 0;
    return (held() - before - elements) / static_cast<double>(count);
}

/// The longest launch of a program whose tasks use ever new pieces.
double longest_stall_ms(std::int64_t launches) {
    Options options = one_worker();
    options.limits.analysis_bytes = std::uint64_t{4} << 30;  // nothing is forgotten
    Runtime runtime(options);
    const auto region = runtime.create_region<char>(extents(1 << 20), "bytes");
    runtime.fill(region, 0);
    double worst = 0;
    double last = thread_ms();
    for (std::int64_t i = 0; i < launches; ++i) {
        const std::int64_t lo = i * 37 % (1 << 19);
        const std::int64_t hi = lo + 1 + i % 1009;
        const auto piece = rectangles(region.bounds(), extents(1), {Rect<1>{lo, hi}});
        runtime.launch(
            "ever new", [](View<char, 1>) {}, read_write(region, piece, Point<1>(0)));
        const double now = thread_ms();
        worst = std::max(worst, now - last);
        last = now;
    }
    return worst;
}

/// Microseconds per launch of a program that never repeats, then with and without tracing.
double first_half(std::int64_t launches, bool automatic) {
    Options options = one_worker();
    options.tracing.automatic = automatic;
    Runtime runtime(options);
    std::vector<Region<int, 1>> regions;
    for (int i = 0; i < 16; ++i) {
        regions.push_back(runtime.create_region<int>(extents(64)));
        runtime.fill(regions.back(), 1);
    }
    std::uint64_t state = 1;
    const auto next = [&state] {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::size_t>(state >> 33) % 16;
    };
    const double begin = thread_ms();
    for (std::int64_t i = 0; i < launches; ++i) {
        const std::size_t a = next();
        std::size_t b = next();
        if (a == b) b = (b + 1) % 16;
        runtime.launch(
            "random", [](View<const int, 1>, View<int, 1>) {}, read(regions[a]), write(regions[b]));
    }
    for (std::int64_t i = 0; i < launches; ++i)
        runtime.launch(
            "loop", [](View<const int, 1>, View<int, 1>) {}, read(regions[0]),
            write(regions[static_cast<std::size_t>(1 + i % 5)]));
    runtime.wait_all();
    return 1e3 * (thread_ms() - begin) / static_cast<double>(2 * launches);
}

}  // namespace

void add_growth(std::vector<Row>& rows, bool quick) {
    const std::int64_t regions = quick ? 100 : 100'000;
    rows.push_back(
        {"growth/bytes_per_region", "B", 300, [=] { return bytes_per_region(regions, false); }});
    rows.push_back({"growth/bytes_per_used_region", "B", 300,
                    [=] { return bytes_per_region(regions, true); }});
    const std::int64_t launches = quick ? 100 : 200'000;
    rows.push_back({"growth/longest_stall", "ms", 1, [=] { return longest_stall_ms(launches); }});
    for (const std::int64_t half : {quick ? 100 : 20'000, quick ? 200 : 100'000})
        rows.push_back({"growth/first_half_never_repeats_" + std::to_string(half), "x", 1.05, [=] {
                            double automatic = 1e9, untraced = 1e9;
                            for (int i = 0; i < (quick ? 1 : 5); ++i) {
                                automatic = std::min(automatic, first_half(half, true));
                                untraced = std::min(untraced, first_half(half, false));
                            }
                            return automatic / untraced;
                        }});
}

}  // namespace cliffs
