#include "cli/command_line.hpp"

#include "cli/command.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

namespace refrain::cli::command_line_test {

struct Values {
    int rounds = 5;
    double ratio = 0.5;
    std::string way = "fast";
    std::vector<int> widths = {1};
    std::vector<std::string> inputs;
    bool quick = false;
};

/// Parses the words into `values`; returns -1 if the program goes on, else its exit status. `said`
/// gets what was printed.
int parse(Values& values, std::vector<const char*> words, std::string* said = nullptr) {
    CommandLine line("Measures.", "measure");
    line.add_option("--rounds", values.rounds, "Rounds").between(1, 10).show_default();
    line.add_option("--ratio", values.ratio, "Ratio").between(0, 1);
    line.add_option("--way", values.way, "Way").one_of({"fast", "slow"});
    line.add_option("--widths", values.widths, "Widths").separated_by(',').between(1, 64);
    line.add_option("INPUTS", values.inputs, "Inputs").required().values(1, 2);
    line.add_flag("--quick", values.quick, "Quick");
    words.insert(words.begin(), "measure");
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const bool goes_on =
        line.parse(static_cast<int>(words.size()), words.data(), "refrain measure");
    const std::string all =
        testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr();
    if (said != nullptr) *said = all;
    return goes_on ? -1 : line.exit_status();
}

TEST(CommandLine, sets_what_is_given_and_keeps_the_rest) {
    Values values;
    EXPECT_EQ(parse(values, {"--ratio", "0.25", "--widths", "2,4", "--quick", "a", "b"}), -1);
    EXPECT_EQ(values.ratio, 0.25);
    EXPECT_EQ(values.widths, (std::vector{2, 4}));
    EXPECT_TRUE(values.quick);
    EXPECT_EQ(values.inputs, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(values.rounds, 5);
    EXPECT_EQ(values.way, "fast");
}

TEST(CommandLine, refuses_wrong_values_with_the_option_and_its_bounds) {
    for (const auto& [words, message] :
         std::vector<std::pair<std::vector<const char*>, const char*>>{
             {{"--rounds", "11", "a"}, "--rounds: Value 11 not in range"},
             {{"--rounds", "1.5", "a"}, "--rounds"},
             {{"--ratio", "1.5", "a"}, "--ratio: Value 1.5 not in range"},
             {{"--way", "loud", "a"}, "--way: loud not in {fast,slow}"},
             {{"--widths", "2,65", "a"}, "--widths: Value 65 not in range"},
             {{"--sideways", "a"}, "--sideways"},
             {{}, "INPUTS is required"}}) {
        Values values;
        std::string said;
        EXPECT_EQ(parse(values, words, &said), exit_user_error) << message;
        EXPECT_NE(said.find(message), std::string::npos) << said;
        EXPECT_NE(said.find("refrain measure --help shows its options."), std::string::npos)
            << said;
    }
}

TEST(CommandLine, help_ends_the_program_well_and_shows_defaults) {
    Values values;
    std::string said;
    EXPECT_EQ(parse(values, {"--help"}, &said), 0);
    // "INT=5" or "INT [5]", as CLI11's version has it.
    EXPECT_TRUE(said.find("=5") != std::string::npos || said.find("[5]") != std::string::npos)
        << said;
}

TEST(CommandLine, commands_have_options_and_unknown_words_of_their_own) {
    CommandLine line("Runs.", "runs");
    line.require_command();
    int workers = 0;
    std::vector<std::string> unknown;
    CommandLine& run = line.add_command("run", "Run");
    const Option option = run.add_option("--workers", workers, "Threads");
    run.add_command("deeper", "Not asked for");
    run.keep_unknown_words();
    run.on_parsed([&] { unknown = run.unknown_words(); });
    const std::vector<const char*> words{"runs", "run", "--workers", "3", "--size=4"};
    ASSERT_TRUE(line.parse(static_cast<int>(words.size()), words.data(), "runs"));
    EXPECT_EQ(workers, 3);
    EXPECT_TRUE(option.is_given());
    EXPECT_EQ(unknown, std::vector<std::string>{"--size=4"});
}

TEST(CommandLine, of_a_misspelled_command_the_nearest_is_named) {
    for (const auto& [word, said] : std::vector<std::pair<const char*, const char*>>{
             {"recrod", "runs: no command 'recrod'; did you mean 'record'?\n"},
             {"fly", "runs: no command 'fly'\n"},
             {"--recrod", "runs: A subcommand is required\n"}}) {
        CommandLine line("Runs.", "runs");
        line.require_command();
        for (const char* name : {"record", "report", "merge"}) line.add_command(name, name);
        const std::vector<const char*> words{"runs", word, "-o", "run"};
        testing::internal::CaptureStderr();
        EXPECT_FALSE(line.parse(static_cast<int>(words.size()), words.data(), "runs"));
        EXPECT_EQ(testing::internal::GetCapturedStderr(),
                  std::string(said) + "runs --help shows its options.\n");
        EXPECT_EQ(line.exit_status(), exit_user_error);
    }
}

TEST(CommandLine, of_unknown_words_those_are_named_that_are_nearly_an_option) {
    CommandLine line("Runs.", "runs");
    int retries = 0;
    bool quiet = false;
    line.add_option("--retries", retries, "Further attempts");
    line.add_flag("-q,--quiet", quiet, "Say nothing");
    line.keep_unknown_words();
    const std::vector<const char*> words{"runs",    "--retires=3", "--qui", "--size=4",
                                         "retries", "--q",         "x=1"};
    ASSERT_TRUE(line.parse(static_cast<int>(words.size()), words.data(), "runs"));
    const std::vector<std::pair<std::string, std::string>> nearly = {{"--retires=3", "--retries"},
                                                                     {"--qui", "--quiet"}};
    EXPECT_EQ(line.misspelled_words(), nearly);
}

TEST(CommandLine, an_error_of_the_callback_reaches_the_caller) {
    CommandLine line("Fails.", "fails");
    line.on_parsed([] { throw std::invalid_argument("no"); });
    const std::vector<const char*> words{"fails"};
    EXPECT_THROW(static_cast<void>(line.parse(1, words.data(), "fails")), std::invalid_argument);
}

}  // namespace refrain::cli::command_line_test
