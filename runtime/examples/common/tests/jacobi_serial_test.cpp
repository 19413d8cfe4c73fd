#include <gtest/gtest.h>

#include "jacobi/linear_system.hpp"
#include "jacobi/serial.hpp"

namespace jacobi::jacobi_serial_test {
namespace {

TEST(JacobiSerial, elimination_solves_a_small_system) {
    // 4 x + y = 9,  x + 3 y = 5:  x = 2, y = 1
    const Values x = solve_by_elimination({2, {0, 1, 1, 0}, {4, 3}, {9, 5}});
    EXPECT_DOUBLE_EQ(x[0], 2);
    EXPECT_DOUBLE_EQ(x[1], 1);
}

TEST(JacobiSerial, scaled_rows_sum_to_the_contraction) {
    const LinearSystem system = make_system(20, 0.9);
    for (std::size_t i = 0; i < system.size; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < system.size; ++j)
            sum += system.off_diagonal[i * system.size + j];
        EXPECT_EQ(system.off_diagonal[i * system.size + i], 0);
        EXPECT_NEAR(sum / system.diagonal[i], 0.9, 1e-14);
    }
}

TEST(JacobiSerial, the_error_shrinks_at_about_the_predicted_rate) {
    const LinearSystem system = make_system(30, 0.9);
    const Values solution = solve_by_elimination(system);
    for (const std::int64_t steps : {1, 10, 100}) {
        const double error = distance(solve_by_jacobi(system, steps), solution);
        EXPECT_LE(error, tolerance(solution, 0.9, steps));
        EXPECT_GE(error, tolerance(solution, 0.9, steps) / 100);
    }
}

TEST(JacobiSerial, a_result_that_differs_in_the_last_bit_is_refused) {
    const LinearSystem system = make_system(10, 0.5);
    const Expected expected(system, 0.5, 60);
    Values x = solve_by_jacobi(system, 60);
    EXPECT_NO_THROW(expected.check(x));
    x[7] = std::nextafter(x[7], 1e9);
    EXPECT_THROW(expected.check(x), example::WrongResult);
}

TEST(JacobiSerial, an_iteration_that_converges_to_another_vector_is_refused) {
    LinearSystem system = make_system(10, 0.5);
    system.right[3] += 1e-6;
    const Values x = solve_by_jacobi(system, 60);
    system.right[3] -= 1e-6;
    const Values solution = solve_by_elimination(system);
    EXPECT_GT(distance(x, solution), tolerance(solution, 0.5, 60));
}

}  // namespace
}  // namespace jacobi::jacobi_serial_test
