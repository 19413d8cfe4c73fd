/// What the interposer knows of this process, and its file.

#include "interposer/runtime.h"

#include <algorithm>
#include <cerrno>
#include <csignal>

namespace refrain::proxy {
namespace {

constexpr double checkpoint_seconds = 10;
constexpr std::uint64_t checkpoint_events = 1000000;

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

}  // namespace

Process::Process() {
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    comms[key_of(MPI_COMM_WORLD)] = {0, rank, size, size};
    comms[key_of(MPI_COMM_SELF)] = {1, 0, 1, 1};
    comms[key_of(MPI_COMM_NULL)] = {null_handle, 0, 0, 0};
    predefine_handles();
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    PMPI_Get_library_version(text, &length);
    library = std::string(text).substr(0, std::strcspn(text, ",\n"));
    pid = getpid();
    checkpoint_interval = checkpoint_seconds;
    if (const char* const seconds = std::getenv("REFRAIN_PROXY_CHECKPOINT"))
        checkpoint_interval = std::strtod(seconds, nullptr);
    thread = std::this_thread::get_id();
    began = SystemClock::wall();
    written = began;
    cpu_began = SystemClock::cpu();
    clock.start();
}

void Process::write(Ending ending) {
    if (ended || pid != getpid()) return;
    RankRecording recording = recorder.recording();
    recording.rank = static_cast<std::uint32_t>(rank);
    recording.size = static_cast<std::uint32_t>(size);
    recording.ending = ending;
    recording.library = library;
    recording.source = source == nullptr ? Source::time : source->source();
    recording.wall_seconds = SystemClock::wall() - began;
    recording.cpu_seconds = SystemClock::cpu() - cpu_began;
    recording.threads_mixed = threads_mixed;
    const std::string name = folder + "/rank-" + std::to_string(rank) + ".rpr";
    const LimitIgnored limit;
    const bool good = replace_file(name, proxy::write(recording));
    const int reason = good ? 0 : errno;
    written = SystemClock::wall();
    events_written = recorder.event_count();
    saved = saved || good;
    if (good || complained) return;
    complained = true;
    std::fprintf(
        stderr,
        "refrain proxy: rank %d is %s: cannot write %s: %s. The program goes on, and writing is "
        "tried again.\n",
        rank, saved ? "recorded only so far" : "not recorded", name.c_str(), std::strerror(reason));
}

bool Process::write_if_due() {
    const bool due =
        recorder.event_count() - events_written > checkpoint_events ||
        ((recorder.event_count() & 63) == 0 && SystemClock::wall() - written > checkpoint_interval);
    if (due) write(Ending::unfinished);
    return due;
}

void Boundary::stop() {
    process->source->read(counts_);
    for (std::size_t i = 0; i < metric_count; ++i) {
        const std::uint64_t since = counts_[i] - process->counts_resumed[i];
        counts_[i] = since > process->counts_empty[i] ? since - process->counts_empty[i] : 0;
    }
}

/// What is counted between two wrappers that follow each other at once: the way into one and out of it. A call
/// that says nothing to others and is not recorded.
void measure_boundary() {
    int from = 1, to = 1;
    process->counts_least.fill(~std::uint64_t{0});
    process->source->read(process->counts_resumed);
    process->measuring = true;
    for (int i = 0; i < 8; ++i) MPI_Reduce_local(&from, &to, 1, MPI_INT, MPI_SUM);
    process->measuring = false;
    process->counts_empty = process->counts_least;
}

}  // namespace refrain::proxy
