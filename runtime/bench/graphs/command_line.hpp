#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "graphs/pattern.hpp"

namespace graphs {

/// Options shared by the benchmarks of task graphs.
struct RunConfig {
    unsigned threads = 0;  // 0: one per core
    std::vector<std::string> patterns;
    std::vector<int> widths = {1, 4};  // columns per thread
    int steps = 1000;
    int rounds = 5;
    std::string json;  // file for the results; empty: none
    bool quick = false;
};

[[nodiscard]] std::vector<std::string> pattern_names();

/// A comma-separated list of values, each from `known`.
CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                      const std::vector<std::string>& known, const std::string& help);

void add_options(CLI::App& app, RunConfig& config);

/// Parses the command line, sets the number of threads, and calls `run`. Prints errors to standard
/// error, prefixed by the benchmark's name. Returns the exit status for main().
int run_benchmark(CLI::App& app, RunConfig& config, const char* benchmark, int argc, char** argv,
                  const std::function<void()>& run);

/// Writes the results if a file was given.
void write_results(const RunConfig& config, const nlohmann::json& results);

}  // namespace graphs
