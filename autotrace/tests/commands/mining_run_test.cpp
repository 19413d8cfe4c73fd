#include "commands/mining_run.hpp"

#include "commands/mining_report.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

namespace refrain::commands::mining_run_test {
namespace {

MiningOutcome mine(const std::string& text, const autotrace::Options& options = {}) {
    std::istringstream input(text);
    OperationReader reader(input, "stream");
    return run_mining(reader, options, [](std::uint64_t) {});
}

std::string loop(int period, int length) {
    std::string text;
    for (int i = 0; i < length; ++i) text += std::to_string(i % period) + "\n";
    return text;
}

TEST(MiningRun, coverage_is_the_share_of_traceable_operations) {
    std::string text;
    for (int i = 0; i < 10'000; ++i) {
        text += std::to_string(i % 25) + "\n";
        if (i % 100 == 99) text += "!\n.\n?\n";
    }
    const MiningOutcome outcome = mine(text);
    EXPECT_EQ(outcome.statistics.operations, 10'200U);
    EXPECT_EQ(outcome.statistics.traceable, 10'000U);
    EXPECT_DOUBLE_EQ(outcome.coverage, static_cast<double>(outcome.statistics.replayed) / 10'000);
    EXPECT_GT(outcome.coverage, 0.9);
    EXPECT_DOUBLE_EQ(outcome.coverage_second_half, 1);
    EXPECT_DOUBLE_EQ(outcome.coverage_last_quarter, 1);
}

TEST(MiningRun, reports_when_the_loop_was_found_and_when_it_was_steady) {
    const MiningOutcome outcome = mine(loop(100, 20'000));
    EXPECT_GE(outcome.statistics.first_replay, 256U);
    EXPECT_LE(outcome.statistics.first_replay, 500U);
    ASSERT_TRUE(outcome.warm_up.has_value());
    EXPECT_LE(*outcome.warm_up, 500U);
    EXPECT_GE(*outcome.warm_up + 10, outcome.statistics.first_replay);
    ASSERT_EQ(outcome.traces.size(), 1U);
    EXPECT_EQ(outcome.traces[0].length, 100U);
    EXPECT_EQ(outcome.traces[0].replays, outcome.statistics.replays);
}

TEST(MiningRun, issues_held_operations_at_the_end_of_the_stream) {
    const MiningOutcome outcome = mine(loop(100, 20'000));
    EXPECT_DOUBLE_EQ(outcome.coverage_second_half, 1);
    EXPECT_DOUBLE_EQ(mine(loop(100, 20'050)).coverage_second_half, 1.0 - 50.0 / 10'025);
}

TEST(MiningRun, a_stream_without_repeats_is_never_steady) {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += std::to_string(i) + "\n";
    const MiningOutcome outcome = mine(text);
    EXPECT_EQ(outcome.coverage, 0);
    EXPECT_FALSE(outcome.warm_up.has_value());
    EXPECT_EQ(outcome.statistics.first_replay, autotrace::Statistics::never);
    EXPECT_EQ(outcome.statistics.held_back_mean(), 0);
}

TEST(MiningReport, json_has_the_documented_keys) {
    for (const bool repeats : {true, false}) {
        std::ostringstream out;
        print_json(out, mine(repeats ? loop(10, 5000) : "1\n2\n"));
        const nlohmann::json json = nlohmann::json::parse(out.str());
        std::set<std::string> keys;
        for (const auto& [key, value] : json.items()) keys.insert(key);
        EXPECT_EQ(keys, (std::set<std::string>{"operations", "traceable", "replayed", "coverage",
                                               "coverage_second_half", "coverage_last_quarter",
                                               "first_replay", "traces", "held_back_mean"}));
        EXPECT_EQ(json["first_replay"].is_null(), !repeats);
        EXPECT_EQ(json["traceable"], repeats ? 5000 : 2);
        EXPECT_TRUE(json["traces"].is_number_unsigned());
    }
}

TEST(MiningReport, table_has_the_traces_that_saved_most) {
    std::ostringstream out;
    print_table(out, mine(loop(100, 20'000)));
    EXPECT_NE(out.str().find("coverage"), std::string::npos);
    EXPECT_NE(out.str().find("first replay"), std::string::npos);
    EXPECT_NE(out.str().find("warm-up"), std::string::npos);
    EXPECT_NE(out.str().find("1      100"), std::string::npos) << out.str();
}

}  // namespace
}  // namespace refrain::commands::mining_run_test
