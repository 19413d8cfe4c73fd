/// What a call collects, in memory that the next one uses again.
#pragma once

#include "interposer/known_handles.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace refrain::proxy {

/// Of a call, how many values are in no array, and how many buffers it has, at most; wrappers.inc checks both.
inline constexpr std::ptrdiff_t scalars_max = 64;
inline constexpr std::size_t buffers_max = 4;

/// What a call that frees has taken out of its table.
struct Freed {
    std::int64_t number = unknown_handle;  // of a handle of a HandleMap
    CommEntry comm;
    HeldEntry held;  // a window, or a file
};

/// What a call collects. Its memory is used again by the next call of the thread: within a call no other is recorded.
struct CallMemory {
    std::vector<std::int64_t> values =
        std::vector<std::int64_t>(2 * scalars_max);  // all of it is room
    std::vector<std::int64_t> requests;              // that the call waits for
    std::vector<int> indices;
    std::vector<MPI_Status> statuses;  // that the program does not want
    MPI_Comm comm = MPI_COMM_NULL;     // the latest
    std::uint64_t comm_changes = 0;    // when it was looked up; 0: it is not known
    CommEntry comm_entry;              // what is known of it
    Freed freed;
};
/// Null before the first call of a thread. A pointer costs each call one read, an object the question whether it is made.
inline constinit thread_local CallMemory* call_memory = nullptr;
[[nodiscard]] CallMemory& make_call_memory();

/// Statuses that the program does not want are needed here. Within a Call.
class StatusRoom {
  public:
    explicit StatusRoom(MPI_Status* given, int count = 1) : given_(given) {
        if (given != MPI_STATUS_IGNORE && given != MPI_STATUSES_IGNORE) return;
        std::vector<MPI_Status>& room = call_memory->statuses;
        room.assign(static_cast<std::size_t>(count > 0 ? count : 1), MPI_Status{});
        given_ = room.data();
    }
    [[nodiscard]] MPI_Status* get() { return given_; }

  private:
    MPI_Status* given_;
};

}  // namespace refrain::proxy
