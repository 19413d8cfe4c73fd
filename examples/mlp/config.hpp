#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "common/command_line.hpp"

namespace mlp {

struct Config {
    std::int64_t inputs = 60483;  // widths before they are scaled down
    std::int64_t hidden = 1000;
    std::int64_t hidden_layers = 6;
    std::int64_t outputs = 1;
    std::int64_t scale = 64;    // what inputs and hidden are divided by
    std::int64_t factors = 8;   // what the inputs really depend on
    std::int64_t batch = 32;    // samples per step
    std::int64_t batches = 16;  // in the training set
    std::int64_t pieces = 4;    // that a batch is cut into
    std::int64_t steps = 1000;
    std::int64_t evaluate_every = 50;  // steps
    double learning_rate = 0.003;
    double momentum = 0.9;
    double target = 0;  // end when this part of the first loss is left; 0: never
    example::CommonConfig common;

    /// Of the input, of each hidden layer, of the output.
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
    app.add_option("--inputs", config.inputs, "width of the input, before it is scaled down")
        ->check(CLI::Range(1, 10000000))
        ->capture_default_str();
    app.add_option("--hidden", config.hidden, "width of a hidden layer, before it is scaled down")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    app.add_option("--hidden-layers", config.hidden_layers, "none makes a linear map")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    app.add_option("--outputs", config.outputs, "width of the output")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    app.add_option("--scale", config.scale, "divides the widths of the input and hidden layers")
        ->check(CLI::Range(1, 100000))
        ->capture_default_str();
    app.add_option("--factors", config.factors, "numbers that inputs and answers depend on")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
}

inline void add_training(CLI::App& app, Config& config) {
    app.add_option("--batch", config.batch, "samples per step")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    app.add_option("--batches", config.batches, "in the training set")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    app.add_option("--pieces", config.pieces, "that a batch is cut into")
        ->check(CLI::Range(1, 4096))
        ->capture_default_str();
    app.add_option("--steps", config.steps, "at most")
        ->check(CLI::Range(1, 1000000000))
        ->capture_default_str();
    app.add_option("--evaluate-every", config.evaluate_every, "steps between evaluations")
        ->check(CLI::Range(1, 1000000))
        ->capture_default_str();
    app.add_option("--learning-rate", config.learning_rate, "of gradient descent")
        ->check(CLI::Range(0.0, 10.0))
        ->capture_default_str();
    app.add_option("--momentum", config.momentum, "of gradient descent")
        ->check(CLI::Range(0.0, 0.9999))
        ->capture_default_str();
    app.add_option("--target", config.target,
                   "end when this part of the first loss is left, which --check insists on; 0: "
                   "do all steps")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
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
