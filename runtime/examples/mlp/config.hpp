#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "common/common_config.hpp"

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

[[nodiscard]] Config config_from(int argc, char** argv);

}  // namespace mlp
