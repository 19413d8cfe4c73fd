/// What the program says by MPI_Pcontrol.
#pragma once

#include "interposer/process.h"

#include <cstdint>
#include <mutex>
#include <new>

namespace refrain::proxy {

/// MPI_Pcontrol was called.
inline void control_recording(int level) {
    if (process == nullptr) return;
    const std::lock_guard lock(process->mutex);
    process->selection.control(level);
    process->choose_care();
    if (level == 0) process->left_something_out = true;  // what is computed from here on
}

/// MPI_Pcontrol with this level says that a request was copied from one variable to another: proxies do, since they choose
/// among requests that MPI gives one value.
inline constexpr int request_copied = 0x52455143;

/// MPI_Pcontrol with this level says which thread of the program this is: proxies do, since threads are numbered by their
/// first calls, and which comes first is left to chance.
inline constexpr int thread_named = 0x54485244;
inline thread_local std::int64_t named_thread = -1;

inline void note_copy(const MPI_Request* from, const MPI_Request* to) {
    if (!recording.load(std::memory_order_relaxed)) return;
    try {
        const std::lock_guard lock(process->mutex);
        if (process->ended) return;  // another thread gave up
        process->go_on_in_thread();
        process->recorder.requests.copied(key_of(*to), reinterpret_cast<std::uintptr_t>(from),
                                          reinterpret_cast<std::uintptr_t>(to));
    } catch (const std::bad_alloc&) {
        give_up();
    }
}

}  // namespace refrain::proxy
