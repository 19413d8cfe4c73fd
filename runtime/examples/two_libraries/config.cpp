#include "two_libraries/config.hpp"

#include <string>

#include "common/command_line.hpp"

namespace two_libraries {
namespace {

void add_schedule(example::CommandLine& line, Config& config) {
    line.add_number("--ticks", config.ticks, example::any_steps, "ticks to run");
    line.add_number("--jacobi-every", config.jacobi_every, example::any_interval,
                    "ticks from one iteration to the next");
    line.add_number("--flow-every", config.flow_every, example::any_interval,
                    "ticks from one step to the next");
}

void add_jacobi(example::CommandLine& line, jacobi::Config& config) {
    line.add_number("--unknowns", config.size, {2, 16384}, "unknowns of the linear system");
    line.add_number("--bands", config.tiles, {1, 4096}, "bands of rows of the linear system");
    line.add_number("--contraction", config.contraction, {0.01, 0.99999},
                    "factor by which an iteration reduces the error");
}

void add_flow(example::CommandLine& line, channel_flow::Config& config) {
    line.add_number("--points", config.size, {4, 16384}, "points along the channel, and across it");
    line.add_number("--tiles", config.tiles, {1, 64}, "tiles along the channel, and across it");
    line.add_number("--pressure-iterations", config.pressure_iterations, {1, 1000000},
                    "pressure iterations per step of the flow");
    line.add_number("--check-every", config.check_every, example::any_interval,
                    "steps of the flow between convergence checks");
}

/// Checks the sizes of both problems against each other.
void complete(Config& config) {
    channel_flow::check(config.flow);
    if (config.ticks < config.flow_every)
        example::refuse("--ticks", "in " + std::to_string(config.ticks) +
                                       " ticks a flow that steps every " +
                                       std::to_string(config.flow_every) +
                                       " ticks does not step; take more ticks");
    config.jacobi.steps = config.iterations();
    config.flow.steps = config.ticks / config.flow_every;
}

}  // namespace

Config config_from(int argc, char** argv) {
    Config config;
    config.flow.size = 32;
    config.flow.pressure_iterations = 10;
    example::CommandLine line{"Two libraries on one runtime, called with independent periods."};
    add_schedule(line, config);
    add_jacobi(line, config.jacobi);
    add_flow(line, config.flow);
    line.check_with([&] { complete(config); });
    line.parse(config.common, argc, argv);
    return config;
}

}  // namespace two_libraries
