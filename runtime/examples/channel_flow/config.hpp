#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "channel_flow/channel.hpp"
#include "common/command_line.hpp"

namespace channel_flow {

struct Config {
    std::int64_t size = 64;  // points along the channel and across it
    std::int64_t tiles = 2;  // along the channel and across it
    std::int64_t steps = 3000;
    std::int64_t pressure_iterations = 50;
    std::int64_t check_every = 10;  // steps
    double tolerance = 1e-3;
    example::CommonConfig common;

    [[nodiscard]] Channel channel() const { return Channel(size, size); }
    /// The flow has settled when no velocity changes by more than this per step.
    [[nodiscard]] double largest_change_allowed() const {
        return tolerance * Channel::force * channel().dt;
    }
    [[nodiscard]] std::string problem() const {
        const std::string n = std::to_string(size);
        const std::string t = std::to_string(tiles);
        return n + " x " + n + " points in " + t + " x " + t + " tiles, up to " +
               std::to_string(steps) + " steps of " + std::to_string(pressure_iterations) +
               " pressure iterations";
    }
};

namespace detail {

inline void add_problem(CLI::App& app, Config& config) {
    example::add_number(app, "--size", config.size, {4, 16384},
                        "points along the channel, and across it");
    example::add_number(app, "--tiles", config.tiles, {1, 64},
                        "tiles along the channel, and across it");
    example::add_number(app, "--steps", config.steps, example::any_steps, "most time steps");
    example::add_number(app, "--pressure-iterations", config.pressure_iterations, {1, 1000000},
                        "pressure iterations per time step");
    example::add_number(app, "--check-every", config.check_every, example::any_interval,
                        "time steps between convergence checks");
    example::add_number(app, "--tolerance", config.tolerance, {0.0, 1.0},
                        "stop when no point gains more than this fraction of the force's impulse");
}

}  // namespace detail

/// The pressure on a wall equals that of the adjacent row, which must be in the same tile.
///
/// Errors: CLI::ValidationError.
inline void check(const Config& config) {
    example::check_tiles(config.size, config.tiles, "points", 2);
}

[[nodiscard]] inline Config config_from(int argc, char** argv) {
    Config config;
    CLI::App app{"Solves the incompressible Navier-Stokes equations in a periodic channel."};
    detail::add_problem(app, config);
    app.callback([&] { check(config); });
    example::parse(app, config.common, argc, argv);
    return config;
}

}  // namespace channel_flow
