/// What the program declares to be of interest.
#include "observe/shown_page.hpp"

namespace refrain::interest_test {
namespace {

using nlohmann::json;

void launch_many(Runtime& runtime, const char* name, int count) {
    for (int i = 0; i < count; ++i) runtime.launch(name, [] {});
}

TEST(Interest, nothing_else_is_counted_or_timed) {
    const ShownPage r = page_of(automatic(), [](Runtime& runtime) {
        launch_many(runtime, "before", 3000);
        runtime.begin_interest();
        launch_many(runtime, "inside", 500);
        runtime.end_interest();
        launch_many(runtime, "between", 100);
        runtime.begin_interest();
        launch_many(runtime, "inside", 20);
        runtime.end_interest();
        launch_many(runtime, "after", 100);
    });
    EXPECT_EQ(r.data["operations"], 520);
    EXPECT_EQ(r.data["tasks"], 520);
    const json& interest = r.data["interest"];
    EXPECT_EQ(interest["stretches"], 2);
    EXPECT_EQ(interest["first"], 3001);
    EXPECT_EQ(interest["last"], 3620);
    EXPECT_EQ(interest["launched"], 3720);
    for (std::size_t i = 0; i < r.data["sites"].size(); ++i) {
        const json& site = r.data["sites"][i];
        const bool inside = site["name"] == "inside";
        EXPECT_EQ(site["operations"], inside ? 520 : 0) << site["name"];
        EXPECT_EQ(!r.data["times"][i].empty(), inside) << site["name"];
    }
    for (const json& stretch : r.data["stretches"]) EXPECT_GE(stretch["first"], 3001);
    EXPECT_EQ(r.data["sampling"]["timed"], 520) << "sampling begins anew";
    EXPECT_EQ(r.data["curve"].back()[0], 520);
    EXPECT_EQ(r.data["replayed"].get<int>() + r.data["recorded"].get<int>() +
                  r.data["analysed"].get<int>(),
              520);
}

TEST(Interest, what_is_not_ended_lasts_until_the_end) {
    Options options = plain(1);
    options.observe.explain = true;
    Runtime runtime(options);
    launch_many(runtime, "before", 10);
    runtime.begin_interest();
    launch_many(runtime, "inside", 5);
    runtime.wait_all();
    const std::vector<LaunchSiteReport> sites = runtime.why_not_traced();
    ASSERT_EQ(sites.size(), 1U) << "sites that launched nothing of interest are left out";
    EXPECT_EQ(sites[0].operations, 5U);
    EXPECT_STREQ(sites[0].site.name, "inside");
}

TEST(Interest, does_not_change_the_run) {
    const auto statistics = [](bool declares) {
        Options options = automatic();
        Runtime runtime(options);
        Counter counter(runtime);
        for (int i = 0; i < 100; ++i) {
            if (declares && i % 10 == 3) runtime.begin_interest();
            counter.add(loop);
            if (declares && i % 10 == 7) runtime.end_interest();
        }
        runtime.wait_all();
        return runtime.statistics();
    };
    const Statistics with = statistics(true);
    const Statistics without = statistics(false);
    EXPECT_EQ(with.traces.replayed, without.traces.replayed);
    EXPECT_EQ(with.traces.analysed, without.traces.analysed);
    EXPECT_EQ(with.launches.operations, without.launches.operations);
}

TEST(Interest, calls_that_do_not_match_are_refused_with_and_without_a_report) {
    for (const bool explain : {false, true}) {
        Options options = plain(1);
        options.observe.explain = explain;
        Runtime runtime(options);
        EXPECT_THROW(runtime.end_interest(), UsageError);
        runtime.begin_interest();
        EXPECT_THROW(runtime.begin_interest(), UsageError);
        runtime.end_interest();
        EXPECT_THROW(runtime.end_interest(), UsageError);
    }
}

/// Tasks that were launched before may still run, and log, when interest begins.
TEST(Interest, begins_while_earlier_tasks_still_run) {
    const ShownPage r = page_of(plain(3), [](Runtime& runtime) {
        for (int turn = 0; turn < 50; ++turn) {
            launch_many(runtime, "earlier", 40);
            if (turn == 25) runtime.begin_interest();
        }
    });
    EXPECT_EQ(r.data["operations"], 24 * 40);
    for (const json& stretch : r.data["stretches"])
        for (const json& task : stretch["tasks"]) EXPECT_GE(task[4], 26 * 40 + 1);
}

}  // namespace
}  // namespace refrain::interest_test
