#include "commands/stream_report.hpp"

#include "commands/inline_report.hpp"
#include "commands/inline_run.hpp"
#include "commands/operation_reader.hpp"
#include "observe/programs.hpp"

#include <map>

namespace refrain::stream_report_test {
namespace {

autotrace::Options mining(const Options& options) {
    autotrace::Options mining;
    mining.trace_length_min = options.tracing.min_length;
    mining.trace_length_max = options.tracing.max_length;
    mining.history_tokens = options.history_length();
    mining.multi_scale_factor = options.tracing.mining.multi_scale_factor;
    mining.synchronous_mining = true;
    return mining;
}

commands::StreamReport report_on(const std::string& text,
                                 const autotrace::Options& options = mining(mined())) {
    std::istringstream stream(text);
    return commands::report_on_stream(stream, "folder/stream", options);
}

commands::StreamReport report_on_inline(const std::string& text) {
    std::istringstream stream(text);
    return commands::report_on_stream_inline(stream, "folder/stream");
}

/// The report from the log of a run equals the report of the run itself.
TEST(StreamReport, agrees_with_the_run_that_wrote_the_log) {
    const TemporaryFile file("stream");
    Options options = mined();
    options.tracing.mining.hold_back = true;  // as those do who read the stream
    options.observe.log_stream = file.path();
    options.observe.explain = true;
    std::vector<LaunchSiteReport> expected;
    Statistics statistics;
    {
        Runtime runtime(options);
        Counter counter(runtime);
        for (int i = 0; i < 300; ++i) {
            counter.add({"a", "b", "c", "d", "e", "f", "g"});
            if (i % 5 == 0) counter.add_elsewhere("new");
            if (i % 17 == 3) counter.wait();
            if (i % 40 == 9) {
                runtime.begin_trace(3);
                counter.add({"one", "two"});
                runtime.end_trace(3);
            }
        }
        runtime.wait_all();
        expected = runtime.why_not_traced();
        statistics = runtime.statistics();
    }
    const commands::StreamReport stream = report_on(file.text(), mining(options));
    std::map<std::string, LaunchSiteReport> sites;
    for (const LaunchSiteReport& site : stream.run.sites) sites[site.site.describe()] = site;
    ASSERT_EQ(sites.size() + 2, expected.size()) << "'one' and 'two' have no tokens";
    std::uint64_t reasons = 0;
    for (const LaunchSiteReport& site : expected) {
        const std::string name = site.site.name;
        if (name == "one" || name == "two") continue;
        const LaunchSiteReport& found = sites[site.site.describe()];
        EXPECT_EQ(found.replayed, site.replayed) << name;
        EXPECT_EQ(found.recorded, site.recorded) << name;
        EXPECT_EQ(found.analysed, site.analysed) << name;
        EXPECT_EQ(found.held_back, site.held_back) << name;
        EXPECT_DOUBLE_EQ(found.held_back_mean, site.held_back_mean) << name;
        EXPECT_EQ(found.reasons, site.reasons) << name;
        EXPECT_EQ(found.detail, site.detail) << name;
        for (const std::uint64_t count : site.reasons) reasons += count != 0 ? 1 : 0;
    }
    EXPECT_GT(reasons, 15U) << "a program with many reasons";
    EXPECT_EQ(stream.run.replayed, statistics.autotrace.replayed);
    EXPECT_EQ(stream.run.traces.size(), statistics.autotrace.traces);
    EXPECT_EQ(stream.run.without_token, 16U);
    EXPECT_EQ(stream.run.title, "stream");
    EXPECT_TRUE(stream.run.from_stream);
}

TEST(StreamReport, treats_each_unnamed_token_as_a_launch_site) {
    const commands::StreamReport stream =
        report_on("7\n# 0x8 'eight' (eight.cpp:8)\n8\n0x123456789abcdef0123456789abcdef0\n7\n!\n");
    std::vector<std::string> names;
    for (const LaunchSiteReport& site : stream.run.sites) names.push_back(site.site.describe());
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"'0x123456789abcdef0123456789abcdef0' (:0)",
                                               "'0x7' (:0)", "'eight' (eight.cpp:8)"}));
    EXPECT_EQ(stream.run.operations, 4U);
    EXPECT_EQ(stream.run.without_token, 1U);
}

