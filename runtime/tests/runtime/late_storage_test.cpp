#include "runtime/harness.hpp"

#include <set>

namespace refrain::late_storage_test {
namespace {

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

std::size_t bytes_in_use(const Runtime& runtime) {
    return runtime.statistics().storage.bytes_in_use;
}

TEST(LateStorage, is_not_allocated_when_a_region_is_created) {
    Runtime runtime(plain());
    const auto region = runtime.create_region<char>(extents(mebibyte), "large");
    EXPECT_EQ(bytes_in_use(runtime), 0U);
    runtime.wait_all();
    EXPECT_EQ(bytes_in_use(runtime), 0U);
}

TEST(LateStorage, is_not_allocated_before_the_first_writer_starts) {
    Gate gate;
    Runtime runtime(plain());
    const auto token = runtime.create_region<char>(extents(1), "token");
    const auto region = runtime.create_region<char>(extents(mebibyte), "large");
    runtime.launch(
        "wait", [&gate](View<char, 1>) { gate.pass(); }, write(token));
    runtime.launch(
        "first writer", [](View<const char, 1>, View<char, 1> v) { v[0] = 1; }, read(token),
        write(region));
    gate.await(1);
    EXPECT_EQ(bytes_in_use(runtime), 64U);  // the token's
    gate.open();
    runtime.wait_all();
    EXPECT_EQ(bytes_in_use(runtime), 64U + mebibyte);
}

TEST(LateStorage, is_released_when_the_region_is_dead_and_its_last_task_has_finished) {
    Gate gate;
    Runtime runtime(plain());
    auto region = runtime.create_region<char>(extents(mebibyte), "large");
    runtime.fill(region, 'x');
    runtime.launch(
        "last use", [&gate](View<const char, 1>) { gate.pass(); }, read(region));
    gate.await(1);
    region.reset();
    EXPECT_EQ(bytes_in_use(runtime), static_cast<std::size_t>(mebibyte));
    gate.open();
    runtime.wait_all();
    EXPECT_EQ(bytes_in_use(runtime), 0U);
}

TEST(LateStorage, of_a_region_used_by_the_host_only_is_released_too) {
    Runtime runtime(plain());
    {
        const auto region = runtime.create_region<char>(extents(mebibyte), "large");
        runtime.write(region)[0] = 1;
        EXPECT_EQ(bytes_in_use(runtime), static_cast<std::size_t>(mebibyte));
    }
    runtime.wait_all();
    EXPECT_EQ(bytes_in_use(runtime), 0U);
}

TEST(LateStorage, of_a_live_region_is_kept) {
    Runtime runtime(plain());
    const auto region = runtime.create_region<char>(extents(mebibyte), "large");
    runtime.fill(region, 'x');
    runtime.wait_all();
    EXPECT_EQ(bytes_in_use(runtime), static_cast<std::size_t>(mebibyte));
    EXPECT_EQ(values_of(runtime, region)[mebibyte - 1], 'x');
}

TEST(LateStorage, is_aligned_to_64_bytes_for_every_region) {
    Runtime runtime(plain());
    for (std::int64_t n = 1; n < 200; n += 13) {
        const auto bytes = runtime.create_region<char>(extents(n), "bytes");
        const auto numbers = runtime.create_region<double>(extents(n, 3), "numbers");
        const auto offset = runtime.launch(
            "look",
            [](View<char, 1> b, View<double, 2> d) {
                return (reinterpret_cast<std::uintptr_t>(b.data()) |
                        reinterpret_cast<std::uintptr_t>(d.data())) %
                       64;
            },
            write(bytes), write(numbers));
        EXPECT_EQ(offset.get(), 0U) << n;
    }
}

TEST(LateStorage, of_dead_regions_is_reused) {
    Runtime runtime(plain());
    std::set<const void*> blocks;
    for (int i = 0; i < 100; ++i) {
        const auto region = runtime.create_region<double>(extents(1000), "temporary");
        runtime.fill(region, 1.0);
        blocks.insert(runtime.read(region).elements().data());
        runtime.wait_all();
    }
    EXPECT_LE(blocks.size(), 2U);  // the next region is written before the last one is reclaimed
}

/// The peak memory of a program that creates a temporary of one mebibyte in each of 1000 rounds.
std::size_t peak_of_temporaries(const Options& options) {
    Runtime runtime(options);
    const auto sum = runtime.create_region<std::int64_t>(extents(1), "sum");
    runtime.fill(sum, 0);
    for (int i = 0; i < 1000; ++i) {
        const auto temporary = runtime.create_region<char>(extents(mebibyte), "temporary");
        runtime.launch(
            "make", [](View<char, 1> v) { v[0] = v[mebibyte - 1] = 1; }, write(temporary));
        runtime.launch(
            "use",
            [](View<const char, 1> v, View<std::int64_t, 1> s) { s[0] += v[0] + v[mebibyte - 1]; },
            read(temporary), read_write(sum));
    }
    EXPECT_EQ(values_of(runtime, sum)[0], 2000);
    return runtime.statistics().storage.bytes_peak;
}

/// Up to 512 temporaries are launched ahead; only few exist during execution.
TEST(LateStorage, of_temporaries_depends_on_execution_not_on_the_launches_ahead) {
    for (const Options& options : {plain(1), automatic(1), mined(1)})
        EXPECT_LE(peak_of_temporaries(options), std::size_t{4 * mebibyte});
}

TEST(LateStorage, of_temporaries_fits_into_a_limit_of_a_few) {
    Options options = plain(1);
    options.limits.region_bytes = 4 * mebibyte;
    EXPECT_LE(peak_of_temporaries(options), std::size_t{4 * mebibyte});
}

}  // namespace
}  // namespace refrain::late_storage_test
