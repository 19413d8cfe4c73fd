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
                   "flame: fuel burns among eddies; wave: inert, with a known solution")
        ->check(CLI::IsMember({"flame", "wave"}))
        ->capture_default_str();
    example::add_number(app, "--size", config.size, {8, 4096}, "points along each axis");
    example::add_number(app, "--species", config.species, {Mechanism::species_min, 1000},
                        "species in the mixture");
    example::add_number(app, "--tiles", config.tiles, {1, 64}, "tiles along each axis");
    example::add_number(app, "--steps", config.steps, example::any_steps, "time steps");
}

}  // namespace detail

[[nodiscard]] inline Config config_from(int argc, char** argv) {
    Config config;
    CLI::App app{
        "Computes a flow with many reacting species, and hands its data to a legacy code"
        " at intervals."};
    detail::add_problem(app, config);
    app.callback([&] { example::check_tiles(config.size, config.tiles, "points"); });
    example::parse(app, config.common, argc, argv);
    return config;
}

}  // namespace reacting_flow
