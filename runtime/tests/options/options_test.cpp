#include "refrain/options.hpp"

#include "options/option_table.hpp"
#include "options/option_value.hpp"
#include "refrain/error.hpp"

#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace refrain::options::options_test {
namespace {

/// The arguments of main, and those left after parsing.
class Arguments {
  public:
    Arguments(std::initializer_list<const char*> texts) : texts_(texts.begin(), texts.end()) {
        for (std::string& text : texts_) pointers_.push_back(text.data());
        pointers_.push_back(nullptr);
        count_ = static_cast<int>(texts_.size());
    }

    Options parse() { return Options::from_arguments(count_, pointers_.data()); }
    Options parse_or_exit() { return Options::from_arguments_or_exit(count_, pointers_.data()); }
    [[nodiscard]] std::vector<std::string> left() const {
        EXPECT_EQ(pointers_[static_cast<std::size_t>(count_)], nullptr);
        return {pointers_.begin(), pointers_.begin() + count_};
    }

  private:
    std::vector<std::string> texts_;
    std::vector<char*> pointers_;
    int count_ = 0;
};

Options parse(std::initializer_list<const char*> texts) {
    return Arguments(texts).parse();
}

/// The message of the UsageError that an action throws.
std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "no error";
}
std::string message_of(std::initializer_list<const char*> texts) {
    return message_of([&] { static_cast<void>(parse(texts)); });
}

