/// Measures the recognisers without a runtime: how soon and how much of a stream of operations they
/// replay, and what that costs.

#include "cli/command_line.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/results.hpp"
#include "streams/generators.hpp"
#include "streams/measurement.hpp"
#include "streams/report.hpp"

namespace {

using namespace streams;

struct Config {
    std::uint64_t operations = 300'000;
    int rounds = 5;
    Choices choices;
    std::vector<std::string> names;     // of streams; none: all
    std::vector<std::string> recorded;  // files
    std::string json;
    bool quick = false;
};

Stream read_recorded(const std::string& file) {
    std::ifstream input(file);
    if (!input)
        throw std::runtime_error("cannot read '" + file +
                                 "'; give --recorded a file that a program wrote with "
                                 "--refrain:log-stream=FILE");
    refrain::commands::OperationReader reader(input, file);
    Stream stream{.name = std::filesystem::path(file).stem().string(),
                  .what = "recorded in " + file,
                  .lines = {}};
    for (Line line{}; reader.next(line);) stream.lines.push_back(line);
    if (operations_of(stream.lines) == 0)
        throw std::runtime_error("'" + file + "' has no operation; record a longer run");
    return stream;
}

bool is_wanted(const Config& config, const char* name) {
    if (config.names.empty()) return config.recorded.empty();
    return std::find(config.names.begin(), config.names.end(), name) != config.names.end();
}

Row judge(const Stream& stream, const Config& config) {
    Row row{stream.name, stream.what, {}};
    for (const Recogniser& recogniser : recognisers())
        row.outcomes.push_back(measure(recogniser, config.choices, stream, config.rounds));
    print_row(row);
    return row;
}

/// Keeps only one stream at a time in memory.
std::vector<Row> judge_all(const Config& config) {
    std::vector<Row> rows;
    for (const Generator& generator : generators())
        if (is_wanted(config, generator.name))
            rows.push_back(judge(generator.stream(config.operations), config));
    for (const std::string& file : config.recorded)
        rows.push_back(judge(read_recorded(file), config));
    return rows;
}

void run(const Config& config) {
    print_heading();
    const std::vector<Row> rows = judge_all(config);
    print_explanation();
    if (config.json.empty()) return;
    nlohmann::json results;
    results["machine"] = bench::machine_json();
    results["conditions"] = {{"operations", config.operations},
                             {"rounds", config.rounds},
                             {"history_tokens", config.choices.history_tokens},
                             {"trace_length_max", config.choices.trace_length_max}};
    results["recognisers"] = json_of(rows);
    bench::write_json(config.json, results);
    std::printf("results are in %s\n", config.json.c_str());
}

std::vector<std::string> generator_names() {
    std::vector<std::string> names;
    for (const Generator& generator : generators()) names.emplace_back(generator.name);
    return names;
}

void add_options(refrain::cli::CommandLine& app, Config& config) {
    app.add_option("--operations", config.operations, "Operations of each generated stream")
        .between(1000, 100'000'000)
        .show_default();
    app.add_option("--rounds", config.rounds, "Times each cost is measured; medians are reported")
        .between(1, 1000)
        .show_default();
    app.add_option("--stream", config.names, "Only these generated streams")
        .one_of(generator_names());
    app.add_option("--recorded", config.recorded,
                   "Files that programs wrote with --refrain:log-stream=FILE; no generated stream, "
                   "unless named");
    app.add_option("--history", config.choices.history_tokens, "Operations remembered")
        .between(256, 1 << 24)
        .show_default();
    app.add_option("--max-trace-length", config.choices.trace_length_max,
                   "Operations of the longest trace")
        .between(64, 1 << 24)
        .show_default();
    app.add_option("--json", config.json, "Also write the results to this file");
    app.add_flag("--quick", config.quick, "Short streams, one round: only checks that all works");
}

}  // namespace

int main(int argc, char** argv) {
    refrain::cli::CommandLine app(
        "Measures the recognisers without a runtime: how soon and how much of a stream of "
        "operations they replay, and what that costs.");
    Config config;
    add_options(app, config);
    if (!app.parse(argc, argv)) return app.exit_status();
    if (config.quick) {
        config.operations = 20'000;
        config.rounds = 1;
    }
    try {
        run(config);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "\nstreams: %s\n", error.what());
        return 1;
    }
}
