#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "common/command_line.hpp"
#include "shallow_water/scheme.hpp"
#include "shallow_water/test_case.hpp"

namespace shallow_water {

struct Config {
    std::string case_name = "bowl";
    std::int64_t size = 48;  // cells along each axis
    std::int64_t tiles = 2;  // along each axis
    std::int64_t steps = 600;
    int stages = 3;               // of a step
    std::int64_t look_every = 8;  // steps between two checks of the end time
    example::CommonConfig common;

    [[nodiscard]] TestCase test_case() const { return TestCase(case_named(case_name), size); }
    [[nodiscard]] std::vector<Stage> method() const {
        if (stages == 2) return {{0, 1}, {1. / 2, 1. / 2}};
        return {{0, 1}, {3. / 4, 1. / 4}, {1. / 3, 2. / 3}};
    }
    [[nodiscard]] std::string problem() const {
        const std::string n = std::to_string(size);
        const std::string t = std::to_string(tiles);
        return test_case().description() + " (" + case_name + "), " + n + " x " + n + " cells in " +
               t + " x " + t + " tiles, up to " + std::to_string(steps) + " steps of " +
               std::to_string(stages) + " stages";
    }
};

namespace detail {

inline void add_problem(CLI::App& app, Config& config) {
    app.add_option("--case", config.case_name, "the bed and the water")
        ->check(CLI::IsMember(std::vector<std::string>(case_names.begin(), case_names.end())))
        ->capture_default_str();
    example::add_number(app, "--size", config.size, {4, 16384}, "cells along each axis");
    example::add_number(app, "--tiles", config.tiles, {1, 64}, "tiles along each axis");
    example::add_number(app, "--steps", config.steps, example::any_steps,
                        "most time steps; a broken dam ends earlier");
    example::add_number(app, "--stages", config.stages, {2, 3},
                        "stages of the Runge-Kutta method; also its order");
    example::add_number(app, "--look-every", config.look_every, example::any_interval,
                        "time steps between two checks whether a broken dam has reached its end");
}

}  // namespace detail

[[nodiscard]] inline Config config_from(int argc, char** argv) {
    Config config;
    CLI::App app{
        "Solves the shallow-water equations in two dimensions, with walls, uneven ground, and"
        " shores that wet and dry."};
    detail::add_problem(app, config);
    app.callback([&] { example::check_tiles(config.size, config.tiles, "cells"); });
    example::parse(app, config.common, argc, argv);
    return config;
}

}  // namespace shallow_water
