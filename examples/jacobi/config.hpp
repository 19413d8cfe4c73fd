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
    double contraction = 0.9995;  // what an iteration leaves of the error
    example::CommonConfig common;

    [[nodiscard]] std::string problem() const {
        return std::to_string(size) + " unknowns in " + std::to_string(tiles) + " tiles, " +
               std::to_string(steps) + " iterations";
    }
};

[[nodiscard]] inline Config config_from(int argc, char** argv) {
    Config config;
    CLI::App app{
        "Solves a dense linear system by Jacobi's method, written as with an array library."};
    app.add_option("--size", config.size, "unknowns")
        ->check(CLI::Range(2, 16384))
        ->capture_default_str();
    app.add_option("--tiles", config.tiles, "tiles that an array is cut into")
        ->check(CLI::Range(1, 4096))
        ->capture_default_str();
    app.add_option("--steps", config.steps, "iterations")
        ->check(CLI::Range(1, 1000000000))
        ->capture_default_str();
    app.add_option("--contraction", config.contraction, "what an iteration leaves of the error")
        ->check(CLI::Range(0.01, 0.99999))
        ->capture_default_str();
    example::parse(app, config.common, argc, argv);
    return config;
}

}  // namespace jacobi
