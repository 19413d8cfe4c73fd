#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "cg/matrix_market.hpp"
#include "cg/plate.hpp"
#include "cg/sparse_matrix.hpp"
#include "common/command_line.hpp"

namespace cg {

struct Config {
    std::string matrix_path;  // empty: the matrix of `plate`
    PlateOptions plate;
    bool scale = false;  // to a diagonal of ones
    std::int64_t pieces = 4;
    std::int64_t solves = 100;   // right-hand sides, in turn
    std::int64_t steps = 10000;  // iterations per right-hand side, at most
    std::int64_t check_every = 10;
    double tolerance = 1e-8;
    example::CommonConfig common;

    [[nodiscard]] std::string problem(const SparseMatrix& matrix) const {
        const std::string origin = matrix_path.empty() ? "a plate with a hole" : matrix_path;
        return origin + ", " + std::to_string(matrix.size) + " unknowns, " +
               std::to_string(matrix.element_count()) + " elements in " + std::to_string(pieces) +
               " pieces, " + (scale ? "scaled, " : "") + std::to_string(solves) +
               " right-hand sides";
    }
};

namespace detail {

inline void add_problem(CLI::App& app, Config& config) {
    app.add_option("--matrix", config.matrix_path,
                   "Matrix Market file; default: the default matrix of make_matrix")
        ->excludes(
            example::add_number(app, "--size", config.plate.size, {1, 2000},
                                "inner points along an edge of the plate, without --matrix"));
    app.add_flag("--scale", config.scale,
                 "divide rows and columns by the square roots of the diagonal (preconditioner)");
    example::add_number(app, "--pieces", config.pieces, {1, 4096}, "pieces of rows");
    example::add_number(app, "--solves", config.solves, example::any_steps,
                        "right-hand sides, in turn");
    example::add_number(app, "--steps", config.steps, example::any_steps,
                        "most iterations per right-hand side");
    example::add_number(app, "--check-every", config.check_every, example::any_interval,
                        "iterations between convergence checks");
    example::add_number(app, "--tolerance", config.tolerance, {0.0, 1.0},
                        "stop at this fraction of the first residual");
}

}  // namespace detail

[[nodiscard]] inline Config config_from(int argc, char** argv) {
    Config config;
    CLI::App app{"Solves sparse linear systems by conjugate gradients."};
    detail::add_problem(app, config);
    example::parse(app, config.common, argc, argv);
    return config;
}

/// Errors: MalformedMatrix; std::runtime_error if the method cannot solve the matrix, or if it has
///     fewer rows than there are pieces.
[[nodiscard]] inline SparseMatrix matrix_for(const Config& config) {
    SparseMatrix matrix = config.matrix_path.empty() ? plate_matrix(config.plate)
                                                     : read_matrix_market(config.matrix_path);
    const std::string reason = reason_against(matrix);
    if (!reason.empty())
        throw std::runtime_error((config.matrix_path.empty() ? "" : config.matrix_path + ": ") +
                                 reason);
    if (matrix.size < config.pieces)
        throw std::runtime_error("--pieces " + std::to_string(config.pieces) + ": there are only " +
                                 std::to_string(matrix.size) + " rows; take fewer pieces");
    return config.scale ? scaled(std::move(matrix)) : matrix;
}

}  // namespace cg
