#pragma once

#include "refrain/script/script.hpp"

#include <algorithm>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

/// Runs scripts in tests, and keeps what they print.
namespace refrain::script {

struct Ran {
    std::vector<std::string> lines;  // sorted: statements run in any order
    RunResult result;
};

inline Ran run_with(const std::string& text, RunOptions options) {
    std::string output;
    options.on_output = [&](const std::string& more) { output += more; };
    Ran ran;
    ran.result = run_text(text, "test.swift", options);
    std::istringstream stream(output);
    for (std::string line; std::getline(stream, line);) ran.lines.push_back(line);
    std::sort(ran.lines.begin(), ran.lines.end());
    return ran;
}

inline Ran run_script(const std::string& text, std::uint32_t workers = 2, bool sequential = false,
                      std::vector<std::string> arguments = {}, int level = 3,
                      std::vector<std::string> passes_on = {}) {
    RunOptions options;
    options.workers = workers;
    options.sequential = sequential;
    options.arguments = std::move(arguments);
    options.level = level;
    options.passes_on = std::move(passes_on);
    return run_with(text, options);
}

/// What the compiler says; empty if it accepts the script.
inline std::string refusal_of(const std::string& text) {
    try {
        RunOptions options;
        options.on_output = [](const std::string&) {};
        static_cast<void>(run_text(text, "test.swift", options));
        return {};
    } catch (const CompileFailure& failure) {
        return failure.what();
    }
}

inline std::string warnings_of(const std::string& text) {
    return run_script(text).result.warnings;
}

}  // namespace refrain::script
