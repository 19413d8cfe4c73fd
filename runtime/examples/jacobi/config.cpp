#include "jacobi/config.hpp"

#include "common/command_line.hpp"

namespace jacobi {

Config config_from(int argc, char** argv) {
    Config config;
    example::CommandLine line{
        "Solves a dense linear system by Jacobi's method, in the style of an array library."};
    line.add_number("--size", config.size, {2, 16384}, "unknowns");
    line.add_number("--tiles", config.tiles, {1, 4096}, "tiles per array");
    line.add_number("--steps", config.steps, example::any_steps, "iterations");
    line.add_number("--contraction", config.contraction, {0.01, 0.99999},
                    "factor by which an iteration reduces the error");
    line.parse(config.common, argc, argv);
    return config;
}

}  // namespace jacobi
