#pragma once

#include <string>

namespace refrain::script {

struct LogQuery {
    std::string runs = ".refrain/runs";  // the folder of folders
    std::string run;                     // a folder's name, or a part of it; empty: the latest run
    std::string function;                // only its tasks
    std::string state;                   // only tasks of it
    bool why = false;                    // why tasks ran although results are kept
    bool list = false;                   // the runs instead of one run's tasks
};

/// What a run has recorded, as text. Errors: UsageError if there is no such run.
[[nodiscard]] std::string log_text(const LogQuery& query);

}  // namespace refrain::script
