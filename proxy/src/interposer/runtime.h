/// What the generated wrappers are made of. Included by interposer.cpp only, once per MPI.
#pragma once

#include "interposer/metrics.h"
#include "recorder/key_map.hpp"
#include "recorder/recorder.hpp"
#include "recorder/selection.hpp"
#include "recorder/system_clock.hpp"
#include "recorder/team_watch.hpp"
#include "recorder/work_clock.hpp"

#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <mpi.h>
#include <mutex>
#include <new>
#include <numeric>
#include <span>
#include <string>
#include <unistd.h>
#include <vector>

#if defined(REFRAIN_MPI_HEADER)
#include REFRAIN_MPI_HEADER
#elif defined(OPEN_MPI)
#include "interposer/openmpi.h"
#elif defined(MPICH) || defined(MPICH_VERSION)
#include "interposer/mpich.h"
#elif defined(SMPI_H)
#include "interposer/smpi.h"
#else
#include "interposer/other.h"
#endif

namespace refrain::proxy {

template <class Handle>
std::uintptr_t key_of(Handle handle) {
    static_assert(sizeof(Handle) <= sizeof(std::uintptr_t));
    std::uintptr_t key = 0;
    std::memcpy(&key, &handle, sizeof handle);
    return key;
}

/// Of Group_range_incl: the first rank, the last one, the stride.
using RankRange = int[3];

struct CommEntry {
    std::int64_t number = unknown_handle;
    std::int64_t me = 0;
    std::int64_t size = 0;  // of the own group
    std::int64_t reach =
        0;  // ranks that a collective reaches: those of the other group, if there is one
    bool between_groups = false;
    std::int64_t degree_in = -1, degree_out = -1;  // neighbours, as soon as somebody asked
};

/// A window, or a file: buffers that calls on it use until a later call says that they are free.
struct HeldEntry {
    struct Held {
        std::int64_t target = 0;  // the rank at which a window is accessed
        std::int64_t slot = 0;
    };

    std::int64_t number = unknown_handle;
    std::int64_t me = 0, size = 0;  // of a window's communicator
    std::vector<std::int64_t> own;  // the window's memory
    std::vector<Held> held;
    std::vector<int> world;  // of a dynamic window: its ranks, as ranks of MPI_COMM_WORLD
};

struct TypeEntry {
    bool measured = false;
    MPI_Aint extent = 0, true_lb = 0, true_ub = 0;
};

/// Handles of one kind by value. What is made has a number of its own, also where an MPI gives the same value
/// twice (MPI_Comm_group of one communicator): then the latest is meant.
class HandleMap {
  public:
    explicit HandleMap(std::int64_t first) : numbers_(first) {}

    void predefine(std::uintptr_t key, std::int64_t number) {
        if (predefined_.find(key) == nullptr) predefined_[key] = number;
    }
    [[nodiscard]] std::int64_t find(std::uintptr_t key) const {
        if (const std::int64_t* const found = predefined_.find(key)) return *found;
        const auto* const found = known_.find(key);
        return found == nullptr ? unknown_handle : found->back();
    }
    [[nodiscard]] std::int64_t add(std::uintptr_t key, std::uint32_t thread) {
        if (const std::int64_t* const found = predefined_.find(key)) return *found;
        return known_[key].emplace_back(numbers_.take(thread));
    }
    /// Returns its number, which is not given out again before it is given back; unknown_handle if it is not known.
    [[nodiscard]] std::int64_t take_out(std::uintptr_t key) {
        auto* const found = known_.find(key);
        if (found == nullptr) return unknown_handle;
        const std::int64_t number = found->back();
        found->pop_back();
        if (found->empty()) known_.erase(key);
        return number;
    }
    void put_back(std::uintptr_t key, std::int64_t number) {
        if (number != unknown_handle) known_[key].push_back(number);
    }
    void give_back(std::int64_t number, std::uint32_t thread) {
        if (number != unknown_handle) numbers_.give_back(number, thread);
    }
    void remove(std::uintptr_t key, std::uint32_t thread) { give_back(take_out(key), thread); }

