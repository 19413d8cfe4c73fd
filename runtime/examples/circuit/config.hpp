#pragma once

#include <cstdint>
#include <string>

#include "circuit/graph.hpp"
#include "common/common_config.hpp"

namespace circuit {

struct Config {
    GraphOptions graph;
    std::int64_t steps = 20000;
    example::CommonConfig common;

    [[nodiscard]] std::string problem() const {
        const auto text = [](std::int64_t number) { return std::to_string(number); };
        return text(graph.pieces) + " pieces of " + text(graph.nodes) + " nodes and " +
               text(graph.wires) + " wires" + (graph.scatter ? ", scattered, " : ", ") +
               text(steps) + " steps";
    }
};

[[nodiscard]] Config config_from(int argc, char** argv);

}  // namespace circuit
