/// The simulation that ensemble.swift runs many times: a damped oscillator, and a quick check whether it is worth it.

#include "refrain/script/leaf_functions.hpp"

#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

namespace {

/// How promising the parameters are, above 0 if at all, and the model to use.
std::tuple<double, std::int64_t> evaluate(std::int64_t i, std::int64_t j) {
    const double promise = std::sin(static_cast<double>(3 * i + j));
    return {promise, 1 + (i + j) % 3};
}

/// The stiffness of a model, whose file holds one number.
double load_model(const std::string& text) {
    return std::stod(text);
}

/// The amplitude after a while of an oscillator with this stiffness, started with a push of its own.
double simulate(double stiffness, std::int64_t i, std::int64_t j, std::int64_t member) {
    double x = 1.0 + 0.01 * static_cast<double>(member);
    double v = 0;
    const double damping = 0.01 * static_cast<double>(i);
    for (int step = 0; step < 20000; ++step) {
        v -= 0.001 * (stiffness * x + damping * v + 0.001 * static_cast<double>(j));
        x += 0.001 * v;
    }
    return x;
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double each : values) sum += each;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

}  // namespace

REFRAIN_SCRIPT_FUNCTION(evaluate)
REFRAIN_SCRIPT_FUNCTION(load_model)
REFRAIN_SCRIPT_FUNCTION(simulate)
REFRAIN_SCRIPT_FUNCTION(mean)
