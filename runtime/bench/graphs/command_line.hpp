#pragma once

#include "cli/command_line.hpp"

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
refrain::cli::Option add_list(refrain::cli::CommandLine& app, const std::string& name,
                              std::vector<std::string>& values,
                              const std::vector<std::string>& known, const std::string& help);

void add_options(refrain::cli::CommandLine& app, RunConfig& config);

/// Parses the command line, sets the number of threads, and calls `run`. Prints errors to standard
/// error, prefixed by the benchmark's name. Returns the exit status for main().
int run_benchmark(refrain::cli::CommandLine& app, RunConfig& config, const char* benchmark,
                  int argc, char** argv, const std::function<void()>& run);

/// Writes the results if a file was given.
void write_results(const RunConfig& config, const nlohmann::json& results);

}  // namespace graphs
