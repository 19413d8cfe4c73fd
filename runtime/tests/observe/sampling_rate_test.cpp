/// How often operations are sampled, by what that costs: in a run whose times the test sets.
#include "observe/sampling_rate.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace refrain::observe::sampling_rate_test {
namespace {

/// A run whose launches take `launch` ticks each, and sampled ones `sample` more.
class SampledRun {
  public:
    SamplingRate rate;
    std::uint64_t launch = 1'000;
    std::uint64_t sample = 0;
    double weighted = 0;        // operations that samples stand for
    std::uint64_t sampled = 0;  // ticks that samples took
    std::uint64_t ticks = 0;
    std::uint64_t operations = 0;

    void run_until(std::uint64_t end) {
        for (; operations < end; ++operations) {
            if (cursor_.includes(operations, rate)) {
                rate.sampled(operations, ticks);
                weighted += rate.weight(operations);
                sampled += sample;
                ticks += sample;
            }
            ticks += launch;
        }
    }
    /// The share of the run's time that samples take from here to there.
    [[nodiscard]] double share_until(std::uint64_t end) {
        const std::uint64_t ticks_before = ticks;
        const std::uint64_t sampled_before = sampled;
        run_until(end);
        return static_cast<double>(sampled - sampled_before) /
               static_cast<double>(ticks - ticks_before);
    }

  private:
    SamplingCursor cursor_;
};

constexpr std::uint64_t million = 1'000'000;

TEST(SamplingRate, is_one_block_in_61_where_samples_are_cheap) {
    SampledRun run;
    run.sample = run.launch;
    run.run_until(million);
    EXPECT_EQ(run.rate.level_max(), 1U);
}

/// Samples of 7 us beside launches of 0.7 us took 14 %.
TEST(SamplingRate, takes_a_fiftieth_of_the_time_where_launches_are_tiny) {
    for (const std::uint64_t times : {2U, 10U, 40U}) {
        SampledRun run;
        run.sample = times * run.launch;
        run.run_until(4 * million);
        EXPECT_LT(run.share_until(8 * million), 1.05 * SamplingRate::share_max) << times;
        EXPECT_GT(run.rate.level_max(), 1U) << times;
    }
}

TEST(SamplingRate, is_the_same_in_the_first_operations_whatever_samples_cost) {
    SampledRun run;
    run.sample = 1'000 * run.launch;
    run.run_until(SamplingRate::periods_min * Sampling::period_operations(2));
    EXPECT_EQ(run.rate.level_max(), 1U);
}

TEST(SamplingRate, has_samples_that_stand_for_all_operations_however_it_changes) {
    SampledRun run;
    run.sample = 50 * run.launch;
    for (const std::uint64_t end : {1U, 2U, 3U, 5U, 8U}) {
        run.run_until(end * million);
        const auto all = static_cast<double>(end * million);
        EXPECT_NEAR(run.weighted, all, 0.07 * all) << "but for those after the latest block";
        run.launch = run.launch == 1'000 ? 100'000 : 1'000;
        run.sample = 50'000;
    }
    EXPECT_GT(run.rate.level_max(), 2U);
}

TEST(SamplingRate, grows_again_where_tasks_become_long) {
    SampledRun run;
    run.sample = 50 * run.launch;
    run.run_until(4 * million);
    const double usual = SamplingRate().weight(4 * million);
    EXPECT_GT(run.rate.weight(4 * million), usual);
    run.launch *= 1'000;
    run.run_until(8 * million);
    EXPECT_EQ(run.rate.weight(8 * million), usual);
}

/// A wait of the program, or an interrupt, within one block.
TEST(SamplingRate, does_not_change_for_one_block_that_took_long) {
    SampledRun run;
    run.sample = run.launch;
    run.run_until(61 * 64 * 100 + 10);
    run.ticks += million * million;
    run.run_until(61 * 64 * 150);
    EXPECT_EQ(run.rate.level_max(), 1U);
}

TEST(SamplingRate, of_an_operation_does_not_depend_on_later_ones) {
    SampledRun run;
    run.sample = 50 * run.launch;
    std::vector<double> weights;
    for (std::uint64_t i = 0; i < 3 * million; ++i) {
        run.run_until(i + 1);
        if (i % 4096 == 0) weights.push_back(run.rate.weight(i));
    }
    for (std::uint64_t i = 0; i < weights.size(); ++i)
        ASSERT_EQ(run.rate.weight(4096 * i), weights[i]) << i;
    EXPECT_NE(weights.front(), weights.back());
}

}  // namespace
}  // namespace refrain::observe::sampling_rate_test
