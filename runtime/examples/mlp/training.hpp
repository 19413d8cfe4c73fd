/// Data-parallel training on a runtime.
#pragma once

#include "refrain/refrain.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "common/comparison.hpp"
#include "mlp/config.hpp"
#include "mlp/problem.hpp"
#include "mlp/serial.hpp"
#include "mlp/tasks.hpp"

namespace mlp {

/// Every task of a step works on a piece of the batch, or on a band of rows of a layer's weights.
/// All pieces reduce into the gradient; the bands are updated from it; the next step's pieces read
/// all weights. That is the all-reduce of data-parallel training, and the runtime finds its order.
class Training {
  public:
    Training(refrain::Runtime& runtime, const Config& config, const Problem& problem);

    example::Run train(example::Mode mode);

    /// Waits for the last step.
    [[nodiscard]] Trained result() const;

  private:
    using Bands = refrain::Partition<2, 1>;

    /// A batch, with one row per sample.
    struct Batch {
        Matrix values;
        Bands pieces;
    };
    struct Layer {
        Matrix weights, velocity, gradient;
        Bands bands;
        Batch out;    // the layer's output
        Batch delta;  // the derivative of the loss by the output before rectification
    };
    /// A constant set of samples.
    struct Set {
        Matrix x, answers;
    };

    [[nodiscard]] Matrix matrix(const std::vector<double>& values, std::size_t columns,
                                const char* name);
    [[nodiscard]] Batch batch(std::size_t columns, const char* name);
    [[nodiscard]] Set set(const Samples& samples, const char* name);
    [[nodiscard]] Layer layer(const std::vector<double>& weights, std::size_t outputs);
    [[nodiscard]] const Batch& input_of(std::size_t layer) const {
        return layer == 0 ? x_ : layers_[layer - 1].out;
    }

    void load(const Set& set, std::int64_t first);
    void run_forward();
    void run_backward();
    void update();
    void step(std::int64_t number);
    [[nodiscard]] double evaluate(example::Mode mode);
    template <class Launches>
    void in_trace(example::Mode mode, std::uint64_t trace, const Launches& launches);

    refrain::Runtime& runtime_;
    Config config_;
    Set training_, test_;
    Batch x_, answers_;
    std::vector<Layer> layers_;
    std::vector<double> losses_;
    std::int64_t steps_ = 0;
};

inline Training::Training(refrain::Runtime& runtime, const Config& config, const Problem& problem)
    : runtime_(runtime),
      config_(config),
      training_(set(problem.training, "training")),
      test_(set(problem.test, "test")),
      x_(batch(problem.widths.front(), "x")),
      answers_(batch(problem.widths.back(), "answers")) {
    for (std::size_t l = 0; l < problem.first_weights.size(); ++l)
        layers_.push_back(layer(problem.first_weights[l], problem.widths[l + 1]));
}

inline Matrix Training::matrix(const std::vector<double>& values, std::size_t columns,
                               const char* name) {
    Matrix region =
        runtime_.create_region<double>(refrain::extents(values.size() / columns, columns), name);
    std::ranges::copy(values, runtime_.write(region).elements().begin());
    return region;
}

inline Training::Batch Training::batch(std::size_t columns, const char* name) {
    const auto bounds = refrain::extents(config_.batch, columns);
    return {runtime_.create_region<double>(bounds, name), refrain::rows(bounds, config_.pieces)};
}

inline Training::Set Training::set(const Samples& samples, const char* name) {
    return {matrix(samples.x, samples.inputs, name),
            matrix(samples.answers, samples.outputs, name)};
}

inline Training::Layer Training::layer(const std::vector<double>& weights, std::size_t outputs) {
    const std::vector<double> zeros(weights.size(), 0.0);
    Matrix region = matrix(weights, outputs, "weights");
    Bands bands = refrain::rows(region.bounds(), config_.pieces);
    return {std::move(region),
            matrix(zeros, outputs, "velocity"),
            matrix(zeros, outputs, "gradient"),
            std::move(bands),
            batch(outputs, "out"),
            batch(outputs, "delta")};
}

inline void Training::load(const Set& set, std::int64_t first) {
    runtime_.launch("load", x_.pieces.colours(), Load{}, refrain::write(x_.values, x_.pieces),
                    refrain::write(answers_.values, answers_.pieces), refrain::read(set.x),
                    refrain::read(set.answers), first);
}

inline void Training::run_forward() {
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        const Layer& layer = layers_[l];
        const Batch& x = input_of(l);
        const bool is_last = l + 1 == layers_.size();
        runtime_.launch("forward", x.pieces.colours(), Forward{},
                        refrain::write(layer.out.values, layer.out.pieces),
                        refrain::read(x.values, x.pieces), refrain::read(layer.weights),
                        is_last ? Activation::linear : Activation::rectified);
    }
}

