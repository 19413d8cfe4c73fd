#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "common/command_line.hpp"

namespace mlp {

struct Config {
    std::int64_t inputs = 60483;  // widths before scaling
    std::int64_t hidden = 1000;
    std::int64_t hidden_layers = 6;
    std::int64_t outputs = 1;
    std::int64_t scale = 64;    // divides inputs and hidden
    std::int64_t factors = 8;   // hidden factors that the inputs depend on
    std::int64_t batch = 32;    // samples per step
    std::int64_t batches = 16;  // in the training set
    std::int64_t pieces = 4;    // per batch
    std::int64_t steps = 1000;
    std::int64_t evaluate_every = 50;  // steps
    double learning_rate = 0.003;
    double momentum = 0.9;
    double target = 0;  // stop at this fraction of the first loss; 0: never
    example::CommonConfig common;

    /// The widths of the input, of each hidden layer, and of the output.
    [[nodiscard]] std::vector<std::int64_t> widths() const {
        const auto scaled = [&](std::int64_t width) {
            return std::max<std::int64_t>(1, width / scale);
        };
        std::vector<std::int64_t> all{scaled(inputs)};
        all.insert(all.end(), static_cast<std::size_t>(hidden_layers), scaled(hidden));
        all.push_back(outputs);
        return all;
    }
    [[nodiscard]] std::string problem() const {
        std::string text = "widths ";
        for (const std::int64_t width : widths()) text += std::to_string(width) + "-";
        text.pop_back();
        return text + ", batches of " + std::to_string(batch) + " in " + std::to_string(pieces) +
               " pieces, up to " + std::to_string(steps) + " steps";
    }
};

namespace detail {

inline void add_network(CLI::App& app, Config& config) {
    example::add_number(app, "--inputs", config.inputs, {1, 10000000},
                        "width of the input, before scaling");
    example::add_number(app, "--hidden", config.hidden, {1, 1000000},
                        "width of a hidden layer, before scaling");
    example::add_number(app, "--hidden-layers", config.hidden_layers, {0, 1000},
                        "hidden layers; 0 makes a linear map");
    example::add_number(app, "--outputs", config.outputs, {1, 100000}, "width of the output");
    example::add_number(app, "--scale", config.scale, {1, 100000},
                        "divisor of the widths of input and hidden layers");
    example::add_number(app, "--factors", config.factors, {1, 10000},
                        "hidden factors that inputs and answers depend on");
}

inline void add_training(CLI::App& app, Config& config) {
    example::add_number(app, "--batch", config.batch, {1, 1000000}, "samples per step");
    example::add_number(app, "--batches", config.batches, {1, 1000000},
                        "batches in the training set");
    example::add_number(app, "--pieces", config.pieces, {1, 4096}, "pieces per batch");
    example::add_number(app, "--steps", config.steps, example::any_steps, "most steps");
    example::add_number(app, "--evaluate-every", config.evaluate_every, example::any_interval,
                        "steps between evaluations");
    example::add_number(app, "--learning-rate", config.learning_rate, {0.0, 10.0},
                        "step length of gradient descent");
    example::add_number(app, "--momentum", config.momentum, {0.0, 0.9999},
                        "momentum of gradient descent");
    example::add_number(
        app, "--target", config.target, {0.0, 1.0},
        "stop at this fraction of the first loss, which --check requires; 0: do all steps");
}

}  // namespace detail

[[nodiscard]] inline Config config_from(int argc, char** argv) {
    Config config;
    CLI::App app{
        "Trains a multilayer perceptron with the widths of the CANDLE Pilot1 benchmarks, data "
        "parallel."};
    detail::add_network(app, config);
    detail::add_training(app, config);
    example::parse(app, config.common, argc, argv);
    return config;
}

}  // namespace mlp
