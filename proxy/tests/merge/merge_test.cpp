#include "merge/anonymous.hpp"
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

TEST(Merge, words_that_ranks_numbered_differently_are_the_same_words) {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < 2; ++me) {
        testing::Rank rank(me, 2);
        if (me == 1) (void)rank.recorder.text("another");
        const auto key = rank.recorder.text("key");
        ranks.push_back(rank.call(Function::Info_delete_, {0, key, 0}).finish());
    }
    const Recording recording = merge(ranks, {});
    EXPECT_EQ(testing::expanded(recording, 0), testing::expanded(recording, 1));
    EXPECT_EQ(describe(testing::expanded(recording, 1)[1], recording.texts, false),
              "MPI_Info_delete(info info0, key \"key\")");
}

TEST(Merge, ranks_within_a_window_are_those_of_its_communicator) {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < 4; ++me) {
        testing::Rank rank(me, 4);
        rank.call(Function::Win_create_, {0, 8, 8, -1, 0, me, 4, 0, 0});
        rank.call(Function::Win_fence_, {0, 0, me, 4, 0});
        rank.call(Function::Put_, {1, 1, 16, (me + 1) % 4, buffer_unused, 0, 1, 16, 0, me, 4, 0});
        rank.call(Function::Win_free_, {0, me, 4, 0});
        ranks.push_back(rank.finish());
    }
    const Recording recording = merge(ranks, {});
    EXPECT_EQ(recording.events.size(), 6u);
    for (std::uint32_t me = 0; me < 4; ++me)
        EXPECT_EQ(testing::expanded(recording, me), testing::expanded(ranks[me]));
}

TEST(Anonymous, nothing_that_names_something_is_left_and_the_calls_are_the_same) {
    testing::Rank rank(0, 1);
    const auto key = rank.recorder.text("secret_key"), value = rank.recorder.text("secret value");
    const auto name = rank.recorder.text("MPI_Put");
    const auto site = rank.recorder.text("/home/secret/app+0x12 (secret_solver)");
    rank.call(Function::Info_set_, {0, key, value, 0});
    rank.send(0, 4711).receive(0, 4711).receive(rank_any, tag_any, 0, 815);
    rank.call(Function::Irecv_, {0, 1, 16, 0, 4711, 0, 0, 1, 0, rank_none, 0, 0});
    rank.call(Function::by_name, {name, site});
    Launch launch;
    launch.words = {"mpirun", "--host", "secret.example", "/home/secret/app", "--secret"};
    launch.program = 3;
    const Recording before = merge({rank.finish()}, launch);
    ASSERT_NE(write(before).find("secret"), std::string::npos);
    Recording after = before;
    make_anonymous(after);
    EXPECT_EQ(write(after).find("secret"), std::string::npos);
    const auto calls = testing::expanded(after, 0), known = testing::expanded(before, 0);
    ASSERT_EQ(calls.size(), known.size());
    for (std::size_t i = 0; i < calls.size(); ++i) EXPECT_EQ(calls[i].function, known[i].function);
    EXPECT_EQ(calls[2].values, (std::vector<std::int64_t>{0, 10, 16, 0, 0, 0, 0, 1, 0}));
    EXPECT_EQ(calls[4].values,
              (std::vector<std::int64_t>{0, 10, 16, rank_any, tag_any, 0, 0, 1, 0, 1, 80, 0, 0}));
    EXPECT_EQ(calls[5].values,
              (std::vector<std::int64_t>{0, 1, 16, 0, 0, 0, 0, 1, 0, rank_none, 0, 0}));
    EXPECT_TRUE(describe(calls[6], after.texts, false).starts_with("MPI_Put(...)"));
}

TEST(Anonymous, how_a_file_spells_numbers_stays_since_mpi_knows_no_other_word) {
    testing::Rank rank(0, 1);
    const auto native = rank.recorder.text("native");
    rank.call(Function::File_set_view_, {0, 64, 16, 16, native, null_handle, 0});
    Recording recording = merge({rank.finish()}, {});
    make_anonymous(recording);
    const Event view = testing::expanded(recording, 0)[1];
    EXPECT_NE(describe(view, recording.texts, false).find("native"), std::string::npos);
}

}  // namespace
}  // namespace refrain::proxy::merge_test
