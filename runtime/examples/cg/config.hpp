#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "cg/matrix_market.hpp"
#include "cg/plate.hpp"
#include "cg/sparse_matrix.hpp"
#include "common/common_config.hpp"

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

[[nodiscard]] Config config_from(int argc, char** argv);

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
