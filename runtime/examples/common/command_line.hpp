/// Command lines of the examples.
///
///     example::CommandLine line{"Solves a dense linear system."};
///     line.add_number("--size", config.size, {2, 16384}, "unknowns");
///     line.parse(config.common, argc, argv);
///
/// Only command_line.cpp includes CLI11, which takes long to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/common_config.hpp"

namespace CLI {
class App;
}

namespace example {

/// Inclusive bounds of a number.
template <class Number>
struct Bounds {
    Number least;
    Number most;
};

/// Bounds of step counts, and of the interval between two checks.
inline constexpr Bounds<std::int64_t> any_steps{1, 1'000'000'000};
inline constexpr Bounds<std::int64_t> any_interval{1, 1'000'000};

/// The options of a program. A value keeps its default if its option is not given.
class CommandLine {
  public:
    explicit CommandLine(const std::string& description);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    void add_number(const std::string& name, int& value, Bounds<int> bounds,
                    const std::string& help);
    void add_number(const std::string& name, std::int64_t& value, Bounds<std::int64_t> bounds,
                    const std::string& help);
    void add_number(const std::string& name, double& value, Bounds<double> bounds,
                    const std::string& help);
    void add_seed(const std::string& name, std::uint64_t& value, const std::string& help);
    void add_flag(const std::string& name, bool& value, const std::string& help);
    void add_text(const std::string& name, std::string& value, const std::string& help);
    /// A file for a Picture.
    void add_picture(const std::string& name, std::string& value, const std::string& help);
    void add_choice(const std::string& name, std::string& value,
                    const std::vector<std::string>& choices, const std::string& help);
    /// At most one of two options may be given.
    void exclude(const std::string& one, const std::string& other);
    /// `check` runs after parsing; it may call refuse().
    void check_with(const std::function<void()>& check);

    /// Parses the arguments into the options and into `config`. Exits after --help and after
    /// invalid arguments.
    void parse(CommonConfig& config, int argc, char** argv);
    /// The same for a program that has none of the common options and no runtime.
    void parse(int argc, char** argv);

  private:
    std::unique_ptr<CLI::App> app_;
};

/// Ends a check with a message about the option.
[[noreturn]] void refuse(const std::string& option, const std::string& message);

/// Checks that `points` along an axis can be cut into `tiles` tiles of at least `least` points, or
/// else refuses --tiles. `what` names the points in the message.
void check_tiles(std::int64_t points, std::int64_t tiles, const std::string& what,
                 std::int64_t least = 1);

}  // namespace example