  private:
    KeyMap<std::int64_t> predefined_;
    KeyMap<std::vector<std::int64_t>> known_;
    ThreadNumbers numbers_;
};

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

/// What OpenMP threads did since the latest call of this one.
class TeamClock {
  public:
    [[nodiscard]] bool is_open() const { return open_; }
    void open() {
        open_ = true;
        began_ = SystemClock::wall();
    }
    void close(std::uint32_t threads) {
        work_.add({SystemClock::wall() - began_, threads});
        open_ = false;
    }
    /// A call begins: what came before it. Within a region nobody knows yet how many threads that has.
    [[nodiscard]] TeamWork take() { return std::exchange(work_, {}); }
    [[nodiscard]] bool has_work() const { return work_.seconds != 0; }
    /// It is over.
    void go_on() {
        if (open_) [[unlikely]]
            began_ = SystemClock::wall();
    }

  private:
    bool open_ = false;
    double began_ = 0;
    TeamWork work_;
};
inline constinit thread_local TeamClock team_work;

/// What each thread of those teams counted, if that is known. Apart from the clock, which each call reads: this has to be made
/// when a thread first asks for it.
class TeamLedger {
  public:
    void add_region(std::span<const Counts> counts) {
        if (taken_) counts_.clear();
        taken_ = false;
        if (counts.size() > 1) add(counts_, counts);
    }
    /// A call begins: what came before it. Valid until the next region ends.
    [[nodiscard]] std::span<const Counts> take() {
        if (std::exchange(taken_, true)) return {};
        return counts_;
    }

  private:
    TeamCounts counts_;
    bool taken_ = true;
};
inline thread_local TeamLedger team_ledger;

/// Of each thread, if the source counts each: what it does in regions of OpenMP.
inline constinit thread_local TeamWatch team_watch;
inline void watch_team(TeamWatch::State next) {
    Counts now{};
    process->source->read(now);
    team_watch.go_to(next, now, process->team_cost);
}

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

/// Where a wrapper is when something is thrown.
enum class Stage : std::uint8_t { before, within, behind };

/// The recorder has no memory for a call, and may have left what it knows half changed: nothing more is recorded or written.
/// What was written last stays, and says that it is unfinished. No call of this thread is being recorded any more.
[[gnu::cold]] void give_up() noexcept;

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

/// What is known of a communicator besides its number.
[[nodiscard]] CommEntry entry_of(MPI_Comm comm, std::int64_t number);
/// Learns what the source counts between two wrappers that follow each other at once.
void measure_boundary();

enum class Language : std::uint8_t { c, fortran };

/// From the first to the last instruction of a wrapper: what a source counts outside is the program's.
class Boundary {
  public:
    Boundary() {
        if (process->source != nullptr) stop();
    }
    Boundary(const Boundary&) = delete;
    Boundary& operator=(const Boundary&) = delete;
    ~Boundary() {
        if (process->source != nullptr) resume();
    }
    /// Since the call before, without what a boundary itself counts; null if nothing is counted.
    [[nodiscard]] const Counts* counts() const {
        return process->source == nullptr ? nullptr : &counts_;
    }
    /// What threads of teams did of that, and others than this one beside it; empty if that is not counted.
    [[nodiscard]] std::span<const Counts> team_counts() const { return team_counts_; }

  private:
    void stop();
    void stop_team();
    void resume();

    Counts counts_;  // set if there is a source
    std::span<const Counts> team_counts_;
    bool working_ = false;  // the call is made within a region
};

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

/// One call of the program while it is recorded. Its functions are named like the kinds of the table.
class Call : Boundary {
  public:
    /// `from`: where the program calls.
    Call(Function function, Language language, void* from);
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    [[gnu::always_inline]] ~Call() {
        if (!ended_) [[unlikely]]
            note_exception();
    }

