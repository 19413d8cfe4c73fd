/// The common part of every example's main(): runs the comparison, prints the table, and writes the
/// requested files.
#pragma once

#include <cstdio>
#include <exception>
#include <string>
#include <utility>

#include "common/common_config.hpp"
#include "common/comparison.hpp"
#include "common/table.hpp"

namespace example {

/// Writes the files that the command line asks for.
void write_files(const Comparison& comparison, const CommonConfig& config);

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
