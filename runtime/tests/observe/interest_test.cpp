/// What the program declares to be of interest.
#include "observe/shown_page.hpp"

#include <chrono>
#include <map>
#include <thread>

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
    const auto first_sentence = r.data["summary"][0].get<std::string>();
    EXPECT_NE(first_sentence.find("520 operations (520 tasks) from 1 launch site in "),
              std::string::npos)
        << first_sentence;
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

/// All were launched while it went on, but nobody waited for them.
TEST(Interest, its_time_has_no_room_for_tasks_that_run_when_it_has_ended) {
    const ShownPage r = page_of(automatic(1), [](Runtime& runtime) {
        runtime.begin_interest();
        for (int i = 0; i < 20; ++i)
            runtime.launch("long",
                           [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); });
        runtime.end_interest();
    });
    double sum = 0;
    for (const json& stage : r.data["workers"][0]["seconds"]) sum += stage.get<double>();
    EXPECT_LE(sum, 1.001 * r.data["seconds"].get<double>());
    EXPECT_GT(sum, 0);
}

/// A recogniser that mines holds operations back: some are issued after the next stretch has begun.
TEST(Interest, counts_operations_that_are_issued_in_a_later_stretch) {
    constexpr int turns = 300;
    const ShownPage r = page_of(mined(1), [](Runtime& runtime) {
        Counter counter(runtime);
        for (int turn = 0; turn < turns; ++turn) {
            counter.add({"a", "b"});
            runtime.begin_interest();
            counter.add({"c", "d"});
            runtime.end_interest();
            counter.add("e");
            runtime.begin_interest();
            counter.add("f");
            runtime.end_interest();
            counter.add("g");
        }
    });
    std::uint64_t held = 0;
    for (const json& site : r.data["sites"]) held += site["held"].get<std::uint64_t>();
    EXPECT_GT(held, 0U) << "the test means something";
    EXPECT_EQ(r.data["operations"], 3 * turns);
    for (const json& site : r.data["sites"]) {
        const std::string name = site["name"];
        const bool inside = name == "c" || name == "d" || name == "f";
        EXPECT_EQ(site["operations"], inside ? turns : 0) << name;
    }
}

/// The length of a loop is not that of the one that was of interest before.
TEST(Interest, in_a_loop_that_began_before_knows_its_length) {
    const ShownPage r = page_of(automatic(1), [](Runtime& runtime) {
        Counter counter(runtime);
        runtime.begin_interest();
        for (int turn = 0; turn < 300; ++turn) counter.add(loop);
        runtime.end_interest();
        for (int turn = 0; turn < 600; ++turn) {
            if (turn == 300) runtime.begin_interest();
            counter.add({"k", "l", "m", "n", "o"});
        }
    });
    std::map<std::uint64_t, std::uint64_t> replayed;  // by length
    for (const json& each : r.data["loops"]) replayed[each["length"]] = each["replayed"];
    EXPECT_EQ(replayed[5], 5 * 300);
    EXPECT_LE(replayed[7], 7 * 300);
}

/// A trace of the program's own that is not followed, inside, between and after two stretches.
TEST(Interest, mismatches_between_stretches_do_not_count) {
    const ShownPage r = page_of(plain(1), [](Runtime& runtime) {
        int length = 0;
        const auto trace = [&] {
            runtime.begin_trace(1);
            launch_many(runtime, "longer", ++length);
            runtime.end_trace(1);
        };
        trace();
        trace();  // before
        for (int stretch = 0; stretch < 2; ++stretch) {
            runtime.begin_interest();
            trace();
            runtime.end_interest();
            trace();
        }
    });
    EXPECT_EQ(r.statistics.traces.mismatches, 5U) << "the test means something";
    EXPECT_NE(r.data["summary"].dump().find("Traces were left 2 times"), std::string::npos)
        << r.data["summary"];
}

/// A stretch for each iteration, say.
TEST(Interest, the_critical_path_leads_from_one_stretch_to_the_next) {
    const ShownPage r = page_of(plain(1), [](Runtime& runtime) {
        const auto x = runtime.create_region<int>(extents(1), "x");
        for (const char* name : {"write", "read"}) {
            runtime.begin_interest();
            runtime.launch(
                name, [](View<int, 1> v) { v[0] = 1; }, write(x));
            runtime.wait_all();  // the first stretch is over for good
            runtime.end_interest();
        }
    });
    for (const char* name : {"write", "read"}) {
        const json& times = r.data["times"][site_in(r.data, name)];
        EXPECT_GT(times[3], 0) << name << " is on the path";
    }
    ASSERT_EQ(r.data["stretches"].size(), 1U);
    EXPECT_EQ(r.data["stretches"][0]["arrows"].size(), 1U);
}

/// Of automatic tracing, as the statistics of the runtime.
TEST(Interest, the_first_replay_is_not_one_of_the_programs_own_traces) {
    for (const Options& options : {automatic(1), mined(1)}) {
        const ShownPage r = page_of(options, [](Runtime& runtime) {
            Counter counter(runtime);
            for (int i = 0; i < 3; ++i) {
                runtime.begin_trace(1);
                counter.add({"x", "y", "z"});
                runtime.end_trace(1);
            }
            for (int i = 0; i < 300; ++i) counter.add(loop);
        });
        const std::uint64_t first = r.data["firstReplay"];
        EXPECT_GT(first, 10U);
        EXPECT_EQ(first, r.statistics.autotrace.first_replay);
    }
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
