#include "observe/programs.hpp"

namespace refrain::why_not_traced_test {
namespace {

Options explained(Options options = mined()) {
    options.observe.explain = true;
    return options;
}

/// Runs the loop until it is replayed.
void settle(Counter& counter) {
    for (int i = 0; i < 100; ++i) counter.add(loop);
}

TEST(WhyNotTraced, is_available_only_if_requested_before_the_run) {
    Runtime runtime(plain());
    try {
        static_cast<void>(runtime.why_not_traced());
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("--refrain:explain"), std::string::npos);
    }
}

TEST(WhyNotTraced, counts_every_operation_once_and_agrees_with_the_statistics) {
    Runtime runtime(explained());
    run_mixed(runtime);
    std::uint64_t replayed = 0;
    std::uint64_t recorded = 0;
    std::uint64_t analysed = 0;
    std::uint64_t tasks = 0;
    std::uint64_t held = 0;
    for (const LaunchSiteReport& report : runtime.why_not_traced()) {
        EXPECT_EQ(report.operations, report.replayed + report.recorded + report.analysed);
        std::uint64_t not_replayed = 0;
        for (const std::uint64_t reason : report.reasons) not_replayed += reason;
        EXPECT_EQ(not_replayed, report.recorded + report.analysed) << report.to_string();
        EXPECT_LE(report.held_back, report.operations);
        EXPECT_EQ(report.latest == 0, not_replayed == 0);
        replayed += report.replayed;
        recorded += report.recorded;
        analysed += report.analysed;
        tasks += report.tasks;
        held += report.held_back;
    }
    const Statistics s = runtime.statistics();
    EXPECT_GT(replayed, 500U);
    EXPECT_GT(held, 500U);
    EXPECT_EQ(replayed, s.traces.replayed);
    EXPECT_EQ(recorded, s.traces.recorded);
    EXPECT_EQ(analysed, s.traces.analysed);
    EXPECT_EQ(tasks, s.launches.tasks);
}

TEST(WhyNotTraced, automatic_tracing_is_off) {
    Runtime runtime(explained(plain()));
    Counter counter(runtime);
    for (int i = 0; i < 100; ++i) counter.add(loop);
    const LaunchSiteReport report = site(runtime, "a");
    EXPECT_EQ(report.operations, 100U);
    EXPECT_EQ(count(report, NotReplayed::automatic_tracing_off), 100U);
    EXPECT_NE(report.detail.find("--refrain:auto-trace=on"), std::string::npos) << report.detail;
}

TEST(WhyNotTraced, an_untraced_launch_says_which_region_was_in_which_new_state_and_who_led_there) {
    Options options = explained(plain());
    options.analysis = Analysis::automatic;
    Runtime runtime(options);
    const auto x = runtime.create_region<int>(extents(8), "x");
    const auto halves = tiles(x.bounds(), 2);
    runtime.fill(x, 0);
    for (int i = 0; i < 10; ++i) {
        runtime.launch(
            "write", halves.colours(), [](View<int, 1> v) { ++v[v.domain().lo]; },
            read_write(x, halves));
        runtime.launch(
            "look", [](View<const int, 1>) {}, read(x));
    }
    const std::string look = site(runtime, "look").detail;
    EXPECT_NE(look.find("Of its 10 accesses to regions, 9 took a known transition"),
              std::string::npos)
        << look;
    EXPECT_NE(look.find("operation 3 met region"), std::string::npos) << look;
    EXPECT_NE(look.find("'x' in the state that 'write'"), std::string::npos) << look;
    EXPECT_NE(look.find("led to first, operation 2 (write [0,8) by 2 points)"), std::string::npos)
        << look;
    // The fill met the region unused, and so did the first write's state come from it.
    EXPECT_NE(site(runtime, "write").detail.find("led to first, operation 3"), std::string::npos)
        << site(runtime, "write").detail;
    const Statistics s = runtime.statistics();
    EXPECT_GT(s.analysis.known_transitions, 15U);
    EXPECT_NE(s.to_string().find("served by a known transition, no geometry computed"),
              std::string::npos);
}

TEST(WhyNotTraced, the_first_batch_is_not_mined_yet) {
    Options options = explained();
    Runtime runtime(options);
    Counter counter(runtime);  // fills its region: one operation
    for (std::uint64_t i = 2; i < options.tracing.mining.multi_scale_factor; ++i) counter.add("a");
    EXPECT_EQ(count(site(runtime, "a"), NotReplayed::before_first_mining), 62U);
    EXPECT_NE(site(runtime, "a").detail.find("64 operations (multi-scale-factor)"),
              std::string::npos);
    counter.add("a");  // completes the batch
    for (int i = 0; i < 200; ++i) counter.add_elsewhere("new");
    EXPECT_EQ(count(site(runtime, "new"), NotReplayed::before_first_mining), 0U);
}

/// With mining on the workers, the result is taken some time after the batch is complete.
TEST(WhyNotTraced, the_result_of_the_first_batch_is_not_due_yet) {
    Options options = explained();
    options.tracing.mining.synchronous = false;
    options.tracing.mining.delay = 100;
    Runtime runtime(options);
    Counter counter(runtime);
    for (int i = 0; i < 150; ++i) counter.add_elsewhere("new");
    EXPECT_EQ(count(site(runtime, "new"), NotReplayed::before_first_mining), 150U);
    for (int i = 0; i < 50; ++i) counter.add_elsewhere("new");
    // The fill and 163 launches complete batch and delay; the next one is after.
    EXPECT_EQ(count(site(runtime, "new"), NotReplayed::before_first_mining), 163U);
    EXPECT_EQ(count(site(runtime, "new"), NotReplayed::no_match), 37U);
}

TEST(WhyNotTraced, every_launch_is_different) {
    Runtime runtime(explained());
    Counter counter(runtime);
    for (int i = 0; i < 300; ++i) counter.add_elsewhere("new");
    const LaunchSiteReport report = site(runtime, "new");
    EXPECT_EQ(report.replayed, 0U);
    EXPECT_GT(count(report, NotReplayed::no_match), 200U);
    EXPECT_NE(report.detail.find("the only one of its kind in the last 301 operations"),
              std::string::npos)
        << report.detail;
}

TEST(WhyNotTraced, the_repeat_is_too_short) {
    Runtime runtime(explained());
    Counter counter(runtime);
    for (int i = 0; i < 100; ++i) {
        counter.add({"a", "b", "c"});
        counter.add_elsewhere("new");
    }
    const LaunchSiteReport report = site(runtime, "b");
    EXPECT_GT(count(report, NotReplayed::no_match), 50U);
    EXPECT_NE(report.detail.find("has 3 operations; a trace has at least 5 (trace-min-length)"),
              std::string::npos)
        << report.detail;
}

TEST(WhyNotTraced, the_repeat_is_not_mined_yet) {
    Runtime runtime(explained());
    Counter counter(runtime);
    for (int i = 0; i < 80; ++i) counter.add_elsewhere("new");
    for (int i = 0; i < 3; ++i) counter.add(loop);
    const LaunchSiteReport report = site(runtime, "g");
    EXPECT_EQ(count(report, NotReplayed::no_match), 3U);
    // Two of the three iterations: 21 operations with a period of 7, cut in two without overlap.
    EXPECT_NE(report.detail.find("has 7 operations, which no known fragment contains"),
              std::string::npos)
        << report.detail;
    settle(counter);
    EXPECT_GT(site(runtime, "g").replayed, 50U);
}

/// One of the seven operations begins the known fragment; the others are inside it.
TEST(WhyNotTraced, the_fragment_is_not_launched_from_its_beginning) {
    Runtime runtime(explained());
    Counter counter(runtime);
    settle(counter);
    counter.wait();
    const std::uint64_t before = runtime.statistics().launches.operations;
    for (const char* name : loop) {
        counter.add_elsewhere("new");
        counter.add(name);
    }
    counter.add_elsewhere("new");
    int inside = 0;
    int began = 0;
    for (const char* name : loop) {
        const LaunchSiteReport report = site(runtime, name);
        EXPECT_GT(report.latest, before) << name;
        began += report.latest_reason == NotReplayed::broken_off ? 1 : 0;
        if (report.latest_reason != NotReplayed::no_match) continue;
        EXPECT_NE(report.detail.find("known fragment now contains it"), std::string::npos);
        ++inside;
    }
    EXPECT_GE(inside, 1);
    EXPECT_GE(began, 1);
    EXPECT_EQ(inside + began, 7);
}

TEST(WhyNotTraced, the_program_waits_inside_a_fragment) {
    Runtime runtime(explained());
    Counter counter(runtime);
    settle(counter);
    EXPECT_EQ(count(site(runtime, "a"), NotReplayed::interrupted), 0U);
    for (int i = 0; i < 20; ++i) {
        counter.add({"a", "b", "c"});
        counter.wait();
    }
    std::uint64_t interrupted = 0;
    for (const char* name : {"a", "b", "c"})
        interrupted += count(site(runtime, name), NotReplayed::interrupted);
    EXPECT_GT(interrupted, 5U);
    EXPECT_EQ(count(site(runtime, "g"), NotReplayed::broken_off), 0U);
}

TEST(WhyNotTraced, it_was_the_first_execution_of_its_trace) {
    Runtime runtime(explained(plain()));
    Counter counter(runtime);
    for (int i = 0; i < 10; ++i) {
        runtime.begin_trace(1);
        counter.add({"a", "b"});
        runtime.end_trace(1);
    }
    const LaunchSiteReport report = site(runtime, "a");
    EXPECT_EQ(report.recorded, 1U);
    EXPECT_EQ(report.replayed, 9U);
    EXPECT_EQ(count(report, NotReplayed::recording), 1U);
    EXPECT_EQ(report.detail, "");
}

TEST(WhyNotTraced, the_recording_was_evicted) {
    Options options = explained(plain());
    options.limits.trace_bytes = 1024;  // too little for any
    Runtime runtime(options);
    Counter counter(runtime);
    for (int i = 0; i < 10; ++i) {
        runtime.begin_trace(1);
        for (int j = 0; j < 30; ++j) counter.add("a");
        runtime.end_trace(1);
    }
    const LaunchSiteReport report = site(runtime, "a");
    EXPECT_EQ(count(report, NotReplayed::recording), 30U);
    EXPECT_EQ(count(report, NotReplayed::recorded_again), 270U);
    EXPECT_NE(report.detail.find("1 KiB (trace-bytes)"), std::string::npos) << report.detail;
}

TEST(WhyNotTraced, its_trace_was_abandoned) {
    Options options = explained(plain());
    options.observe.log = LogLevel::off;
    Runtime runtime(options);
    Counter counter(runtime);
    for (const char* second : {"b", "b", "c"}) {
        runtime.begin_trace(1);
        counter.add({"a", second, "d"});
        runtime.end_trace(1);
    }
    EXPECT_EQ(site(runtime, "a").replayed, 2U);
    const LaunchSiteReport report = site(runtime, "c");
    EXPECT_EQ(count(report, NotReplayed::mismatch), 1U);
    EXPECT_NE(report.detail.find("recorded 'b' (programs.hpp:"), std::string::npos)
        << report.detail;
    EXPECT_NE(report.detail.find("launched 'c' (programs.hpp:"), std::string::npos)
        << report.detail;
    EXPECT_EQ(count(site(runtime, "d"), NotReplayed::mismatch), 1U);
}

/// An abandoned strict trace stays open until the program ends it; launches until then are
/// analysed.
TEST(WhyNotTraced, its_strict_trace_was_abandoned) {
    for (const bool automatically : {false, true}) {
        Options options = explained(automatically ? automatic() : plain());
        options.observe.log = LogLevel::off;
        options.checks.strict_traces = true;
        Runtime runtime(options);
        Counter counter(runtime);
        runtime.begin_trace(1);
        counter.add({"a", "b"});
        runtime.end_trace(1);
        runtime.begin_trace(1);
        EXPECT_THROW(counter.add("c"), TraceMismatch);
        counter.add("d");
        runtime.end_trace(1);
        EXPECT_EQ(count(site(runtime, "d"), NotReplayed::mismatch), 1U) << automatically;
    }
}

TEST(WhyNotTraced, reports_how_long_operations_were_held_back) {
    Options options = explained();
    options.tracing.max_length = 7;
    Runtime runtime(options);
    Counter counter(runtime);
    settle(counter);
    runtime.wait_all();
    double sum = 0;
    for (const char* name : loop) {
        const LaunchSiteReport report = site(runtime, name);
        sum += report.held_back_mean * static_cast<double>(report.held_back);
    }
    const AutotraceStatistics& s = runtime.statistics().autotrace;
    EXPECT_NEAR(sum / static_cast<double>(s.traceable), s.held_back_mean, 1e-9);
    EXPECT_GT(sum, 0);
}

TEST(WhyNotTraced, is_printed_in_sentences) {
    Runtime runtime(explained(plain()));
    Counter counter(runtime);
    for (int i = 0; i < 3; ++i) {
        runtime.begin_trace(1);
        counter.add("a");
        runtime.end_trace(1);
    }
    const std::string text = site(runtime, "a").to_string();
    EXPECT_TRUE(text.starts_with("'a' (programs.hpp:")) << text;
    EXPECT_TRUE(
        text.ends_with("): 2 of 3 operations replayed, 1 recorded, 0 analysed. 1: the "
                       "first execution of its trace."))
        << text;
}

TEST(WhyNotTraced, merges_launch_sites_beyond_its_capacity) {
    Runtime runtime(explained(plain()));
    std::vector<std::string> names;
    for (int i = 0; i < 5000; ++i) names.push_back("task" + std::to_string(i));
    for (const std::string& name : names) runtime.launch(name.c_str(), [] {});
    runtime.wait_all();
    const auto sites = runtime.why_not_traced();
    ASSERT_EQ(sites.size(), 4097U);
    EXPECT_EQ(sites.front().site.name, names.front());
    EXPECT_EQ(sites.back().operations, 5000U - 4096U);
}

}  // namespace
}  // namespace refrain::why_not_traced_test
