#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "common/command_line.hpp"

namespace jacobi {

struct Config {
    std::int64_t size = 64;  // unknowns
    std::int64_t tiles = 4;  // bands of rows
    std::int64_t steps = 50000;
    double contraction = 0.9995;  // factor of the error per iteration
    example::CommonConfig common;

    [[nodiscard]] std::string problem() const {
        return std::to_string(size) + " unknowns in " + std::to_string(tiles) + " tiles, " +
               std::to_string(steps) + " iterations";
    }
};

[[nodiscard]] inline Config config_from(int argc, char** argv) {
    Config config;
    CLI::App app{
        "Solves a dense linear system by Jacobi's method, in the style of an array library."};
    example::add_number(app, "--size", config.size, {2, 16384}, "unknowns");
    example::add_number(app, "--tiles", config.tiles, {1, 4096}, "tiles per array");
    example::add_number(app, "--steps", config.steps, example::any_steps, "iterations");
    example::add_number(app, "--contraction", config.contraction, {0.01, 0.99999},
                        "factor by which an iteration reduces the error");
    example::parse(app, config.common, argc, argv);
    return config;
}

}  // namespace jacobi
