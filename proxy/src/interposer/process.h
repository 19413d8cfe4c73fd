/// What the interposer knows of this process, and of the thread that calls.
#pragma once

#include "interposer/known_handles.h"
#include "interposer/metrics.h"
#include "recorder/recorder.hpp"
#include "recorder/selection.hpp"
#include "recorder/system_clock.hpp"
#include "recorder/work_clock.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <sys/types.h>

namespace refrain::proxy {

/// Of each thread, where several may call at once: its number, once it has called.
inline thread_local std::int64_t thread_number = -1;

/// All that the interposer knows of this process, from MPI_Init on.
struct Process {
    Process();

    void predefine_handles();
    void read_choices();
    [[gnu::noinline]] void write(Ending ending);
    bool write_file(const std::string& name, Ending ending);
    [[nodiscard]] int try_to_write(const std::string& name, Ending ending);
    [[gnu::noinline]] void begin_part();
    /// Whether something was written.
    [[gnu::noinline]] bool write_what_is_due();
    /// Likewise; looks only now and then.
    bool write_if_due() {
        constexpr std::uint64_t calls_per_look = 64;
        return recorder.event_count() % calls_per_look == 0 && write_what_is_due();
    }
    /// The number of the place that a call comes from; 0 if places are not recorded.
    [[nodiscard]] std::uint32_t site_of(void* address);
    /// How long a call took, of which `away` was the time from the wrapper's first to its last reading of the clock.
    [[nodiscard]] double call_seconds(double away) const {
        return away > own_seconds.value() ? away - own_seconds.value() : 0;
    }

    std::mutex mutex;
    Recorder recorder;
    std::unique_ptr<MetricSource> source;  // null: time only
    Counts counts_empty{}, counts_least{};
    bool counts_teams = false;  // the source counts each thread
    Counts team_cost{};         // of a thread's part in a region that does nothing
    Counts region_cost{};       // of such a region for the thread that begins it, beside that
    bool measuring = false;
    KeyMap<CommEntry> comms;
    KeyMap<HeldEntry> windows, files;
    ThreadNumbers comm_numbers{2}, window_numbers, file_numbers;
    HandleMap groups{1}, types{derived_type}, ops{user_op}, messages{0}, infos{0}, keyvals{0},
        memories{0};
    KeyMap<TypeEntry> type_extents;
    // Datatypes that were used lately, by a hash of the handle: most programs use few.
    struct LatestType {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        std::int64_t number = 0;
        TypeEntry extent;
    };
    std::array<LatestType, 32> latest_types;
    // Threads keep the communicator that they used last; what they know of it is out of date when this has changed.
    std::uint64_t comm_changes = 1;
    void forget_latest_comm() { ++comm_changes; }
    void forget_latest_type() { latest_types.fill({}); }
    std::string folder, library;
    int rank = 0, size = 1;
    pid_t pid = 0;
    double began = 0;    // by the clock that calls are measured by
    double written = 0;  // when, by the system's clock
    double cpu_began = 0;
    double worked = 0;   // computed between calls, where calls take simulated time
    double left_at = 0;  // likewise: when the latest call ended
    double checkpoint_interval = 0;
    SlidingMedian own_seconds;  // of a wrapper, beside the call, as samples show it
    std::uint64_t calls = 0;
    bool may_cancel = false;  // a request was cancelled once
    std::uint64_t events_written = 0;
    Selection selection;
    bool left_something_out = false;  // between the latest recorded call and now
    std::uint64_t left_out = 0;
    std::int64_t recorded_messages = 0;  // matched by a probe that is recorded, not received yet
    bool callers = false;
    /// Calls need more than most: several threads call, places are recorded, or not all calls are.
    bool careful = this_mpi::simulated;
    void choose_care() {
        const bool chosen = this_mpi::simulated || multiple || callers || !selection.is_all();
        if (chosen != careful) careful = chosen;  // threads read it: always true where several call
    }
    KeyMap<std::uint32_t> sites;   // by address
    std::uint64_t memory_max = 0;  // of the recorder, until a part of the recording is written
    std::uint32_t part = 0;
    bool multiple = false, ended = false;
    std::uint32_t threads = 0;  // that have called, where several may at once
    bool first_calls = false;   // the first thread is within a call
    /// A thread begins a call; the process is locked, if it has to be. Returns its number.
    [[nodiscard]] std::uint32_t enter_thread();
    /// Likewise, within a call.
    void go_on_in_thread() {
        if (multiple && thread_number >= 0) recorder.use(static_cast<std::uint32_t>(thread_number));
    }
    /// The call is over, and recorded.
    void leave_thread();
    bool saved = false, complained = false;
};

/// Set from MPI_Init on, if a folder was named.
inline Process* process = nullptr;
/// Whether calls are recorded: since then, until the recorder lacks memory. Relaxed: it publishes nothing; a thread that sees
/// it late finds `ended` under the lock.
inline std::atomic<bool> recording = false;
inline constinit thread_local int depth = 0;
/// Of each thread: what its source had counted when its latest call ended.
inline constinit thread_local Counts counts_resumed{};
/// Of each thread: what it computes between its calls, and how long it is away in one.
inline constinit thread_local WorkClock<SystemClock> work_clock;

/// A call begins: what was computed since the one before. Where time is simulated, that is what the program had simulated, if
/// anything: other ranks had the processor meanwhile.
inline double stop_work() {
    const double computed = work_clock.stop();
    if constexpr (!this_mpi::simulated) return computed;
    this_mpi::simulate_work();
    const double simulated = this_mpi::time() - process->left_at;
    const double worked = simulated > 0 ? simulated : computed;
    process->worked += worked;
    return worked;
}

/// A call is over, and recorded: how long the program was away, by the system's clock.
inline double resume_work(bool long_work_expected) {
    if constexpr (this_mpi::simulated) {
        process->left_at = this_mpi::time();
        this_mpi::forget_work();
    }
    return work_clock.resume(long_work_expected);
}

/// Whether a call is one of the program's own, and recorded.
inline bool awake() {
    return recording.load(std::memory_order_relaxed) && depth == 0;
}

/// Whether a key of attributes was made by a function that is recorded; MPI has keys of its own.
inline bool knows_keyval(int keyval) {
    std::unique_lock lock(process->mutex, std::defer_lock);
    if (process->multiple) lock.lock();
    return process->keyvals.find(key_of(keyval)) != unknown_handle;
}

/// Where a wrapper is when something is thrown.
enum class Stage : std::uint8_t { before, within, behind };

/// The recorder has no memory for a call, and may have left what it knows half changed: nothing more is recorded or written.
/// What was written last stays, and says that it is unfinished. No call of this thread is being recorded any more.
[[gnu::cold]] void give_up() noexcept;

/// What is known of a communicator besides its number.
[[nodiscard]] CommEntry entry_of(MPI_Comm comm, std::int64_t number);

}  // namespace refrain::proxy
