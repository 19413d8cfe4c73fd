#include "cg/config.hpp"

#include "common/command_line.hpp"

namespace cg {
namespace {

void add_problem(example::CommandLine& line, Config& config) {
    line.add_text("--matrix", config.matrix_path,
                  "Matrix Market file; default: the default matrix of make_matrix");
    line.add_number("--size", config.plate.size, {1, 2000},
                    "inner points along an edge of the plate, without --matrix");
    line.exclude("--matrix", "--size");
    line.add_flag("--scale", config.scale,
                  "divide rows and columns by the square roots of the diagonal (preconditioner)");
    line.add_number("--pieces", config.pieces, {1, 4096}, "pieces of rows");
    line.add_number("--solves", config.solves, example::any_steps, "right-hand sides, in turn");
    line.add_number("--steps", config.steps, example::any_steps,
                    "most iterations per right-hand side");
    line.add_number("--check-every", config.check_every, example::any_interval,
                    "iterations between convergence checks");
    line.add_number("--tolerance", config.tolerance, {0.0, 1.0},
                    "stop at this fraction of the first residual");
}

}  // namespace

Config config_from(int argc, char** argv) {
    Config config;
    example::CommandLine line{"Solves sparse linear systems by conjugate gradients."};
    add_problem(line, config);
    line.parse(config.common, argc, argv);
    return config;
}

}  // namespace cg
