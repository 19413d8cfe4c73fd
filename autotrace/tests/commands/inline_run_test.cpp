#include "commands/inline_run.hpp"

#include "commands/mining_report.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

namespace refrain::commands::inline_run_test {
namespace {

InlineOutcome recognise(const std::string& text) {
    std::istringstream input(text);
    OperationReader reader(input, "stream");
    return run_inline(reader, [](std::uint64_t) {});
}

/// Lines with the tokens first, first + 1, ...
std::string tokens(int first, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += std::to_string(first + i) + "\n";
    return text;
}

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

TEST(InlineRun, a_loop_is_replayed_from_its_third_iteration_on) {
    const InlineOutcome outcome = recognise(repeated(tokens(0, 100), 40));
    EXPECT_EQ(outcome.operations, 4000u);
    EXPECT_EQ(outcome.traceable, 4000u);
    EXPECT_EQ(outcome.repeated, 3900u);
    EXPECT_EQ(outcome.first_replay, 204u) << "the first with a context of five in iteration 3";
    EXPECT_EQ(outcome.replayed, 4000u - 204);
    EXPECT_DOUBLE_EQ(outcome.coverage, (4000.0 - 204) / 4000);
    EXPECT_EQ(outcome.coverage_second_half, 1);
    EXPECT_EQ(outcome.coverage_last_quarter, 1);
    EXPECT_EQ(outcome.warm_up, 194u);
}

TEST(InlineRun, lists_loops_by_length_those_with_most_operations_first) {
    const InlineOutcome outcome =
        recognise(repeated(tokens(0, 30), 10) + repeated(tokens(1000, 20), 40));
    ASSERT_EQ(outcome.loops.size(), 2u);
    EXPECT_EQ(outcome.loops[0].length, 20u);
    EXPECT_EQ(outcome.loops[0].operations, 39u * 20 - 4);
    EXPECT_EQ(outcome.loops[0].first_at, 300u + 24);
    EXPECT_EQ(outcome.loops[1].length, 30u);
    EXPECT_EQ(outcome.loops[1].operations, 9u * 30 - 4);
    EXPECT_EQ(outcome.loops[1].first_at, 34u);
}

TEST(InlineRun, untraceable_operations_interrupt_but_waits_and_ignorable_ones_do_not) {
    const std::string with_waits = tokens(0, 4) + "?\n.\n" + tokens(4, 4);
    const InlineOutcome whole = recognise(repeated(with_waits, 100));
    EXPECT_EQ(whole.operations, 900u);
    EXPECT_EQ(whole.traceable, 800u);
    EXPECT_EQ(whole.first_replay, 18u + 5) << "counts all operations, also ignorable ones";
    EXPECT_EQ(whole.coverage_last_quarter, 1);
    const InlineOutcome cut = recognise(repeated(tokens(0, 4) + "!\n" + tokens(4, 4) + "!\n", 100));
    EXPECT_EQ(cut.traceable, 800u);
    EXPECT_EQ(cut.repeated, 792u);
    EXPECT_EQ(cut.replayed, 0u) << "each context of five spans an interruption";
    EXPECT_FALSE(cut.first_replay);
}

TEST(InlineRun, a_stream_without_repeats_is_never_replayed) {
    const InlineOutcome outcome = recognise(tokens(0, 5000));
    EXPECT_EQ(outcome.repeated, 0u);
    EXPECT_EQ(outcome.coverage, 0);
    EXPECT_FALSE(outcome.first_replay);
    EXPECT_FALSE(outcome.warm_up);
    EXPECT_TRUE(outcome.loops.empty());
    EXPECT_EQ(recognise("").coverage, 0);
}

TEST(InlineReport, json_has_the_documented_keys) {
    for (const bool repeats : {true, false}) {
        std::ostringstream out;
        print_json(out, recognise(repeats ? repeated(tokens(0, 10), 500) : "1\n2\n"));
        const nlohmann::json json = nlohmann::json::parse(out.str());
        std::set<std::string> keys;
        for (const auto& [key, value] : json.items()) keys.insert(key);
        EXPECT_EQ(keys, (std::set<std::string>{"operations", "traceable", "replayed", "coverage",
                                               "coverage_second_half", "coverage_last_quarter",
                                               "first_replay", "loops", "held_back_mean"}));
        EXPECT_EQ(json["first_replay"].is_null(), !repeats);
        ASSERT_EQ(json["loops"].size(), repeats ? 1u : 0u);
        if (repeats) {
            EXPECT_EQ(json["loops"][0]["length"], 10);
            EXPECT_EQ(json["loops"][0]["operations"], 5000 - 14);
            EXPECT_EQ(json["loops"][0]["first_repeated"], 14);
        }
    }
}

TEST(InlineReport, table_has_the_twenty_loops_with_most_operations) {
    std::string text;
    for (int length = 10; length < 35; ++length)
        text += repeated(tokens(1000 * length, length), length);
    std::ostringstream out;
    print_table(out, recognise(text));
    EXPECT_NE(out.str().find("in the last quarter"), std::string::npos);
    EXPECT_NE(out.str().find("loops" + std::string(31, ' ') + "25"), std::string::npos)
        << out.str();
    EXPECT_NE(out.str().find("\n      34         1118"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("and 5 with fewer operations"), std::string::npos);
    EXPECT_EQ(out.str().find("\n      14 "), std::string::npos);
}

}  // namespace
}  // namespace refrain::commands::inline_run_test
