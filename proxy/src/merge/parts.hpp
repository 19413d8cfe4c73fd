#pragma once

#include "events/rank_recording.hpp"

#include <vector>

namespace refrain::proxy {

/// One recording of the parts that a rank wrote one after the other since it had its share of memory.
///
/// parts  a b | b c   ->   events a b c, main: the main rules behind each other
///
/// What the recorder keeps from part to part (texts, sites, slots, times of the run) is that of the last one.
/// `parts` is not empty. Complexity: linear in the sizes of the parts.
[[nodiscard]] RankRecording join_parts(std::vector<RankRecording> parts);

}  // namespace refrain::proxy
