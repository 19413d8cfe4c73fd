/// What the interposer knows of this process, and its file.

#include "interposer/process.h"

#include "interposer/control.h"
#include "recorder/library_name.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace refrain::proxy {
namespace {

constexpr double checkpoint_seconds = 10;
constexpr std::uint64_t checkpoint_events = 1000000;
constexpr std::int64_t named_threads_max = std::int64_t{1} << 20;
constexpr std::uint64_t memory_default = std::uint64_t{64} << 20;
constexpr std::uint64_t copies_written = 3;  // what is written takes as much again, twice

/// "/home/me/app+0x1234": a file, and the address in it of a call that returns to `address`.
std::string place_of_call(void* address) {
    Dl_info found{};
    void* extra = nullptr;
    if (dladdr1(address, &found, &extra, RTLD_DL_LINKMAP) == 0 || found.dli_fname == nullptr)
        return "an unknown place";
    const auto* const map = static_cast<const link_map*>(extra);
    char offset[32];
    std::snprintf(offset, sizeof offset, "+0x%llx",
                  static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(address) -
                                                  map->l_addr - 1));
    char* const whole = realpath(found.dli_fname, nullptr);
    std::string place = (whole != nullptr ? whole : found.dli_fname) + std::string(offset);
    std::free(whole);
    return place;
}

/// A file that grows beyond what the user may have is an error of ours, not a signal to the program.
class LimitIgnored {
  public:
    LimitIgnored() { sigaction(SIGXFSZ, &ignore_, &before_); }
    LimitIgnored(const LimitIgnored&) = delete;
    LimitIgnored& operator=(const LimitIgnored&) = delete;
    ~LimitIgnored() { sigaction(SIGXFSZ, &before_, nullptr); }

  private:
    struct sigaction ignore_ = [] {
        struct sigaction action {};
        action.sa_handler = SIG_IGN;
        return action;
    }();
    struct sigaction before_ {};
};

/// The library is loaded long before MPI_Init is done, which tells what a tick of the processor's counter is worth.
const ClockReading when_loaded = SystemClock::reading();

}  // namespace

Process::Process() {
    SystemClock::use_counter(when_loaded);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    comms[key_of(MPI_COMM_WORLD)] = {0, rank, size, size};
    comms[key_of(MPI_COMM_SELF)] = {1, 0, 1, 1};
    comms[key_of(MPI_COMM_NULL)] = {null_handle, 0, 0, 0};
    predefine_handles();
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    PMPI_Get_library_version(text, &length);
    library = library_name(text);
    pid = getpid();
    forget_latest_comm();
    read_choices();
    began = this_mpi::time();
    left_at = began;
    written = SystemClock::system();
    cpu_began = SystemClock::cpu();
    work_clock.start();
}

/// `record` has checked the words.
void Process::read_choices() {
    const auto told = [](const char* name) -> std::string_view {
        const char* const words = std::getenv(name);
        return words == nullptr ? std::string_view() : words;
    };
    checkpoint_interval =
        read_number(told("REFRAIN_PROXY_CHECKPOINT")).value_or(checkpoint_seconds);
    memory_max = read_bytes(told("REFRAIN_PROXY_MEMORY")).value_or(memory_default) / copies_written;
    callers = told("REFRAIN_PROXY_CALLERS") == "1";
    selection = Selection(read_run_point(told("REFRAIN_PROXY_START")),
                          read_run_point(told("REFRAIN_PROXY_STOP")));
    choose_care();
}

/// ENOMEM if there is no memory for it, which takes as much again as the recorder; else 0, or what the system says.
int Process::try_to_write(const std::string& name, Ending ending) try {
    SystemClock::check_counter();
    RankRecording recording = recorder.recording();
    recording.rank = static_cast<std::uint32_t>(rank);
    recording.size = static_cast<std::uint32_t>(size);
    recording.part = part;
    recording.ending = ending;
    recording.library = library;
    recording.source = source == nullptr ? Source::time : source->source();
    recording.wall_seconds = this_mpi::time() - began;
    recording.cpu_seconds = this_mpi::simulated ? worked : SystemClock::cpu() - cpu_began;
    recording.left_out = left_out;
    const LimitIgnored limit;
    errno = 0;
    return replace_file(name, proxy::write(recording)) ? 0 : errno != 0 ? errno : EIO;
} catch (const std::bad_alloc&) {
    return ENOMEM;
}

