#include "generate/free.hpp"

#include "generate/generate.hpp"
#include "verify/verify.hpp"

#include <gtest/gtest.h>

#include "sample_runs.hpp"

namespace refrain::proxy::free_test {
namespace {

using testing::Rank;

enum class Between { nothing, barrier };

/// Rank 0 receives from both others in each round, in the order that is given.
Recording rounds(Between between, std::vector<std::int64_t> order) {
    Rank root(0, 3), first(1, 3), second(2, 3);
    for (std::size_t i = 0; i < order.size(); ++i) {
        root.receive(rank_any, 1, order[i], 1);
        if (i % 2 == 0) continue;
        first.send(0);
        second.send(0);
        // Rank 0 waits for nobody else: without a barrier it answers one of them.
        if (between == Between::barrier) root.barrier(), first.barrier(), second.barrier();
        if (between == Between::nothing) root.send(1, 2), first.receive(0, 2);
    }
    std::vector<RankRecording> ranks;
    for (Rank* rank : {&root, &first, &second}) ranks.push_back(rank->finish());
    return merge(std::move(ranks), {});
}

TEST(FreePlan, receives_before_a_barrier_stay_receives_from_any_source) {
    const FreePlan plan = plan_free(rounds(Between::barrier, {1, 2, 2, 1}));
    EXPECT_EQ(plan.live.size(), 2u) << "one event for each match";
    EXPECT_TRUE(plan.kept.empty());
}

TEST(FreePlan, a_rank_that_nobody_holds_back_could_send_early) {
    // Rank 2 sends both messages at once: rank 0 could receive these first, and rank 1 would wait for its answer.
    const FreePlan plan = plan_free(rounds(Between::nothing, {1, 2, 1, 2}));
    EXPECT_TRUE(plan.live.empty());
    ASSERT_FALSE(plan.kept.empty());
    EXPECT_NE(plan.kept[0].find("rank 2 could have sent"), std::string::npos) << plan.kept[0];
}

TEST(FreePlan, messages_of_one_rank_have_its_order) {
    Rank root(0, 2), other(1, 2);
    for (int i = 0; i < 3; ++i) {
        other.send(0);
        root.receive(rank_any, 1, 1, 1).send(1, 2);
    }
    for (int i = 0; i < 3; ++i) other.receive(0, 2);
    const FreePlan plan = plan_free(merge({root.finish(), other.finish()}, {}));
    EXPECT_EQ(plan.live.size(), 1u);
}

TEST(Compare, live_matches_are_compared_as_sets) {
    const Recording original = rounds(Between::barrier, {1, 2, 1, 2});
    const Comparison turned =
        compare(original, rounds(Between::barrier, {2, 1, 1, 2}), Equality::free);
    EXPECT_FALSE(turned.difference);
    EXPECT_EQ(turned.live, 4u);
    const Recording lost = rounds(Between::barrier, {1, 2, 1, 1});
    const Comparison other = compare(original, lost, Equality::free);
    ASSERT_TRUE(other.difference) << "rank 2 is received from too rarely";
    EXPECT_NE(other.difference->second.find("1 more such"), std::string::npos);
    EXPECT_TRUE(
        compare(original, rounds(Between::barrier, {2, 1, 1, 2}), Equality::strict).difference);
}

/// Tests a request so often in vain before it is done, and then another time.
Recording tests(int in_vain, bool succeeds) {
    Rank rank(0, 1);
    rank.call(Function::Isend_, {0, 1, 16, 0, 1, 0, 0, 1, 0, 0});
    for (int i = 0; i < in_vain; ++i) rank.call(Function::Test_, {0, 0, 0, 0, 0});
    if (succeeds) rank.call(Function::Test_, {0, 1, 0, 0, 0});
    if (!succeeds) rank.call(Function::Wait_, {0, 0, 0, 0});
    return merge({rank.finish()}, {});
}

TEST(FreePlan, polls_are_folded_if_they_are_told_yes) {
    const Recording original = tests(5, true);
    const FreePlan plan = plan_free(original);
    EXPECT_EQ(plan.folded.size(), 1u);
    std::map<std::uint32_t, double> pauses;
    const Recording folded = fold_polls(original, plan, pauses);
    EXPECT_EQ(testing::expanded(folded, 0).size(), testing::expanded(original, 0).size() - 5);
    ASSERT_EQ(pauses.size(), 1u);
    EXPECT_NEAR(pauses.begin()->second, 1e-6, 1e-9);
    const std::string text = free_proxy_text(original, "");
    EXPECT_TRUE(is_free_proxy(text));
    EXPECT_FALSE(is_free_proxy(proxy_text(original, "")));
    EXPECT_NE(text.find("poll_test(&request[0], 1e-6)"), std::string::npos);
    for (const int in_vain : {0, 1, 9})
        EXPECT_FALSE(compare(original, tests(in_vain, true), Equality::free).difference);
    EXPECT_TRUE(compare(original, tests(5, false), Equality::free).difference);
}

TEST(FreePlan, polls_that_are_never_told_yes_are_kept) {
    const FreePlan plan = plan_free(tests(5, false));
    EXPECT_TRUE(plan.folded.empty());
    EXPECT_EQ(plan.polls_kept, 1u);
}

}  // namespace
}  // namespace refrain::proxy::free_test
