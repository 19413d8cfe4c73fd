/// Runs a program in Refrain and writes down everything that can be seen of it.
#pragma once

#include "refrain/statistics.hpp"

#include <optional>
#include <string>
#include <vector>

#include "property/mode.hpp"
#include "property/program.hpp"

namespace refrain::property {

/// A TaskError as the program saw it.
struct SeenError {
    std::string task;
    std::string site;
    std::string message;
};

/// What the runtime let the program see of one statement.
struct Observed {
    std::vector<std::uint64_t> values;
    std::optional<SeenError> error;
    std::optional<std::string> refusal;  // a UsageError
    std::vector<int> runs;               // of a launch, by point: how often its task ran
    std::uint64_t operation = 0;         // of a launch, fill or fence: its number
};

struct Execution {
    std::vector<Observed> observed;
    std::string problem;  // something that no statement may do, or that was left behind
    Statistics statistics;
    std::vector<Dependence> dependences;
};

/// Runs on the calling thread and its workers.
[[nodiscard]] Execution execute(const Program& program, const Mode& mode);

}  // namespace refrain::property
