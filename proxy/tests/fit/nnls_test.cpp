#include "fit/nnls.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace refrain::proxy::nnls_test {
namespace {

/// How fast the distance shrinks as x[column] grows.
double gain(const Matrix& a, const std::vector<double>& x, const std::vector<double>& b,
            std::size_t column) {
    double sum = 0;
    for (std::size_t row = 0; row < a.rows; ++row) {
        double off = b[row];
        for (std::size_t k = 0; k < a.columns(); ++k) off -= a.at(row, k) * x[k];
        sum += off * a.at(row, column);
    }
    return sum;
}

TEST(Nnls, a_negative_component_becomes_0) {
    const std::vector<double> x = nnls({2, {1, 0, 0, 1}}, {2, -1});
    EXPECT_NEAR(x[0], 2, 1e-12);
    EXPECT_EQ(x[1], 0);
}

// The conditions of Karush, Kuhn and Tucker: the distance is convex, so that they make x the best.
TEST(Nnls, no_step_from_the_answer_shrinks_the_distance) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    for (int turn = 0; turn < 300; ++turn) {
        const std::size_t rows = 2 + random() % 8, columns = 1 + random() % 45;
        Matrix a{rows, {}};
        for (std::size_t i = 0; i < rows * columns; ++i)
            a.values.push_back(turn % 2 == 0 ? normal(random) : std::abs(normal(random)));
        if (turn % 5 == 0)  // two columns alike
            for (std::size_t row = 0; row < rows; ++row)
                a.values[row] = a.values[(columns - 1) * rows + row];
        std::vector<double> b;
        for (std::size_t row = 0; row < rows; ++row) b.push_back(normal(random));
        const std::vector<double> x = nnls(a, b);
        for (std::size_t column = 0; column < columns; ++column) {
            ASSERT_GE(x[column], 0) << "turn " << turn;
            const double slope = gain(a, x, b, column);
            ASSERT_LT(slope, 1e-8) << "turn " << turn << ": column " << column << " should grow";
            if (x[column] > 0) {
                ASSERT_GT(slope, -1e-8)
                    << "turn " << turn << ": column " << column << " should shrink";
            }
        }
    }
}

TEST(Nnls, the_rank_counts_independent_columns) {
    EXPECT_EQ(rank_of({3, {1, 0, 0, 0, 1, 0, 1, 1, 0}}), 2u);
    EXPECT_EQ(rank_of({2, {1, 0, 0, 1, 5, 5}}), 2u);
}

}  // namespace
}  // namespace refrain::proxy::nnls_test
