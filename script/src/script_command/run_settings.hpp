#pragma once

#include "refrain/script/script.hpp"

#include <string>

namespace refrain::cli {
class CommandLine;
}

namespace refrain::script {

/// The options of `refrain script run` about failures, repetition and what is kept, as they are written; others are set at
/// once.
struct RunSettings {
    std::string failures = "independent";
    std::string memory;
    std::string cache;
    std::string runs = ".refrain/runs";
    bool no_record = false;

    void add_to(cli::CommandLine& command, RunOptions& options);
    /// Errors: UsageError.
    void take_into(RunOptions& options) const;
};

}  // namespace refrain::script
