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
    std::int64_t solves = 100;   // right sides, one after the other
    std::int64_t steps = 10000;  // iterations per right side, at most
    std::int64_t check_every = 10;
    double tolerance = 1e-8;
    example::CommonConfig common;

    [[nodiscard]] std::string problem(const SparseMatrix& matrix) const {
        const std::string origin = matrix_path.empty() ? "a plate with a hole" : matrix_path;
        return origin + ", " + std::to_string(matrix.size) + " unknowns, " +
               std::to_string(matrix.element_count()) + " elements in " + std::to_string(pieces) +
               " pieces, " + (scale ? "scaled, " : "") + std::to_string(solves) + " right sides";
    }
};

namespace detail {

inline void add_problem(CLI::App& app, Config& config) {
    app.add_option("--matrix", config.matrix_path,
                   "Matrix Market file; without it, what make_matrix writes by default")
        ->excludes(app.add_option("--size", config.plate.size,
                                  "inner points along an edge of the plate, if there is no file")
                       ->check(CLI::Range(1, 2000))
                       ->capture_default_str());
    app.add_flag("--scale", config.scale,
                 "divide rows and columns by the roots of the diagonal, as a preconditioner does");
    app.add_option("--pieces", config.pieces, "pieces that the rows are dealt out to")
        ->check(CLI::Range(1, 4096))
        ->capture_default_str();
    app.add_option("--solves", config.solves, "right sides, one after the other")
        ->check(CLI::Range(1, 1000000000))
        ->capture_default_str();
    app.add_option("--steps", config.steps, "iterations per right side at most")
        ->check(CLI::Range(1, 1000000000))
        ->capture_default_str();
    app.add_option("--check-every", config.check_every, "iterations between checks for an end")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    app.add_option("--tolerance", config.tolerance,
                   "end when this part of the first residual is left")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
}

}  // namespace detail

[[nodiscard]] inline Config config_from(int argc, char** argv) {
    Config config;
    CLI::App app{"Solves sparse linear systems by conjugate gradients."};
    detail::add_problem(app, config);
    example::parse(app, config.common, argc, argv);
    return config;
}

/// Errors: MalformedMatrix; std::runtime_error for a matrix that the method does not work with, or
///     with fewer rows than pieces.
[[nodiscard]] inline SparseMatrix matrix_for(const Config& config) {
    SparseMatrix matrix = config.matrix_path.empty() ? plate_matrix(config.plate)
                                                     : read_matrix_market(config.matrix_path);
    const std::string reason = reason_against(matrix);
    if (!reason.empty())
        throw std::runtime_error((config.matrix_path.empty() ? "" : config.matrix_path + ": ") +
                                 reason);
    if (matrix.size < config.pieces)
        throw std::runtime_error("--pieces " + std::to_string(config.pieces) + ": there are only " +
                                 std::to_string(matrix.size) +
                                 " rows to deal out; take fewer pieces");
    return config.scale ? scaled(std::move(matrix)) : matrix;
}

}  // namespace cg
