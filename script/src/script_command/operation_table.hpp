#pragma once

#include "refrain/script/script.hpp"

#include <string>

namespace refrain::script {

/// Table 2 of the paper for a script: categories across, passes cumulatively down, then the levels.
///
///                          Task   Create  Subscribe ...   Total
///     O0                  20406    30002      60003      230415
///     + function-inline   20204      ...
///
/// The script is run once per row; what it prints is dropped.
/// Errors: CompileFailure, UsageError; a run that fails is marked in its row.
[[nodiscard]] std::string operations_pass_by_pass(const std::string& file, RunOptions options);
/// The same at O3, with one pass left out in each row.
[[nodiscard]] std::string operations_without_each(const std::string& file, RunOptions options);

}  // namespace refrain::script