TEST(StreamReport, ignores_comments_that_name_nothing) {
    for (const char* comment :
         {"# 0x", "# 0x8", "# 0x8 '", "# 0x8 'x' (", "# 0x8 'x' (y)", "# 0x8 ' (y:1)", "#",
          "# 'x' (y:1)", "# 0x123456789012345678901234567890123 'long' (y:1)"}) {
        const commands::StreamReport stream = report_on(std::string(comment) + "\n8\n");
        ASSERT_EQ(stream.run.sites.size(), 1U) << comment;
        EXPECT_STREQ(stream.run.sites[0].site.name, "0x8") << comment;
    }
}

TEST(StreamReport, refuses_files_that_are_not_streams) {
    EXPECT_THROW(report_on("1\ntwo\n"), commands::MalformedLine);
    EXPECT_THROW(report_on_inline("1\ntwo\n"), commands::MalformedLine);
    EXPECT_EQ(report_on("").run.operations, 0U);
    EXPECT_EQ(report_on_inline("").run.operations, 0U);
}

/// The tokens from `first` on, one per line.
std::string tokens(int length, int first = 1) {
    std::string lines;
    for (int i = 0; i < length; ++i) lines += std::to_string(first + i) + "\n";
    return lines;
}

TEST(InlineStreamReport, shows_a_loop_replayed_from_the_third_iteration_on) {
    std::string text = "# 0x1 'one' (loop.cpp:1)\n";
    for (int i = 0; i < 2000; ++i) text += tokens(7);
    const commands::StreamReport shown = report_on_inline(text);
    const page::RunData& run = shown.run;
    EXPECT_EQ(run.title, "stream");
    EXPECT_TRUE(run.from_stream);
    EXPECT_TRUE(run.from_precedents);
    EXPECT_EQ(run.operations, 14'000U);
    EXPECT_EQ(run.first_replay, 19U) << "the required context, minus four";
    EXPECT_EQ(run.replayed, 14'000U - 18);
    EXPECT_EQ(run.recorded, 7U);
    EXPECT_EQ(run.curve.back().counts.replayed, run.replayed);
    ASSERT_EQ(run.loops.size(), 1U);
    EXPECT_EQ(run.loops[0].distance, 7U);
    EXPECT_EQ(run.loops[0].served, run.replayed);
    EXPECT_EQ(run.loops[0].last_operation, 14'000U);
    EXPECT_EQ(run.loops[0].operations.size(), 7U);
    ASSERT_EQ(run.sites.size(), 7U);
    EXPECT_STREQ(run.sites[0].site.name, "one");
    EXPECT_EQ(run.sites[0].operations, 2000U);
    EXPECT_EQ(count(run.sites[0], NotReplayed::no_precedent), 1U);
    EXPECT_EQ(count(run.sites[0], NotReplayed::short_context), 1U);
    EXPECT_EQ(count(run.sites[0], NotReplayed::first_repetition), 1U);
    EXPECT_EQ(run.sites[0].detail,
              "Its first occurrence was 7 operations before; it is replayed from the third on.");
}

/// Compares with `refrain mine --recogniser=inline`, which keeps a bit for each operation.
TEST(InlineStreamReport, agrees_with_the_inline_recogniser_of_refrain_mine) {
    std::string text;
    std::uint64_t state = 1;
    for (int i = 0; i < 3000; ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        text += tokens(7);
        if (state >> 60 == 0) text += tokens(1, 20 + static_cast<int>(state >> 32 & 7));
        if (state >> 58 == 9) text += "!\n";
        if (i % 500 == 99) text += tokens(3, 100) + ".\n?\n";
        if (i % 1000 < 50) text += tokens(11, 200);
    }
    std::istringstream stream(text);
    commands::OperationReader reader(stream, "stream");
    const commands::InlineOutcome outcome = commands::run_inline(reader, [](std::uint64_t) {});
    const commands::StreamReport shown = report_on_inline(text);
    const page::RunData& run = shown.run;
    EXPECT_EQ(run.operations, outcome.traceable);
    EXPECT_EQ(run.operations + run.without_token, outcome.operations);
    EXPECT_EQ(run.replayed, outcome.replayed);
    EXPECT_GT(run.replayed, run.operations / 2);
    EXPECT_LT(run.replayed, run.operations * 99 / 100) << "otherwise the test proves nothing";
    std::uint64_t by_site = 0;
    std::uint64_t by_reason = 0;
    for (const LaunchSiteReport& site : run.sites) {
        by_site += site.replayed;
        for (const std::uint64_t reason : site.reasons) by_reason += reason;
    }
    EXPECT_EQ(by_site, run.replayed);
    EXPECT_EQ(by_reason, run.recorded + run.analysed);
}

}  // namespace
}  // namespace refrain::stream_report_test
