/// Why operations are not replayed with the inline recogniser.

#include "observe/programs.hpp"

namespace refrain::why_not_inline_test {
namespace {

Options looked_at() {
    Options options = automatic();
    options.tracing.recogniser = Recogniser::inline_;
    options.observe.explain = true;
    return options;
}

void expect_detail(const LaunchSiteReport& report, const std::string& phrase) {
    EXPECT_NE(report.detail.find(phrase), std::string::npos) << report.to_string();
}

TEST(WhyNotInline, counts_every_operation_once_and_agrees_with_the_statistics) {
    Runtime runtime(looked_at());
    run_mixed(runtime);
    std::uint64_t operations = 0;
    std::uint64_t replayed = 0;
    std::uint64_t recorded = 0;
    for (const LaunchSiteReport& report : runtime.why_not_traced()) {
        std::uint64_t not_replayed = 0;
        for (const std::uint64_t reason : report.reasons) not_replayed += reason;
        EXPECT_EQ(not_replayed, report.recorded + report.analysed) << report.to_string();
        EXPECT_EQ(report.held_back, 0U) << "nothing is held back";
        operations += report.operations;
        replayed += report.replayed;
        recorded += report.recorded;
    }
    const Statistics s = runtime.statistics();
    EXPECT_GT(replayed, 500U);
    EXPECT_EQ(operations, s.launches.operations);
    EXPECT_EQ(replayed, s.traces.replayed);
    EXPECT_EQ(recorded, s.traces.recorded);
}

TEST(WhyNotInline, each_operation_of_a_loop_is_replayed_from_the_third_time_on) {
    Runtime runtime(looked_at());
    Counter counter(runtime);
    for (int i = 0; i < 100; ++i) counter.add(loop);
    const LaunchSiteReport report = site(runtime, "g");
    EXPECT_EQ(report.replayed, 98U);
    EXPECT_EQ(count(report, NotReplayed::no_precedent), 1U);
    EXPECT_EQ(count(report, NotReplayed::first_repetition), 1U);
    expect_detail(report, "The first time was 7 operations before");
}

TEST(WhyNotInline, the_context_is_too_short) {
    Runtime runtime(looked_at());
    Counter counter(runtime);
    counter.add({"a", "b", "c", "d", "e", "f"});
    counter.add({"x", "y", "e", "f"});
    const LaunchSiteReport report = site(runtime, "f");
    EXPECT_EQ(count(report, NotReplayed::short_context), 1U);
    expect_detail(report, "2 operations repeat what was launched 4 operations before; it takes 5");
    expect_detail(report, "trace-min-length");
    expect_detail(report, "In front of these came 'y' (programs.hpp:");
    expect_detail(report, "; the time before, 'd' (programs.hpp:");
}

TEST(WhyNotInline, what_came_before_may_differ_in_how_it_used_its_regions) {
    Runtime runtime(looked_at());
    const auto x = runtime.create_region<int>(extents(32), "x");
    runtime.fill(x, 0);
    const auto launch = [&](const char* name, int count) {
        const Partition<1> parts = tiles(extents(32), count);
        runtime.launch(
            name, parts.colours(), [](View<int, 1>) {}, read_write(x, parts));
    };
    for (const int count : {4, 2}) {
        launch("differs", count);
        for (int i = 0; i < 3; ++i) launch("same", 8);
    }
    expect_detail(site(runtime, "same"),
                  "In front of these came 'differs' (why_not_inline_test.cpp:");
    expect_detail(site(runtime, "same"), ") both times, but now it has 2 points; before: 4.");
}

TEST(WhyNotInline, the_difference_to_the_previous_launch_is_named) {
    Runtime runtime(looked_at());
    const auto x = runtime.create_region<int>(extents(32), "x");
    const auto y = runtime.create_region<int>(extents(32), "y");
    runtime.fill(x, 0);
    runtime.fill(y, 0);
    const auto launch = [&](const char* name, int tiles_count) {
        const Partition<1> parts = tiles(extents(32), tiles_count);
        runtime.launch(
            name, parts.colours(), [](View<int, 1>) {}, read_write(x, parts));
    };
    launch("points", 4);
    launch("points", 3);
    expect_detail(
        site(runtime, "points"),
        "What differs from the one launched there before it: it has 3 points; before: 4.");
    const auto part = [&](std::int64_t first) {
        runtime.launch(
            "subset", [](View<int, 1>) {}, read_write(x, tiles(extents(32), 4), Point<1>(first)));
    };
    part(0);
    part(1);
    expect_detail(site(runtime, "subset"), "requirement 1 has another subset");
    const auto use = [&](const Region<int, 1>& region) {
        runtime.launch(
            "use", [](View<int, 1>) {}, read_write(region));
    };
    use(x);
    use(y);
    expect_detail(site(runtime, "use"),
                  "requirement 1 uses the region of requirement 1, 6 operations ago; before: the "
                  "region of requirement 1, 1 operation ago");
}

TEST(WhyNotInline, the_first_launch_of_a_site_is_reported_as_first) {
    Runtime runtime(looked_at());
    Counter counter(runtime);
    counter.add("a");
    expect_detail(site(runtime, "a"), "It was the first one launched there.");
}

/// A reader of the first data of an iteration looks back over the whole iteration. A foreign
/// operation in the middle leaves a context that is long enough for a repeat, but not for that
/// dependence.
TEST(WhyNotInline, the_dependences_reach_beyond_the_repeated_context) {
    Runtime runtime(looked_at());
    const auto x = runtime.create_region<int>(extents(4), "x");
    const auto y = runtime.create_region<int>(extents(4), "y");
    const auto touch = [](View<int, 1> view) { view[0] = 1; };
    const auto iteration = [&](int foreign) {
        runtime.launch("write", touch, write(y));
        for (int i = 0; i < 12; ++i) {
            if (i == foreign)
                runtime.launch("foreign", [] {});
            else
                runtime.launch("step", touch, read_write(x));
        }
        runtime.launch(
            "look back", [](View<const int, 1>) {}, read(y));
    };
    runtime.fill(x, 0);
    for (int i = 0; i < 20; ++i) iteration(-1);
    EXPECT_EQ(count(site(runtime, "look back"), NotReplayed::looks_further), 0U);
    iteration(3);
    const LaunchSiteReport report = site(runtime, "look back");
    EXPECT_EQ(count(report, NotReplayed::looks_further), 1U) << report.to_string();
    expect_detail(report,
                  "8 operations repeat what was launched 14 operations before; what was "
                  "found then takes 14");
}

TEST(WhyNotInline, the_dependences_exceed_the_budget) {
    Options options = looked_at();
    options.limits.trace_bytes = 1024;
    options.window = 16;
    Runtime runtime(options);
    Counter counter(runtime);
    for (int i = 0; i < 100; ++i)
        for (const char* part : {"abcdefgh", "ijklmnop", "qrstuvwx", "yz{|}~!0"})
            for (const char* name = part; *name != 0; ++name) counter.add(name);
    const LaunchSiteReport report = site(runtime, "abcdefgh");
    EXPECT_GT(count(report, NotReplayed::not_kept), 20U) << report.to_string();
    expect_detail(report, "1 KiB (trace-bytes)");
}

TEST(WhyNotInline, the_recogniser_skipped_it) {
    Options options = looked_at();
    options.window = 16;
    options.tracing.history = 64;
    Runtime runtime(options);
    std::vector<Region<int, 1>> regions;
    for (int i = 1; i <= 70; ++i) regions.push_back(runtime.create_region<int>(extents(i), "r"));
    std::uint64_t state = 1;
    for (int i = 0; i < 40'000; ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        const auto& region = regions[static_cast<std::size_t>(state >> 33) % regions.size()];
        runtime.launch(
            "any", [](View<int, 1>) {}, write(region));
    }
    const LaunchSiteReport report = site(runtime, "any");
    EXPECT_GT(count(report, NotReplayed::resting), 20'000U) << report.to_string();
    EXPECT_EQ(count(report, NotReplayed::resting), runtime.statistics().autotrace.skipped);
    EXPECT_GT(runtime.statistics().autotrace.examined, 1000U);
}

TEST(WhyNotInline, statistics_describe_the_recogniser) {
    Runtime runtime(looked_at());
    Counter counter(runtime);
    for (int i = 0; i < 1000; ++i) counter.add(loop);
    runtime.wait_all();
    const Statistics s = runtime.statistics();
    const AutotraceStatistics& a = s.autotrace;
    EXPECT_STREQ(a.recogniser, "inline");
    EXPECT_EQ(a.examined, 7001U);
    EXPECT_EQ(a.traceable, 7001U);
    EXPECT_EQ(a.replayed, s.traces.replayed);
    EXPECT_GT(a.predicted, 6980U);
    EXPECT_GE(a.first_replay, 8U);
    EXPECT_LE(a.first_replay, 22U);
    EXPECT_EQ(a.memos, s.traces.recorded);
    EXPECT_GT(a.matcher_bytes, 0U);
    EXPECT_GT(a.memo_bytes, 0U);
    EXPECT_GT(a.compiled, 5000U);
    EXPECT_EQ(a.bytes, a.matcher_bytes + a.description_bytes + a.memo_bytes + a.compiled_bytes);
    EXPECT_EQ(a.held_back_mean, 0);
    const std::string text = s.to_string();
    EXPECT_NE(text.find("inline: first replay at operation " + std::to_string(a.first_replay)),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("templates"), std::string::npos) << "there are none: " << text;
}

TEST(WhyNotInline, statistics_continue_when_everything_learned_is_forgotten) {
    Options options = looked_at();
    options.limits.analysis_bytes = 4096;
    Runtime runtime(options);
    Counter counter(runtime);
    for (int i = 0; i < 300; ++i) counter.add(loop);
    const Statistics s = runtime.statistics();
    EXPECT_GT(s.analysis.table_resets, 0U);
    EXPECT_EQ(s.autotrace.examined, 2101U);
}

TEST(MinedStatistics, name_the_recogniser_and_count_abandoned_traces) {
    Runtime runtime(mined());
    Counter counter(runtime);
    for (int i = 0; i < 200; ++i) counter.add(loop);
    counter.add({"a", "b", "x"});
    const Statistics s = runtime.statistics();
    EXPECT_STREQ(s.autotrace.recogniser, "mined");
    EXPECT_GT(s.autotrace.traces_left, 0U);
    EXPECT_NE(s.to_string().find("left " + std::to_string(s.autotrace.traces_left) + " times"),
              std::string::npos);
}

TEST(WhyNotInline, a_merely_similar_operation_is_not_reported_as_precedent) {
    Runtime runtime(looked_at());
    std::vector<Region<int, 1>> regions;
    for (int i = 0; i < 20; ++i) {
        regions.push_back(runtime.create_region<int>(extents(4)));
        runtime.fill(regions.back(), 0);
    }
    std::uint64_t state = 1;
    for (int i = 0; i < 1000; ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        runtime.launch(
            "one of many", [](View<int, 1>) {}, read_write(regions[(state >> 33) % 20]));
    }
    runtime.wait_all();
    const LaunchSiteReport report = site(runtime, "one of many");
    EXPECT_EQ(count(report, NotReplayed::not_kept), 0U) << report.to_string();
    EXPECT_GT(count(report, NotReplayed::no_precedent), 100U) << report.to_string();
}

}  // namespace
}  // namespace refrain::why_not_inline_test
