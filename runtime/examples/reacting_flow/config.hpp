#pragma once

#include <cstdint>
#include <string>

#include "common/common_config.hpp"
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

[[nodiscard]] Config config_from(int argc, char** argv);

}  // namespace reacting_flow
