#include "generate/loops.hpp"

#include <gtest/gtest.h>

#include "sample_runs.hpp"

namespace refrain::proxy::loops_test {
namespace {

using testing::Rank;

std::vector<std::uint64_t> times(const std::vector<Loop>& loops, bool top) {
    std::vector<std::uint64_t> all;
    for (const Loop& loop : loops)
        if (loop.top == top) all.push_back(loop.times);
    return all;
}
using Times = std::vector<std::uint64_t>;

/// Each rank of `size` makes what `program` makes of it.
template <class Program>
Recording run(std::int64_t size, Program program) {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < size; ++me) {
        Rank rank(me, size);
        program(rank, me);
        ranks.push_back(rank.finish());
    }
    return merge(ranks, {});
}

TEST(Loops, a_loop_of_all_ranks_and_the_loop_within_it_are_found) {
    const auto loops = common_loops(merge(testing::ring(4, 50), {}));
    EXPECT_EQ(times(loops, true), Times{5});
    EXPECT_EQ(times(loops, false), Times{10});
}

TEST(Loops, ranks_that_do_different_things_equally_often_share_a_loop) {
    const auto loops = common_loops(run(2, [](Rank& rank, std::int64_t me) {
        for (int i = 0; i < 30; ++i) {
            if (me == 0) rank.send(1).receive(1, 2);
            if (me == 1) rank.receive(0).send(0, 2);
            rank.barrier();
        }
    }));
    ASSERT_EQ(loops.size(), 1u);
    EXPECT_EQ(loops[0].times, 30u);
    EXPECT_EQ(loops[0].places.size(), 2u);
    EXPECT_TRUE(loops[0].top);
}

TEST(Loops, a_loop_that_only_sends_is_not_repeated_alone) {
    const auto loops = common_loops(run(2, [](Rank& rank, std::int64_t me) {
        for (int i = 0; i < 8; ++i) rank.send(1 - me);
        rank.barrier();
        for (int i = 0; i < 8; ++i) rank.receive(1 - me);
        for (int i = 0; i < 7; ++i) rank.barrier();
    }));
    EXPECT_EQ(times(loops, true), Times{7});
}

TEST(Loops, a_loop_that_ranks_make_different_numbers_of_times_is_none_of_all) {
    const auto loops = common_loops(run(2, [](Rank& rank, std::int64_t me) {
        for (int i = 0; i < 9 + me; ++i) rank.send(me, 1).receive(me, 1);
        rank.barrier();
    }));
    EXPECT_TRUE(loops.empty());
}

TEST(Loops, a_loop_that_one_rank_leaves_out_a_collective_call_of_is_none_of_all) {
    const auto loops = common_loops(run(2, [](Rank& rank, std::int64_t me) {
        for (int i = 0; i < 9; ++i) {
            rank.send(me).receive(me);
            if (me == 0) rank.barrier();
        }
        for (int i = 0; i < 9; ++i) {
            rank.send(me, 2).receive(me, 2);
            if (me == 1) rank.barrier();
        }
    }));
    EXPECT_TRUE(loops.empty());
}

TEST(Loops, messages_to_nobody_and_probes_count_for_nothing) {
    const auto loops = common_loops(run(2, [](Rank& rank, std::int64_t me) {
        for (int i = 0; i < 6; ++i) {
            rank.send(me == 0 ? std::int64_t{rank_null} : 0);
            if (me == 0) {
                rank.call(Function::Probe_, {1, 1, 0, 0, 2, 1, 1, 80, 0, 0});
                rank.receive(1);
            }
        }
    }));
    EXPECT_EQ(times(loops, true), Times{6});
}

}  // namespace
}  // namespace refrain::proxy::loops_test
