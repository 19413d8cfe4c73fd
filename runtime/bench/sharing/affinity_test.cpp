#include "sharing/affinity.hpp"

#include <gtest/gtest.h>

namespace sharing::affinity_test {
namespace {

Loop loop_on(unsigned workers, Pattern pattern) {
    return {.machine = {workers, 55, 55}, .pattern = pattern};
}

TEST(Affinity, every_point_runs_once_in_every_pattern) {
    for (const Pattern pattern : patterns)
        for (const Handing handing : {Handing::shared, Handing::mailbox})
            for (const unsigned workers : {1U, 2U, 5U, 16U}) {
                const Loop loop = loop_on(workers, pattern);
                EXPECT_EQ(simulate_loop(loop, handing).points,
                          std::uint64_t{loop.iterations} * workers * loop.points_per_worker)
                    << name_of(pattern) << " on " << workers;
            }
}

TEST(Affinity, no_line_crosses_on_one_worker) {
    for (const Handing handing : {Handing::shared, Handing::mailbox})
        EXPECT_EQ(simulate_loop(loop_on(1, Pattern::stencil), handing).lines_per_task, 0);
}

TEST(Affinity, keeps_points_on_their_workers) {
    const LoopOutcome outcome = simulate_loop(loop_on(8, Pattern::stencil), Handing::mailbox);
    EXPECT_LT(outcome.moved, outcome.points / 20);
    EXPECT_GT(outcome.moved, 0U) << "somebody idles while the launching thread launches";
}

TEST(Affinity, patterns_name_each_source_once) {
    using Points = std::vector<std::uint32_t>;
    EXPECT_EQ(sources_of(Pattern::stencil, 0, 3, 8), (Points{2, 3, 4}));
    EXPECT_EQ(sources_of(Pattern::nearest, 0, 0, 8), (Points{0, 1, 2}));
    EXPECT_EQ(sources_of(Pattern::fft, 1, 3, 8), (Points{1, 3, 5}));
    EXPECT_EQ(sources_of(Pattern::none, 0, 3, 8), Points{});
    EXPECT_EQ(sources_of(Pattern::all_to_all, 0, 3, 4), (Points{0, 1, 2, 3}));
    EXPECT_EQ(sources_of(Pattern::spread, 0, 3, 20), (Points{0, 3, 8, 12, 16}));
}

}  // namespace
}  // namespace sharing::affinity_test
