#include "merge/parts.hpp"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <utility>

#include "sample_runs.hpp"

namespace refrain::proxy::parts_test {
namespace {

/// By the events around it: how much work there was.
std::map<std::pair<std::string, std::string>, std::pair<std::uint64_t, double>> work_of(
    const RankRecording& recording) {
    std::map<std::pair<std::string, std::string>, std::pair<std::uint64_t, double>> all;
    const auto name = [&](std::uint32_t event) {
        return event == Work::start ? "" : describe(recording.events[event], {}, false);
    };
    for (const Work& work : recording.work) {
        auto& [count, seconds] = all[{name(work.before), name(work.after)}];
        count += work.count;
        seconds += work.seconds;
    }
    return all;
}

TEST(Parts, together_are_what_one_recording_would_have_been) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        std::mt19937_64 random(seed);
        testing::Rank whole(0, 4), cut(0, 4);
        std::vector<RankRecording> parts;
        for (int step = 0; step < 200; ++step) {
            const auto tag = static_cast<std::int64_t>(random() % 3);
            for (testing::Rank* const rank : {&whole, &cut}) {
                rank->send(1, tag);
                if (tag == 0) rank->barrier();
            }
            if (random() % 30 != 0) continue;
            parts.push_back(cut.recorder.recording());
            cut.recorder.begin_part();
        }
        parts.push_back(cut.finish());
        const RankRecording one = whole.finish(), joined = join_parts(parts);
        EXPECT_EQ(testing::expanded(joined), testing::expanded(one)) << "seed " << seed;
        const auto expected = work_of(one), found = work_of(joined);
        ASSERT_EQ(found.size(), expected.size()) << "seed " << seed;
        for (const auto& [pair, work] : expected) {
            EXPECT_EQ(found.at(pair).first, work.first);
            EXPECT_NEAR(found.at(pair).second, work.second, 1e-12);
        }
        EXPECT_EQ(testing::expanded(read_rank(write(joined), "joined")), testing::expanded(one));
    }
}

TEST(Parts, keep_the_memory_of_an_irregular_stream_within_bounds) {
    std::mt19937_64 random(7);
    testing::Rank rank(0, 4);
    constexpr std::size_t memory = 200000;
    std::size_t most = 0, parts = 0;
    for (int step = 0; step < 20000; ++step) {
        rank.send(1, static_cast<std::int64_t>(random() % 1000), 1 + step);
        if (rank.recorder.bytes() > memory) {
            rank.recorder.begin_part();
            ++parts;
        }
        most = std::max(most, rank.recorder.bytes());
    }
    EXPECT_GT(parts, 5u);
    EXPECT_LT(most, 2 * memory);
}

TEST(Parts, know_all_memory_that_was_attached_and_none_of_it_twice) {
    testing::Rank rank(0, 4);
    constexpr std::size_t memory = 100000;
    std::vector<RankRecording> parts;
    for (std::uint64_t i = 0; i < 10000; ++i) {
        rank.recorder.attach({64 * (i % 5000), 64});
        if (rank.recorder.bytes() <= memory) continue;
        parts.push_back(rank.recorder.recording());
        rank.recorder.begin_part();
    }
    parts.push_back(rank.finish());
    EXPECT_GT(parts.size(), 3u);
    const RankRecording whole = join_parts(parts);
    ASSERT_EQ(whole.attached.size(), 5000u);
    EXPECT_EQ(whole.attached.back(), (Attached{64 * 4999, 64}));
}

TEST(Parts, a_loop_takes_no_more_memory_the_longer_it_runs) {
    testing::Rank rank(0, 4);
    const auto after = [&](int steps) {
        for (int step = 0; step < steps; ++step) rank.send(1).receive(2).barrier();
        return rank.recorder.bytes();
    };
    const std::size_t once = after(1000);
    EXPECT_EQ(after(100000), once);
}

}  // namespace
}  // namespace refrain::proxy::parts_test
