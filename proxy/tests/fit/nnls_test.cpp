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

/// numpy.random.default_rng(11); small whole numbers, and what SciPy 1.10.1 says: scipy.optimize.nnls(a, b)[0].
TEST(Nnls, says_what_scipy_says) {
    const struct {
        std::size_t rows;
        std::vector<double> a, b, x;
    } cases[] = {
        {4, {-2, 5, 3, 4, -2, 2, 3, -3}, {3, -2, 2, 10}, {0.555555555556, 0.0}},
        {6,
         {3, -2, 7, 1, 1, 0, -3, 5, 3, -2, 4, 6, 2, 7, 6, 2, 7, -2},
         {1, 8, -1, 6, 3, 4},
         {0.0, 0.35769616331, 0.382848810717}},
        {8,
         {7, 7, 6, 3, 6, 2, 7, -2, 5,  -2, 2, 4,  6, 4, 6, 6, 6, -1, 7,  -1,
          7, 0, 0, 4, 3, 0, 0, 3,  -2, -3, 1, -3, 7, 3, 7, 5, 5, -3, -1, -1},
         {5, 10, 11, -1, 5, -4, -2, -1},
         {0.213925134321, 0.0, 0.093549625081, 0.0, 0.804180197201}},
        {8,
         {1, 3, 0, 6,  -1, 7,  2, 1, 0, 4, -2, 4, 6,  0, -3, -2, 4, 5,  -3, 6,  -3, 0,  -3, 4,
          2, 0, 7, -3, 3,  -3, 6, 5, 0, 6, -3, 2, -3, 5, -3, 7,  6, -3, 2,  -3, 0,  -2, 2,  -1},
         {10, -4, -2, 5, 9, 10, 7, -4},
         {1.367013204684, 0.920540367778, 0.0, 0.0, 0.0, 1.853756930131}},
        {9,
         {1, -3, 0,  -1, 7, -3, -2, 4, 2,  5, 0, 6,  1, 1, -2, 6, 7, -2, 2,  0, 7,
          7, 5,  -3, 0,  4, 3,  -1, 7, -1, 1, 0, 2,  5, 6, 3,  4, 4, -1, 7,  7, 1,
          0, 5,  -2, -2, 4, 0,  2,  5, 7,  3, 3, -2, 4, 2, 2,  0, 6, -1, -3, 7, 4},
         {3, 3, 8, 6, 10, -2, 8, 4, -4},
         {0.0, 0.62462750301, 0.516968960111, 0.0, 0.138728797468, 0.499215129414, 0.0}},
    };
    for (const auto& one : cases) {
        const std::vector<double> x = nnls({one.rows, one.a}, one.b);
        ASSERT_EQ(x.size(), one.x.size());
        for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], one.x[i], 1e-10);
    }
}

TEST(Nnls, the_rank_counts_independent_columns) {
    EXPECT_EQ(rank_of({3, {1, 0, 0, 0, 1, 0, 1, 1, 0}}), 2u);
    EXPECT_EQ(rank_of({2, {1, 0, 0, 1, 5, 5}}), 2u);
}

}  // namespace
}  // namespace refrain::proxy::nnls_test
