#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace refrain::cli {

/// An option that was added to a CommandLine, which must outlive it.
class Option {
  public:
    /// is_whole  whether its values are integers, and its bounds shown as such.
    explicit Option(CLI::Option* option, bool is_whole = true)
        : option_(option), is_whole_(is_whole) {}

    Option required();
    /// --help shows the present value.
    Option show_default();
    /// Errors of the user: a number outside of these bounds; a value that is not among these.
    Option between(double least, double most);
    Option one_of(const std::vector<std::string>& choices);
    /// Of a list: how many values; how they are separated within one word; one value per use.
    Option values(int least, int most);
    Option separated_by(char separator);
    Option one_per_use();
    /// Whether the user gave it.
    [[nodiscard]] bool is_given() const;

  private:
    CLI::Option* option_;
    bool is_whole_;
};

/// The options of a program. A variable keeps its value if its option is not given; it must live
/// until the line is parsed.
///
///     cli::CommandLine line("Measures ...");
///     line.add_option("--rounds", rounds, "Measurements").between(1, 1000).show_default();
///     if (!line.parse(argc, argv)) return line.exit_status();
///
/// CLI11 does the work; it takes long to compile, so that only command_line.cpp includes it.
class CommandLine {
  public:
    explicit CommandLine(const std::string& description, const std::string& program = {});
    ~CommandLine();
    CommandLine(CommandLine&&) = delete;

    Option add_option(const std::string& name, int& value, const std::string& help);
    Option add_option(const std::string& name, std::int64_t& value, const std::string& help);
    Option add_option(const std::string& name, std::uint32_t& value, const std::string& help);
    Option add_option(const std::string& name, std::uint64_t& value, const std::string& help);
    Option add_option(const std::string& name, double& value, const std::string& help);
    Option add_option(const std::string& name, std::string& value, const std::string& help);
    Option add_option(const std::string& name, std::vector<int>& values, const std::string& help);
    Option add_option(const std::string& name, std::vector<std::string>& values,
                      const std::string& help);
    Option add_flag(const std::string& name, bool& value, const std::string& help);
    /// A command of the program, such as `run` in `refrain script run`; valid as long as this.
    CommandLine& add_command(const std::string& name, const std::string& what);
    /// Called once the user has named this command, before its words are read: adds its options, which takes time.
    void on_named(const std::function<void()>& callback);
    /// The user must name a command.
    void require_command();
    void set_version(const std::string& version);
    /// Text below the options in --help.
    void set_footer(const std::string& text);
    /// Called once the line is parsed.
    void on_parsed(const std::function<void()>& callback);
    /// Words that are no option of ours are kept, instead of being errors of the user.
    void keep_unknown_words();
    [[nodiscard]] std::vector<std::string> unknown_words() const;
    /// Those of them that are nearly an option, its beginning or misspelled, each with that.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> misspelled_words() const;
    /// Refuses what unknown_words() has. Only within on_parsed.
    void refuse_unknown_words(const std::string& command) const;

    /// Returns whether the program goes on; if not, it ends with exit_status().
    ///
    /// prefix  of the message about an error of the user; what CLI11 writes if there is none.
    [[nodiscard]] bool parse(int argc, const char* const* argv, const std::string& prefix = {});
    /// 0 after --help and --version, 2 after an error of the user.
    [[nodiscard]] int exit_status() const { return exit_status_; }

  private:
    explicit CommandLine(CLI::App* command);
    /// "no command 'recrod'; did you mean 'record'?", where one must be named and a word names none; else empty.
    [[nodiscard]] std::string unknown_command() const;

    std::unique_ptr<CLI::App> owned_;
    CLI::App* app_;
    std::vector<std::unique_ptr<CommandLine>> commands_;
    int exit_status_ = 0;
};

}  // namespace refrain::cli
