#include "runtime/harness.hpp"

#include <algorithm>
#include <optional>
#include <sys/resource.h>
#include <vector>

#include "tries.hpp"

namespace refrain::memory_limit_test {
namespace {

using Numbers = Region<std::int64_t, 1>;

constexpr std::int64_t n = 1024;
constexpr std::uint64_t of_a_temporary = n * sizeof(std::int64_t);
constexpr std::uint64_t of_a_sum = 64;  // the smallest block
constexpr int rounds = 50;

/// Programs whose live regions fit the limit, though what they launch ahead does not.
class MemoryLimit : public ::testing::TestWithParam<Serving> {
  protected:
    /// One thread, and single tasks wait in batches: nothing runs before the program waits, and tasks of one
    /// batch return no memory to one another.
    static Options patient(std::uint64_t temporaries) {
        return limited(temporaries, 1, Batching::all);
    }
    static Options limited(std::uint64_t temporaries, unsigned workers,
                           Batching batching = Batching::tiny) {
        Options options = options_for(GetParam(), workers);
        options.batching = batching;
        options.limits.region_bytes = temporaries * of_a_temporary + of_a_sum;
        return options;
    }
    static Numbers make_sum(Runtime& runtime) {
        Numbers sum = runtime.create_region<std::int64_t>(extents(1), "sum");
        runtime.fill(sum, 0);
        return sum;
    }
    static void make(Runtime& runtime, const Numbers& temporary) {
        runtime.launch(
            "make", [](View<std::int64_t, 1> v) { v[0] = v[n - 1] = 1; }, write(temporary));
    }
    static void add(Runtime& runtime, const Numbers& temporary, const Numbers& sum) {
        runtime.launch(
            "add",
            [](View<const std::int64_t, 1> v, View<std::int64_t, 1> s) { s[0] += v[0] + v[n - 1]; },
            read(temporary), read_write(sum));
    }
    static Numbers temporary_of(Runtime& runtime) {
        return runtime.create_region<std::int64_t>(extents(n), "temporary");
    }
    static void run_rounds(Runtime& runtime, const Numbers& sum) {
        for (int i = 0; i < rounds; ++i) {
            const Numbers temporary = temporary_of(runtime);
            make(runtime, temporary);
            add(runtime, temporary, sum);
        }
    }
};
INSTANTIATE_TEST_SUITE_P(, MemoryLimit, every_serving, serving_name);

TEST_P(MemoryLimit, makes_launches_wait_for_memory_of_dead_regions) {
    Runtime runtime(patient(1));
    const Numbers sum = make_sum(runtime);
    run_rounds(runtime, sum);
    EXPECT_EQ(values_of(runtime, sum)[0], 2 * rounds);
    const Statistics statistics = runtime.statistics();
    EXPECT_EQ(statistics.launches.failed, 0U);
    EXPECT_EQ(statistics.launches.memory_waits, std::uint64_t{rounds} - 1);
    EXPECT_LE(statistics.storage.bytes_peak, of_a_temporary + of_a_sum);
}

TEST_P(MemoryLimit, lets_as_many_temporaries_be_launched_ahead_as_fit) {
    Runtime runtime(patient(5));
    const Numbers sum = make_sum(runtime);
    run_rounds(runtime, sum);
    EXPECT_EQ(values_of(runtime, sum)[0], 2 * rounds);
    EXPECT_EQ(runtime.statistics().launches.failed, 0U);
    EXPECT_LT(runtime.statistics().launches.memory_waits, std::uint64_t{rounds} / 2);
}

TEST_P(MemoryLimit, holds_for_several_workers) {
    for (unsigned workers = 2; workers <= 4; ++workers) {
        Runtime runtime(limited(2, workers));
        const Numbers sum = make_sum(runtime);
        for (int i = 0; i < 10; ++i) run_rounds(runtime, sum);
        EXPECT_EQ(values_of(runtime, sum)[0], 2 * 10 * rounds);
        EXPECT_EQ(runtime.statistics().launches.failed, 0U);
        EXPECT_LE(runtime.statistics().storage.bytes_peak, 2 * of_a_temporary + of_a_sum);
    }
}

TEST_P(MemoryLimit, makes_the_host_wait_for_memory_of_dead_regions) {
    Runtime runtime(patient(1));
    const Numbers sum = make_sum(runtime);
    for (int i = 0; i < rounds; ++i) {
        {
            const Numbers temporary = temporary_of(runtime);
            make(runtime, temporary);
            add(runtime, temporary, sum);
        }
        const Numbers of_host = temporary_of(runtime);
        runtime.write(of_host)[0] = i;
    }
    EXPECT_EQ(values_of(runtime, sum)[0], 2 * rounds);
    runtime.wait_all();
    EXPECT_EQ(runtime.statistics().launches.failed, 0U);
}

TEST_P(MemoryLimit, does_not_wait_where_nothing_gives_memory_back) {
    Runtime runtime(patient(1));
    const Numbers first = temporary_of(runtime);
    const Numbers second = temporary_of(runtime);
    make(runtime, first);
    make(runtime, second);
    EXPECT_THROW(runtime.wait_all(), TaskError);
    EXPECT_THROW(static_cast<void>(runtime.write(second)), OutOfMemory);
    EXPECT_EQ(runtime.statistics().launches.memory_waits, 0U);
}

/// A region that found no memory once gets it as soon as another has died, without a wait of the program.
TEST_P(MemoryLimit, serves_a_region_again_that_found_no_memory) {
    Runtime runtime(patient(1));
    const Numbers sum = make_sum(runtime);
    Numbers first = temporary_of(runtime);
    const Numbers second = temporary_of(runtime);
    make(runtime, first);
    make(runtime, second);
    EXPECT_THROW(runtime.wait_all(), TaskError);
    add(runtime, first, sum);
    first.reset();
    make(runtime, second);  // in one batch with the last use of `first`
    add(runtime, second, sum);
    EXPECT_EQ(values_of(runtime, sum)[0], 4);
}

/// While it lives, the process is told that it may have so much memory in addresses. It has less already.
class AddressLimit {
  public:
    explicit AddressLimit(rlim_t bytes) {
        getrlimit(RLIMIT_AS, &before_);
        const rlimit limit{std::min(bytes, before_.rlim_max), before_.rlim_max};
        setrlimit(RLIMIT_AS, &limit);
    }
    AddressLimit(const AddressLimit&) = delete;
    AddressLimit& operator=(const AddressLimit&) = delete;
    AddressLimit(AddressLimit&&) = delete;
    AddressLimit& operator=(AddressLimit&&) = delete;
    ~AddressLimit() { setrlimit(RLIMIT_AS, &before_); }

