#pragma once

#include "events/rank_recording.hpp"

#include <vector>

namespace refrain::proxy {

/// Memory of dynamic windows is named by its address, by its owner and by others. Each address becomes a slot and a
/// distance in bytes: the same in every run.
///
///     rank 1 attaches [0x7f40, 0x7f80), later [0x7f60, 0x7fa0)     one slot of 0x60 bytes
///     MPI_Put(..., target_rank 1, target_disp 0x7f68, ...)         slot, 0x28
///
/// A slot holds all that ever overlapped, at the same distances: so a place that was attached when it was accessed is
/// attached then in the proxy, too, and nobody need know when that was. These slots lie behind those of other buffers.
/// Addresses that nobody attached become buffer_unattached.
///
/// `ranks`: those of all ranks, by rank.
void resolve_attached(std::vector<RankRecording>& ranks);

}  // namespace refrain::proxy
