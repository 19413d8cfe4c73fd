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
    /// The flow has settled when no velocity changes by more than this in a step.
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
    app.add_option("--size", config.size, "points along the channel, and across it")
        ->check(CLI::Range(4, 16384))
        ->capture_default_str();
    app.add_option("--tiles", config.tiles, "tiles along the channel, and across it")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    app.add_option("--steps", config.steps, "time steps at most")
        ->check(CLI::Range(1, 1000000000))
        ->capture_default_str();
    app.add_option("--pressure-iterations", config.pressure_iterations, "per time step")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    app.add_option("--check-every", config.check_every, "time steps between checks for an end")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    app.add_option("--tolerance", config.tolerance,
                   "end when nowhere the flow gains more than this part of what the force gives")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
}

}  // namespace detail

[[nodiscard]] inline Config config_from(int argc, char** argv) {
    Config config;
    CLI::App app{"Solves the incompressible Navier-Stokes equations in a periodic channel."};
    detail::add_problem(app, config);
    app.callback([&] {
        // The pressure on a wall is that of the row beside it, which must be in the same tile.
        if (config.size < 2 * config.tiles)
            throw CLI::ValidationError(
                "--tiles", std::to_string(config.size) + " points make no " +
                               std::to_string(config.tiles) +
                               " tiles of two rows each; take fewer tiles or more points");
    });
    example::parse(app, config.common, argc, argv);
    return config;
}

}  // namespace channel_flow
