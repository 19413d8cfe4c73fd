/// The library that is preloaded into an MPI program: its wrappers stand in front of MPI's functions and
/// record each call. One such library is built per MPI. It hides everything but the wrappers.

#include "interposer/by_name.h"
#include "interposer/call.h"
#include "interposer/control.h"
#include "interposer/fortran.h"
#include "interposer/teams.h"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace refrain::proxy {
namespace {

void record(Function function, std::vector<std::int64_t> values, double compute, double seconds,
            const Counts* counts = nullptr) {
    Event event{function, std::move(values)};
    event.thread = process->enter_thread();
    process->recorder.append(event, compute, seconds, counts);
    process->leave_thread();
}

/// Whether the launcher gave this process the rank that it has: one that does not know this MPI starts processes that are
/// rank 0 each, and would write one file. Of launchers within each other, as in a batch job, one that is right is enough.
bool is_known_to_launcher(const Process& mine) {
    const char *wrong = nullptr, *said = nullptr;
    for (const char* const name : {"PMI_RANK", "OMPI_COMM_WORLD_RANK"}) {
        const char* const given = std::getenv(name);
        if (given == nullptr) continue;
        if (std::strtol(given, nullptr, 10) == mine.rank) return true;
        wrong = name;
        said = given;
    }
    if (wrong == nullptr) return true;
    std::fprintf(stderr,
                 "refrain proxy: the launcher says by %s=%s which rank this process is, and it "
                 "is rank %d of %d: it is not recorded. Do the launcher, the program and --mpi "
                 "mean the same MPI?\n",
                 wrong, said, mine.rank, mine.size);
    return false;
}

/// Where the program began a session before MPI_Init, if it did.
std::string* session_place = nullptr;

Event session_event(Recorder& recorder) {
    return {Function::by_name, {recorder.text("MPI_Session_init"), recorder.text(*session_place)}};
}

/// Programs of sessions need not call MPI_Init: of those nothing but this call is recorded, by its name. Only the launcher knows
/// their ranks.
void note_session(void* from) {
    const char* const folder = std::getenv("REFRAIN_PROXY_RUN");
    if (folder == nullptr || *folder == '\0' || session_place != nullptr) return;
    session_place = new std::string(words_of_place(from));
    Recorder recorder;
    recorder.append(session_event(recorder), Recorder::no_work, 0);
    RankRecording recording = recorder.recording();
    const auto told = [](const char* name, const char* other, std::uint32_t otherwise) {
        const char* given = std::getenv(name);
        if (given == nullptr) given = std::getenv(other);
        return given == nullptr ? otherwise
                                : static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10));
    };
    recording.rank = told("PMI_RANK", "OMPI_COMM_WORLD_RANK", 0);
    recording.size = std::max(told("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", 1), recording.rank + 1);
    recording.ending = Ending::complete;
    const std::string name =
        std::string(folder) + "/rank-" + std::to_string(recording.rank) + ".rpr";
    if (!replace_file(name, proxy::write(recording)))
        std::fprintf(stderr, "refrain proxy: rank %u is not recorded: cannot write %s: %s\n",
                     recording.rank, name.c_str(), std::strerror(errno));
}

/// Whether this is the only process of its rank in a folder that was empty when the run began. Two come from a launcher
/// that does not know this MPI, so that each process is alone, or from a command that runs programs after each other.
bool is_first_of_its_rank(const Process& mine) {
    if (std::getenv("REFRAIN_PROXY_FRESH") == nullptr || session_place != nullptr)
        return is_known_to_launcher(mine);
    const std::string stem = mine.folder + "/rank-" + std::to_string(mine.rank);
    const int file = open((stem + ".rpr").c_str(), O_CREAT | O_EXCL | O_WRONLY, 0666);
    if (file >= 0) close(file);
    if (file >= 0 || errno != EEXIST) return true;
    std::fprintf(stderr,
                 "refrain proxy: another process of this run was rank %d already: this one, of %d, "
                 "is not recorded. Does the "
                 "launcher know this MPI (srun --mpi=list)?\n",
                 mine.rank, mine.size);
    const int note = open((stem + ".twice").c_str(), O_CREAT | O_WRONLY, 0666);
    if (note >= 0) close(note);
    return false;
}