/// Sets environment variables during its lifetime, and hides those of the test process.
class Environment {
  public:
    explicit Environment(const std::map<std::string, std::string>& variables = {}) {
        for (const OptionRow& row : option_table()) {
            hide(environment_name(row));
        }
        for (const auto& [name, value] : variables) {
            hide(name);
            setenv(name.c_str(), value.c_str(), 1);
        }
    }
    ~Environment() {
        for (const auto& [name, value] : before_) {
            unsetenv(name.c_str());
            if (value != nullptr) setenv(name.c_str(), value->c_str(), 1);
        }
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

  private:
    void hide(const std::string& name) {
        const char* value = std::getenv(name.c_str());
        before_.try_emplace(name,
                            value == nullptr ? nullptr : std::make_unique<std::string>(value));
        unsetenv(name.c_str());
    }
    std::map<std::string, std::unique_ptr<std::string>> before_;
};

class OptionsTest : public ::testing::Test {
  private:
    Environment environment_;
};

TEST_F(OptionsTest, no_arguments_give_the_defaults) {
    EXPECT_EQ(parse({"program"}), Options{});
    EXPECT_EQ(Options::from_environment(), Options{});
    EXPECT_EQ(Options{}.checked(), Options{}) << "the defaults pass their own check";
}

TEST_F(OptionsTest, arguments_set_values_and_the_programs_own_arguments_remain) {
    Arguments arguments{"program",
                        "--size=3",
                        "--refrain:workers=4",
                        "input",
                        "-v",
                        "--refrain:verify=10",
                        "--refrain:auto-trace=off"};
    const Options options = arguments.parse();
    EXPECT_EQ(options.workers, 4U);
    EXPECT_EQ(options.checks.verify, 10U);
    EXPECT_FALSE(options.tracing.automatic);
    EXPECT_EQ(arguments.left(), (std::vector<std::string>{"program", "--size=3", "input", "-v"}));
}

TEST_F(OptionsTest, workers_are_bound_by_name) {
    EXPECT_EQ(Options{}.bind, Binding::automatic);
    EXPECT_EQ(parse({"program", "--refrain:bind=cores"}).bind, Binding::cores);
    EXPECT_EQ(parse({"program", "--refrain:bind=none"}).bind, Binding::none);
    const std::string message = message_of({"program", "--refrain:bind=core"});
    EXPECT_NE(message.find("'bind' takes auto, none, cores"), std::string::npos) << message;
}

TEST_F(OptionsTest, arguments_after_two_dashes_belong_to_the_program) {
    Arguments arguments{"program", "--refrain:workers=2", "--", "--refrain:workers=3"};
    EXPECT_EQ(arguments.parse().workers, 2U);
    EXPECT_EQ(arguments.left(), (std::vector<std::string>{"program", "--", "--refrain:workers=3"}));
}

TEST_F(OptionsTest, an_empty_argument_list_gives_the_defaults) {
    int argc = 0;
    char* argv[] = {nullptr};
    EXPECT_EQ(Options::from_arguments(argc, argv), Options{});
    EXPECT_EQ(argc, 0);
}

TEST_F(OptionsTest, a_bare_name_means_on_and_the_last_of_two_wins) {
    EXPECT_TRUE(parse({"program", "--refrain:strict-traces"}).checks.strict_traces);
    EXPECT_FALSE(parse({"program", "--refrain:record-graph", "--refrain:record-graph=off"})
                     .observe.record_graph);
    EXPECT_EQ(message_of({"program", "--refrain:workers"}),
              "option --refrain:workers: the value is missing; 'workers' takes 0 to 1024");
}

TEST_F(OptionsTest, on_and_off_have_the_usual_spellings) {
    for (const char* on : {"on", "true", "yes", "1"}) {
        const std::string argument = std::string("--refrain:strict-traces=") + on;
        EXPECT_TRUE(parse({"program", argument.c_str()}).checks.strict_traces) << on;
    }
    for (const char* off : {"off", "false", "no", "0"}) {
        const std::string argument = std::string("--refrain:auto-trace=") + off;
        EXPECT_FALSE(parse({"program", argument.c_str()}).tracing.automatic) << off;
    }
}

TEST_F(OptionsTest, byte_counts_accept_suffixes_for_powers_of_1024) {
    EXPECT_EQ(parse({"program", "--refrain:memory-limit=3G"}).limits.region_bytes,
              std::uint64_t{3} << 30);
    EXPECT_EQ(parse({"program", "--refrain:memory-limit=7k"}).limits.region_bytes, 7U << 10);
    EXPECT_EQ(parse({"program", "--refrain:trace-bytes=2M"}).limits.trace_bytes, 2U << 20);
    EXPECT_EQ(parse({"program", "--refrain:trace-bytes=5000"}).limits.trace_bytes, 5000U);
    for (const char* bad : {"--refrain:memory-limit=3X", "--refrain:memory-limit=G",
                            "--refrain:memory-limit=3GB", "--refrain:window=2K"}) {
        EXPECT_NE(message_of({"program", bad}).find("is not a number"), std::string::npos) << bad;
    }
}

TEST_F(OptionsTest, auto_leaves_a_number_unset) {
    EXPECT_EQ(parse({"program", "--refrain:mining-delay=auto"}).tracing.mining.delay, std::nullopt);
    EXPECT_EQ(parse({"program", "--refrain:mining-delay=0"}).tracing.mining.delay,
              std::uint64_t{0});
    EXPECT_EQ(message_of({"program", "--refrain:mining-delay=soon"}),
              "option --refrain:mining-delay=soon: 'soon' is not a number; 'mining-delay' takes "
              "auto, 0 to 67108864");
    Options options;
    options.tracing.mining.delay = std::uint64_t{1} << 40;
    EXPECT_THROW(static_cast<void>(options.checked()), UsageError);
}

TEST_F(OptionsTest, a_file_may_have_any_name_and_off_means_none) {
    EXPECT_EQ(parse({"program", "--refrain:log-stream=a file=1"}).observe.log_stream, "a file=1");
    EXPECT_EQ(parse({"program", "--refrain:log-stream=./off"}).observe.log_stream, "./off");
    EXPECT_EQ(
        parse({"program", "--refrain:log-stream=a", "--refrain:log-stream=off"}).observe.log_stream,
        "");
    EXPECT_EQ(message_of({"program", "--refrain:log-stream="}),
              "option --refrain:log-stream=: the name is missing; 'log-stream' takes the name of a "
              "file, or off");
    EXPECT_EQ(message_of({"program", "--refrain:log-stream"}),
              "option --refrain:log-stream: the value is missing; 'log-stream' takes the name of a "
              "file, or off");
}

TEST_F(OptionsTest, the_window_is_rounded_up_to_a_power_of_two) {
    EXPECT_EQ(parse({"program", "--refrain:window=1000"}).window, 1024U);
    EXPECT_EQ(parse({"program", "--refrain:window=2"}).window, 2U);
    Options options;
    options.window = 65;
    EXPECT_EQ(options.checked().window, 128U);
}

TEST_F(OptionsTest, an_invalid_number_is_reported_with_the_allowed_range) {
    EXPECT_EQ(message_of({"program", "--refrain:workers=four"}),
              "option --refrain:workers=four: 'four' is not a number; 'workers' takes 0 to 1024");
    EXPECT_EQ(
        message_of({"program", "--refrain:trace-bytes=10"}),
        "option --refrain:trace-bytes=10: '10' is out of bounds; 'trace-bytes' takes 1K to 1024T "
        "bytes");
    for (const char* bad : {"", "-1", "+1", "1.5", " 1", "1 ", "0x10", "99999999999999999999"}) {
        const std::string argument = std::string("--refrain:verify=") + bad;
        EXPECT_NE(message_of({"program", argument.c_str()}).find("is not a number"),
                  std::string::npos)
            << "'" << bad << "'";
    }
}

TEST_F(OptionsTest, an_invalid_name_is_reported_with_the_allowed_names) {
    EXPECT_EQ(
        message_of({"program", "--refrain:log=loud"}),
        "option --refrain:log=loud: 'loud' is not one of its values; 'log' takes off, warning, "
        "info, debug");
    EXPECT_EQ(
        message_of({"program", "--refrain:auto-trace=maybe"}),
        "option --refrain:auto-trace=maybe: 'maybe' is not one of its values; 'auto-trace' takes "
        "on or off");
}

TEST_F(OptionsTest, an_unknown_option_is_reported_with_the_nearest_name) {
    EXPECT_EQ(
        message_of({"program", "--refrain:wokers=4"}),
        "option --refrain:wokers=4: there is no option 'wokers'; the nearest is 'workers', and "
        "--refrain:help prints all");
    EXPECT_NE(message_of({"program", "--refrain:min-trace-length=4"}).find("'trace-min-length'"),
              std::string::npos);
}

TEST_F(OptionsTest, refused_arguments_stay_unchanged) {
    Arguments arguments{"program", "--refrain:workers=2", "--refrain:log=loud", "file"};
    EXPECT_THROW(static_cast<void>(arguments.parse()), UsageError);
    EXPECT_EQ(arguments.left(), (std::vector<std::string>{"program", "--refrain:workers=2",
                                                          "--refrain:log=loud", "file"}));
}

TEST_F(OptionsTest, contradictory_options_are_refused) {
    EXPECT_EQ(
        message_of({"program", "--refrain:trace-min-length=9", "--refrain:trace-max-length=8"}),
        "options trace-min-length = 9 and trace-max-length = 8 contradict each other: no length is "
        "both; raise the second or lower the first");
    EXPECT_NE(message_of({"program", "--refrain:recogniser=mined", "--refrain:history=100",
                          "--refrain:multi-scale-factor=101"})
                  .find("no slice would fit"),
              std::string::npos);
}

TEST_F(OptionsTest, values_set_by_the_program_are_checked_too) {
    Options options;
    options.checks.token_bits = 129;
    EXPECT_EQ(message_of([&] { static_cast<void>(options.checked()); }),
              "option token-bits: '129' is out of bounds; 'token-bits' takes 1 to 128");
}

TEST_F(OptionsTest, the_environment_is_read_and_arguments_win) {
    const Environment variables({{"REFRAIN_WORKERS", "3"}, {"REFRAIN_TRACE_MAX_LENGTH", "70"}});
    EXPECT_EQ(Options::from_environment().workers, 3U);
    EXPECT_EQ(Options::from_environment().tracing.max_length, 70U);
    const Options options = parse({"program", "--refrain:workers=5"});
    EXPECT_EQ(options.workers, 5U);
    EXPECT_EQ(options.tracing.max_length, 70U);
}

TEST_F(OptionsTest, an_invalid_variable_is_reported_and_an_unknown_one_ignored) {
    const Environment variables({{"REFRAIN_WORKERS", "many"}, {"REFRAIN_SOMETHING_ELSE", "1"}});
    EXPECT_EQ(message_of([] { static_cast<void>(Options::from_environment()); }),
              "option REFRAIN_WORKERS=many: 'many' is not a number; 'workers' takes 0 to 1024");
}

TEST_F(OptionsTest, a_variable_that_names_no_option_is_named_once_with_the_nearest) {
    const Environment variables({{"REFRAIN_WORKRES", "3"}, {"REFRAIN_LOG_STREAMS", "x"}});
    testing::internal::CaptureStderr();
    EXPECT_EQ(Options::from_environment().workers, 0U);
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_NE(text.find("refrain: the environment variable REFRAIN_WORKRES names no option and is "
                        "ignored; the nearest is REFRAIN_WORKERS, and --refrain:help prints all\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("nearest is REFRAIN_LOG_STREAM,"), std::string::npos) << text;
    testing::internal::CaptureStderr();
    static_cast<void>(parse({"program"}));
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "once per process";
}

TEST_F(OptionsTest, variables_of_other_products_are_not_named) {
    const Environment variables({{"REFRAIN_ARRAY_LOOPS", "avx2"}, {"REFRAIN_SCRIPT_PLUGINS", "p"}});
    testing::internal::CaptureStderr();
    static_cast<void>(parse({"program"}));
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(OptionsTest, a_variable_that_names_no_option_is_not_named_if_the_log_is_off) {
    const Environment variables({{"REFRAIN_LOG", "off"}, {"REFRAIN_WINDOWS", "3"}});
    testing::internal::CaptureStderr();
    static_cast<void>(Options::from_environment());
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(OptionsTest, a_main_function_ends_with_status_two_and_one_line) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto main_function = [](std::initializer_list<const char*> arguments) {
        Arguments a(arguments);
        static_cast<void>(a.parse_or_exit());
    };
    EXPECT_EXIT(main_function({"program", "--refrain:worker=2"}), testing::ExitedWithCode(2),
                "^refrain: option --refrain:worker=2: there is no option 'worker'; the nearest is "
                "'workers', and --refrain:help prints all\n$");
    const Environment variables(std::map<std::string, std::string>{{"REFRAIN_WORKERS", "many"}});
    EXPECT_EXIT(static_cast<void>(Options::from_environment_or_exit()), testing::ExitedWithCode(2),
                "^refrain: option REFRAIN_WORKERS=many: 'many' is not a number; 'workers' takes 0 "
                "to 1024\n$");
    EXPECT_EXIT(main_function({"program"}), testing::ExitedWithCode(2), "REFRAIN_WORKERS=many");
}

TEST_F(OptionsTest, workers_default_to_the_number_of_cores) {
    Options options;
    EXPECT_GE(options.worker_count(), 1U);
    options.workers = 7;
    EXPECT_EQ(options.worker_count(), 7U);
}

TEST_F(OptionsTest, the_help_names_every_option_its_values_and_its_default) {
    const std::string help = help_text();
    for (const OptionRow& row : option_table()) {
        EXPECT_NE(help.find("  " + std::string(row.name) + " "), std::string::npos) << row.name;
        const std::string values = allowed_values(row) + "; default " + print_value(Options{}, row);
        EXPECT_NE(help.find(values), std::string::npos) << values;
        EXPECT_FALSE(row.help.empty()) << row.name;
    }
}

TEST_F(OptionsTest, help_exits_successfully_after_printing) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(static_cast<void>(parse({"program", "--refrain:help"})), testing::ExitedWithCode(0),
                "");
}

/// The names of the options whose values differ from the defaults.
std::set<std::string> changed(const Options& options) {
    std::set<std::string> names;
    for (const OptionRow& row : option_table()) {
        if (print_value(options, row) != print_value(Options{}, row)) {
            names.emplace(row.name);
        }
    }
    return names;
}

/// Sets the row's option to `value` if the option accepts it.
Options set_if_allowed(const OptionRow& row, const char* value) {
    Options options;
    try {
        set_value(options, row, value, "test");
    } catch (const UsageError&) {
        return Options{};
    }
    return options;
}

TEST_F(OptionsTest, each_row_of_the_table_sets_its_own_field_and_no_other) {
    std::set<std::string> names;
    for (const OptionRow& row : option_table()) {
        const std::string name(row.name);
        EXPECT_TRUE(names.insert(name).second) << name << " is there twice";
        std::set<std::string> seen;
        for (const char* value :
             {"on", "off", "3", "7", "info", "5K", "mined", "all", "states", "cores"}) {
            seen.merge(changed(set_if_allowed(row, value)));
        }
        EXPECT_EQ(seen, std::set<std::string>{name});
    }
}

TEST_F(OptionsTest, every_default_is_printed_and_parsed_back) {
    for (const OptionRow& row : option_table()) {
        Options options;
        set_value(options, row, print_value(Options{}, row), "test");
        EXPECT_EQ(options, Options{}) << row.name;
    }
}

}  // namespace
}  // namespace refrain::options::options_test
