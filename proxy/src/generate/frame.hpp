#pragma once

#include "generate/call_text.hpp"

#include <string>

namespace refrain::proxy {

/// The parts of a proxy that do not depend on what it does: variables, helpers, options, `main`.

/// Definitions that stand before the rules: only those that are used. `blocks`: blocks_text, or empty.
[[nodiscard]] std::string frame_before(const CallText& calls, std::uint32_t ranks,
                                       const std::vector<std::int64_t>& slot_places,
                                       std::int64_t arena_bytes, const std::string& blocks);
/// `main` and what it calls.
[[nodiscard]] std::string frame_behind();

}  // namespace refrain::proxy
