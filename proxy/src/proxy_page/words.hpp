#pragma once

#include "merge/rank_set.hpp"

#include <cstddef>
#include <string>

namespace refrain::proxy {

/// "rank 3", "ranks 0-3, 7"; of more than `ranges_max` ranges, the first ones, and how many ranks there are in all.
[[nodiscard]] std::string ranks_in_words(const RankSet& ranks, std::size_t ranges_max = 8);

}  // namespace refrain::proxy
