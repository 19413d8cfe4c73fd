#include "mlp/config.hpp"

#include "common/command_line.hpp"

namespace mlp {
namespace {

void add_network(example::CommandLine& line, Config& config) {
    line.add_number("--inputs", config.inputs, {1, 10000000}, "width of the input, before scaling");
    line.add_number("--hidden", config.hidden, {1, 1000000},
                    "width of a hidden layer, before scaling");
    line.add_number("--hidden-layers", config.hidden_layers, {0, 1000},
                    "hidden layers; 0 makes a linear map");
    line.add_number("--outputs", config.outputs, {1, 100000}, "width of the output");
    line.add_number("--scale", config.scale, {1, 100000},
                    "divisor of the widths of input and hidden layers");
    line.add_number("--factors", config.factors, {1, 10000},
                    "hidden factors that inputs and answers depend on");
}

void add_training(example::CommandLine& line, Config& config) {
    line.add_number("--batch", config.batch, {1, 1000000}, "samples per step");
    line.add_number("--batches", config.batches, {1, 1000000}, "batches in the training set");
    line.add_number("--pieces", config.pieces, {1, 4096}, "pieces per batch");
    line.add_number("--steps", config.steps, example::any_steps, "most steps");
    line.add_number("--evaluate-every", config.evaluate_every, example::any_interval,
                    "steps between evaluations");
    line.add_number("--learning-rate", config.learning_rate, {0.0, 10.0},
                    "step length of gradient descent");
    line.add_number("--momentum", config.momentum, {0.0, 0.9999}, "momentum of gradient descent");
    line.add_number(
        "--target", config.target, {0.0, 1.0},
        "stop at this fraction of the first loss, which --check requires; 0: do all steps");
}

}  // namespace

Config config_from(int argc, char** argv) {
    Config config;
    example::CommandLine line{
        "Trains a multilayer perceptron with the widths of the CANDLE Pilot1 benchmarks, data "
        "parallel."};
    add_network(line, config);
    add_training(line, config);
    line.parse(config.common, argc, argv);
    return config;
}

}  // namespace mlp