    [[gnu::always_inline]] void in(MPI_Comm comm) {
        has_comm_ = true;
        comm_handle_ = comm;
        comm_entry_ = &memory_.comm_entry;
        if (comm != memory_.comm || process->comm_changes != memory_.comm_changes) [[unlikely]]
            find_comm(comm);
    }
    void in_window(MPI_Win window);
    [[nodiscard]] int size() const { return static_cast<int>(comm_entry_->reach); }
    [[nodiscard]] int local_size() const { return static_cast<int>(comm_entry_->size); }
    [[nodiscard]] int dimensions() const { return dimensions_; }
    [[nodiscard]] int degree_in() {
        return find_degrees(), static_cast<int>(comm_entry_->degree_in);
    }
    [[nodiscard]] int degree_out() {
        return find_degrees(), static_cast<int>(comm_entry_->degree_out);
    }
    [[nodiscard]] static int sum(const int* degrees, int count) {
        return std::accumulate(degrees, degrees + std::max(count, 0), 0);
    }
    [[nodiscard]] static int last(const int* index, int count) {
        return count > 0 ? index[count - 1] : 0;
    }
    [[nodiscard]] bool is_root(int root) const {
        return this_mpi::is_root_of_other_group(root) ||
               (root == comm_entry_->me && !comm_entry_->between_groups);
    }

    [[gnu::always_inline]] void enter() {
        if (lock_.owns_lock()) [[unlikely]]
            unlock();
        within_ = true;
        this_mpi::forget_work();
        if (sampled_) [[unlikely]]
            entered_ = this_mpi::time();
    }
    [[gnu::always_inline]] void leave(int result) {
        within_ = false;
        failed_ = result != MPI_SUCCESS;
        if (sampled_) [[unlikely]]
            left_ = this_mpi::time();
        if (process->multiple) [[unlikely]]
            lock_again();
    }
    int end(int result);

    /// There is room: begin_array makes it where values are many.
    [[gnu::always_inline]] void push(std::int64_t value) { *at_++ = value; }
    /// `count` elements follow, of `values_each` values. A negative count, which MPI refuses, is taken as 0.
    void begin_array(std::int64_t count, std::int64_t values_each = 1) {
        count = std::max<std::int64_t>(count, 0);
        const std::int64_t more = count * values_each + scalars_max;
        if (end_of_room() - at_ < more) make_room(more);
        push(count);
    }
    void no_buffer() { push(buffer_unused); }
    void no_number() { push(null_handle); }
    void no_array() { push(0); }

    void sbuf_(const void* at, int count, MPI_Datatype type) { elements(at, count, type); }
    void rbuf_(const void* at, int count, MPI_Datatype type) { elements(at, count, type); }
    void wbuf_(const void* at, MPI_Aint bytes) { memory(at, {0, bytes}); }
    void wbase_(const void* at, MPI_Aint bytes);
    void sbufb_(const void* at, MPI_Aint bytes) { memory(at, {0, bytes}); }
    void rbufb_(const void* at, MPI_Aint bytes) { memory(at, {0, bytes}); }
    void sbufn_(const void* at, int count, MPI_Datatype type) {
        memory(at, span(std::int64_t{degree_out()} * count, type));
    }
    void rbufn_(const void* at, int count, MPI_Datatype type) {
        memory(at, span(std::int64_t{degree_in()} * count, type));
    }
    void sbufnv_(const void* at, const int* counts, const int* places, MPI_Datatype type) {
        placed(at, counts, places, type, degree_out());
    }
    void rbufnv_(const void* at, const int* counts, const int* places, MPI_Datatype type) {
        placed(at, counts, places, type, degree_in());
    }
    void sbufnw_(const void* at, const int* counts, const MPI_Aint* places,
                 const MPI_Datatype* types) {
        placed(at, counts, places, types, degree_out());
    }
    void rbufnw_(const void* at, const int* counts, const MPI_Aint* places,
                 const MPI_Datatype* types) {
        placed(at, counts, places, types, degree_in());
    }
    void sbufs_(const void* at, int count, MPI_Datatype type) { memory(at, each(count, type)); }
    void rbufs_(const void* at, int count, MPI_Datatype type) { memory(at, each(count, type)); }
    void sbufv_(const void* at, const int* counts, const int* places, MPI_Datatype type) {
        placed(at, counts, places, type, size());
    }
    void rbufv_(const void* at, const int* counts, const int* places, MPI_Datatype type) {
        placed(at, counts, places, type, size());
    }
    void sbufw_(const void* at, const int* counts, const int* places, const MPI_Datatype* types) {
        placed(at, counts, places, types, size());
    }
    void rbufw_(const void* at, const int* counts, const int* places, const MPI_Datatype* types) {
        placed(at, counts, places, types, size());
    }
    void sbufc_(const void* at, const int* counts, MPI_Datatype type);
    void rbufm_(const void* at, const int* counts, MPI_Datatype type);

