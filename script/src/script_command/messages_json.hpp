#pragma once

#include "refrain/script/options.hpp"

#include <string>
#include <vector>

namespace refrain::script {

/// A line of JSON: {"messages":[...]}; what is in it is said in docs/editors.md.
[[nodiscard]] std::string messages_json(const std::vector<Message>& messages);

}  // namespace refrain::script
