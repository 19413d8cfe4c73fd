#include "graph/batch_linker.hpp"

#include "graph/watched_run.hpp"

#include <gtest/gtest.h>

namespace refrain::graph::testing::batch_linker_test {
namespace {

using Items = std::vector<ReadyPoints>;

void run_all(Items& items) {
    while (!items.empty()) {
        const ReadyPoints item = items.back();
        items.pop_back();
        WatchedRun::execute(item, [&](ReadyPoints next) { items.push_back(next); });
    }
}

Program singles(std::size_t count) {
    return Program(count, Launch{});
}

TEST(BatchLinker, eight_single_tasks_are_published_as_one_node) {
    const Program program = singles(9);
    WatchedRun run(program, Linking::in_batches);
    Items items;
    const auto ready = [&](ReadyPoints item) { items.push_back(item); };
    for (int launch = 0; launch < 7; ++launch) run.launch(ready);
    EXPECT_TRUE(items.empty());
    run.launch(ready);
    ASSERT_EQ(items.size(), 1U);
    EXPECT_EQ(items[0].points(), 0xffU);
    EXPECT_EQ(&run.node(0).bundles[0], &run.node(7).bundles[0]);
    run.launch(ready);
    ASSERT_EQ(items.size(), 2U);
    EXPECT_EQ(items[1].points(), 1U);
    run_all(items);
    run.retire();
    EXPECT_EQ(run.verdict(), "");
    EXPECT_TRUE(run.all_retired());
}

TEST(BatchLinker, a_launch_of_several_points_publishes_the_open_batch_first) {
    const Program program = {{1, {}, {}}, {2, {{0, all_to_all(1, 2)}}, {}}};
    WatchedRun run(program, Linking::in_batches);
    Items items;
    const auto ready = [&](ReadyPoints item) { items.push_back(item); };
    run.launch(ready);
    EXPECT_TRUE(items.empty());
    run.launch(ready);
    ASSERT_EQ(items.size(), 1U);
    EXPECT_EQ(&items[0].bundle(), &run.node(0).bundles[0]);
    run_all(items);
    EXPECT_EQ(run.verdict(), "");
}

TEST(BatchLinker, a_member_may_run_before_the_others_of_its_batch) {
    const Program program = {{1, {}, {}}, {1, {{0, {{0, 0}}}}, {}}, {1, {{1, {{0, 0}}}}, {}}};
    WatchedRun run(program, Linking::in_batches);
    Items items;
    const auto ready = [&](ReadyPoints item) { items.push_back(item); };
    while (!run.all_launched()) run.launch(ready);
    ASSERT_EQ(items.size(), 1U);
    ASSERT_EQ(items[0].points(), 1U);
    const ReadyPoints first = items[0];
    items.clear();
    WatchedRun::execute(first, ready);
    EXPECT_TRUE(run.node(0).has_run());
    EXPECT_FALSE(run.node(0).is_finished());
    EXPECT_FALSE(run.node(1).has_run());
    run_all(items);
    EXPECT_TRUE(run.node(0).is_finished());
    EXPECT_EQ(run.verdict(), "");
}

TEST(BatchLinker, a_member_does_not_wait_for_finished_predecessors) {
    const Program program = {{3, {}, {}},
                             {1, {{0, {{0, 0}}}}, {}},
                             {1, {{0, {{1, 0}}}}, {}},
                             {1, {{0, {{0, 0}, {2, 0}}}}, {}}};
    WatchedRun run(program, Linking::in_batches);
    Items items;
    const auto ready = [&](ReadyPoints item) { items.push_back(item); };
    run.launch(ready);
    const ReadyPoints all = items[0];
    items.clear();
    WatchedRun::execute({&all.bundle(), 0b101}, ready);
    while (!run.all_launched()) run.launch(ready);
    ASSERT_EQ(items.size(), 1U);
    EXPECT_EQ(items[0].points(), 0b101U);  // the first and the third member
    items.emplace_back(&all.bundle(), 0b010);
    run_all(items);
    EXPECT_EQ(run.verdict(), "");
}

TEST(BatchLinker, a_failure_poisons_the_members_that_need_the_data) {
    const Program program = {{3, {}, {false, true, false}},
                             {1, {{0, {{0, 0}}}}, {}},
                             {1, {{0, {{1, 0}}}}, {}},
                             {1, {{0, {{1, 0}}, false}}, {}},
                             {1, {{2, {{0, 0}}}}, {}}};
    for (const bool run_before : {true, false}) {
        WatchedRun run(program, Linking::in_batches);
        Items items;
        const auto ready = [&](ReadyPoints item) { items.push_back(item); };
        run.launch(ready);
        if (run_before) run_all(items);
        while (!run.all_launched()) run.launch(ready);
        run_all(items);
        EXPECT_EQ(run.verdict(), "") << run_before;
        EXPECT_EQ(run.node(1).failure_cause(), nullptr) << run_before;
        EXPECT_NE(run.node(2).failure_cause(), nullptr) << run_before;
        EXPECT_EQ(run.node(3).failure_cause(), nullptr) << run_before;
        EXPECT_NE(run.node(4).failure_cause(), nullptr) << run_before;
    }
}

TEST(BatchLinker, random_programs_of_single_tasks_on_one_thread_match_sequential_execution) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        Random random(seed);
        const Program program = random_program(random, 40, 12, seed % 2 == 0 ? 0 : 10, 5);
        WatchedRun run(program, Linking::in_batches);
        Items items;
        const auto ready = [&](ReadyPoints item) { items.push_back(item); };
        while (!run.all_launched()) {
            run.launch(ready);
            if (random() % 4 != 0) continue;
            run.publish_batch(ready);
            run_all(items);
            run.retire();
        }
        run.publish_batch(ready);
        run_all(items);
        run.retire();
        ASSERT_EQ(run.verdict(), "") << "seed " << seed;
        ASSERT_TRUE(run.all_retired()) << "seed " << seed;
    }
}

}  // namespace
}  // namespace refrain::graph::testing::batch_linker_test
