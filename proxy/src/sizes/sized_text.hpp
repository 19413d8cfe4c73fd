#pragma once

#include <string>

#include "sizes/sized_model.hpp"

namespace refrain::proxy {

/// The text of a C99 program that makes the calls of a model, on the ranks that it finds and with the size that `--size`
/// names. `title` is for the comment at the top.
[[nodiscard]] std::string sized_proxy_text(const SizedModel& model, const std::string& title);

}  // namespace refrain::proxy
