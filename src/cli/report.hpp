#pragma once

#include <CLI/CLI.hpp>

namespace refrain::cli {

/// Adds `refrain report`: a page that shows what automatic tracing makes of a log of operations.
void add_report(CLI::App& program);

}  // namespace refrain::cli
