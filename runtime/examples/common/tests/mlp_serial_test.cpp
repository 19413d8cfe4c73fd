#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

#include "mlp/problem.hpp"
#include "mlp/serial.hpp"

namespace mlp::mlp_serial_test {
namespace {

Config small(std::int64_t hidden_layers) {
    Config config;
    config.scale = 1;
    config.inputs = 6;
    config.hidden = 5;
    config.hidden_layers = hidden_layers;
    config.outputs = 2;
    config.factors = 3;
    config.batch = 7;
    config.batches = 2;
    config.steps = 20;
    config.evaluate_every = 10;
    return config;
}

/// The loss of the first batch.
double batch_loss(SerialNetwork& network, const Problem& problem, std::size_t count) {
    Samples batch = problem.training;
    batch.x.resize(count * batch.inputs);
    batch.answers.resize(count * batch.outputs);
    return loss_of(network, batch, 1);
}

double squared_norm(const Weights& weights) {
    double sum = 0;
    for (const auto& layer : weights)
        for (const double value : layer) sum += value * value;
    return sum;
}

void move_against(Weights& weights, const Weights& direction, double step) {
    for (std::size_t l = 0; l < weights.size(); ++l)
        for (std::size_t k = 0; k < weights[l].size(); ++k) weights[l][k] -= step * direction[l][k];
}

TEST(MlpSerial, each_derivative_agrees_with_a_finite_difference) {
    const Config config = small(2);
    const Problem problem = make_problem(config);
    SerialNetwork network(problem.widths, problem.first_weights);
    const Weights gradient = gradient_of(network, problem.training, 0, 7, 3);
    constexpr double h = 1e-5;
    std::size_t differs_from_zero = 0;
    for (std::size_t l = 0; l < gradient.size(); ++l) {
        for (std::size_t k = 0; k < gradient[l].size(); ++k) {
            double& weight = network.weights[l][k];
            const double before = weight;
            weight = before + h;
            const double above = batch_loss(network, problem, 7);
            weight = before - h;
            const double below = batch_loss(network, problem, 7);
            weight = before;
            EXPECT_NEAR(gradient[l][k], (above - below) / (2 * h), 1e-8)
                << "layer " << l << ", weight " << k;
            if (std::abs(gradient[l][k]) > 1e-3) ++differs_from_zero;
        }
    }
    EXPECT_GT(differs_from_zero, 30u) << "otherwise nothing was tested";
}

TEST(MlpSerial, a_small_gradient_step_reduces_the_loss_as_theory_predicts) {
    const Problem problem = make_problem(small(3));
    SerialNetwork network(problem.widths, problem.first_weights);
    const Weights gradient = gradient_of(network, problem.training, 0, 7, 1);
    const double before = batch_loss(network, problem, 7);
    constexpr double step = 1e-5;
    move_against(network.weights, gradient, step);
    const double fall = before - batch_loss(network, problem, 7);
    EXPECT_NEAR(fall / (step * squared_norm(gradient)), 1, 1e-3);
}

/// The loss of a linear map is a quadratic form whose curvature is at most the mean of |x|^2 + 1
/// (the one is the input of the biases). A step of one over that cannot overshoot: the loss falls
/// by at least half of the first-order prediction.
TEST(MlpSerial, the_loss_of_a_linear_map_falls_in_every_step_to_zero) {
    const Problem problem = make_problem(small(0));
    const Samples& samples = problem.training;
    double squares = 0;
    for (const double x : samples.x) squares += x * x;
    const double step = 1 / (squares / static_cast<double>(samples.count()) + 1);
    SerialNetwork network(problem.widths, problem.first_weights);
    double loss = loss_of(network, samples, 1);
    for (int i = 0; i < 2000; ++i) {
        const Weights gradient = gradient_of(network, samples, 0, samples.count(), 1);
        move_against(network.weights, gradient, step);
        const double next = loss_of(network, samples, 1);
        ASSERT_LE(next, loss - step / 2 * squared_norm(gradient) + 1e-15) << "step " << i;
        loss = next;
    }
    EXPECT_LT(loss, 1e-12) << "on the training set";
    EXPECT_LT(loss_of(network, problem.test, 1), 1e-12) << "on the test set";
}

TEST(MlpSerial, a_network_with_hidden_layers_generalises_to_test_samples) {
    Config config = small(2);
    config.hidden = 12;
    config.batch = 16;
    config.batches = 8;
    config.steps = 4000;
    const Trained trained = train_serially(config, make_problem(config));
    EXPECT_LT(trained.losses.back(), trained.losses.front() / 10);
}

TEST(MlpSerial, pieces_equal_those_of_the_partition) {
    const auto bands = refrain::rows(refrain::extents(11, 2), 4);
    std::int64_t piece = 0;
    for_pieces(11, 4, [&](std::size_t begin, std::size_t end) {
        const refrain::Rect<2> band = bands[refrain::Point<1>(piece++)].bounds();
        EXPECT_EQ(band.lo[0], static_cast<std::int64_t>(begin));
        EXPECT_EQ(band.hi[0], static_cast<std::int64_t>(end));
    });
    EXPECT_EQ(piece, 4);
}

TEST(MlpSerial, the_number_of_pieces_changes_only_the_last_bits_of_a_gradient) {
    const Problem problem = make_problem(small(2));
    SerialNetwork network(problem.widths, problem.first_weights);
    const Weights whole = gradient_of(network, problem.training, 0, 14, 1);
    const Weights pieces = gradient_of(network, problem.training, 0, 14, 3);
    bool are_equal = true;
    for (std::size_t l = 0; l < whole.size(); ++l) {
        for (std::size_t k = 0; k < whole[l].size(); ++k) {
            EXPECT_NEAR(whole[l][k], pieces[l][k], 1e-15);
            are_equal = are_equal && whole[l][k] == pieces[l][k];
        }
    }
    EXPECT_FALSE(are_equal) << "otherwise the order of a reduction would have no effect";
}

TEST(MlpSerial, velocity_is_momentum_times_velocity_plus_gradient) {
    std::vector<double> weights{1, 2};
    std::vector<double> velocity{10, -4};
    Descent{0.5, 0.25}(weights, velocity, std::vector<double>{2, 3});
    EXPECT_EQ(velocity, (std::vector<double>{4.5, 2}));
    EXPECT_EQ(weights, (std::vector<double>{-1.25, 1}));
}

TEST(MlpSerial, a_difference_in_the_last_bit_is_refused_only_with_ordered_sums) {
    Config config = small(1);
    const Problem problem = make_problem(config);
    Trained found = train_serially(config, problem);
    config.common.runtime.deterministic_reductions = true;
    const Expected exact(config, problem);
    EXPECT_NO_THROW(exact.check(found));
    config.common.runtime.deterministic_reductions = false;
    const Expected nearly(config, problem);

    double& weight = found.weights[1][2];
    weight = std::nextafter(weight, 1e9);
    EXPECT_THROW(exact.check(found), example::WrongResult);
    EXPECT_NO_THROW(nearly.check(found));
    weight += 1e-8;
    EXPECT_THROW(nearly.check(found), example::WrongResult);
}

TEST(MlpSerial, a_loss_above_its_target_is_refused) {
    Config config = small(1);
    const Problem problem = make_problem(config);
    config.target = 1e-12;
    const Expected expected(config, problem);
    EXPECT_THROW(expected.check(train_serially(config, problem)), example::WrongResult);
}

TEST(MlpSerial, nan_results_are_refused) {
    const Config config = small(1);
    const Problem problem = make_problem(config);
    Trained found = train_serially(config, problem);
    found.weights[0][0] = std::nan("");
    EXPECT_THROW(Expected(config, problem).check(found), example::WrongResult);
}

}  // namespace
}  // namespace mlp::mlp_serial_test
