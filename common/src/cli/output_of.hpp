#pragma once

#include <string>
#include <vector>

namespace refrain::cli {

/// What a command prints on its standard output; what it says on standard error is dropped.
///
/// output_of({"cc", "--version"}) -> "cc (Debian 12.2.0) ..."; empty if it cannot be run or fails.
[[nodiscard]] std::string output_of(const std::vector<std::string>& words);

}  // namespace refrain::cli
