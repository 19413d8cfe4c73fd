#include "circuit/config.hpp"

#include "common/command_line.hpp"

namespace circuit {
namespace {

void add_problem(example::CommandLine& line, Config& config) {
    GraphOptions& graph = config.graph;
    line.add_number("--pieces", graph.pieces, {1, 4096}, "pieces of the circuit");
    line.add_number("--nodes", graph.nodes, {2, 100000000}, "nodes per piece");
    line.add_number("--wires", graph.wires, {1, 100000000}, "wires per piece");
    line.add_number("--inside", graph.inside, {0.0, 1.0},
                    "fraction of the wires that stay in their piece");
    line.add_number("--leakage", graph.leakage, {0.0, 1000.0},
                    "largest conductance of a node's leak");
    line.add_number("--drive", graph.drive, {0.0, 1000.0},
                    "largest current of the sources, one per piece");
    line.add_flag("--scatter", graph.scatter, "number nodes and wires randomly");
    line.add_seed("--seed", graph.seed, "seed of the random circuit");
    line.add_number("--steps", config.steps, example::any_steps, "time steps");
}

}  // namespace

Config config_from(int argc, char** argv) {
    Config config;
    example::CommandLine line{"Simulates an electric circuit, a random graph of nodes and wires."};
    add_problem(line, config);
    line.parse(config.common, argc, argv);
    return config;
}

}  // namespace circuit
