#pragma once

#include "merge/recording.hpp"

#include <string>

namespace refrain::proxy {

/// All of a recording as JSON, folded as it is stored: events, rules, who executes what of the main rule, work.
///
///     {"ranks": 4, "events": [{"function": "MPI_Send", "call": "MPI_Send(...)", "values": [...], "calls": 8, ...}],
///      "rules": [[{"event": 3, "times": 8}, {"rule": 1, "times": 2}]], "main": [{"ranks": [[0, 3]], "rule": 0, ...}], ...}
[[nodiscard]] std::string recording_json(const Recording& recording);

}  // namespace refrain::proxy
