#pragma once

#include <cstdint>
#include <string>

#include "channel_flow/config.hpp"
#include "common/common_config.hpp"
#include "jacobi/config.hpp"

namespace two_libraries {

struct Config {
    std::int64_t ticks = 20000;
    std::int64_t jacobi_every = 2;  // ticks
    std::int64_t flow_every = 3;    // ticks
    jacobi::Config jacobi;
    channel_flow::Config flow;
    example::CommonConfig common;

    [[nodiscard]] std::int64_t iterations() const { return ticks / jacobi_every; }
    [[nodiscard]] std::string problem() const {
        const std::string n = std::to_string(flow.size);
        return std::to_string(ticks) + " ticks; an iteration on " + std::to_string(jacobi.size) +
               " unknowns every " + std::to_string(jacobi_every) + ", a step of " + n + " x " + n +
               " points every " + std::to_string(flow_every);
    }
};

[[nodiscard]] Config config_from(int argc, char** argv);

}  // namespace two_libraries
