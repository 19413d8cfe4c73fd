#include "channel_flow/config.hpp"

#include "common/command_line.hpp"

namespace channel_flow {
namespace {

void add_problem(example::CommandLine& line, Config& config) {
    line.add_number("--size", config.size, {4, 16384}, "points along the channel, and across it");
    line.add_number("--tiles", config.tiles, {1, 64}, "tiles along the channel, and across it");
    line.add_number("--steps", config.steps, example::any_steps, "most time steps");
    line.add_number("--pressure-iterations", config.pressure_iterations, {1, 1000000},
                    "pressure iterations per time step");
    line.add_number("--check-every", config.check_every, example::any_interval,
                    "time steps between convergence checks");
    line.add_number("--tolerance", config.tolerance, {0.0, 1.0},
                    "stop when no point gains more than this fraction of the force's impulse");
}

}  // namespace

Config config_from(int argc, char** argv) {
    Config config;
    example::CommandLine line{
        "Solves the incompressible Navier-Stokes equations in a periodic channel."};
    add_problem(line, config);
    line.check_with([&] { check(config); });
    line.parse(config.common, argc, argv);
    return config;
}

}  // namespace channel_flow
