#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bench {

/// Where figures come from: {"cpu", "cores", "compiler", "commit"}. The commit is that of the
/// source folder, with "-dirty" where files differ from it; "unknown" outside of a checkout.
[[nodiscard]] nlohmann::json machine_json();

/// Errors: std::runtime_error if the file cannot be written.
void write_json(const std::string& file, const nlohmann::json& results);

}  // namespace bench
