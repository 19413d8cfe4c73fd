#pragma once

#include "events/event.hpp"

#include <cstdint>
#include <vector>

namespace refrain::proxy {

/// One side of a message, as an event has it.
struct Peer {
    std::int64_t rank = rank_none;
    std::int64_t tag = 0;

    [[nodiscard]] bool exists() const { return rank >= 0; }
};

/// What an event means to other ranks.
struct RankStep {
    Function function = Function::by_name;
    std::int64_t comm = null_handle, me = 0;
    Peer to, from;
    bool probes = false;      // `from` is not received yet
    bool collective = false;  // all ranks of the communicator call it
    bool persistent = false;
    bool ends_requests = false;
    std::int64_t window = null_handle;  // on which all of its ranks meet
    std::int64_t new_window = null_handle;
    std::int64_t file = null_handle;  // likewise
    std::int64_t new_file = null_handle;
    std::int64_t request = null_handle;   // that is made
    std::int64_t new_comm = null_handle;  // its number, rank and size
    std::int64_t new_rank = 0, new_size = 0;
    bool frees_comm = false;
    std::vector<std::int64_t> key;         // ranks with equal ones come into one communicator
    std::vector<std::int64_t> dimensions;  // of a new Cartesian one; of Cart_sub: those that remain
    std::vector<std::int64_t> requests;    // that are started, cancelled, completed or freed
    std::vector<bool> were_cancelled;      // for those that are completed
};

/// Reads an event whose ranks are absolute.
[[nodiscard]] RankStep read_step(const Event& event);

}  // namespace refrain::proxy
