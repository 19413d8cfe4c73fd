/// What the command lines of all examples have in common.
///
///     CLI::App app{"Solves a dense linear system."};
///     app.add_option("--size", config.size, "unknowns");
///     example::parse(app, config.common, argc, argv);
#pragma once

#include "refrain/error.hpp"
#include "refrain/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "common/mode.hpp"

namespace example {

struct CommonConfig {
    std::vector<Mode> modes{all_modes.begin(), all_modes.end()};
    bool check = false;   // compare each result with the serial program's
    int repetitions = 7;  // runs per mode of which the median counts
    std::string json_path;
    std::string svg_path;
    refrain::Options runtime;  // from --refrain:... and the environment
};

namespace detail {

inline void add_common_options(CLI::App& app, CommonConfig& config, std::string& mode) {
    app.add_option("--mode", mode, "how to run")
        ->check(CLI::IsMember({"untraced", "manual", "auto", "all"}))
        ->capture_default_str();
    app.add_flag("--check", config.check, "compare each result with the serial program's");
    app.add_option("--repetitions", config.repetitions, "runs per mode; the median is shown")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--json", config.json_path, "write all figures to this file");
    app.add_option("--svg", config.svg_path, "draw the share of replayed operations to this file");
    app.footer("--refrain:help prints the options of the runtime.");
}

[[nodiscard]] inline std::vector<Mode> modes_of(const std::string& mode) {
    if (mode == "untraced") return {Mode::untraced};
    if (mode == "manual") return {Mode::manual};
    if (mode == "auto") return {Mode::automatic};
    return {all_modes.begin(), all_modes.end()};
}

}  // namespace detail

/// Reads the arguments into what the program has added to `app` and into `config`. For --help, and
/// for arguments that make no sense, ends the process.
inline void parse(CLI::App& app, CommonConfig& config, int argc, char** argv) {
    try {
        config.runtime = refrain::Options::from_arguments(argc, argv);
    } catch (const refrain::UsageError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        std::exit(2);
    }
    std::string mode = "all";
    detail::add_common_options(app, config, mode);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::exit(app.exit(error) == 0 ? 0 : 2);
    }
    config.modes = detail::modes_of(mode);
}

}  // namespace example
