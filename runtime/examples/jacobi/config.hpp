#pragma once

#include <cstdint>
#include <string>

#include "common/common_config.hpp"

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

[[nodiscard]] Config config_from(int argc, char** argv);

}  // namespace jacobi
