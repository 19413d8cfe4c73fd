#include "common/command_line.hpp"

#include "refrain/error.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>

#include "common/picture.hpp"

namespace example {
namespace {

template <class Number>
void add(CLI::App& app, const std::string& name, Number& value, Bounds<Number> bounds,
         const std::string& help) {
    app.add_option(name, value, help)
        ->check(CLI::Range(bounds.least, bounds.most))
        ->capture_default_str();
}

std::vector<Mode> modes_of(const std::string& mode) {
    if (mode == "untraced") return {Mode::untraced};
    if (mode == "manual") return {Mode::manual};
    if (mode == "auto") return {Mode::automatic};
    return {all_modes.begin(), all_modes.end()};
}

void add_common_options(CommandLine& line, CommonConfig& config, std::string& mode) {
    line.add_choice("--mode", mode, {"untraced", "manual", "auto", "all"},
                    "tracing mode; all: one after the other");
    line.add_flag("--check", config.check, "compare each result with the serial program's");
    line.add_number("--repetitions", config.repetitions, {1, 1000},
                    "runs per mode; the median is shown");
    line.add_text("--json", config.json_path, "write all figures to this file");
    line.add_text("--svg", config.svg_path, "draw the share of replayed operations to this file");
    line.add_picture("--picture", config.picture_path,
                     "draw the result to this file, which ends in .png or .svg");
}

}  // namespace

CommandLine::CommandLine(const std::string& description)
    : app_(std::make_unique<CLI::App>(description)) {}
CommandLine::~CommandLine() = default;

void CommandLine::add_number(const std::string& name, int& value, Bounds<int> bounds,
                             const std::string& help) {
    add(*app_, name, value, bounds, help);
}

void CommandLine::add_number(const std::string& name, std::int64_t& value,
                             Bounds<std::int64_t> bounds, const std::string& help) {
    add(*app_, name, value, bounds, help);
}

void CommandLine::add_number(const std::string& name, double& value, Bounds<double> bounds,
                             const std::string& help) {
    add(*app_, name, value, bounds, help);
}

void CommandLine::add_seed(const std::string& name, std::uint64_t& value, const std::string& help) {
    app_->add_option(name, value, help)->capture_default_str();
}

void CommandLine::add_flag(const std::string& name, bool& value, const std::string& help) {
    app_->add_flag(name, value, help);
}

void CommandLine::add_text(const std::string& name, std::string& value, const std::string& help) {
    app_->add_option(name, value, help);
}

void CommandLine::add_picture(const std::string& name, std::string& value,
                              const std::string& help) {
    const auto check = [](const std::string& path) {
        return is_picture_path(path) ? std::string() : path + " ends neither in .png nor in .svg";
    };
    app_->add_option(name, value, help)->check(check);
}

void CommandLine::add_choice(const std::string& name, std::string& value,
                             const std::vector<std::string>& choices, const std::string& help) {
    app_->add_option(name, value, help)->check(CLI::IsMember(choices))->capture_default_str();
}

void CommandLine::exclude(const std::string& one, const std::string& other) {
    app_->get_option(one)->excludes(app_->get_option(other));
}

void CommandLine::check_with(const std::function<void()>& check) {
    app_->callback(check);
}

void CommandLine::parse(CommonConfig& config, int argc, char** argv) {
    try {
        config.runtime = refrain::Options::from_arguments(argc, argv);
    } catch (const refrain::UsageError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        std::exit(2);
    }
    std::string mode = "all";
    add_common_options(*this, config, mode);
    app_->footer("--refrain:help prints the options of the runtime.");
    parse(argc, argv);
    config.modes = modes_of(mode);
}

void CommandLine::parse(int argc, char** argv) {
    try {
        app_->parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::exit(app_->exit(error) == 0 ? 0 : 2);
    }
}

void refuse(const std::string& option, const std::string& message) {
    throw CLI::ValidationError(option, message);
}

void check_tiles(std::int64_t points, std::int64_t tiles, const std::string& what,
                 std::int64_t least) {
    if (points >= least * tiles) return;
    refuse("--tiles", "cannot cut " + std::to_string(points) + " " + what + " into " +
                          std::to_string(tiles) + " tiles" +
                          (least == 1 ? "" : " of at least " + std::to_string(least)) +
                          "; take fewer tiles or more " + what);
}

}  // namespace example
