#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace bench {

/// Machine and source of the figures: {"cpu", "cores", "compiler", "commit"}. The commit is that of
/// the source folder, with "-dirty" if files differ from it; "unknown" outside a checkout.
[[nodiscard]] nlohmann::json machine_json();

/// Errors: std::runtime_error if the file cannot be written.
void write_json(const std::string& file, const nlohmann::json& results);

}  // namespace bench
