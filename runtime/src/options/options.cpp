#include "refrain/options.hpp"

#include "options/option_table.hpp"
#include "options/option_value.hpp"
#include "refrain/error.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>
#include <vector>

namespace refrain {
namespace {

constexpr std::string_view prefix = "--refrain:";
constexpr std::string_view environment_prefix = "REFRAIN_";

[[noreturn]] void print_help_and_exit() {
    std::fputs(options::help_text().c_str(), stdout);
    std::fflush(stdout);
    std::exit(EXIT_SUCCESS);
}

/// Sets the option that one argument names; `argument` begins with the prefix.
void apply_argument(Options& options, std::string_view argument) {
    const std::string_view setting = argument.substr(prefix.size());
    const std::size_t equals = setting.find('=');
    const std::string_view name = setting.substr(0, equals);
    if (setting == "help") print_help_and_exit();
    const options::OptionRow* row = options::find_option(name);
    if (row == nullptr) {
        std::string text = "option ";
        text.append(argument).append(": there is no option '").append(name);
        text.append("'; the nearest is '").append(options::nearest_option(name));
        text.append("', and --refrain:help prints all");
        throw UsageError(text);
    }
    if (equals == std::string_view::npos) return options::set_flag(options, *row, argument);
    options::set_value(options, *row, setting.substr(equals + 1), argument);
}

void apply_environment(Options& options) {
    for (const options::OptionRow& row : options::option_table()) {
        const std::string name = options::environment_name(row);
        const char* value = std::getenv(name.c_str());
        if (value != nullptr) options::set_value(options, row, value, name + "=" + value);
    }
}

/// Variables of other products of this name begin so.
bool is_of_another_product(std::string_view variable) {
    constexpr std::array others{"REFRAIN_ARRAY_", "REFRAIN_PYTHON_", "REFRAIN_PROXY_",
                                "REFRAIN_SCRIPT_", "REFRAIN_LIBPYTHON"};
    return std::any_of(others.begin(), others.end(),
                       [&](std::string_view begin) { return variable.starts_with(begin); });
}

/// Says once per process and variable that REFRAIN_... names no option.
void name_unknown_variables(const Options& options) {
    static std::mutex mutex;
    static std::set<std::string, std::less<>> named;
    if (options.observe.log == LogLevel::off) return;
    const std::lock_guard lock(mutex);
    for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        const std::string_view name = text.substr(0, text.find('='));
        if (!name.starts_with(environment_prefix) || options::find_variable(name) != nullptr ||
            is_of_another_product(name))
            continue;
        if (!named.emplace(name).second) continue;
        std::fprintf(stderr,
                     "refrain: the environment variable %s names no option and is ignored; the "
                     "nearest is %s, and --refrain:help prints all\n",
                     std::string(name).c_str(), options::nearest_variable(name).c_str());
    }
}

/// For a main function, which has nobody to catch the error.
template <class Read>
Options read_or_exit(const Read& read) {
    try {
        return read();
    } catch (const UsageError& error) {
        std::fprintf(stderr, "refrain: %s\n", error.what());
        std::exit(2);
    }
}

void check_lengths(const Options& options) {
    if (options.tracing.min_length <= options.tracing.max_length) return;
    throw UsageError(
        "options trace-min-length = " + std::to_string(options.tracing.min_length) +
        " and trace-max-length = " + std::to_string(options.tracing.max_length) +
        " contradict each other: no length is both; raise the second or lower the first");
}

void check_slices(const Options& options) {
    if (options.tracing.recogniser != Recogniser::mined) return;
    if (options.tracing.mining.multi_scale_factor <= options.history_length()) return;
    throw UsageError(
        "options multi-scale-factor = " +
        std::to_string(options.tracing.mining.multi_scale_factor) +
        " and history = " + std::to_string(options.history_length()) +
        " contradict each other: no slice would fit into the history; raise the second or"
        " lower the first");
}

}  // namespace

Options Options::checked() const {
    for (const options::OptionRow& row : options::option_table()) {
        options::check_bounds(*this, row, row.name);
    }
    check_lengths(*this);
    check_slices(*this);
    Options result = *this;
    result.window = std::bit_ceil(window);
    return result;
}

Options Options::from_environment() {
    Options options;
    apply_environment(options);
    options = options.checked();
    name_unknown_variables(options);
    return options;
}

Options Options::from_environment_or_exit() {
    return read_or_exit([] { return from_environment(); });
}

Options Options::from_arguments_or_exit(int& argc, char** argv) {
    return read_or_exit([&] { return from_arguments(argc, argv); });
}

Options Options::from_arguments(int& argc, char** argv) {
    Options options;
    apply_environment(options);
    std::vector<char*> kept;
    bool ours = true;  // until an argument says that the rest is the program's
    for (int i = 0; i < argc; ++i) {
        const std::string_view argument = argv[i];
        ours = ours && argument != "--";
        if (ours && i > 0 && argument.starts_with(prefix)) {
            apply_argument(options, argument);
        } else {
            kept.push_back(argv[i]);
        }
    }
    options = options.checked();
    name_unknown_variables(options);
    if (argc > 0) *std::copy(kept.begin(), kept.end(), argv) = nullptr;
    argc = static_cast<int>(kept.size());
    return options;
}

std::uint64_t Options::history_length() const {
    constexpr std::uint64_t usual_mined = 8192;
    constexpr std::uint64_t usual_inline = 65536;
    return tracing.history.value_or(tracing.recogniser == Recogniser::mined ? usual_mined
                                                                            : usual_inline);
}

unsigned Options::worker_count() const {
    return workers > 0 ? workers : std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace refrain
