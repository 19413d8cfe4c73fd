#include "runtime/harness.hpp"

#include <thread>

namespace refrain::shared_partition_test {
namespace {

/// Launches through partitions that other threads use, too: by colour, by domain, by projection.
std::int64_t run(const Options& options, const Partition<1>& parts, const Partition<1>& halos,
                 int steps) {
    Runtime runtime(options);
    const auto x = runtime.create_region<std::int64_t>(extents(64), "x");
    const auto y = runtime.create_region<std::int64_t>(extents(64), "y");
    runtime.fill(x, 1);
    runtime.fill(y, 0);
    const std::int64_t colours = parts.colour_count();
    for (int step = 0; step < steps; ++step) {
        const Rect<1> some{0, 1 + step % colours};
        runtime.launch(
            "sum", some,
            [](View<const std::int64_t, 1> in, View<std::int64_t, 1> out) {
                for (const Point<1>& p : out.domain()) out[p] = 0;
                for (const Point<1>& p : in.points()) out[out.domain().lo] += in[p];
            },
            read(x, halos), write(y, parts));
        runtime.launch(
            "one", [](View<std::int64_t, 1> v) { ++v[v.domain().lo]; },
            read_write(y, parts, Point<1>(step % colours)));
    }
    std::int64_t sum = 0;
    for (const std::int64_t value : values_of(runtime, y)) sum += value;
    return sum;
}

/// The partition kept the numbers of footprints for the runtime that used it last, without a lock:
/// another runtime took them for its own and analysed the wrong elements.
TEST(SharedPartition, serves_runtimes_in_several_threads) {
    constexpr int steps = 300;
    for (int round = 0; round < 3; ++round) {
        const Partition<1> parts = tiles(extents(64), 4 + round);
        const Partition<1> halos = halo(parts, 2);
        const std::int64_t expected = run(plain(1), parts, halos, steps);
        std::vector<std::thread> threads;
        std::atomic<int> wrong{0};
        for (int thread = 0; thread < 3; ++thread)
            threads.emplace_back([&, thread] {
                // So that the runtimes number footprints differently.
                const Options options = thread % 2 == 0 ? plain(2) : automatic(2);
                Runtime other(plain(1));
                for (std::int64_t extra = 0; extra < thread; ++extra) {
                    const auto z = other.create_region<int>(extents(8 + extra), "z");
                    other.fill(z, parts.colours().volume() > 0 ? 1 : 0);
                }
                if (run(options, parts, halos, steps) != expected) ++wrong;
            });
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(wrong.load(), 0);
    }
}

/// Two runtimes in one thread take turns: neither makes the other forget.
TEST(SharedPartition, keeps_the_footprints_of_runtimes_that_take_turns) {
    const Partition<1> parts = tiles(extents(64), 8);
    Runtime first(plain(1));
    Runtime second(plain(1));
    const auto a = first.create_region<int>(extents(64), "a");
    const auto other = second.create_region<int>(extents(32), "other");
    const auto b = second.create_region<int>(extents(64), "b");
    second.fill(other, 1);  // so that its footprints have other numbers
    first.fill(a, 0);
    second.fill(b, 0);
    for (int step = 0; step < 20; ++step)
        for (std::int64_t colour = 0; colour < 8; ++colour) {
            const auto add = [](View<int, 1> v) {
                for (const Point<1>& p : v.domain()) ++v[p];
            };
            first.launch("add", add, read_write(a, parts, Point<1>(colour)));
            second.launch("add", add, read_write(b, parts, Point<1>(colour)));
        }
    EXPECT_EQ(values_of(first, a), std::vector<int>(64, 20));
    EXPECT_EQ(values_of(second, b), std::vector<int>(64, 20));
}

}  // namespace
}  // namespace refrain::shared_partition_test
