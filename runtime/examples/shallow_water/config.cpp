#include "shallow_water/config.hpp"

#include "common/command_line.hpp"

namespace shallow_water {
namespace {

void add_problem(example::CommandLine& line, Config& config) {
    line.add_choice("--case", config.case_name, {case_names.begin(), case_names.end()},
                    "the bed and the water");
    line.add_number("--size", config.size, {4, 16384}, "cells along each axis");
    line.add_number("--tiles", config.tiles, {1, 64}, "tiles along each axis");
    line.add_number("--steps", config.steps, example::any_steps,
                    "most time steps; a broken dam ends earlier");
    line.add_number("--stages", config.stages, {2, 3},
                    "stages of the Runge-Kutta method; also its order");
    line.add_number("--look-every", config.look_every, example::any_interval,
                    "time steps between two checks whether a broken dam has reached its end");
}

}  // namespace

Config config_from(int argc, char** argv) {
    Config config;
    example::CommandLine line{
        "Solves the shallow-water equations in two dimensions, with walls, uneven ground, and"
        " shores that wet and dry."};
    add_problem(line, config);
    line.check_with([&] { example::check_tiles(config.size, config.tiles, "cells"); });
    line.parse(config.common, argc, argv);
    return config;
}

}  // namespace shallow_water