/// Whether another program began this one by MPI_Comm_spawn: it has ranks of its own, and no place among those that are recorded.
bool is_spawned(const Process& mine) {
    if constexpr (this_mpi::simulated) return false;
    MPI_Comm parent = MPI_COMM_NULL;
    PMPI_Comm_get_parent(&parent);
    if (parent == MPI_COMM_NULL) return false;
    if (mine.rank == 0)
        std::fprintf(stderr,
                     "refrain proxy: what MPI_Comm_spawn begins is not recorded: here %d "
                     "processes\n",
                     mine.size);
    const int note = open((mine.folder + "/rank-0.spawned").c_str(), O_CREAT | O_WRONLY, 0666);
    if (note >= 0) close(note);
    return true;
}

/// Wakes the interposer, if a folder is named.
void wake_up(Function function, std::initializer_list<std::int64_t> values, bool multiple,
             double seconds) {
    const char* const folder = std::getenv("REFRAIN_PROXY_RUN");
    if (folder == nullptr || *folder == '\0' || process != nullptr) return;
    auto mine = std::make_unique<Process>();
    mine->folder = folder;
    if (is_spawned(*mine) || !is_first_of_its_rank(*mine)) return;
    process = mine.release();  // until the process ends: destructors may still call MPI
    process->multiple = multiple;
    process->choose_care();
    recording.store(true, std::memory_order_relaxed);
    // Parts of an earlier run in this folder must not be taken for those of this one.
    const std::string stem = process->folder + "/rank-" + std::to_string(process->rank) + ".part";
    for (int part = 0; std::remove((stem + std::to_string(part) + ".rpr").c_str()) == 0;) ++part;
    const char* const metrics = std::getenv("REFRAIN_PROXY_METRICS");
    std::string problem;
    process->source = make_source(metrics != nullptr ? metrics : "", problem);
    if (!problem.empty() && process->rank == 0)
        std::fprintf(stderr, "refrain proxy: %s; only time is recorded\n", problem.c_str());
    record(function, values, 0, seconds);
    if (session_place != nullptr) {
        const Event session = session_event(process->recorder);
        record(session.function, session.values, Recorder::no_work, 0);
    }
    process->write(Ending::unfinished);
    if (process->source != nullptr) {
        measure_boundary();
        process->counts_teams = process->source->counts_each_thread();
        if constexpr (!this_mpi::simulated)  // whose ranks have one thread each
            if (process->counts_teams) measure_teams();
        process->source->read(counts_resumed);
    }
    work_clock.start();
}

void wake(Function function, std::initializer_list<std::int64_t> values, bool multiple,
          double seconds) {
    try {
        wake_up(function, values, multiple, seconds);
    } catch (const std::bad_alloc&) {
        if (process != nullptr) return give_up();
        std::fprintf(stderr, "refrain proxy: there is no memory to record this process\n");
    }
}

/// The last call, and the file. Locks. Returns how the recording ends.
Ending end_recording(Function function, std::vector<std::int64_t> values, double compute,
                     const Counts* counts, Ending ending) {
    std::unique_lock lock(process->mutex, std::defer_lock);
    if (process->multiple) lock.lock();  // other threads go on recording
    const bool after_gap = process->left_something_out || !process->selection.is_on();
    record(function, std::move(values), after_gap ? Recorder::no_work : compute, 0, counts);
    if (process->recorder.held_back() != 0 && ending == Ending::complete) {
        process->recorder.note("a receive from any source was neither completed nor cancelled");
        ending = Ending::unfinished;
    }
    process->write(ending);
    return ending;
}

/// Before anything is recorded. Models of the tool leave out what MPI does, and the threads that it makes here.
template <class Real>
int in_mpi(Real real) {
    ++depth;
#if defined(REFRAIN_REST_MODELS)
    REFRAIN_REST_MODELS(1);
#endif
    const int result = real();
#if defined(REFRAIN_REST_MODELS)
    REFRAIN_REST_MODELS(0);
#endif
    --depth;
    return result;
}