    void int_(int value) { push(value); }
    void aint_(MPI_Aint value) { push(value); }
    void disp_(MPI_Aint value);
    void offset_(MPI_Offset value) { push(value); }
    void filename_(const char* text) { string_(text); }
    void amode_(int value);
    void assert_(int value);
    void locktype_(int value) { push(value == MPI_LOCK_EXCLUSIVE ? 0 : 1); }
    void whence_(int value) { push(value == MPI_SEEK_SET ? 0 : value == MPI_SEEK_CUR ? 1 : 2); }
    void position_(const int* value) { push(*value); }
    void longposition_(const MPI_Aint* value) { push(*value); }
    void splittype_(int value) {
        push(value == MPI_COMM_TYPE_SHARED ? split_shared
             : value == MPI_UNDEFINED      ? null_handle
                                           : unknown_handle);
    }
    void string_(const char* text) { push(process->recorder.text(text)); }
    void ranks_(const int* values, std::int64_t count) {
        begin_array(count);
        for (std::int64_t i = 0; i < count; ++i) rank_(values[i]);
    }
    void weights_(const int* values, std::int64_t count);
    void logical_(int value) { push(value != 0); }
    void order_(int value) { push(value == MPI_ORDER_C ? 0 : 1); }
    void tag_(int value);
    [[gnu::always_inline]] void rank_(int value) {
        target_ = value;
        std::int64_t code = value;
        if (value == MPI_ANY_SOURCE) [[unlikely]] {
            wildcard_ = true;
            code = rank_any;
        } else if (value == MPI_PROC_NULL) {
            code = rank_null;
        } else if (this_mpi::is_root_of_other_group(value)) [[unlikely]] {
            code = rank_root;
        }
        push(code);
    }
    void root_(int value) { rank_(value); }
    void ints_(const int* values, std::int64_t count);
    void ranges_(const int* values, std::int64_t count) { ints_(values, 3 * count); }
    void ranges_(const RankRange* values, std::int64_t count) {
        ranges_(count > 0 ? values[0] : nullptr, count);
    }
    void aints_(const MPI_Aint* values, std::int64_t count);
    void logicals_(const int* values, std::int64_t count);
    void distribs_(const int* values, std::int64_t count);
    void dargs_(const int* values, std::int64_t count);
    void types_(const MPI_Datatype* values, std::int64_t count);

    [[gnu::always_inline]] void comm_(MPI_Comm comm) {
        at_[0] = comm == MPI_COMM_NULL ? null_handle : comm_entry_->number;
        at_[1] = comm_entry_->me;
        at_[2] = comm_entry_->size;
        at_ += 3;
        if (call_.function == Function::Cart_sub_) [[unlikely]]
            PMPI_Cartdim_get(comm, &dimensions_);
    }
    void freecomm_(const MPI_Comm* comm);
    void peercomm_(MPI_Comm comm);
    void info_(MPI_Info info) {
        push(info == MPI_INFO_NULL ? null_handle : process->infos.find(key_of(info)));
    }
    void freeinfo_(const MPI_Info* info) {
        info_(*info);
        begin_freeing(key_of(*info));
    }
    const HeldEntry* hold_for(KeyMap<HeldEntry>& table, std::uintptr_t key);
    void win_(MPI_Win window);
    void freewin_(const MPI_Win* window);
    void file_(MPI_File file);
    void freefile_(const MPI_File* file);
    void keyval_(int keyval) { push(process->keyvals.find(key_of(keyval))); }
    void freekeyval_(const int* keyval) {
        keyval_(*keyval);
        begin_freeing(key_of(*keyval));
    }
    void newmemory_(const void* baseptr) {
        void* memory = nullptr;
        std::memcpy(&memory, baseptr, sizeof memory);
        push(failed_ ? null_handle : process->memories.add(key_of(memory), thread()));
    }
    void freememory_(const void* base) {
        const std::int64_t number = process->memories.find(key_of(base));
        push(base == nullptr && number < 0 ? null_handle : number);
        begin_freeing(key_of(base));
    }
    void copyfn_(const void* function);
    void deletefn_(const void* function);
    void group_(MPI_Group group) { push(process->groups.find(key_of(group))); }
    void freegroup_(const MPI_Group* group);
    void type_(MPI_Datatype type) { push(number_of(type)); }
    void freetype_(const MPI_Datatype* type);
    void committype_(const MPI_Datatype* type) { type_(*type); }
    void op_(MPI_Op op) { push(process->ops.find(key_of(op))); }
    void freeop_(const MPI_Op* op);
    void errhandler_(MPI_Errhandler handler);
    void message_(const MPI_Message* message);
    void request_(MPI_Request request) { wait_(&request); }
    void requestp_(const MPI_Request* request, const void* variable = nullptr) {
        process->may_cancel = true;
        wait_(request, variable);
        if (at_[-1] == null_handle) wanted_ = false;
    }
    void wait_(const MPI_Request* request, const void* variable = nullptr);
    void start_(const MPI_Request* request, const void* variable = nullptr);
    void starts_(const MPI_Request* requests, int count) { starts_(requests, nullptr, count); }
    void starts_(const MPI_Request* requests, const MPI_Fint* variables, int count);
    void freerequest_(const MPI_Request* request, const void* variable = nullptr);
    void waits_(const MPI_Request* requests, int count) { waits_(requests, nullptr, count); }
    void waits_(const MPI_Request* requests, const MPI_Fint* variables, int count);
    void attach_(const void*) {}
    void detach_(const void*) {}