bool Process::write_file(const std::string& name, Ending ending) {
    const int reason = try_to_write(name, ending);
    const bool good = reason == 0;
    saved = saved || good;
    if (good || complained) return good;
    complained = true;
    std::fprintf(
        stderr,
        "refrain proxy: rank %d is %s: cannot write %s: %s. The program goes on, and writing is "
        "tried again.\n",
        rank, saved ? "recorded only so far" : "not recorded", name.c_str(), std::strerror(reason));
    return false;
}

void Process::write(Ending ending) {
    if (ended || pid != getpid()) return;
    (void)write_file(folder + "/rank-" + std::to_string(rank) + ".rpr", ending);
    written = SystemClock::system();
    events_written = recorder.event_count();
}

/// Writes what is known to a file of its own and forgets it, since the recorder has its share of memory.
void Process::begin_part() {
    if (ended || pid != getpid()) return;
    const std::string name =
        folder + "/rank-" + std::to_string(rank) + ".part" + std::to_string(part) + ".rpr";
    if (!write_file(name, Ending::unfinished)) {
        memory_max *= 2;  // what cannot be written is kept
        return;
    }
    ++part;
    recorder.begin_part();
}

bool Process::write_what_is_due() {
    if (recorder.bytes() > memory_max) {
        begin_part();
        return true;
    }
    const bool due = recorder.event_count() - events_written > checkpoint_events ||
                     SystemClock::system() - written > checkpoint_interval;
    if (due) write(Ending::unfinished);
    return due;
}

std::uint32_t Process::enter_thread() {
    if (!multiple) return 0;
    const bool is_new = thread_number < 0;
    if (is_new) {
        thread_number =
            named_thread > 0 && named_thread < named_threads_max ? named_thread : threads;
        threads = std::max(threads, static_cast<std::uint32_t>(thread_number) + 1);
    }
    const auto thread = static_cast<std::uint32_t>(thread_number);
    recorder.use(thread);
    if (thread == 0)
        first_calls = true;
    else if (is_new)
        recorder.set_life({recorder.calls_of(0), 0, calls - 1, 0});
    return thread;
}

void Process::leave_thread() {
    if (!multiple) return;
    if (recorder.thread() == 0) {
        first_calls = false;
        return;
    }
    ThreadLife life = recorder.life();
    life.before = recorder.calls_of(0) + (first_calls ? 1 : 0);
    life.ended = calls;
    recorder.set_life(life);
}

std::uint32_t Process::site_of(void* address) {
    std::uint32_t& known = sites[reinterpret_cast<std::uintptr_t>(address)];
    if (known == 0) known = recorder.site(place_of_call(address));
    return known;
}

CommEntry entry_of(MPI_Comm comm, std::int64_t number) {
    int me = 0, size = 0, reach = 0;
    PMPI_Comm_rank(comm, &me);
    PMPI_Comm_size(comm, &size);
    const bool between_groups = this_mpi::is_between_groups(comm);
    reach = size;
    if (between_groups) PMPI_Comm_remote_size(comm, &reach);
    return {number, me, size, reach, between_groups};
}

void give_up() noexcept {
    recording.store(false, std::memory_order_relaxed);
    std::unique_lock lock(process->mutex, std::defer_lock);
    if (process->multiple) lock.lock();
    if (std::exchange(process->ended, true)) return;
    std::fprintf(stderr,
                 "refrain proxy: rank %d is recorded only so far: there is no memory for more. The "
                 "program goes on, and what was written last stays, marked as unfinished.\n",
                 process->rank);
}

}  // namespace refrain::proxy
