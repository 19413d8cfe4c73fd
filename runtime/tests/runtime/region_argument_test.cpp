#include "runtime/harness.hpp"

#include <vector>

namespace refrain::region_argument_test {
namespace {

double sum(View<const double, 1> v) {
    double sum = 0;
    for (const Point<1> p : v.points()) sum += v[p];
    return sum;
}

/// Takes the memory of partitions and regions that have ended.
void make_noise(Runtime& runtime) {
    std::vector<Partition<1>> partitions;
    std::vector<Region<double, 1>> regions;
    for (std::int64_t n = 1; n < 40; ++n) {
        partitions.push_back(halo(tiles(extents(n), n), 1));
        regions.push_back(runtime.create_region<double>(extents(n)));
        runtime.fill(regions.back(), -1);
    }
    runtime.wait_all();
}

/// The partition had ended before the launch that it was kept for.
TEST(RegionArgument, owns_a_partition_without_a_name) {
    Runtime runtime(plain());
    const auto x = runtime.create_region<double>(extents(100), "x");
    runtime.fill(x, 1);
    const auto halos = read(x, halo(tiles(x.bounds(), 4), 1));
    const auto last = read(x, tiles(x.bounds(), 50), Point<1>(49));
    make_noise(runtime);
    const auto sums = runtime.launch("sum", extents(4), sum, halos);
    EXPECT_EQ(sums.get(0), 26);
    EXPECT_EQ(sums.get(1), 27);
    EXPECT_EQ(runtime.launch("sum", sum, last).get(), 2);
}

TEST(RegionArgument, owns_a_region_without_a_name) {
    Runtime runtime(plain());
    const auto ones = [&] {
        auto region = runtime.create_region<double>(extents(100), "ones");
        runtime.fill(region, 1);
        return region;
    };
    const auto all = read(ones());
    const auto quarters = read_write(ones(), tiles(extents(100), 4));
    const auto totals = reduce<Sum>(ones(), whole(extents(100), extents(3)));
    make_noise(runtime);
    EXPECT_EQ(runtime.launch("sum", sum, all).get(), 100);
    for (int turn = 1; turn < 4; ++turn) {
        const auto sums = runtime.launch(
            "add", extents(4),
            [](View<double, 1> v) {
                double sum = 0;
                for (const Point<1> p : v.points()) sum += ++v[p];
                return sum;
            },
            quarters);
        EXPECT_EQ(sums.get(3), 25 * (turn + 1));
    }
    runtime.launch(
        "total", extents(3), [](ReduceView<Sum, double, 1> v) { v.reduce(7, 1); }, totals);
    runtime.wait_all();
}

TEST(RegionArgument, with_names_owns_nothing) {
    Runtime runtime(plain());
    const auto x = runtime.create_region<double>(extents(100), "x");
    const auto pieces = tiles(x.bounds(), 4);
    static_assert(std::is_trivially_copyable_v<decltype(write(x, pieces))>);
    static_assert(std::is_trivially_copyable_v<decltype(write(x, pieces, Point<1>(0)))>);
    static_assert(std::is_trivially_copyable_v<decltype(write(x))>);
}

}  // namespace
}  // namespace refrain::region_argument_test
