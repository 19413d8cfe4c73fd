#include "generate/slice.hpp"

#include "generate/generate.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

#include "sample_runs.hpp"

namespace refrain::proxy::slice_test {
namespace {

using testing::Rank;

/// A type is made; three phases, the second of which calls something that no proxy is made of.
Recording three_phases() {
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < 2; ++me) {
        Rank rank(me, 2);
        rank.call(Function::Type_contiguous_, {3, 16, derived_type, 0}, 2.0);
        for (int i = 0; i < 30; ++i) rank.send(1 - me).receive(1 - me);
        rank.call(Function::Type_commit_, {derived_type, 0});
        const auto name = rank.recorder.text("MPI_Put"), site = rank.recorder.text("./app+0x12");
        for (int i = 0; i < 4; ++i) rank.barrier().call(Function::by_name, {name, site});
        rank.call(Function::Type_free_, {derived_type, 0});
        for (int i = 0; i < 5; ++i) rank.barrier().send(1 - me, 7).receive(1 - me, 7);
        ranks.push_back(rank.finish());
    }
    return merge(ranks, {});
}

std::string problem(const std::string& phase, Iterations iterations = {}) {
    try {
        (void)slice(three_phases(), phase, iterations);
        return "none";
    } catch (const std::runtime_error& error) {
        return error.what();
    }
}

std::vector<Function> functions(const std::vector<Event>& events) {
    std::vector<Function> all;
    for (const Event& event : events) all.push_back(event.function);
    return all;
}

TEST(Slice, a_phase_is_left_with_the_calls_outside_of_phases) {
    const Recording part = slice(three_phases(), "step_of_2", {10, 12});
    std::vector<Function> expected{Function::Init_, Function::Type_contiguous_};
    for (int i = 0; i < 3; ++i) {
        expected.push_back(Function::Send_);
        expected.push_back(Function::Recv_);
    }
    for (const Function each : {Function::Type_commit_, Function::Type_free_, Function::Finalize_})
        expected.push_back(each);
    EXPECT_EQ(functions(testing::expanded(part, 0)), expected);
    EXPECT_EQ(functions(testing::expanded(part, 1)), expected);
    EXPECT_EQ(part.ranks[0].events, expected.size());
}

TEST(Slice, only_the_phase_computes) {
    for (const auto& work : slice(three_phases(), "step_of_2", {}).work)
        for (const auto& rank : work.ranks) EXPECT_LT(rank.seconds, 1.0);
}

TEST(Slice, computes_as_often_as_its_iterations_say) {
    // 29 hundredths, as a binary fraction, times 100 are a little less than 29.
    std::vector<RankRecording> ranks;
    for (std::int64_t me = 0; me < 2; ++me) {
        Rank rank(me, 2);
        for (int i = 0; i < 100; ++i) rank.send(1 - me).receive(1 - me);
        ranks.push_back(rank.finish());
    }
    const Recording part = slice(merge(ranks, {}), "", {1, 29});
    bool found = false;
    for (const auto& work : part.work) {
        if (work.before == Work::start || part.events[work.before].function != Function::Send_)
            continue;
        for (const auto& rank : work.ranks) {
            EXPECT_EQ(rank.count, 29u);
            found = true;
        }
    }
    EXPECT_TRUE(found);
}

TEST(Slice, a_call_that_stands_in_the_way_of_a_proxy_may_lie_outside_of_a_slice) {
    EXPECT_FALSE(obstacles(three_phases()).empty());
    EXPECT_TRUE(obstacles(slice(three_phases(), "step_of_2", {})).empty());
}

TEST(Slice, a_slice_is_written_and_read) {
    const Recording part = slice(three_phases(), "step_of_3", {2, 3});
    const Recording again = read_recording(write(part), "slice");
    EXPECT_TRUE(is_slice(again));
    EXPECT_FALSE(is_slice(three_phases()));
    EXPECT_EQ(testing::expanded(again, 1), testing::expanded(part, 1));
}

TEST(Slice, a_phase_that_is_not_there_is_answered_with_those_that_are) {
    EXPECT_NE(problem("solve").find("step_of_2: 30 x"), std::string::npos) << problem("solve");
    EXPECT_NE(problem("").find("which phase is meant"), std::string::npos);
    EXPECT_EQ(problem("step_of_2", {0, 3}), "iterations 0..3: phase 'step_of_2' has 1..30");
    EXPECT_EQ(problem("step_of_2", {4, 31}), "iterations 4..31: phase 'step_of_2' has 1..30");
}

}  // namespace
}  // namespace refrain::proxy::slice_test
