#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "graphs/command_line.hpp"
#include "graphs/sweep.hpp"

namespace metg {

struct Config : graphs::RunConfig {
    std::vector<std::string> ways;
    int radix = 5;
    graphs::SweepConfig sweep;
};

/// One graph and one way to run it.
struct Case {
    graphs::Pattern pattern;
    int width_per_thread;
    std::string way;
    /// "stencil_1d/width_4/automatic"
    [[nodiscard]] std::string name() const;
    friend bool operator==(const Case&, const Case&) = default;
};

/// The measurements, round by round.
class Results {
  public:
    void add(const Case& measured, const graphs::Sweep& sweep);
    void add_pingpong(double ns) { pingpong_ns_.push_back(ns); }

    void print(const Config& config) const;
    [[nodiscard]] nlohmann::json to_json(const Config& config) const;

  private:
    struct Measured {
        std::vector<double> metg_ns;  // in the rounds that reached half of the peak
        std::vector<double> traced_share;
        nlohmann::json sweeps = nlohmann::json::array();
    };
    [[nodiscard]] bool cores_are_near() const;
    void print_case(const Config& config, const Case& measured, const Measured& figures) const;
    [[nodiscard]] Measured& of(const Case& measured);

    std::vector<std::pair<Case, Measured>> cases_;  // in the order of the first round
    std::vector<double> pingpong_ns_;
};

}  // namespace metg
