#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "circuit/graph.hpp"
#include "common/command_line.hpp"

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

namespace detail {

inline void add_problem(CLI::App& app, Config& config) {
    GraphOptions& graph = config.graph;
    example::add_number(app, "--pieces", graph.pieces, {1, 4096}, "pieces of the circuit");
    example::add_number(app, "--nodes", graph.nodes, {2, 100000000}, "nodes per piece");
    example::add_number(app, "--wires", graph.wires, {1, 100000000}, "wires per piece");
    example::add_number(app, "--inside", graph.inside, {0.0, 1.0},
                        "fraction of the wires that stay in their piece");
    example::add_number(app, "--leakage", graph.leakage, {0.0, 1000.0},
                        "largest conductance of a node's leak");
    example::add_number(app, "--drive", graph.drive, {0.0, 1000.0},
                        "largest current of the sources, one per piece");
    app.add_flag("--scatter", graph.scatter, "number nodes and wires randomly");
    app.add_option("--seed", graph.seed, "seed of the random circuit")->capture_default_str();
    example::add_number(app, "--steps", config.steps, example::any_steps, "time steps");
}

}  // namespace detail

[[nodiscard]] inline Config config_from(int argc, char** argv) {
    Config config;
    CLI::App app{"Simulates an electric circuit, a random graph of nodes and wires."};
    detail::add_problem(app, config);
    example::parse(app, config.common, argc, argv);
    return config;
}

}  // namespace circuit
