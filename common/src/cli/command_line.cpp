#include "cli/command_line.hpp"

#include "base/edit_distance.hpp"
#include "cli/command.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <type_traits>

namespace refrain::cli {

Option Option::required() {
    option_->required();
    return *this;
}
Option Option::show_default() {
    option_->capture_default_str();
    return *this;
}
Option Option::between(double least, double most) {
    if (is_whole_)
        option_->check(
            CLI::Range(static_cast<std::int64_t>(least), static_cast<std::int64_t>(most)));
    else
        option_->check(CLI::Range(least, most));
    return *this;
}
Option Option::one_of(const std::vector<std::string>& choices) {
    option_->check(CLI::IsMember(choices));
    return *this;
}
Option Option::values(int least, int most) {
    option_->expected(least, most);
    return *this;
}
Option Option::separated_by(char separator) {
    option_->delimiter(separator);
    return *this;
}
Option Option::one_per_use() {
    option_->allow_extra_args(false);
    return *this;
}
bool Option::is_given() const {
    return option_->count() != 0;
}

CommandLine::CommandLine(const std::string& description, const std::string& program)
    : owned_(std::make_unique<CLI::App>(description, program)), app_(owned_.get()) {}
CommandLine::CommandLine(CLI::App* command) : app_(command) {}
CommandLine::~CommandLine() = default;

Option CommandLine::add_option(const std::string& name, int& value, const std::string& help) {
    return Option(app_->add_option(name, value, help));
}
Option CommandLine::add_option(const std::string& name, std::int64_t& value,
                               const std::string& help) {
    return Option(app_->add_option(name, value, help));
}
Option CommandLine::add_option(const std::string& name, std::uint32_t& value,
                               const std::string& help) {
    return Option(app_->add_option(name, value, help));
}
Option CommandLine::add_option(const std::string& name, std::uint64_t& value,
                               const std::string& help) {
    return Option(app_->add_option(name, value, help));
}
Option CommandLine::add_option(const std::string& name, double& value, const std::string& help) {
    constexpr bool is_whole = false;
    return Option(app_->add_option(name, value, help), is_whole);
}
Option CommandLine::add_option(const std::string& name, std::string& value,
                               const std::string& help) {
    return Option(app_->add_option(name, value, help));
}
Option CommandLine::add_option(const std::string& name, std::vector<int>& values,
                               const std::string& help) {
    return Option(app_->add_option(name, values, help));
}
Option CommandLine::add_option(const std::string& name, std::vector<std::string>& values,
                               const std::string& help) {
    return Option(app_->add_option(name, values, help));
}
Option CommandLine::add_flag(const std::string& name, bool& value, const std::string& help) {
    return Option(app_->add_flag(name, value, help));
}
CommandLine& CommandLine::add_command(const std::string& name, const std::string& what) {
    commands_.push_back(
        std::unique_ptr<CommandLine>(new CommandLine(app_->add_subcommand(name, what))));
    return *commands_.back();
}
void CommandLine::on_named(const std::function<void()>& callback) {
    app_->preparse_callback([callback](std::size_t) { callback(); });
}
void CommandLine::require_command() {
    app_->require_subcommand(1);
}
void CommandLine::set_version(const std::string& version) {
    app_->set_version_flag("--version", version);
}
void CommandLine::set_footer(const std::string& text) {
    app_->footer(text);
}
void CommandLine::on_parsed(const std::function<void()>& callback) {
    app_->callback(callback);
}
void CommandLine::keep_unknown_words() {
    app_->allow_extras();
}
std::vector<std::string> CommandLine::unknown_words() const {
    return app_->remaining();
}
std::vector<std::pair<std::string, std::string>> CommandLine::misspelled_words() const {
    std::vector<std::pair<std::string, std::string>> all;
    for (const std::string& word : app_->remaining()) {
        const std::string name = word.substr(0, word.find('='));
        if (!name.starts_with("--") || name.size() <= 4) continue;
        for (const CLI::Option* each : app_->get_options())
            for (const std::string& long_name : each->get_lnames()) {
                const std::string option = "--" + long_name;
                if (word != option && (option.starts_with(name) ||
                                       base::edit_distance(name, option) <= (name.size() - 2) / 3))
                    all.emplace_back(word, option);
            }
    }
    return all;
}
void CommandLine::refuse_unknown_words(const std::string& command) const {
    if (!app_->remaining().empty()) throw CLI::ExtrasError(command, app_->remaining());
}

std::string CommandLine::unknown_command() const {
    if (app_->get_require_subcommand_min() == 0 || !app_->get_subcommands().empty()) return {};
    const std::vector<std::string> words = app_->remaining();
    if (words.empty() || words.front().starts_with('-')) return {};
    std::vector<std::string> names;
    for (const CLI::App* each : app_->get_subcommands({})) names.push_back(each->get_name());
    const std::string nearest = base::nearest_name(words.front(), names);
    return "no command '" + words.front() + "'" +
           (nearest.empty() ? "" : "; did you mean '" + nearest + "'?");
}

bool CommandLine::parse(int argc, const char* const* argv, const std::string& prefix) {
    try {
        app_->parse(argc, argv);
        return true;
    } catch (const CLI::ParseError& error) {
        if (prefix.empty() || dynamic_cast<const CLI::Success*>(&error) != nullptr) {
            exit_status_ = app_->exit(error) == 0 ? 0 : exit_user_error;
        } else {
            const std::string unknown = unknown_command();
            std::cerr << prefix << ": " << (unknown.empty() ? error.what() : unknown) << '\n'
                      << prefix << " --help shows its options.\n";
            exit_status_ = exit_user_error;
        }
        return false;
    }
}

}  // namespace refrain::cli
