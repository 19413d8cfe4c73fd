#include "events/block_file.hpp"
#include "merge/recording.hpp"

#include <gtest/gtest.h>

#include "sample_runs.hpp"

namespace refrain::proxy::file_test {
namespace {

std::string complaint(const std::string& file, bool merged) {
    try {
        if (merged)
            (void)read_recording(file, "some.rpx");
        else
            (void)read_rank(file, "some.rpr");
    } catch (const DamagedFile& damage) {
        return damage.what();
    }
    return {};
}

class Files : public ::testing::TestWithParam<bool> {
  protected:
    [[nodiscard]] static std::string file() {
        const auto ranks = testing::ring(3, 25);
        return GetParam() ? write(merge(ranks, {{"mpirun", "app"}, 1, 0.5, 0})) : write(ranks[1]);
    }
};

TEST_P(Files, a_file_that_ends_at_any_byte_is_refused_with_the_place) {
    const std::string whole = file();
    ASSERT_EQ(complaint(whole, GetParam()), "");
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_NE(complaint(whole.substr(0, size), GetParam()).find("at byte"), std::string::npos)
            << size;
}

TEST_P(Files, a_change_of_any_byte_is_seen) {
    const std::string whole = file();
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (const int change : {0x01, 0x80, 0xff}) {
            std::string altered = whole;
            altered[at] = static_cast<char>(altered[at] ^ change);
            EXPECT_NE(complaint(altered, GetParam()).find("at byte"), std::string::npos) << at;
        }
    EXPECT_NE(complaint(whole + "x", GetParam()), "");
}

INSTANTIATE_TEST_SUITE_P(All, Files, ::testing::Bool(),
                         [](const auto& each) { return each.param ? "merged" : "rank"; });

TEST(RankFile, threads_and_attached_memory_are_kept) {
    testing::Rank rank(0, 1);
    Event barrier{Function::Barrier_, {0, 0, 1, 0}};
    rank.recorder.append(barrier, 0, 0);
    rank.recorder.use(2);
    barrier.thread = 2;
    rank.recorder.append(barrier, 0, 0);
    rank.recorder.set_life({2, 2, 2, 3});
    (void)rank.recorder.slot(0x118, 0, 8);
    rank.recorder.use(0);
    rank.recorder.attach({0x1000, 64});
    const RankRecording before = rank.finish();
    const RankRecording after = read_rank(write(before), "a");
    EXPECT_EQ(after.events, before.events);
    EXPECT_EQ(after.events.at(2).thread, 2u);
    EXPECT_EQ(after.attached, before.attached);
    ASSERT_EQ(after.threads.size(), 2u);
    EXPECT_EQ(after.threads[1].grammar, before.threads[1].grammar);
    EXPECT_EQ(after.threads[1].life.behind, 2u);
    EXPECT_EQ(after.threads[1].life.ended, 3u);
    EXPECT_EQ(after.threads[1].slots.at(0).behind, 8);
    EXPECT_EQ(after.threads[1].slots.at(0).low_bits, 0x18);
    EXPECT_EQ(describe(after.events[2], {}, false).rfind("thread 2: MPI_Barrier(", 0), 0u);
}

TEST(RankFile, calls_of_a_thread_that_has_no_stream_are_refused) {
    RankRecording recording = testing::ring(2, 3)[0];
    recording.events[1].thread = 1;
    try {
        (void)read_rank(write(recording), "a");
        FAIL();
    } catch (const DamagedFile& error) {
        EXPECT_NE(std::string(error.what()).find("a thread that is not there"), std::string::npos);
    }
}

// A length is bounded by the values that are there: no fixed limit, and no memory for what is only claimed.
TEST(RankFile, an_array_of_any_length_is_read_and_a_claimed_one_is_refused) {
    const std::size_t length = (std::size_t{1} << 24) + 1;
    Event wait{Function::Waitall_, std::vector<std::int64_t>(3 + length, 0)};
    wait.values[0] = wait.values[1] = static_cast<std::int64_t>(length);
    wait.values[2 + length] = 0;  // no statuses, and no error
    wait.values.push_back(0);
    EXPECT_TRUE(split(wait));
    for (const int power : {3, 24, 40, 62}) {
        RankRecording recording = testing::ring(2, 3)[0];
        recording.events.push_back({Function::Waitall_, {1, std::int64_t{1} << power, 0, 0, 0}});
        const std::string told = complaint(write(recording), false);
        EXPECT_NE(told.find("do not fit MPI_Waitall"), std::string::npos) << power << told;
        EXPECT_NE(told.find("at byte"), std::string::npos) << power << told;
    }
}

TEST(RankFile, ranges_of_ranks_are_triples) {
    for (std::int64_t numbers = 0; numbers < 7; ++numbers) {
        RankRecording recording = testing::ring(2, 3)[0];
        Event ranges{Function::Group_range_incl_, {0, numbers / 3, numbers}};
        ranges.values.resize(static_cast<std::size_t>(3 + numbers + 2), 0);
        recording.events.push_back(ranges);
        EXPECT_EQ(complaint(write(recording), false).empty(), numbers % 3 == 0) << numbers;
    }
}

TEST(RankFile, what_is_written_is_read) {
    const RankRecording before = testing::ring(2, 30)[1];
    const RankRecording after = read_rank(write(before), "a");
    EXPECT_EQ(after.events, before.events);
    EXPECT_EQ(after.grammar, before.grammar);
    EXPECT_EQ(after.library, "Test MPI");
    EXPECT_EQ(after.work.size(), before.work.size());
    EXPECT_EQ(write(after), write(before));
}

TEST(MergedFile, what_is_written_is_read) {
    Recording before = merge(testing::ring(5, 30), {{"mpirun", "-n", "5", "app"}, 3, 1.25, 0});
    before.counts = {"Send 3 4\n", "", "", "", ""};
    const Recording after = read_recording(write(before), "a");
    EXPECT_EQ(after.events, before.events);
    EXPECT_EQ(after.main, before.main);
    EXPECT_EQ(after.launch.words, before.launch.words);
    EXPECT_EQ(after.counts, before.counts);
    EXPECT_EQ(write(after), write(before));
}

TEST(MergedFile, another_version_is_named_with_what_would_do) {
    std::string file = write(merge(testing::ring(2, 2), {}));
    const auto complaint_of = [&](int version) {
        file[8] = static_cast<char>(version);
        return complaint(file, true);
    };
    const std::string reads =
        ", and this program reads version " + std::to_string(file_version) + "; ";
    for (const auto& [version, way_out] :
         {std::pair(file_version - 1, "record again"),
          std::pair(file_version + 1, "a later refrain proxy reads it")}) {
        const std::string text = complaint_of(version);
        EXPECT_NE(text.find("has version " + std::to_string(version) + reads + way_out),
                  std::string::npos)
            << text;
    }
}

TEST(MergedFile, rules_that_use_themselves_are_refused) {
    Recording recording = merge(testing::ring(2, 30), {});
    ASSERT_FALSE(recording.rules.empty());
    recording.rules[0].push_back({1, 0, true});
    EXPECT_NE(complaint(write(recording), true).find("use themselves"), std::string::npos);
}

TEST(MergedFile, a_rule_that_claims_more_events_than_there_is_time_for_is_read) {
    Recording recording = merge(testing::ring(2, 30), {});
    recording.rules[0][0].count = std::uint64_t{1000000000000000000};
    const Recording after = read_recording(write(recording), "a");
    EXPECT_EQ(after.rules[0][0].count, std::uint64_t{1000000000000000000});
}

}  // namespace
}  // namespace refrain::proxy::file_test
