/// Runs a program in Refrain and records its observable effects.
#pragma once

#include "refrain/statistics.hpp"
#include "refrain/why_not_traced.hpp"

#include <optional>
#include <string>
#include <vector>

#include "property/mode.hpp"
#include "property/program.hpp"

namespace refrain::property {

/// A TaskError or OutOfMemory that the program caught.
struct SeenError {
    std::string task;
    std::string site;
    std::string message;
    bool is_of_memory = false;  // OutOfMemory, or caused by it
};

/// The observed effects of one statement.
struct Observed {
    std::vector<std::uint64_t> values;
    std::optional<SeenError> error;
    std::optional<std::string> refusal;  // a UsageError
    std::vector<int> runs;               // of a launch, by point: executions of its task
    std::uint64_t operation = 0;         // of a launch, fill or fence: its number
};

struct Execution {
    std::vector<Observed> observed;
    std::string problem;  // a failure not due to one statement, such as a leak; empty: none
    Statistics statistics;
    std::vector<Dependence> dependences;
    std::vector<LaunchSiteReport> sites;  // if these are counted
};

class SharedPartitions;

/// Runs on the calling thread and its workers. Another execution of the program may share partitions.
[[nodiscard]] Execution execute(const Program& program, const Mode& mode,
                                SharedPartitions* shared = nullptr);

}  // namespace refrain::property
