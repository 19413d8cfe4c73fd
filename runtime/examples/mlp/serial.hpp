/// The same training as plain loops, without any runtime: the reference for the check.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "common/comparison.hpp"
#include "mlp/config.hpp"
#include "mlp/dense.hpp"
#include "mlp/problem.hpp"

namespace mlp {

/// The result of training.
struct Trained {
    Weights weights;
    std::vector<double> losses;  // before the first step, and at each evaluation
    std::int64_t steps = 0;
};

/// A network that handles one sample at a time.
class SerialNetwork {
  public:
    SerialNetwork(const std::vector<std::size_t>& widths, Weights first)
        : weights(std::move(first)) {
        for (const std::size_t width : widths) {
            values_.emplace_back(width);
            deltas_.emplace_back(width);
        }
    }

    /// The output for x.
    ConstValues run(ConstValues x) {
        std::copy(x.begin(), x.end(), values_.front().begin());
        for (std::size_t l = 0; l < weights.size(); ++l)
            forward(weights[l], values_[l],
                    l + 1 < weights.size() ? Activation::rectified : Activation::linear,
                    values_[l + 1]);
        return values_.back();
    }

    /// Adds the contribution of one sample to the gradient of a loss averaged over `samples`.
    void add_gradient(ConstValues x, ConstValues answer, std::size_t samples, Weights& gradient) {
        differentiate_loss(run(x), answer, samples, deltas_.back());
        for (std::size_t l = weights.size(); l-- > 0;) {
            const std::size_t m = deltas_[l + 1].size();
            for_gradient(values_[l], deltas_[l + 1],
                         [&](auto i, auto j, double value) { gradient[l][i * m + j] += value; });
            if (l > 0) backward(weights[l], values_[l], deltas_[l + 1], deltas_[l]);
        }
    }

    /// All zero, in the shape of the weights.
    [[nodiscard]] Weights zeros() const {
        Weights result;
        for (const auto& layer : weights) result.emplace_back(layer.size(), 0.0);
        return result;
    }

    Weights weights;

  private:
    std::vector<std::vector<double>> values_, deltas_;  // deltas: derivatives by the layer's sums
};

/// Calls f for the samples of each piece: counts differ by at most one, larger ones first.
template <class F>
void for_pieces(std::size_t count, std::size_t pieces, const F& f) {
    std::size_t begin = 0;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        const std::size_t end = begin + count / pieces + (piece < count % pieces ? 1 : 0);
        f(begin, end);
        begin = end;
    }
}

/// The gradient averaged over `count` samples from `first` on; each piece is summed by itself.
[[nodiscard]] inline Weights gradient_of(SerialNetwork& network, const Samples& samples,
                                         std::size_t first, std::size_t count, std::size_t pieces) {
    Weights total = network.zeros();
    for_pieces(count, pieces, [&](std::size_t begin, std::size_t end) {
        Weights part = network.zeros();
        for (std::size_t s = first + begin; s < first + end; ++s)
            network.add_gradient(samples.input(s), samples.answer(s), count, part);
        for (std::size_t l = 0; l < total.size(); ++l)
            for (std::size_t k = 0; k < total[l].size(); ++k) total[l][k] += part[l][k];
    });
    return total;
}

[[nodiscard]] inline double loss_of(SerialNetwork& network, const Samples& samples,
                                    std::size_t pieces) {
    double total = 0;
    for_pieces(samples.count(), pieces, [&](std::size_t begin, std::size_t end) {
        double part = 0;
        for (std::size_t s = begin; s < end; ++s)
            part += squared_distance(network.run(samples.input(s)), samples.answer(s));
        total += part;
    });
    return mean_loss(total, samples.count());
}

[[nodiscard]] inline Trained train_serially(const Config& config, const Problem& problem) {
    const auto batch = static_cast<std::size_t>(config.batch);
    const auto pieces = static_cast<std::size_t>(config.pieces);
    const Descent descend{config.learning_rate, config.momentum};
    SerialNetwork network(problem.widths, problem.first_weights);
    Weights velocity = network.zeros();
    Trained trained;
    trained.losses.push_back(loss_of(network, problem.test, pieces));
    while (trained.steps < config.steps) {
        const auto number = static_cast<std::size_t>(trained.steps++ % config.batches);
        const Weights gradient =
            gradient_of(network, problem.training, number * batch, batch, pieces);
        for (std::size_t l = 0; l < velocity.size(); ++l)
            descend(network.weights[l], velocity[l], gradient[l]);
        if (trained.steps % config.evaluate_every != 0) continue;
        trained.losses.push_back(loss_of(network, problem.test, pieces));
        if (trained.losses.back() <= config.target * trained.losses.front()) break;
    }
    trained.weights = std::move(network.weights);
    return trained;
}

/// The allowed difference from the serial result where gradients are summed in any order: a sum of
/// few numbers then differs in some of its last bits, and a converging training does not amplify
/// that.
inline constexpr double tolerance = 1e-9;

/// Compares the result of a run with the serial one.
///
/// Errors: WrongResult if a number differs, in any bit or by more than the tolerance, or if the loss
///     has not fallen to the target.
class Expected {
  public:
    Expected(const Config& config, const Problem& problem)
        : target_(config.target),
          is_exact_(config.common.runtime.deterministic_reductions || config.pieces == 1),
          serial_(train_serially(config, problem)) {}

    void check(const Trained& found) const {
        if (found.steps != serial_.steps)
            throw example::WrongResult("training ended after " + std::to_string(found.steps) +
                                       " steps, but serially after " +
                                       std::to_string(serial_.steps));
        compare("loss", found.losses, serial_.losses);
        for (std::size_t l = 0; l < serial_.weights.size(); ++l)
            compare("weights of layer " + std::to_string(l), found.weights[l], serial_.weights[l]);
        if (target_ > 0 && found.losses.back() > target_ * found.losses.front())
            throw example::WrongResult("the loss fell from " +
                                       std::to_string(found.losses.front()) + " to " +
                                       std::to_string(found.losses.back()) + " only");
    }

  private:
    void compare(const std::string& name, const std::vector<double>& found,
                 const std::vector<double>& expected) const {
        for (std::size_t k = 0; k < expected.size(); ++k) {
            const double allowed = is_exact_ ? 0 : tolerance * (1 + std::abs(expected[k]));
            if (std::abs(found[k] - expected[k]) <= allowed) continue;
            throw example::WrongResult(name + "[" + std::to_string(k) + "] is " +
                                       std::to_string(found[k]) + ", but serially " +
                                       std::to_string(expected[k]));
        }
    }

    double target_;
    bool is_exact_;
    Trained serial_;
};

}  // namespace mlp
