#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "common/command_line.hpp"
#include "reacting_flow/problem.hpp"

namespace reacting_flow {

struct Config {
    std::string case_name = "flame";
    std::int64_t size = 32;  // points along each axis
    std::int64_t tiles = 2;  // along each axis
    std::int64_t steps = 600;
    int species = 8;
    example::CommonConfig common;

    [[nodiscard]] Problem problem() const {
        return Problem(case_name == "wave" ? Case::wave : Case::flame, size, species);
    }
    [[nodiscard]] std::string description() const {
        const std::string n = std::to_string(size);
        const std::string t = std::to_string(tiles);
        return std::to_string(species) +
               (case_name == "wave" ? " inert species in a steady wind"
                                    : " species in a flame among eddies") +
               ", " + n + " x " + n + " points in " + t + " x " + t + " tiles, " +
               std::to_string(steps) + " steps";
    }
};

namespace detail {

inline void add_problem(CLI::App& app, Config& config) {
    app.add_option("--case", config.case_name,
                   "fuel that burns among eddies, or an inert mixture whose flow is known")
        ->check(CLI::IsMember({"flame", "wave"}))
        ->capture_default_str();
    app.add_option("--size", config.size, "points along each axis")
        ->check(CLI::Range(8, 4096))
        ->capture_default_str();
    app.add_option("--species", config.species, "in the mixture")
        ->check(CLI::Range(Mechanism::species_min, 1000))
        ->capture_default_str();
    app.add_option("--tiles", config.tiles, "tiles along each axis")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    app.add_option("--steps", config.steps, "time steps")
        ->check(CLI::Range(1, 1000000000))
        ->capture_default_str();
}

}  // namespace detail

[[nodiscard]] inline Config config_from(int argc, char** argv) {
    Config config;
    CLI::App app{
        "Computes a flow with many species that react, and hands its data to an older code"
        " now and then."};
    detail::add_problem(app, config);
    app.callback([&] {
        if (config.size < config.tiles)
            throw CLI::ValidationError("--tiles", std::to_string(config.size) + " points make no " +
                                                      std::to_string(config.tiles) +
                                                      " tiles; take fewer tiles or more points");
    });
    example::parse(app, config.common, argc, argv);
    return config;
}

}  // namespace reacting_flow