    // A call that fails may leave the program's variable as it was: nothing is made of that.
    void newcomm_(const MPI_Comm* comm);
    void newinfo_(const MPI_Info* info) {
        push(failed_ ? null_handle : process->infos.add(key_of(*info), thread()));
    }
    void newkeyval_(const int* keyval) {
        push(failed_ ? null_handle : process->keyvals.add(key_of(*keyval), thread()));
    }
    void newwin_(const MPI_Win* window);
    void newfile_(const MPI_File* file);
    void newgroup_(const MPI_Group* group) {
        push(failed_ ? null_handle : process->groups.add(key_of(*group), thread()));
    }
    void newtype_(const MPI_Datatype* type);
    void newop_(const MPI_Op* op) {
        push(failed_ ? null_handle : process->ops.add(key_of(*op), thread()));
    }
    void newmessage_(const MPI_Message* message);
    void newrequest_(const MPI_Request* request, const void* variable = nullptr);
    void newreceive_(const MPI_Request* request, const void* variable = nullptr);
    void newpersistent_(const MPI_Request* request, const void* variable = nullptr);
    void oint_(const int* value);
    void osize_(const int* value) { push(*value); }
    void oflag_(const int* value) { push(flag_ = *value != 0); }
    void oindex_(const int* value);
    void oindices_(const int* values, int count = 0);
    void status_(const MPI_Status* status);
    void iostatus_(const MPI_Status* status);
    void statuses_(const MPI_Status* statuses);

