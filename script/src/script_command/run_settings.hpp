#pragma once

#include "refrain/script/script.hpp"

#include <string>

namespace refrain::cli {
class CommandLine;
}

namespace refrain::script {

/// The options of `refrain script run` about failures, repetition and what is kept.
struct RunSettings {
    std::string failures = "independent";
    std::int64_t retries = 0;
    std::string wrap;
    std::string memory;
    std::string cache;
    std::string runs = ".refrain/runs";
    bool no_record = false;
    bool resume = false;
    bool dry_run = false;
    bool processes = false;

    void add_to(cli::CommandLine& command);
    /// Errors: UsageError.
    void take_into(RunOptions& options) const;
};

/// Errors: UsageError.
[[nodiscard]] FailurePolicy failure_policy_of(const std::string& name);

}  // namespace refrain::script
