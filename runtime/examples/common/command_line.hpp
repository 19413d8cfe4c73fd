/// Command-line options shared by all examples.
///
///     CLI::App app{"Solves a dense linear system."};
///     example::add_number(app, "--size", config.size, {2, 16384}, "unknowns");
///     example::parse(app, config.common, argc, argv);
#pragma once

#include "refrain/error.hpp"
#include "refrain/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include "common/mode.hpp"

namespace example {

struct CommonConfig {
    std::vector<Mode> modes{all_modes.begin(), all_modes.end()};
    bool check = false;   // compare each result with the serial program's
    int repetitions = 7;  // runs per mode; the median counts
    std::string json_path;
    std::string svg_path;
    refrain::Options runtime;  // from --refrain:... and the environment
};

/// Inclusive bounds of a number.
template <class Number>
struct Bounds {
    Number least;
    Number most;
};

template <class Number>
CLI::Option* add_number(CLI::App& app, const std::string& name, Number& value,
                        std::type_identity_t<Bounds<Number>> bounds, const std::string& help) {
    return app.add_option(name, value, help)
        ->check(CLI::Range(bounds.least, bounds.most))
        ->capture_default_str();
}

/// Bounds of step counts, and of the interval between two checks.
inline constexpr Bounds<std::int64_t> any_steps{1, 1'000'000'000};
inline constexpr Bounds<std::int64_t> any_interval{1, 1'000'000};

/// Checks that `points` along an axis can be cut into `tiles` tiles of at least `least` points.
/// `what` names the points in the message.
///
/// Errors: CLI::ValidationError.
inline void check_tiles(std::int64_t points, std::int64_t tiles, const std::string& what,
                        std::int64_t least = 1) {
    if (points >= least * tiles) return;
    throw CLI::ValidationError("--tiles",
                               "cannot cut " + std::to_string(points) + " " + what + " into " +
                                   std::to_string(tiles) + " tiles" +
                                   (least == 1 ? "" : " of at least " + std::to_string(least)) +
                                   "; take fewer tiles or more " + what);
}

namespace detail {

inline void add_common_options(CLI::App& app, CommonConfig& config, std::string& mode) {
    app.add_option("--mode", mode, "tracing mode; all: one after the other")
        ->check(CLI::IsMember({"untraced", "manual", "auto", "all"}))
        ->capture_default_str();
    app.add_flag("--check", config.check, "compare each result with the serial program's");
    add_number(app, "--repetitions", config.repetitions, {1, 1000},
               "runs per mode; the median is shown");
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

/// Parses the arguments into the options of `app` and into `config`. Exits after --help and after
/// invalid arguments.
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