template <class Real>
int init_recorded(Real real) {
    const double began = this_mpi::time();
    const int result = in_mpi(real);
    if (result == MPI_SUCCESS) wake(Function::Init_, {0}, false, this_mpi::time() - began);
    return result;
}

template <class Real>
int init_thread_recorded(Real real, int required, const int* provided) {
    const double began = this_mpi::time();
    const int result = in_mpi(real);
    if (result == MPI_SUCCESS)
        wake(Function::Init_thread_, {required, *provided, 0}, *provided == MPI_THREAD_MULTIPLE,
             this_mpi::time() - began);
    return result;
}

template <class Real>
int session_recorded(Real real, void* from) {
    if (process != nullptr || depth != 0) return real();
    const int result = in_mpi(real);
    try {
        if (result == MPI_SUCCESS) note_session(from);
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "refrain proxy: there is no memory to record this process\n");
    }
    return result;
}

template <class Real>
int finalize_recorded(Real real) {
    if (!awake()) return real();
    const Boundary boundary;
    Ending ending = Ending::unfinished;
    // Launchers may end all processes once one has ended with a status of its own. None has while others are in here.
    try {
        ending = end_recording(Function::Finalize_, {0}, stop_work(), boundary.counts(),
                               Ending::complete);
    } catch (const std::bad_alloc&) {
        give_up();
    }
    this_mpi::forget_work();
    const double began = this_mpi::time();
    ++depth;
    const int result = real();
    --depth;
    if (process->ended) return result;
    try {
        if (double* const seconds = process->recorder.latest().call_seconds; seconds != nullptr)
            *seconds = this_mpi::time() - began;
        process->write(ending);
    } catch (const std::bad_alloc&) {
        give_up();
    }
    process->ended = true;  // written: nothing follows
    return result;
}

template <class Real>
int abort_recorded(Real real, MPI_Comm, int errorcode) {
    if (!awake()) return real();
    try {
        (void)end_recording(Function::Abort_, {0, process->rank, process->size, errorcode, 0},
                            stop_work(), nullptr, Ending::aborted);
        process->ended = true;
    } catch (const std::bad_alloc&) {
        give_up();
    }
    return real();
}

constexpr int lock_milliseconds_max = 1000;

/// What was recorded by a process that ends without MPI_Finalize.
__attribute__((destructor)) void leave_process() {
    if (process == nullptr) return;
    // Other threads may be recording. One that this very thread interrupted, by a signal whose handler exits, has the lock
    // for good: then what was written last stays.
    std::unique_lock lock(process->mutex, std::defer_lock);
    for (int i = 0; process->multiple && !lock.try_lock(); ++i) {
        if (i == lock_milliseconds_max) return;
        usleep(1000);
    }
    try {
        process->write(Ending::unfinished);
    } catch (const std::bad_alloc&) {
        // What was written last stays.
    }
    process->ended = true;
}

}  // namespace
}  // namespace refrain::proxy

using namespace refrain::proxy;
#pragma GCC visibility push(default)
extern "C" {
int MPI_Pcontrol(const int level, ...) {
    if (level == request_copied) {
        std::va_list variables;
        va_start(variables, level);
        const auto* const from = va_arg(variables, const MPI_Request*);
        note_copy(from, va_arg(variables, const MPI_Request*));
        va_end(variables);
        return MPI_SUCCESS;
    }
    if (level == thread_named) {
        std::va_list variables;
        va_start(variables, level);
        named_thread = va_arg(variables, int);
        va_end(variables);
        return MPI_SUCCESS;
    }
    control_recording(level);
    return this_mpi::control(level);
}
void mpi_pcontrol_(const MPI_Fint* level) {
    control_recording(*level);
}
void mpi_pcontrol_f08_(const MPI_Fint* level) {
    control_recording(*level);
}
void mpi_pcontrol(const MPI_Fint*) __attribute__((alias("mpi_pcontrol_")));
void mpi_pcontrol__(const MPI_Fint*) __attribute__((alias("mpi_pcontrol_")));
void MPI_PCONTROL(const MPI_Fint*) __attribute__((alias("mpi_pcontrol_")));
}
#include "interposer/wrappers.inc"
#pragma GCC visibility pop
