#include "merge/recording.hpp"

#include <gtest/gtest.h>
#include <random>

#include "sample_runs.hpp"
#include "tries.hpp"

namespace refrain::proxy::merge_test {
namespace {

std::size_t bytes(std::uint32_t size, int steps) {
    return communication_bytes(merge(testing::ring(size, steps), {}));
}

TEST(RankSet, ranges_that_touch_become_one) {
    RankSet set;
    for (const std::uint32_t rank : {5u, 1u, 2u, 7u, 6u}) set.add(rank);
    EXPECT_EQ(set.ranges(), (std::vector<RankSet::Range>{{1, 2}, {5, 7}}));
    EXPECT_EQ(set.size(), 5u);
    EXPECT_TRUE(set.contains(6));
    EXPECT_FALSE(set.contains(3));
}

TEST(Merge, ranks_that_do_the_same_share_everything) {
    const Recording recording = merge(testing::ring(64, 100), {});
    EXPECT_LE(recording.events.size(), 5u);
    for (const MergedRun& run : recording.main) EXPECT_EQ(run.ranks, RankSet::all(64));
}

TEST(Merge, the_file_hardly_grows_with_iterations_and_ranks) {
    EXPECT_LE(bytes(4, 2000), bytes(4, 1000) + 16);
    EXPECT_LE(static_cast<double>(bytes(64, 1000)), 1.5 * static_cast<double>(bytes(4, 1000)));
}

TEST(Merge, each_rank_gets_back_what_it_did) {
    for (std::uint64_t seed = 1; seed <= tries(60); ++seed) {
        std::mt19937_64 random(seed);
        const std::uint32_t size = 1 + static_cast<std::uint32_t>(random() % 6);
        std::vector<RankRecording> ranks;
        std::vector<std::vector<Event>> did;
        const std::uint64_t shared = random();
        for (std::uint32_t me = 0; me < size; ++me) {
            std::mt19937_64 same(shared);  // what all ranks do alike
            testing::Rank rank(me, size);
            for (int step = 0; step < 40; ++step) {
                const auto what = same() % 6;
                const std::int64_t other = static_cast<std::int64_t>(same() % size);
                if (random() % 8 == 0) rank.send(static_cast<std::int64_t>(random() % size), 9);
                if (what == 0) rank.barrier();
                if (what == 1) rank.send((me + other) % size);
                if (what == 2) rank.send(other, 3);
                if (what == 3) rank.receive(rank_any, 1, other, 1);
                if (what == 4) rank.split(me % 2, 2, me / 2, (size + 1 - me % 2) / 2);
                if (what == 5) rank.call(Function::Bcast_, {0, 4, 16, other, 0, me, size, 0});
            }
            ranks.push_back(rank.finish());
            did.push_back(testing::expanded(ranks.back()));
        }
        const Recording merged = merge(ranks, {});
        std::size_t separate = 0;
        for (std::uint32_t me = 0; me < size; ++me) {
            EXPECT_EQ(testing::expanded(merged, me), did[me]) << "seed " << seed << ", rank " << me;
            for (const auto& rule : ranks[me].grammar) separate += rule.size();
        }
        std::size_t together = merged.main.size();
        for (const auto& rule : merged.rules) together += rule.size();
        EXPECT_LE(together, separate) << "seed " << seed;
        EXPECT_EQ(write(merged), write(merge(ranks, {}))) << "seed " << seed;
    }
}

TEST(Merge, a_different_first_rank_keeps_its_own_part) {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < 4; ++me) {
        testing::Rank rank(me, 4);
        for (int i = 0; i < 50; ++i) {
            rank.barrier();
            if (me == 0) rank.send(3);
            if (me == 3) rank.receive(0);
        }
        ranks.push_back(rank.finish());
    }
    const Recording recording = merge(ranks, {});
    for (std::uint32_t me = 0; me < 4; ++me)
        EXPECT_EQ(testing::expanded(recording, me), testing::expanded(ranks[me]));
    EXPECT_EQ(recording.event_counts(0)[0], 1u);
    std::uint64_t calls = 0;
    for (const std::uint64_t count : recording.event_counts(3)) calls += count;
    EXPECT_EQ(calls, 102u);
}

}  // namespace
}  // namespace refrain::proxy::merge_test
