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
    app.add_option("--pieces", graph.pieces, "pieces of the circuit")
        ->check(CLI::Range(1, 4096))
        ->capture_default_str();
    app.add_option("--nodes", graph.nodes, "nodes per piece")
        ->check(CLI::Range(2, 100000000))
        ->capture_default_str();
    app.add_option("--wires", graph.wires, "wires per piece")
        ->check(CLI::Range(1, 100000000))
        ->capture_default_str();
    app.add_option("--inside", graph.inside, "part of the wires that stay in their piece")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    app.add_option("--leakage", graph.leakage, "conductance of a node's leak at most")
        ->check(CLI::Range(0.0, 1000.0))
        ->capture_default_str();
    app.add_option("--drive", graph.drive, "largest current of the sources, one per piece")
        ->check(CLI::Range(0.0, 1000.0))
        ->capture_default_str();
    app.add_flag("--scatter", graph.scatter, "number nodes and wires without any order");
    app.add_option("--seed", graph.seed, "of the random circuit")->capture_default_str();
    app.add_option("--steps", config.steps, "time steps")
        ->check(CLI::Range(1, 1000000000))
        ->capture_default_str();
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
