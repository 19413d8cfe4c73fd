/// The common part of every example's main(): runs the comparison, prints the table, and writes the
/// requested files.
#pragma once

#include <cstdio>
#include <exception>
#include <string>
#include <utility>

#include "common/comparison.hpp"
#include "common/report.hpp"
#include "common/table.hpp"
#include "common/traced_share_svg.hpp"

namespace example {

[[nodiscard]] inline SharePanel panel_of(const Comparison& comparison) {
    SharePanel panel{comparison.program + ": " + comparison.problem, {}, {}};
    if (const Measurement* m = comparison.find(Mode::manual))
        panel.manual = traced_share(m->statistics.progress);
    if (const Measurement* m = comparison.find(Mode::automatic))
        panel.automatic = traced_share(m->statistics.progress);
    return panel;
}

inline void write_files(const Comparison& comparison, const CommonConfig& config) {
    if (!config.json_path.empty())
        write_file(config.json_path, report_of(comparison).dump(2) + "\n");
    if (!config.svg_path.empty()) {
        write_file(config.svg_path, traced_share_svg({panel_of(comparison)}));
        std::printf("\nThe share of replayed operations is drawn in %s\n", config.svg_path.c_str());
    }
}

/// `program(runtime, mode)` as for compare().
template <class Program>
void show(std::string name, std::string problem, const CommonConfig& config,
          const Program& program) {
    const Comparison comparison = compare(std::move(name), std::move(problem), config, program);
    print_table(comparison);
    write_files(comparison, config);
}

/// Runs `body` and returns the exit status: 1 if it throws, 0 otherwise.
template <class Body>
[[nodiscard]] int reporting_errors(const Body& body) {
    try {
        body();
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "\nerror: %s\n", error.what());
        return 1;
    }
}

}  // namespace example
