#pragma once

#include "merge/recording.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace refrain::proxy {

/// Why the threads of a recording cannot be made again: what two of them did to one thing (sent with one tag to one rank,
/// collective calls in one communicator, completed a request that the other began) while both called MPI, so that only
/// chance, or the program by means that MPI does not see, decided the order. Each names both calls and their places; of those
/// that differ in ranks, threads and numbers only the first is told, and of the kinds the first few, with a count of the rest.
///
/// Order is known between the calls of one thread, and between those of two threads if all calls of one had ended before the
/// other's first began.
[[nodiscard]] std::vector<std::string> thread_obstacles(const Recording& recording);

/// A thread begins or ends between two calls of the first one.
struct ThreadPoint {
    enum class What : std::uint8_t { start, join } what = What::start;
    std::uint32_t thread = 0;
};

/// A recording for a program with threads: numbers of handles and slots are dense again, and `main` has events, by their
/// number in `points`, where other threads begin and end.
struct ThreadedRecording {
    Recording recording;
    std::map<std::uint32_t, ThreadPoint> points;
};

/// Each thread begins behind the last call of the first one that had ended before its own first began, or earlier, at the
/// end of a loop, if it needs nothing that comes in between. It is joined at the end of the first loop behind its last
/// call, but before the first call that needs to come behind it.
///
/// No rank waits for ever: in the recorded run, all that this orders happened in this order.
///
/// `recording` has no obstacles.
[[nodiscard]] ThreadedRecording place_threads(const Recording& recording);

}  // namespace refrain::proxy
