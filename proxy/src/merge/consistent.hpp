#pragma once

#include "events/rank_recording.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// What is left of a run that was cut off: each rank's recording ends somewhere else.
namespace refrain::proxy {

/// The longest part of a run that could have happened alone: whatever is received or found by a probe was sent, and a
/// collective call that waits was made by all ranks of its communicator.
struct ConsistentPart {
    std::vector<std::uint64_t> events;  // by rank: the number of calls kept, from its first on
    /// A communicator was made by groups of ranks that the recordings do not tell: its messages are not followed.
    bool not_followed = false;
};

/// Executes what was recorded as far as that goes: each rank goes on until it waits for what no rank has recorded.
///
/// Complexity: each call is looked at once, and again each time that another rank wakes it; of the requests that it completes, each
/// is asked for until it is met. Memory linear in the calls of all ranks.
[[nodiscard]] ConsistentPart consistent_part(const std::vector<RankRecording>& ranks);

/// Why recordings that have only some of the calls of their runs, by the user's choice, cannot happen alone: a call that
/// waits for what they do not have, a message that is never received, messages that cannot be followed. Empty if they can.
[[nodiscard]] std::vector<std::string> gaps_of(const std::vector<RankRecording>& ranks);

/// The first calls of a rank, and nothing that only later ones need. Times are those of the whole, by share.
[[nodiscard]] RankRecording first_calls(const RankRecording& recording, std::uint64_t calls);

/// Cuts the recordings of a run that did not end to its consistent part. What that leaves out, in words; nothing if all
/// ranks are complete.
[[nodiscard]] std::vector<std::string> cut_to_consistent_part(std::vector<RankRecording>& ranks);

}  // namespace refrain::proxy
