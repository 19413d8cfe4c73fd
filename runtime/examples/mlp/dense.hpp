/// A dense layer at one sample, shared by the tasks and the serial program so that they round
/// alike; they differ in everything else.
///
///     y = f(x W + b)            f(v) = max(v, 0), or v itself in the last layer
///
/// The biases are the last row of the weights: W has inputs + 1 rows and outputs columns, row by
/// row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace mlp {

using Values = std::span<double>;
using ConstValues = std::span<const double>;

enum class Activation { linear, rectified };

/// Shapes: weights (n + 1, m), x (n) -> y (m).
inline void forward(ConstValues weights, ConstValues x, Activation activation, Values y) {
    const std::size_t m = y.size();
    const ConstValues biases = weights.subspan(x.size() * m, m);
    std::copy(biases.begin(), biases.end(), y.begin());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const ConstValues row = weights.subspan(i * m, m);
        for (std::size_t j = 0; j < m; ++j) y[j] += x[i] * row[j];
    }
    if (activation == Activation::rectified)
        for (double& value : y) value = std::max(value, 0.0);
}

/// The derivative of the loss by a layer's input, from the derivative by its sums. x is rectified:
/// where it is zero, the derivative is zero.
///
/// Shapes: weights (n + 1, m), x (n), delta (m) -> below (n).
inline void backward(ConstValues weights, ConstValues x, ConstValues delta, Values below) {
    const std::size_t m = delta.size();
    for (std::size_t i = 0; i < x.size(); ++i) {
        const ConstValues row = weights.subspan(i * m, m);
        double sum = 0;
        for (std::size_t j = 0; j < m; ++j) sum += row[j] * delta[j];
        below[i] = x[i] > 0 ? sum : 0;
    }
}

/// Calls add(i, j, value) for each element of one sample's contribution to the derivative of the
/// loss by the weights.
///
/// Shapes: x (n), delta (m) -> (n + 1, m).
template <class Add>
void for_gradient(ConstValues x, ConstValues delta, const Add& add) {
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < delta.size(); ++j) add(i, j, x[i] * delta[j]);
    for (std::size_t j = 0; j < delta.size(); ++j) add(x.size(), j, delta[j]);
}

/// The derivative of the loss, |y - answer|^2 / 2 averaged over `samples`, by y.
inline void differentiate_loss(ConstValues y, ConstValues answer, std::size_t samples,
                               Values delta) {
    for (std::size_t j = 0; j < y.size(); ++j)
        delta[j] = (y[j] - answer[j]) / static_cast<double>(samples);
}

/// |y - answer|^2 of one sample.
[[nodiscard]] inline double squared_distance(ConstValues y, ConstValues answer) {
    double sum = 0;
    for (std::size_t j = 0; j < y.size(); ++j) sum += (y[j] - answer[j]) * (y[j] - answer[j]);
    return sum;
}

/// The mean loss, from the sum of squared distances.
[[nodiscard]] inline double mean_loss(double squared_distances, std::size_t samples) {
    return squared_distances / (2 * static_cast<double>(samples));
}

/// Gradient descent with momentum: velocity = momentum * velocity + gradient; weights move against
/// the velocity.
struct Descent {
    double learning_rate, momentum;

    void operator()(Values weights, Values velocity, ConstValues gradient) const {
        for (std::size_t k = 0; k < weights.size(); ++k) {
            velocity[k] = momentum * velocity[k] + gradient[k];
            weights[k] -= learning_rate * velocity[k];
        }
    }
};

}  // namespace mlp
