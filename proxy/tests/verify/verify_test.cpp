#include "verify/verify.hpp"

#include <gtest/gtest.h>

#include "sample_runs.hpp"

namespace refrain::proxy::verify_test {
namespace {

using testing::Rank;

Recording alone(Rank rank) {
    return merge({rank.finish()}, {});
}

Rank polling() {
    Rank rank(0, 1);
    rank.call(Function::Isend_, {0, 1, 16, 0, 1, 0, 0, 1, 0, 0});
    return rank;
}

Comparison strictly(Rank first, Rank second) {
    return compare(alone(std::move(first)), alone(std::move(second)), Equality::strict);
}

TEST(Compare, a_recording_equals_itself) {
    const Recording recording = merge(testing::ring(4, 200), {});
    for (const Equality equality : {Equality::same, Equality::strict}) {
        const Comparison result = compare(recording, recording, equality);
        EXPECT_FALSE(result.difference);
        EXPECT_EQ(result.events, 4u * (200 * 2 + 20 + 2));
    }
}

TEST(Compare, the_first_difference_is_named_with_rank_and_call) {
    for (const int where : {0, 7, 49}) {
        std::vector<RankRecording> ranks[2];
        for (int side = 0; side < 2; ++side)
            for (std::int64_t me = 0; me < 3; ++me) {
                Rank rank(me, 3);
                for (int i = 0; i < 50; ++i)
                    rank.send((me + 1) % 3, side == 1 && me == 2 && i == where ? 8 : 1);
                ranks[side].push_back(rank.finish());
            }
        const Comparison result = compare(merge(ranks[0], {}), merge(ranks[1], {}), Equality::same);
        ASSERT_TRUE(result.difference);
        EXPECT_EQ(result.difference->rank, 2u);
        EXPECT_EQ(result.difference->event, static_cast<std::uint64_t>(where) + 2);
        EXPECT_NE(result.difference->first.find("tag 1"), std::string::npos);
        EXPECT_NE(result.difference->second.find("tag 8"), std::string::npos);
        EXPECT_FALSE(result.difference->path.empty());
    }
}

TEST(Compare, a_call_too_few_and_a_call_too_many_are_seen) {
    const Recording shorter = alone(Rank(0, 1).barrier());
    const Recording longer = alone(Rank(0, 1).barrier().barrier());
    EXPECT_TRUE(compare(shorter, longer, Equality::same).difference);
    EXPECT_TRUE(compare(longer, shorter, Equality::same).difference);
    EXPECT_TRUE(compare(longer, shorter, Equality::strict).difference);
}

TEST(Compare, another_number_of_ranks_is_a_difference) {
    EXPECT_TRUE(
        compare(merge(testing::ring(2, 1), {}), merge(testing::ring(3, 1), {}), Equality::same)
            .difference);
}

TEST(Compare, a_pinned_wildcard_is_equal_if_it_has_the_recorded_match) {
    const Recording any = alone(Rank(0, 1).receive(rank_any, tag_any, 0, 5));
    const Comparison right = compare(any, alone(Rank(0, 1).receive(0, 5)), Equality::strict);
    EXPECT_FALSE(right.difference);
    EXPECT_EQ(right.pinned, 1u);
    EXPECT_TRUE(compare(any, alone(Rank(0, 1).receive(0, 6)), Equality::strict).difference);
    EXPECT_TRUE(compare(any, alone(Rank(0, 1).receive(0, 5)), Equality::same).difference);
}

TEST(Compare, a_test_that_said_no_equals_a_question_about_the_same_request) {
    const auto original = [] {
        return polling()
            .call(Function::Test_, {0, 0, 0, 0, 0})
            .call(Function::Test_, {0, 1, 0, 0, 0});
    };
    const auto asked = [](std::int64_t request, int times) {
        Rank rank = polling();
        for (int i = 0; i < times; ++i)
            rank.call(Function::Request_get_status_, {request, i % 2, 0, 0, 0});
        return std::move(rank.call(Function::Test_, {0, 1, 0, 0, 0}));
    };
    const Comparison right = strictly(original(), asked(0, 1));
    EXPECT_FALSE(right.difference);
    EXPECT_EQ(right.refused_polls, 1u);
    EXPECT_FALSE(strictly(original(), asked(0, 5)).difference)
        << "waiting asks as often as it takes";
    EXPECT_TRUE(strictly(original(), asked(0, 0)).difference) << "nobody asked";
    EXPECT_TRUE(strictly(original(), asked(1, 1)).difference) << "about another request";
}

TEST(Compare, a_request_is_looked_at_as_often_where_it_is_not_done_and_until_it_is) {
    const auto looks = [](std::int64_t request, const std::vector<int>& answers) {
        Rank rank = polling();
        for (const int answer : answers)
            rank.call(Function::Request_get_status_, {request, answer, 0, 0, 0});
        return std::move(rank.call(Function::Test_, {0, 1, 0, 0, 0}));
    };
    const Comparison right = strictly(looks(0, {0, 0, 1}), looks(0, {0, 1, 0, 0, 1, 1}));
    EXPECT_FALSE(right.difference) << "the network is faster or slower; the test waits, too";
    EXPECT_EQ(right.refused_polls, 2u);
    EXPECT_FALSE(strictly(looks(0, {0, 0, 1}), looks(0, {1, 1, 1, 1})).difference);
    EXPECT_TRUE(strictly(looks(0, {0, 0, 1}), looks(0, {0, 0, 0})).difference) << "never told yes";
    EXPECT_TRUE(strictly(looks(0, {0, 0, 1}), looks(0, {0, 1})).difference) << "asked too seldom";
    EXPECT_TRUE(strictly(looks(0, {1}), looks(1, {1})).difference) << "about another request";
    EXPECT_TRUE(strictly(looks(0, {0}), looks(0, {})).difference) << "not asked";
}

TEST(Compare, requests_that_a_wait_for_any_did_not_complete_may_be_hidden) {
    const auto waits = [](std::int64_t other, std::int64_t index) {
        return std::move(Rank(0, 1).call(Function::Waitany_, {2, 2, 0, other, index, 8, 0, 0}));
    };
    EXPECT_FALSE(strictly(waits(1, 0), waits(null_handle, 0)).difference);
    EXPECT_TRUE(strictly(waits(1, 0), waits(1, 1)).difference);
}

TEST(Compare, a_probe_that_found_something_is_waited_for_first) {
    const auto probe = [](Rank rank) {
        return std::move(rank.call(Function::Iprobe_, {rank_any, 4, 0, 0, 1, 1, 0, 4, 8, 0, 0}));
    };
    const auto exact = [](Rank rank) {
        return std::move(rank.call(Function::Iprobe_, {0, 4, 0, 0, 1, 1, 0, 4, 8, 0, 0}));
    };
    Rank waiting(0, 1);
    waiting.call(Function::Probe_, {0, 4, 0, 0, 1, 0, 4, 8, 0, 0});
    EXPECT_FALSE(strictly(probe(Rank(0, 1)), exact(std::move(waiting))).difference);
    EXPECT_TRUE(strictly(probe(Rank(0, 1)), exact(Rank(0, 1))).difference);
}

TEST(Compare, a_simulated_proxy_polls_as_the_program_did) {
    const auto polls = [](std::int64_t request, bool simulated) {
        Recording recording = alone(polling()
                                        .call(Function::Test_, {request, 0, 0, 0, 0})
                                        .call(Function::Test_, {0, 1, 0, 0, 0}));
        if (simulated) recording.library = "SMPI 3.32";
        return recording;
    };
    const auto compared = [](const Recording& first, const Recording& second) {
        return compare(first, second, Equality::strict);
    };
    const Comparison right = compared(polls(0, true), polls(0, true));
    EXPECT_FALSE(right.difference);
    EXPECT_EQ(right.refused_polls, 1u);
    EXPECT_TRUE(compared(polls(0, true), polls(1, true)).difference) << "about another request";
    EXPECT_TRUE(compared(polls(0, true), polls(0, false)).difference)
        << "elsewhere it might have completed the request";
}

/// What it computes takes simulated time that the program's may not have taken.
TEST(Compare, a_simulated_proxy_that_polled_too_early_polls_again) {
    const auto polls = [](bool early, bool simulated) {
        Rank rank = polling();
        if (early) rank.call(Function::Test_, {0, 0, 0, 0, 0});
        rank.call(Function::Test_, {0, 1, 0, 0, 0});
        if (early) rank.call(Function::Testall_, {2, 2, 3, 4, 0, 0, 0});
        rank.call(Function::Testall_, {2, 2, 3, 4, 1, 2, 0, 0, 0, 0, 0});
        // A proxy hides what was not completed.
        if (early) rank.call(Function::Testany_, {2, 2, null_handle, 6, no_index, 0, 0, 0, 0});
        Recording recording = alone(rank.call(Function::Testany_, {2, 2, 5, 6, 1, 1, 80, 0, 0}));
        if (simulated) recording.library = "SMPI 3.32";
        return recording;
    };
    const auto differ = [](const Recording& first, const Recording& second) {
        return compare(first, second, Equality::strict).difference.has_value();
    };
    EXPECT_FALSE(differ(polls(false, true), polls(true, true)));
    EXPECT_TRUE(differ(polls(false, true), polls(true, false))) << "elsewhere it waits";
}

TEST(Compare, a_simulated_proxy_may_find_by_and_by_what_the_program_found_at_once) {
    // Of requests 3 and 4: places in the array, and bytes.
    using Rows = std::vector<std::pair<std::int64_t, std::int64_t>>;
    Function function = Function::Waitsome_;
    const auto waits = [&](const std::vector<Rows>& calls, bool simulated = true) {
        Rank rank(0, 1);
        for (const Rows& rows : calls) {
            const auto count = static_cast<std::int64_t>(rows.size());
            std::vector<std::int64_t> values{2, 2, 3, 4, count, count};
            for (const auto& row : rows) values.push_back(row.first);
            values.push_back(count);
            for (const auto& row : rows) values.insert(values.end(), {row.second, 0});
            values.push_back(0);
            rank.call(function, values);
        }
        Recording recording = alone(std::move(rank.barrier()));
        if (simulated) recording.library = "SMPI 3.32";
        return recording;
    };
    const auto differ = [](const Recording& first, const Recording& second) {
        return compare(first, second, Equality::strict).difference.has_value();
    };
    for (const Function each : {Function::Waitsome_, Function::Testsome_}) {
        function = each;
        const Recording program = waits({{{1, 0}, {0, 80}}});
        EXPECT_FALSE(differ(program, waits({{{0, 80}, {1, 0}}}))) << "in any order";
        EXPECT_FALSE(differ(program, waits({{{1, 0}}, {{0, 80}}})));
        EXPECT_TRUE(differ(program, waits({{{1, 0}}, {{0, 72}}}))) << "another message";
        EXPECT_TRUE(differ(program, waits({{{1, 0}}, {{1, 0}}}))) << "one of them twice";
        EXPECT_TRUE(differ(program, waits({{{1, 0}}}))) << "one of them never";
        for (const std::int64_t none : {std::int64_t{2}, std::int64_t{-1}, std::int64_t{1} << 40})
            EXPECT_TRUE(differ(program, waits({{{none, 0}}, {{0, 80}}}))) << "no request " << none;
        EXPECT_TRUE(differ(program, waits({{{1, 0}}, {{0, 80}}}, false)))
            << "elsewhere it waits for both before it calls";
        EXPECT_TRUE(differ(waits({{{1, 0}}, {{0, 80}}}), program)) << "the program called twice";
        const bool may_find_none = function == Function::Testsome_;
        EXPECT_EQ(differ(program, waits({{}, {{1, 0}}, {}, {}, {{0, 80}}})), !may_find_none);
        EXPECT_TRUE(differ(program, waits({{{1, 0}}, {}}))) << "one of them never";
    }
}

TEST(Counts, the_counter_contradicts_a_recording_that_lost_a_call) {
    Recording recording = alone(Rank(0, 1).send(0).receive(0));
    recording.counts = {"Send 1 80\nRecv 1 80\nto 0: 1 80\n"};
    EXPECT_TRUE(check_counts(recording).empty());
    Recording other = recording;
    other.counts = {"Send 2 160\nRecv 1 80\nto 0: 2 160\n"};
    EXPECT_EQ(check_counts(other).size(), 1u);
    EXPECT_EQ(compare_counts(recording, other).size(), 2u);
    EXPECT_TRUE(compare_counts(recording, recording).empty());
    other.counts.clear();
    EXPECT_FALSE(compare_counts(recording, other).empty());
}

}  // namespace
}  // namespace refrain::proxy::verify_test
