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
    example::add_number(app, "--ticks", config.ticks, example::any_steps, "ticks to run");
    example::add_number(app, "--jacobi-every", config.jacobi_every, example::any_interval,
                        "ticks from one iteration to the next");
    example::add_number(app, "--flow-every", config.flow_every, example::any_interval,
                        "ticks from one step to the next");
}

inline void add_jacobi(CLI::App& app, jacobi::Config& config) {
    example::add_number(app, "--unknowns", config.size, {2, 16384},
                        "unknowns of the linear system");
    example::add_number(app, "--bands", config.tiles, {1, 4096},
                        "bands of rows of the linear system");
    example::add_number(app, "--contraction", config.contraction, {0.01, 0.99999},
                        "factor by which an iteration reduces the error");
}

inline void add_flow(CLI::App& app, channel_flow::Config& config) {
    example::add_number(app, "--points", config.size, {4, 16384},
                        "points along the channel, and across it");
    example::add_number(app, "--tiles", config.tiles, {1, 64},
                        "tiles along the channel, and across it");
    example::add_number(app, "--pressure-iterations", config.pressure_iterations, {1, 1000000},
                        "pressure iterations per step of the flow");
    example::add_number(app, "--check-every", config.check_every, example::any_interval,
                        "steps of the flow between convergence checks");
}

/// Checks the sizes of both problems against each other.
inline void complete(Config& config) {
    channel_flow::check(config.flow);
    if (config.ticks < config.flow_every)
        throw CLI::ValidationError("--ticks", "in " + std::to_string(config.ticks) +
                                                  " ticks a flow that steps every " +
                                                  std::to_string(config.flow_every) +
                                                  " ticks does not step; take more ticks");
    config.jacobi.steps = config.iterations();
    config.flow.steps = config.ticks / config.flow_every;
}

}  // namespace detail

[[nodiscard]] inline Config config_from(int argc, char** argv) {
    Config config;
    config.flow.size = 32;
    config.flow.pressure_iterations = 10;
    CLI::App app{"Two libraries on one runtime, called with independent periods."};
    detail::add_schedule(app, config);
    detail::add_jacobi(app, config.jacobi);
    detail::add_flow(app, config.flow);
    app.callback([&] { detail::complete(config); });
    example::parse(app, config.common, argc, argv);
    return config;
}

}  // namespace two_libraries
