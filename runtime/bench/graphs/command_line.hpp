#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "graphs/pattern.hpp"

namespace graphs {

/// What the benchmarks of task graphs are told: which graphs, how often, and where the results go.
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

/// A list on the command line: values with commas between them, each one of `known`.
CLI::Option* add_list(CLI::App& app, const std::string& name, std::vector<std::string>& values,
                      const std::vector<std::string>& known, const std::string& help);

void add_options(CLI::App& app, RunConfig& config);

/// Reads the command line, says how many threads there will be, and calls `run`, which measures.
/// What goes wrong is said on standard error, in the name of the benchmark. The result is that of
/// main().
int run_as_told(CLI::App& app, RunConfig& config, const char* benchmark, int argc, char** argv,
                const std::function<void()>& run);

/// If a file was asked for.
void write_results(const RunConfig& config, const nlohmann::json& results);

}  // namespace graphs