  private:
    rlimit before_{};
};

/// Each tile runs through all temporaries before the next begins, so all have memory at once, unless the program
/// is held back.
TEST_P(MemoryLimit, is_not_needed_by_a_program_whose_live_regions_fit_the_machine) {
    if (is_sanitized) GTEST_SKIP() << "the sanitizers' shadow takes more addresses than any limit";
    constexpr std::int64_t large = std::int64_t{16}
                                   << 20;  // 128 MiB, of which two pages are touched
    constexpr rlim_t machine = rlim_t{8} << 30;
    std::optional<Runtime> runtime;
    {
        const AddressLimit limit(machine);
        runtime.emplace(options_for(GetParam(), 1));
    }
    const auto halves = tiles(extents(large), 2);
    const Numbers sum = runtime->create_region<std::int64_t>(extents(2), "sum");
    const auto sums = tiles(extents(2), 2);
    runtime->fill(sum, 0);
    for (int i = 0; i < 40; ++i) {
        const auto temporary = runtime->create_region<std::int64_t>(extents(large), "temporary");
        runtime->launch(
            "make", halves.colours(),
            [](View<std::int64_t, 1> v, View<const std::int64_t, 1> s) {
                v[v.domain().lo] = s[s.domain().lo] + 1;
            },
            write(temporary, halves), read(sum, sums));
        runtime->launch(
            "take", halves.colours(),
            [](View<const std::int64_t, 1> v, View<std::int64_t, 1> s) {
                s[s.domain().lo] = v[v.domain().lo];
            },
            read(temporary, halves), write(sum, sums));
    }
    EXPECT_EQ(values_of(*runtime, sum), (std::vector<std::int64_t>{40, 40}));
    EXPECT_LE(runtime->statistics().storage.bytes_peak, machine / 4 + 2 * 8 * large + of_a_sum);
    EXPECT_GE(runtime->statistics().launches.memory_waits, 1U);
}

}  // namespace
}  // namespace refrain::memory_limit_test
