#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "cg/plate.hpp"
#include "cg/serial.hpp"

namespace cg::cg_serial_test {
namespace {

double known_error(const Outcome& outcome, std::int64_t solve) {
    double largest = 0;
    for (std::size_t i = 0; i < outcome.x.size(); ++i)
        largest = std::max(
            largest, std::abs(outcome.x[i] - known_solution(solve, static_cast<std::int64_t>(i))));
    return largest;
}

SparseMatrix tridiagonal(std::int64_t size) {
    std::vector<Element> elements;
    for (std::int64_t i = 0; i < size; ++i) {
        elements.push_back({i, i, 2});
        if (i > 0) elements.push_back({i, i - 1, -1});
        if (i + 1 < size) elements.push_back({i, i + 1, -1});
    }
    return compress(size, std::move(elements));
}

Config config_with(std::int64_t pieces, std::int64_t solves, double tolerance) {
    Config config;
    config.pieces = pieces;
    config.solves = solves;
    config.tolerance = tolerance;
    config.check_every = 1;
    return config;
}

TEST(CgSerial, n_unknowns_take_about_n_iterations_at_most) {
    const SparseMatrix matrix = tridiagonal(12);
    const Outcome outcome = SerialSolver(config_with(3, 2, 1e-12), matrix).solve();
    EXPECT_TRUE(outcome.converged);
    for (const std::int64_t iterations : outcome.iterations) EXPECT_LE(iterations, 13);
    EXPECT_LT(known_error(outcome, 1), 1e-10);
    EXPECT_NO_THROW(check_residual(matrix, outcome));
}

TEST(CgSerial, the_known_solution_of_the_plate_is_recovered) {
    const SparseMatrix matrix = plate_matrix({.size = 16});
    const Outcome outcome = SerialSolver(config_with(4, 1, 1e-12), matrix).solve();
    EXPECT_TRUE(outcome.converged);
    EXPECT_LT(outcome.iterations[0], 2 * matrix.size);
    EXPECT_LT(known_error(outcome, 0), 1e-8);
    EXPECT_NO_THROW(check_residual(matrix, outcome));
}

TEST(CgSerial, a_residual_of_zero_stops_all_changes) {
    const SparseMatrix identity = compress(3, {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}});
    Config config = config_with(1, 1, 0);
    config.check_every = 10;
    const Outcome outcome = SerialSolver(config, identity).solve();
    EXPECT_TRUE(outcome.converged);
    EXPECT_EQ(known_error(outcome, 0), 0);
}

TEST(CgSerial, a_matrix_that_is_not_positive_definite_is_detected) {
    const SparseMatrix indefinite = compress(2, {{0, 0, 1}, {0, 1, 2}, {1, 0, 2}, {1, 1, 1}});
    EXPECT_EQ(reason_against(indefinite), "");
    EXPECT_THROW(static_cast<void>(SerialSolver(config_with(1, 20, 1e-8), indefinite).solve()),
                 std::runtime_error);
}

TEST(CgSerial, a_solution_that_differs_in_the_last_bit_is_refused) {
    const SparseMatrix matrix = plate_matrix({.size = 6});
    const Outcome expected = SerialSolver(config_with(2, 1, 1e-8), matrix).solve();
    Outcome found = expected;
    EXPECT_NO_THROW(check_equal(found, expected));
    found.x[5] = std::nextafter(found.x[5], 10.0);
    EXPECT_THROW(check_equal(found, expected), example::WrongResult);
    found = expected;
    ++found.iterations[0];
    EXPECT_THROW(check_equal(found, expected), example::WrongResult);
}

TEST(CgSerial, a_solution_of_another_system_is_refused) {
    const SparseMatrix matrix = plate_matrix({.size = 6});
    Outcome outcome = SerialSolver(config_with(2, 1, 1e-8), matrix).solve();
    outcome.x[5] += 1e-6;
    EXPECT_THROW(check_residual(matrix, outcome), example::WrongResult);
}

TEST(CgSerial, the_elements_of_the_known_solution_differ_and_fill_their_interval) {
    Values values;
    double sum = 0;
    for (std::int64_t i = 0; i < 1000; ++i) {
        values.push_back(known_solution(3, i));
        sum += values.back();
        EXPECT_LE(std::abs(values.back()), 1);
    }
    std::sort(values.begin(), values.end());
    EXPECT_EQ(std::adjacent_find(values.begin(), values.end()), values.end());
    EXPECT_LT(std::abs(sum / 1000), 4 / std::sqrt(3.0 * 1000));  // four standard deviations
}

TEST(CgMatrix, every_piece_has_a_row_and_about_the_same_number_of_elements) {
    const SparseMatrix plate = plate_matrix({.size = 20});
    for (const std::int64_t count : {1, 2, 7, 30}) {
        const std::vector<Rows> pieces = pieces_of(plate, count);
        ASSERT_EQ(pieces.size(), static_cast<std::size_t>(count));
        std::int64_t next = 0;
        for (const Rows& rows : pieces) {
            EXPECT_EQ(rows.begin, next);
            EXPECT_LT(rows.begin, rows.end);
            const std::int64_t elements = plate.begin(rows.end) - plate.begin(rows.begin);
            EXPECT_NEAR(static_cast<double>(elements),
                        static_cast<double>(plate.element_count() / count), 12);
            next = rows.end;
        }
        EXPECT_EQ(next, plate.size);
    }
}

TEST(CgMatrix, every_piece_has_a_row_even_if_one_row_has_most_elements) {
    std::vector<Element> arrow;
    for (std::int64_t i = 0; i < 6; ++i) {
        arrow.push_back({i, i, 10});
        if (i > 0) arrow.push_back({0, i, 1});
        if (i > 0) arrow.push_back({i, 0, 1});
    }
    const SparseMatrix matrix = compress(6, std::move(arrow));
    for (std::int64_t count = 1; count <= 6; ++count) {
        const std::vector<Rows> pieces = pieces_of(matrix, count);
        EXPECT_EQ(pieces.back().end, 6);
        for (const Rows& rows : pieces) EXPECT_LT(rows.begin, rows.end);
    }
}

TEST(CgMatrix, scaling_gives_a_diagonal_of_ones_and_keeps_symmetry) {
    const SparseMatrix plate = scaled(plate_matrix({.size = 9}));
    EXPECT_EQ(reason_against(plate), "");
    for (std::int64_t row = 0; row < plate.size; ++row) EXPECT_NEAR(plate.at(row, row), 1, 1e-15);
}

TEST(CgMatrix, scaling_reduces_the_iterations_for_a_badly_scaled_matrix) {
    SparseMatrix plate = plate_matrix({.size = 9});
    for (std::int64_t row = 0; row < plate.size; ++row)
        for (std::int64_t e = plate.begin(row); e < plate.end(row); ++e) {
            const std::int64_t column = plate.columns[static_cast<std::size_t>(e)];
            const auto weight = [](std::int64_t i) { return std::pow(10.0, i % 4); };
            plate.values[static_cast<std::size_t>(e)] *= weight(row) * weight(column);
        }
    const Config config = config_with(3, 1, 1e-8);
    const SparseMatrix better = scaled(plate);
    const std::int64_t without = SerialSolver(config, plate).solve().iterations[0];
    const std::int64_t with = SerialSolver(config, better).solve().iterations[0];
    EXPECT_LT(with, 60);
    EXPECT_GT(without, 4 * with);
}

TEST(CgMatrix, an_unsolvable_matrix_is_refused_with_the_position_of_the_element) {
    const SparseMatrix lopsided = compress(2, {{0, 0, 1}, {0, 1, 0.5}, {1, 1, 1}});
    EXPECT_EQ(reason_against(lopsided),
              "the matrix is not symmetric: its element (1,2) is 0.5, and (2,1) is 0");
    const SparseMatrix hollow = compress(2, {{0, 0, 1}, {0, 1, 1}, {1, 0, 1}});
    EXPECT_EQ(reason_against(hollow),
              "the matrix is not positive definite: its element (2,2) is 0");
}

TEST(CgPlate, the_matrix_is_symmetric_and_inner_rows_sum_to_zero) {
    const SparseMatrix plate = plate_matrix({.size = 15});
    EXPECT_EQ(reason_against(plate), "");
    std::int64_t inner = 0;
    std::int64_t smallest = plate.size;
    std::int64_t largest = 0;
    for (std::int64_t row = 0; row < plate.size; ++row) {
        double sum = 0;
        for (std::int64_t e = plate.begin(row); e < plate.end(row); ++e)
            sum += plate.values[static_cast<std::size_t>(e)];
        // A constant temperature needs no heat, except next to the edge, whose temperature is fixed.
        EXPECT_GT(sum, -1e-12);
        if (sum < 1e-12) ++inner;
        smallest = std::min(smallest, plate.end(row) - plate.begin(row));
        largest = std::max(largest, plate.end(row) - plate.begin(row));
    }
    EXPECT_EQ(inner, plate.size - 4 * 14);
    EXPECT_GE(smallest, 3);
    EXPECT_LE(largest, 10);
    EXPECT_GT(largest, smallest + 3);
}

TEST(CgPlate, the_hole_reduces_the_number_of_unknowns) {
    EXPECT_EQ(plate_matrix({.size = 1}).size, 1);
    const SparseMatrix plate = plate_matrix({.size = 30});
    const double missing = static_cast<double>(30 * 30 - plate.size) / (31 * 31);
    EXPECT_NEAR(missing, 3.14 * 0.15 * 0.15, 0.03);
}

TEST(CgPlate, shuffling_changes_the_numbering_only) {
    const SparseMatrix ordered = plate_matrix({.size = 8, .shuffle = 0});
    const SparseMatrix shuffled = plate_matrix({.size = 8, .shuffle = 20});
    EXPECT_NE(ordered.columns, shuffled.columns);
    Values a = ordered.values;
    Values b = shuffled.values;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace cg::cg_serial_test
