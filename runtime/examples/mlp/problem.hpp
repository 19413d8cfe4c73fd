/// Synthetic training data with a known answer.
///
/// As in gene expression, from which the widths are taken, many inputs depend on few hidden factors
/// z: x = M z. The answer is a linear map of the factors, t = T z. With at least as many inputs as
/// factors, the answer is also a linear map of x, so a network without hidden layers can learn it
/// exactly: the smallest loss is zero, also for samples outside the training set.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "mlp/config.hpp"
#include "mlp/dense.hpp"

namespace mlp {

/// Inputs and answers, sample by sample.
struct Samples {
    std::size_t inputs = 0, outputs = 0;
    std::vector<double> x, answers;

    [[nodiscard]] std::size_t count() const { return x.size() / inputs; }
    [[nodiscard]] ConstValues input(std::size_t sample) const {
        return ConstValues(x).subspan(sample * inputs, inputs);
    }
    [[nodiscard]] ConstValues answer(std::size_t sample) const {
        return ConstValues(answers).subspan(sample * outputs, outputs);
    }
};

/// The weights of each layer, in the layout of forward().
using Weights = std::vector<std::vector<double>>;

struct Problem {
    std::vector<std::size_t> widths;
    Samples training, test;
    Weights first_weights;
};

namespace detail {

class Random {
  public:
    explicit Random(std::uint64_t seed) : bits_(seed) {}
    /// Uniformly distributed with mean 0 and variance 1.
    [[nodiscard]] double uniform() {
        return (static_cast<double>(bits_() >> 11) * 0x1p-53 - 0.5) * std::sqrt(12.0);
    }
    [[nodiscard]] std::vector<double> uniform(std::size_t count, double deviation) {
        std::vector<double> values(count);
        for (double& value : values) value = deviation * uniform();
        return values;
    }

  private:
    std::mt19937_64 bits_;
};

/// Appends matrix (m,k) times vector (k) to `into`.
inline void append_product(const std::vector<double>& matrix, const std::vector<double>& vector,
                           std::vector<double>& into) {
    for (std::size_t row = 0; row < matrix.size(); row += vector.size()) {
        double sum = 0;
        for (std::size_t f = 0; f < vector.size(); ++f) sum += matrix[row + f] * vector[f];
        into.push_back(sum);
    }
}

[[nodiscard]] inline Samples make_samples(Random& random, std::size_t count, std::size_t factors,
                                          const std::vector<double>& mix,
                                          const std::vector<double>& teacher) {
    Samples samples{mix.size() / factors, teacher.size() / factors, {}, {}};
    for (std::size_t i = 0; i < count; ++i) {
        const std::vector<double> z = random.uniform(factors, 1);
        append_product(mix, z, samples.x);
        append_product(teacher, z, samples.answers);
    }
    return samples;
}

/// Random weights with variance 2 / inputs, with which rectified layers keep the magnitude of their
/// values (He et al., "Delving deep into rectifiers", ICCV 2015). Biases are zero.
[[nodiscard]] inline Weights make_weights(Random& random, const std::vector<std::size_t>& widths) {
    Weights weights;
    for (std::size_t l = 0; l + 1 < widths.size(); ++l) {
        const double deviation = std::sqrt(2.0 / static_cast<double>(widths[l]));
        weights.push_back(random.uniform(widths[l] * widths[l + 1], deviation));
        weights.back().resize((widths[l] + 1) * widths[l + 1], 0.0);
    }
    return weights;
}

}  // namespace detail

/// Inputs and answers have mean 0 and variance about 1.
[[nodiscard]] inline Problem make_problem(const Config& config) {
    detail::Random random(20250330);
    Problem problem;
    for (const std::int64_t width : config.widths())
        problem.widths.push_back(static_cast<std::size_t>(width));
    const auto factors = static_cast<std::size_t>(config.factors);
    const auto batch = static_cast<std::size_t>(config.batch);
    const double deviation = 1 / std::sqrt(static_cast<double>(factors));
    const auto mix = random.uniform(problem.widths.front() * factors, deviation);
    const auto teacher = random.uniform(problem.widths.back() * factors, deviation);
    problem.training = detail::make_samples(
        random, batch * static_cast<std::size_t>(config.batches), factors, mix, teacher);
    problem.test = detail::make_samples(random, batch, factors, mix, teacher);
    problem.first_weights = detail::make_weights(random, problem.widths);
    return problem;
}

}  // namespace mlp