  private:
    static constexpr CommEntry no_comm{};
    struct Span {
        std::int64_t before = 0;
        std::int64_t behind = 0;
        void include(const Span& other, std::int64_t offset) {
            before = std::max(before, other.before - offset);
            behind = std::max(behind, other.behind + offset);
        }
    };
    [[nodiscard]] static const Process::LatestType& latest(MPI_Datatype type) {
        const std::uint64_t place = std::uint64_t{key_of(type)} * 0x9e3779b97f4a7c15U >> 59;
        const Process::LatestType& known = process->latest_types[place];
        return type == known.type ? known : less_lately(type, place);
    }
    [[nodiscard]] static std::int64_t number_of(MPI_Datatype type) { return latest(type).number; }
    [[nodiscard]] static const TypeEntry& extent_of(MPI_Datatype type) {
        return latest(type).extent;
    }
    /// Of two datatypes of one place the other one lies beside it.
    [[nodiscard, gnu::noinline]] static const Process::LatestType& less_lately(MPI_Datatype type,
                                                                               std::size_t place);
    [[nodiscard]] static Process::LatestType look_up(MPI_Datatype type);
    [[nodiscard]] Span span(std::int64_t count, MPI_Datatype type);
    [[nodiscard]] Span each(int count, MPI_Datatype type) {
        return span(comm_entry_->reach * count, type);
    }
    void placed(const void* at, const int* counts, const int* places, MPI_Datatype type, int count);
    template <class Place>
    void placed(const void* at, const int* counts, const Place* places, const MPI_Datatype* types,
                int count);
    void find_degrees();
    [[gnu::noinline]] void find_comm(MPI_Comm comm);
    [[gnu::noinline]] void unlock() { lock_.unlock(); }
    [[gnu::noinline]] void lock_again();
    [[nodiscard]] std::int64_t* end_of_room() {
        return memory_.values.data() + memory_.values.size();
    }
    [[gnu::noinline]] void make_room(std::int64_t more);
    /// How many values there are.
    [[nodiscard]] std::size_t position() const {
        return static_cast<std::size_t>(at_ - memory_.values.data());
    }
    [[gnu::noinline]] void begin_carefully();
    void release_slots() {
        for (std::size_t i = 0; i < slot_count_; ++i) process->recorder.slots.release(slots_[i]);
    }
    [[gnu::noinline]] int end_measuring(int result);
    [[gnu::noinline]] int end_left_out(int result);
    [[gnu::noinline]] void hold_or_release(HeldEntry* holder);
    void begin_freeing(std::uintptr_t key);
    [[gnu::noinline]] void end_freeing(bool success);
    [[nodiscard]] HandleMap* freed_handles() const;
    [[nodiscard]] KeyMap<HeldEntry>* freed_holders() const;
    void take_out_freed();
    void put_back_freed();
    void give_up_freed();
    [[gnu::noinline]] void note_exception() noexcept;
    void record_exception();
    void memory(const void* at, const Span& span);
    /// Memory with `count` elements of a datatype.
    void elements(const void* at, std::int64_t count, MPI_Datatype type);
    [[nodiscard]] bool has_memory(const void* at) const {
        return at != nullptr && at != MPI_IN_PLACE && at != MPI_BOTTOM;
    }
    [[nodiscard]] bool is_request(int index) const {
        return index >= 0 && static_cast<std::size_t>(index) < memory_.requests.size();
    }
    void name_unrecorded(int index);
    void wait_for(const MPI_Request* request, const void* variable);
    void push_completion(std::int64_t request, const MPI_Status& status);
    Requests::Request* make_request(const MPI_Request* request, const void* variable);
    void push_unmatched() { push(0), push(0); }
    [[nodiscard]] static std::uint32_t thread() { return process->recorder.thread(); }

    CallMemory& memory_;
    std::int64_t* at_;                 // where the next value goes, in the memory
    std::int64_t slots_[buffers_max];  // released when the call ends, or with its request
    std::uint8_t slot_count_ = 0;
    CallView call_;  // its values are set at the end
    Language language_;
    void* from_;
    MPI_Comm comm_handle_ = MPI_COMM_NULL;
    const CommEntry* comm_entry_ = &no_comm;  // of the communicator that the call names
    bool has_comm_ = false;
    bool wildcard_ = false;
    bool has_tag_ = false;
    bool flag_ = true;
    int index_ = 0, outcount_ = 0;
    int dimensions_ = 0;  // of the grid of the communicator
    std::uintptr_t freed_ = 0;
    /// The table of the window or file of the call, and its key there. Other threads change the table during the call.
    KeyMap<HeldEntry>* holder_ = nullptr;
    std::uintptr_t holder_key_ = 0;
    std::int64_t target_ = rank_none;  // the rank of a window that is accessed
    Computed computed_;
    double entered_ = 0, left_ = 0;  // if the call is a sample
    bool ended_ = false, failed_ = false;
    bool within_ = false;            // MPI has it
    bool wanted_ = true;             // the call is recorded
    std::size_t list_position_ = 0;  // of the requests among the values
    bool sampled_ = false;           // the clock is also read around the call itself
    std::unique_lock<std::mutex> lock_;
};

/// A call of a function that is not in the table.
class ByName : Boundary {
  public:
    ByName(const char* name, void* from) noexcept;
    ByName(const ByName&) = delete;
    ByName& operator=(const ByName&) = delete;
    ~ByName() { --depth; }
    int end(int result) noexcept;

  private:
    void begin(const char* name, void* from);
    void record();

    Event event_;
    double compute_ = 0, entered_ = 0;
};

}  // namespace refrain::proxy
