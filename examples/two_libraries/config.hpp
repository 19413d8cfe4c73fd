#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "channel_flow/config.hpp"
#include "common/command_line.hpp"
#include "jacobi/config.hpp"

namespace two_libraries {

struct Config {
    std::int64_t ticks = 20000;
    std::int64_t jacobi_every = 2;  // ticks
    std::int64_t flow_every = 3;    // ticks
    jacobi::Config jacobi;
    channel_flow::Config flow;
    example::CommonConfig common;

    [[nodiscard]] std::int64_t iterations() const { return ticks / jacobi_every; }
    [[nodiscard]] std::string problem() const {
        const std::string n = std::to_string(flow.size);
        return std::to_string(ticks) + " ticks; an iteration on " + std::to_string(jacobi.size) +
               " unknowns every " + std::to_string(jacobi_every) + ", a step of " + n + " x " + n +
               " points every " + std::to_string(flow_every);
    }
};

namespace detail {

inline void add_schedule(CLI::App& app, Config& config) {
    app.add_option("--ticks", config.ticks, "what the program counts")
        ->check(CLI::Range(1, 1000000000))
        ->capture_default_str();
    app.add_option("--jacobi-every", config.jacobi_every, "ticks from one iteration to the next")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    app.add_option("--flow-every", config.flow_every, "ticks from one step to the next")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
}

inline void add_jacobi(CLI::App& app, jacobi::Config& config) {
    app.add_option("--unknowns", config.size, "of the linear system")
        ->check(CLI::Range(2, 16384))
        ->capture_default_str();
    app.add_option("--bands", config.tiles, "bands of rows that it is cut into")
        ->check(CLI::Range(1, 4096))
        ->capture_default_str();
    app.add_option("--contraction", config.contraction, "what an iteration leaves of the error")
        ->check(CLI::Range(0.01, 0.99999))
        ->capture_default_str();
}

inline void add_flow(CLI::App& app, channel_flow::Config& config) {
    app.add_option("--points", config.size, "along the channel, and across it")
        ->check(CLI::Range(4, 16384))
        ->capture_default_str();
    app.add_option("--tiles", config.tiles, "along the channel, and across it")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    app.add_option("--pressure-iterations", config.pressure_iterations, "per step of the flow")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    app.add_option("--check-every", config.check_every, "steps of the flow between looks at it")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
}

/// Only here are the sizes of both problems seen together.
inline void complete(Config& config) {
    if (config.flow.size < 2 * config.flow.tiles)
        throw CLI::ValidationError("--tiles", std::to_string(config.flow.size) +
                                                  " points make no " +
                                                  std::to_string(config.flow.tiles) +
                                                  " tiles of two rows each; take fewer tiles or "
                                                  "more points");
    if (config.ticks < config.flow_every)
        throw CLI::ValidationError("--ticks", "in " + std::to_string(config.ticks) +
                                                  " ticks a flow that steps every " +
                                                  std::to_string(config.flow_every) +
                                                  " does not step at all; take more ticks");
    config.jacobi.steps = config.iterations();
    config.flow.steps = config.ticks / config.flow_every;
}

}  // namespace detail

[[nodiscard]] inline Config config_from(int argc, char** argv) {
    Config config;
    config.flow.size = 32;
    config.flow.pressure_iterations = 10;
    CLI::App app{
        "Two libraries on one runtime, called with periods that need not divide one another."};
    detail::add_schedule(app, config);
    detail::add_jacobi(app, config.jacobi);
    detail::add_flow(app, config.flow);
    app.callback([&] { detail::complete(config); });
    example::parse(app, config.common, argc, argv);
    return config;
}

}  // namespace two_libraries