/// Computes the derivative of the loss, layer by layer from the last to the first, and the
/// gradient.
inline void Training::run_backward() {
    const auto colours = x_.pieces.colours();
    const Layer& last = layers_.back();
    runtime_.launch("differentiate", colours, DifferentiateLoss{},
                    refrain::write(last.delta.values, last.delta.pieces),
                    refrain::read(last.out.values, last.out.pieces),
                    refrain::read(answers_.values, answers_.pieces));
    for (std::size_t l = layers_.size(); l-- > 0;) {
        const Layer& layer = layers_[l];
        const Batch& x = input_of(l);
        runtime_.fill(layer.gradient, layer.bands, 0.0);
        runtime_.launch("gradient", colours, SumGradient{},
                        refrain::reduce<refrain::Sum>(layer.gradient),
                        refrain::read(x.values, x.pieces),
                        refrain::read(layer.delta.values, layer.delta.pieces));
        if (l == 0) break;
        const Batch& below = layers_[l - 1].delta;
        runtime_.launch("backward", colours, Backward{}, refrain::write(below.values, below.pieces),
                        refrain::read(x.values, x.pieces),
                        refrain::read(layer.delta.values, layer.delta.pieces),
                        refrain::read(layer.weights));
    }
}

inline void Training::update() {
    for (const Layer& layer : layers_)
        runtime_.launch("update", layer.bands.colours(), Update{},
                        refrain::read_write(layer.weights, layer.bands),
                        refrain::read_write(layer.velocity, layer.bands),
                        refrain::read(layer.gradient, layer.bands),
                        Descent{config_.learning_rate, config_.momentum});
}

inline void Training::step(std::int64_t number) {
    load(training_, number % config_.batches * config_.batch);
    run_forward();
    run_backward();
    update();
}

template <class Launches>
void Training::in_trace(example::Mode mode, std::uint64_t trace, const Launches& launches) {
    if (mode == example::Mode::manual) runtime_.begin_trace(trace);
    launches();
    if (mode == example::Mode::manual) runtime_.end_trace(trace);
}

/// The loss on the test samples. The pieces return theirs as futures; the program waits for them,
/// and so for all earlier steps.
inline double Training::evaluate(example::Mode mode) {
    constexpr std::uint64_t evaluation_trace = 2;
    refrain::FutureMap<double, 1> parts;
    in_trace(mode, evaluation_trace, [&] {
        load(test_, 0);
        run_forward();
        const Batch& y = layers_.back().out;
        parts = runtime_.launch("loss", y.pieces.colours(), SumLoss{},
                                refrain::read(y.values, y.pieces),
                                refrain::read(answers_.values, answers_.pieces));
    });
    double total = 0;
    for (const refrain::Point<1> piece : x_.pieces.colours()) total += parts.get(piece);
    return mean_loss(total, static_cast<std::size_t>(config_.batch));
}

/// A step makes the same launches each time, on the same regions, so it is the natural trace. The
/// number of the batch is a scalar, which traces do not compare.
inline example::Run Training::train(example::Mode mode) {
    constexpr std::uint64_t step_trace = 1;
    losses_.push_back(evaluate(mode));
    example::Stopwatch watch(runtime_);
    while (steps_ < config_.steps) {
        in_trace(mode, step_trace, [&] { step(steps_); });
        if (++steps_ % config_.evaluate_every != 0) continue;
        losses_.push_back(evaluate(mode));
        if (losses_.back() <= config_.target * losses_.front()) break;
    }
    return watch.stop(steps_);
}

inline Trained Training::result() const {
    Trained trained{{}, losses_, steps_};
    for (const Layer& layer : layers_) {
        const auto weights = runtime_.read(layer.weights);
        trained.weights.emplace_back(weights.elements().begin(), weights.elements().end());
    }
    return trained;
}

}  // namespace mlp
