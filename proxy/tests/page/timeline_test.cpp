#include "proxy_page/timeline.hpp"

#include "proxy_page/words.hpp"

#include <gtest/gtest.h>
#include <numeric>

#include "sample_runs.hpp"

namespace refrain::proxy {
namespace {

using testing::Rank;

/// Rings of so many ranks: `first` turns of Send and Recv, then a barrier, then `second` turns of barriers and sends. Rank r
/// computes (r + 1) us before each Send.
Recording two_loops(std::uint32_t size, int first, int second) {
    std::vector<RankRecording> ranks;
    for (std::uint32_t me = 0; me < size; ++me) {
        Rank rank(me, size);
        const auto send = [&](std::int64_t tag) {
            rank.call(Function::Send_,
                      {0, 10, testing::double_type, (me + 1) % size, tag, 0, me, size, 0},
                      1e-6 * (me + 1));
        };
        for (int i = 0; i < first; ++i) send(1), rank.receive((me + size - 1) % size);
        rank.split(0, 2, me, size);
        for (int i = 0; i < second; ++i) send(2), rank.receive((me + size - 1) % size, 2).barrier();
        ranks.push_back(rank.finish());
    }
    return merge(std::move(ranks), {});
}

double seconds_of(const Timeline::Row& row) {
    return std::accumulate(row.seconds.begin(), row.seconds.end(), 0.0);
}

TEST(Timeline, has_loops_and_what_lies_between_and_a_turn_of_each_rank) {
    const Timeline timeline = timeline_of(two_loops(4, 50, 30));
    ASSERT_EQ(timeline.phases.size(), 5u) << "Init, loop, Comm_split, loop, Finalize";
    const Timeline::Phase& loop = timeline.phases[1];
    EXPECT_TRUE(loop.is_loop);
    EXPECT_EQ(loop.contents, "Send, Recv");
    EXPECT_EQ(loop.turns_least, 50u);
    EXPECT_EQ(loop.turns_most, 50u);
    EXPECT_EQ(timeline.phases[3].contents, "Send, Recv, Barrier");
    EXPECT_FALSE(timeline.phases[2].is_loop);
    ASSERT_EQ(loop.rows.size(), 4u);
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        // Work of (rank + 1) us and of 1 us, and two calls of 0.1 us.
        EXPECT_NEAR(seconds_of(loop.rows[rank]), 1e-6 * (rank + 2.2), 1e-12);
        EXPECT_EQ(loop.shapes[loop.rows[rank].shape].size(), 4u);
    }
    EXPECT_NEAR(loop.least, 2.2e-6, 1e-12);
    EXPECT_NEAR(loop.most, 5.2e-6, 1e-12);
    EXPECT_NEAR(loop.mean, 3.7e-6, 1e-12);
    EXPECT_NEAR(loop.deviation, 1.118e-6, 1e-9);
}

/// Rank 0 serves as many turns as all the others ask for, each its own number.
TEST(Timeline, loops_of_ranks_that_do_something_else_meanwhile_are_one_phase) {
    std::vector<RankRecording> ranks;
    Rank master(0, 4);
    for (int i = 0; i < 11 + 12 + 13; ++i) master.receive(-1, 1, 1 + i % 3, 1);
    ranks.push_back(master.barrier().finish());
    for (std::int64_t me = 1; me < 4; ++me) {
        Rank worker(me, 4);
        for (std::int64_t i = 0; i < 10 + me; ++i) worker.send(0).barrier();
        ranks.push_back(worker.barrier().finish());
    }
    const Timeline timeline = timeline_of(merge(std::move(ranks), {}));
    ASSERT_GE(timeline.phases.size(), 3u);
    EXPECT_EQ(timeline.phases[1].ranks.size(), 4u);
    EXPECT_LT(timeline.phases[1].turns_least, timeline.phases[1].turns_most);
    EXPECT_EQ(timeline.phases.front().ranks.size(), 4u) << "all begin with MPI_Init";
    EXPECT_EQ(timeline.phases.back().ranks.size(), 4u);
}

TEST(Timeline, has_all_calls_and_all_time_of_the_run) {
    for (const std::uint32_t size : {2u, 7u, 70u}) {
        const Recording recording = two_loops(size, 40, 7);
        std::uint64_t calls = 0, recorded = 0;
        double seconds = 0, time = 0;
        for (const Timeline::Phase& phase : timeline_of(recording).phases) {
            calls += phase.calls;
            seconds += phase.seconds;
        }
        for (const CallTime& each : recording.times) recorded += each.count, time += each.seconds;
        for (const auto& work : recording.work)
            for (const auto& rank : work.ranks) time += rank.seconds;
        EXPECT_EQ(calls, recorded);
        EXPECT_NEAR(seconds, time, 0.02 * time) << "means; the first turn has other neighbours";
    }
}

TEST(Timeline, rows_of_many_ranks_are_ranks_that_do_the_same) {
    const Timeline timeline = timeline_of(two_loops(256, 20, 5));
    for (const Timeline::Phase& phase : timeline.phases) {
        EXPECT_LE(phase.rows.size(), Timeline::rows_max);
        std::size_t ranks = 0, pieces = 0;
        for (const Timeline::Row& row : phase.rows) {
            ranks += row.ranks.size();
            pieces += row.seconds.size();
            EXPECT_FALSE(row.first_only);
            EXPECT_EQ(row.seconds.size(), phase.shapes[row.shape].size());
        }
        EXPECT_EQ(ranks, 256u);
        EXPECT_LE(pieces, Timeline::pieces_max);
    }
    // The mean of ranks 0 to 3: 1 to 4 us before each Send.
    EXPECT_NEAR(seconds_of(timeline.phases[1].rows[0]), 3.7e-6, 1e-12);
}

TEST(Timeline, ranks_that_all_do_something_else_are_drawn_by_the_first_of_each_row) {
    std::vector<RankRecording> ranks;
    for (std::uint32_t me = 0; me < 100; ++me) {
        Rank rank(me, 100);
        for (std::uint32_t i = 0; i < me + 2; ++i)
            rank.send((me + 1) % 100, 1 + i % 3, me * i % 7).barrier();
        ranks.push_back(rank.finish());
    }
    bool some_first_only = false;
    for (const Timeline::Phase& phase : timeline_of(merge(std::move(ranks), {})).phases)
        for (const Timeline::Row& row : phase.rows) {
            EXPECT_LE(phase.rows.size(), Timeline::rows_max);
            EXPECT_FALSE(row.seconds.empty());
            some_first_only = some_first_only || row.first_only;
        }
    EXPECT_TRUE(some_first_only);
}

/// Loops within loops within the loop: 5,000 calls a turn, and a turn of calls that never come again.
TEST(Timeline, long_turns_are_drawn_coarser_and_last_as_long) {
    std::vector<RankRecording> ranks;
    for (std::uint32_t me = 0; me < 2; ++me) {
        Rank rank(me, 2);
        for (int turn = 0; turn < 6; ++turn) {
            for (int i = 0; i < 2500; ++i) rank.send(1 - me, 1).receive(1 - me, 1);
            rank.barrier();
        }
        for (int i = 0; i < 9000; ++i) rank.send(1 - me, 2 + (i * i + i / 7) % 31, i % 13);
        ranks.push_back(rank.finish());
    }
    for (const Timeline::Phase& phase : timeline_of(merge(std::move(ranks), {})).phases)
        for (const Timeline::Row& row : phase.rows) {
            EXPECT_LE(row.seconds.size(), Timeline::pieces_max / 2);
            EXPECT_NEAR(seconds_of(row), phase.mean, 1e-3 * phase.mean);
        }
}

TEST(Timeline, of_a_recording_without_times_says_so) {
    Recording recording = two_loops(2, 5, 5);
    recording.source = Source::counts;
    EXPECT_FALSE(timeline_of(recording).missing.empty());
    EXPECT_TRUE(timeline_of(recording).phases.empty());
}

TEST(Timeline, knows_what_calls_are_for) {
    const std::vector<std::pair<Function, Activity>> known = {
        {Function::Send_, Activity::messages},
        {Function::Irecv_, Activity::messages},
        {Function::Probe_, Activity::messages},
        {Function::Waitall_, Activity::waiting},
        {Function::Testany_, Activity::waiting},
        {Function::Allreduce_, Activity::collectives},
        {Function::Ibarrier_, Activity::collectives},
        {Function::Put_, Activity::windows},
        {Function::Win_fence_, Activity::windows},
        {Function::File_write_all_, Activity::files},
        {Function::Comm_split_, Activity::other},
        {Function::Init_, Activity::other},
        {Function::Neighbor_alltoall_, Activity::collectives}};
    for (const auto& [function, activity] : known)
        EXPECT_EQ(activity_of({function, {}}), activity) << info(function).name;
}

TEST(Words, name_ranks) {
    RankSet ranks(3);
    EXPECT_EQ(ranks_in_words(ranks), "rank 3");
    ranks.add(RankSet::Range{5, 9});
    EXPECT_EQ(ranks_in_words(ranks), "ranks 3, 5-9");
    EXPECT_EQ(ranks_in_words(ranks, 1), "ranks 3, ... (6)");
}

}  // namespace
}  // namespace refrain::proxy
