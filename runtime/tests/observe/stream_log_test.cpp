#include "commands/mining_run.hpp"
#include "observe/programs.hpp"

namespace refrain::stream_log_test {
namespace {

/// What `refrain mine` makes of a file with the options of a run.
commands::MiningOutcome mine(const std::string& path, const Options& options) {
    autotrace::Options mining;
    mining.trace_length_min = options.trace_min_length;
    mining.trace_length_max = options.trace_max_length;
    mining.history_tokens = options.history_length();
    mining.multi_scale_factor = options.multi_scale_factor;
    mining.synchronous_mining = true;
    std::ifstream file(path);
    commands::OperationReader reader(file, path);
    return commands::run_mining(reader, mining, [](std::uint64_t) {});
}

void expect_same(const commands::MiningOutcome& mined, const Statistics& run) {
    EXPECT_EQ(mined.statistics.traceable, run.autotrace.traceable);
    EXPECT_EQ(mined.statistics.replayed, run.autotrace.replayed);
    EXPECT_EQ(mined.statistics.traces, run.autotrace.traces);
    EXPECT_EQ(mined.statistics.candidates, run.autotrace.candidates);
    EXPECT_EQ(mined.statistics.slices_mined, run.autotrace.slices_mined);
    EXPECT_DOUBLE_EQ(mined.statistics.held_back_mean(), run.autotrace.held_back_mean);
}

TEST(StreamLog, mined_with_the_options_of_the_run_gives_what_the_run_found) {
    const TemporaryFile file("stream");
    Options options = mined();
    options.hold_back = true;  // as those do who read the stream
    options.log_stream = file.path();
    Statistics run;
    {
        Runtime runtime(options);
        Counter counter(runtime);
        for (int i = 0; i < 500; ++i) {
            counter.add({"a", "b", "c", "d", "e", "f", "g"});
            if (i % 10 == 9) counter.wait();
        }
        runtime.wait_all();
        run = runtime.statistics();
    }
    ASSERT_GT(run.autotrace.replayed, 1000U);
    const commands::MiningOutcome mined = mine(file.path(), options);
    expect_same(mined, run);
    EXPECT_EQ(mined.statistics.first_replay + 1, run.autotrace.first_replay);
}

TEST(StreamLog, mined_gives_what_the_run_found_where_the_program_traces_and_waits_in_between) {
    const TemporaryFile file("stream");
    Options options = mined();
    options.hold_back = true;  // as those do who read the stream
    options.log_stream = file.path();
    Statistics run;
    {
        Runtime runtime(options);
        Counter counter(runtime);
        for (int i = 0; i < 400; ++i) {
            counter.add({"a", "b", "c", "d", "e", "f"});
            if (i % 7 == 3) {
                runtime.begin_trace(1);
                counter.add({"traced", "by", "hand"});
                runtime.end_trace(1);
            }
            if (i % 5 == 0) runtime.fence();
            const auto value = runtime.launch("value", [] { return 1; });
            if (i % 30 == 11) {
                EXPECT_EQ(value.get(), 1);
            }
            if (i % 50 == 17) runtime.wait_all();
        }
        runtime.wait_all();
        run = runtime.statistics();
    }
    ASSERT_GT(run.autotrace.replayed, 500U);
    expect_same(mine(file.path(), options), run);
}

/// Automatic tracing need not be on: the log then tells what it would do.
TEST(StreamLog, of_a_run_without_automatic_tracing_tells_what_it_would_find) {
    const TemporaryFile with("with");
    const TemporaryFile without("without");
    const auto run = [](const Options& options) {
        Runtime runtime(options);
        Counter counter(runtime);
        for (int i = 0; i < 300; ++i) counter.add({"a", "b", "c", "d", "e"});
        runtime.wait_all();
        return runtime.statistics();
    };
    Options options = mined();
    options.hold_back = true;  // as those do who read the stream
    options.log_stream = with.path();
    const Statistics traced = run(options);
    options.auto_trace = false;
    options.log_stream = without.path();
    const Statistics untraced = run(options);
    EXPECT_EQ(untraced.traces.replayed, 0U);
    ASSERT_GT(traced.autotrace.replayed, 500U);
    expect_same(mine(without.path(), options), traced);
    EXPECT_EQ(without.text(), with.text());
}

TEST(StreamLog, says_once_which_launch_a_token_stands_for) {
    const TemporaryFile file("stream");
    Options options = mined();
    options.hold_back = true;  // as those do who read the stream
    options.log_stream = file.path();
    {
        Runtime runtime(options);
        Counter counter(runtime);
        counter.add({"left", "right\nand on", "left", "left"});
        EXPECT_EQ(counter.wait(), 4);
    }
    const std::string text = file.text();
    std::size_t lines = 0;
    std::size_t names = 0;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with("# 0x")) ++names;
        if (line.starts_with("0x")) {
            ++lines;
            EXPECT_EQ(line.size(), 34U) << line;
        }
    }
    EXPECT_EQ(names, 3U) << text;  // fill, left, right
    EXPECT_EQ(lines, 5U) << text;
    EXPECT_NE(text.find(" 'left' (programs.hpp:"), std::string::npos) << text;
    EXPECT_NE(text.find(" 'right and on' ("), std::string::npos) << text;
    EXPECT_EQ(text.find("?\n?\n"), std::string::npos) << text;
}

TEST(StreamLog, that_cannot_be_written_is_an_error_that_names_the_option) {
    Options options = plain();
    options.log_stream = testing::TempDir() + "no/such/folder/stream";
    try {
        Runtime runtime(options);
        FAIL() << "the file was written";
    } catch (const UsageError& error) {
        const std::string text = error.what();
        EXPECT_TRUE(text.starts_with("option log-stream: cannot write '")) << text;
        EXPECT_NE(text.find("No such file or directory"), std::string::npos) << text;
    }
}

}  // namespace
}  // namespace refrain::stream_log_test
