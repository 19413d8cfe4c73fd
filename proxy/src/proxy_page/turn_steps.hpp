#pragma once

#include "proxy_page/rank_means.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace refrain::proxy {

/// The calls of some runs, each with the work before it; calls that are repeated in a row are one step or two.
///
/// Not more than `most`, or little more: of what would be longer, loops within loops come as one turn whose steps have a larger
/// count; and if that is too long as well, only which steps there are and how often.
[[nodiscard]] std::vector<TurnStep> steps_of(const Recording& recording, const RuleBook& book,
                                             std::span<const strings::Run> runs,
                                             std::uint32_t before, std::size_t most);

}  // namespace refrain::proxy
