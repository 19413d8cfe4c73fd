/// The library that is preloaded into an MPI program: its wrappers stand in front of MPI's functions and
/// record each call. One such library is built per MPI. It hides everything but the wrappers.

#include "interposer/runtime.h"

#include <algorithm>
#include <cerrno>

namespace refrain::proxy {
namespace {

constexpr double checkpoint_seconds = 10;
constexpr std::uint64_t checkpoint_events = 1000000;

/// In the order of predefined_types().
const MPI_Datatype type_handles[] = {MPI_DATATYPE_NULL,
                                     MPI_CHAR,
                                     MPI_SIGNED_CHAR,
                                     MPI_UNSIGNED_CHAR,
                                     MPI_BYTE,
                                     MPI_WCHAR,
                                     MPI_SHORT,
                                     MPI_UNSIGNED_SHORT,
                                     MPI_INT,
                                     MPI_UNSIGNED,
                                     MPI_LONG,
                                     MPI_UNSIGNED_LONG,
                                     MPI_LONG_LONG_INT,
                                     MPI_LONG_LONG,
                                     MPI_UNSIGNED_LONG_LONG,
                                     MPI_FLOAT,
                                     MPI_DOUBLE,
                                     MPI_LONG_DOUBLE,
                                     MPI_PACKED,
                                     MPI_INT8_T,
                                     MPI_INT16_T,
                                     MPI_INT32_T,
                                     MPI_INT64_T,
                                     MPI_UINT8_T,
                                     MPI_UINT16_T,
                                     MPI_UINT32_T,
                                     MPI_UINT64_T,
                                     MPI_C_BOOL,
                                     MPI_C_COMPLEX,
                                     MPI_C_DOUBLE_COMPLEX,
                                     MPI_AINT,
                                     MPI_OFFSET,
                                     MPI_COUNT,
                                     MPI_FLOAT_INT,
                                     MPI_DOUBLE_INT,
                                     MPI_LONG_INT,
                                     MPI_SHORT_INT,
                                     MPI_2INT,
                                     MPI_LONG_DOUBLE_INT,
                                     MPI_CHARACTER,
                                     MPI_LOGICAL,
                                     MPI_INTEGER,
                                     MPI_REAL,
                                     MPI_DOUBLE_PRECISION,
                                     MPI_COMPLEX,
                                     MPI_DOUBLE_COMPLEX,
                                     MPI_2REAL,
                                     MPI_2DOUBLE_PRECISION,
                                     MPI_2INTEGER,
                                     MPI_INTEGER1,
                                     MPI_INTEGER2,
                                     MPI_INTEGER4,
                                     MPI_INTEGER8,
                                     MPI_REAL4,
                                     MPI_REAL8,
                                     MPI_COMPLEX8,
                                     MPI_COMPLEX16};
/// In the order of predefined_ops().
const MPI_Op op_handles[] = {MPI_OP_NULL, MPI_MAX,    MPI_MIN,    MPI_SUM,     MPI_PROD,
                             MPI_LAND,    MPI_BAND,   MPI_LOR,    MPI_BOR,     MPI_LXOR,
                             MPI_BXOR,    MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP};

std::int64_t bytes_of(const MPI_Status& status) {
    int count = 0;
    PMPI_Get_count(&status, MPI_BYTE, &count);
    return count == MPI_UNDEFINED ? -1 : count;
}

bool cancelled(const MPI_Status& status) {
    int flag = 0;
    PMPI_Test_cancelled(&status, &flag);
    return flag != 0;
}

/// What is known of a communicator besides its number.
CommEntry entry_of(MPI_Comm comm, std::int64_t number) {
    int me = 0, size = 0, reach = 0, between_groups = 0;
    PMPI_Comm_rank(comm, &me);
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_test_inter(comm, &between_groups);
    reach = size;
    if (between_groups != 0) PMPI_Comm_remote_size(comm, &reach);
    return {number, me, size, reach, between_groups != 0};
}

std::int64_t source_of(const MPI_Status& status) {
    return status.MPI_SOURCE == MPI_PROC_NULL ? std::int64_t{rank_null} : status.MPI_SOURCE;
}

/// "./app+0x1234 (solve)"
std::string site_of(void* address) {
    Dl_info found{};
    if (dladdr(address, &found) == 0 || found.dli_fname == nullptr) return "an unknown place";
    char text[64];
    std::snprintf(text, sizeof text, "+0x%zx",
                  static_cast<std::size_t>(static_cast<char*>(address) -
                                           static_cast<char*>(found.dli_fbase)));
    std::string site = found.dli_fname + std::string(text);
    if (found.dli_sname != nullptr) site += std::string(" (") + found.dli_sname + ")";
    return site;
}

}  // namespace

Process::Process() {
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    comms[key_of(MPI_COMM_WORLD)] = {0, rank, size, size};
    comms[key_of(MPI_COMM_SELF)] = {1, 0, 1, 1};
    comms[key_of(MPI_COMM_NULL)] = {null_handle, 0, 0, 0};
    groups.predefine(key_of(MPI_GROUP_NULL), null_handle);
    groups.predefine(key_of(MPI_GROUP_EMPTY), 0);
    for (std::size_t i = 0; i < std::size(type_handles); ++i)
        if (i == 0 || type_handles[i] != MPI_DATATYPE_NULL)
            types.predefine(key_of(type_handles[i]), static_cast<std::int64_t>(i));
    for (std::size_t i = 0; i < std::size(op_handles); ++i)
        ops.predefine(key_of(op_handles[i]), static_cast<std::int64_t>(i));
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    PMPI_Get_library_version(text, &length);
    library = std::string(text).substr(0, std::strcspn(text, ",\n"));
    pid = getpid();
    thread = std::this_thread::get_id();
    began = SystemClock::wall();
    written = began;
    cpu_began = SystemClock::cpu();
    clock.start();
}

void Process::write(Ending ending) {
    if (failed || pid != getpid()) return;
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
    if (replace_file(name, proxy::write(recording))) {
        written = SystemClock::wall();
        events_written = recorder.event_count();
        return;
    }
    failed = true;
    std::fprintf(
        stderr,
        "refrain proxy: rank %d is not recorded: cannot write %s: %s. The program goes on.\n", rank,
        name.c_str(), std::strerror(errno));
}

void Process::write_if_due() {
    const bool due =
        recorder.event_count() - events_written > checkpoint_events ||
        ((recorder.event_count() & 63) == 0 && SystemClock::wall() - written > checkpoint_seconds);
    if (due) write(Ending::unfinished);
}

// ---- one call

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

Call::Call(Function function, Language language) : language_(language), lock_(process->mutex) {
    compute_ = process->clock.stop();
    event_.function = function;
    event_.values.clear();
    slots_.clear();
    requests_.clear();
    indices_.clear();
    ++depth;
    if (process->multiple && std::this_thread::get_id() != process->thread)
        process->threads_mixed = true;
}

Call::~Call() {
    if (!ended_) --depth;  // an exception of the program passes through
}

void Call::leave(int) {
    left_ = SystemClock::wall();
    lock_.lock();
}

int Call::end(int result) {
    if (process->measuring) {
        for (std::size_t i = 0; i < metric_count; ++i)
            process->counts_least[i] = std::min(process->counts_least[i], counts()[i]);
        for (const std::int64_t slot : slots_) process->recorder.slots.release(slot);
        --depth;
        ended_ = true;
        return result;
    }
    int error = MPI_SUCCESS;
    if (result != MPI_SUCCESS) PMPI_Error_class(result, &error);
    push(error);
    for (const std::int64_t slot : slots_) process->recorder.slots.release(slot);
    if (result == MPI_SUCCESS && freed_ != 0) {
        switch (event_.function) {
            case Function::Comm_free_:
                process->comm_numbers.give_back(process->comms[freed_].number);
                process->comms.erase(freed_);
                break;
            case Function::Group_free_:
                process->groups.remove(freed_);
                break;
            case Function::Type_free_:
                process->types.remove(freed_);
                process->type_extents.erase(freed_);
                break;
            case Function::Op_free_:
                process->ops.remove(freed_);
                break;
            case Function::Info_free_:
                process->infos.remove(freed_);
                break;
            default:
                break;
        }
    }
    process->recorder.append(event_, compute_, left_ - entered_, counts());
    process->write_if_due();
    --depth;
    ended_ = true;
    process->clock.resume();
    return result;
}

void Call::in(MPI_Comm comm) {
    has_comm_ = true;
    comm_handle_ = comm;
    const auto found = process->comms.find(key_of(comm));
    if (found != process->comms.end())
        comm_entry_ = found->second;
    else if (comm != MPI_COMM_NULL)
        comm_entry_ = entry_of(comm, unknown_handle);
}

/// How many neighbours this process receives from and sends to, in the topology of the communicator.
void Call::find_degrees() {
    if (comm_entry_.degree_in >= 0) return;
    int topology = MPI_UNDEFINED, in = 0, out = 0, weighted = 0;
    PMPI_Topo_test(comm_handle_, &topology);
    if (topology == MPI_CART) {
        PMPI_Cartdim_get(comm_handle_, &in);
        out = in *= 2;
    } else if (topology == MPI_GRAPH) {
        PMPI_Graph_neighbors_count(comm_handle_, static_cast<int>(comm_entry_.me), &in);
        out = in;
    } else if (topology == MPI_DIST_GRAPH) {
        PMPI_Dist_graph_neighbors_count(comm_handle_, &in, &out, &weighted);
    }
    comm_entry_.degree_in = in;
    comm_entry_.degree_out = out;
    const auto known = process->comms.find(key_of(comm_handle_));
    if (known != process->comms.end()) known->second = comm_entry_;
}

int Call::dimensions() const {
    return static_cast<int>(indices_.empty() ? 0 : indices_[0]);
}

// ---- memory

const TypeEntry& Call::extent_of(MPI_Datatype type) {
    TypeEntry& entry = process->type_extents[key_of(type)];
    if (entry.measured || type == MPI_DATATYPE_NULL) return entry;
    entry.measured = true;
    MPI_Aint lb = 0, true_extent = 0;
    PMPI_Type_get_extent(type, &lb, &entry.extent);
    PMPI_Type_get_true_extent(type, &entry.true_lb, &true_extent);
    entry.true_ub = entry.true_lb + true_extent;
    return entry;
}

Call::Span Call::span(std::int64_t count, MPI_Datatype type) {
    Span result;
    if (count <= 0 || process->types.find(key_of(type)) == unknown_handle) return result;
    const TypeEntry& entry = extent_of(type);
    const Span one{-entry.true_lb, entry.true_ub};
    result.include(one, 0);
    result.include(one, (count - 1) * entry.extent);
    return result;
}

void Call::memory(const void* at, const Span& span) {
    if (at == MPI_IN_PLACE) return push(buffer_in_place);
    if (at == nullptr)
        return push(span.behind > 0 || span.before > 0 ? buffer_bottom : buffer_null);
    if (at == MPI_BOTTOM) return push(buffer_bottom);
    slots_.push_back(
        process->recorder.slot(reinterpret_cast<std::uintptr_t>(at), span.before, span.behind));
    push(slots_.back());
}

void Call::placed(const void* at, const int* counts, const int* places, MPI_Datatype type,
                  int count) {
    Span all;
    for (int i = 0; has_memory(at) && i < count; ++i)
        if (counts[i] > 0) all.include(span(counts[i], type), places[i] * extent_of(type).extent);
    memory(at, all);
}

template <class Place>
void Call::placed(const void* at, const int* counts, const Place* places, const MPI_Datatype* types,
                  int count) {
    Span all;
    for (int i = 0; has_memory(at) && i < count; ++i)
        if (counts[i] > 0) all.include(span(counts[i], types[i]), places[i]);
    memory(at, all);
}

void Call::sbufc_(const void* at, const int* counts, MPI_Datatype type) {
    memory(at, span(sum(counts, local_size()), type));
}

void Call::rbufm_(const void* at, const int* counts, MPI_Datatype type) {
    // In place, all of the input lies here.
    memory(at, span(sum(counts, local_size()), type));
}

// ---- numbers

void Call::tag_(int value) {
    has_tag_ = true;
    if (value == MPI_ANY_TAG) wildcard_ = true;
    push(value == MPI_ANY_TAG ? tag_any : value);
}

void Call::rank_(int value) {
    if (value == MPI_ANY_SOURCE) wildcard_ = true;
    if (value == MPI_ANY_SOURCE) return push(rank_any);
    if (value == MPI_PROC_NULL) return push(rank_null);
    push(value == MPI_ROOT ? std::int64_t{rank_root} : value);
}

void Call::ints_(const int* values, std::int64_t count) {
    push(count);
    for (std::int64_t i = 0; i < count; ++i) push(values[i]);
}

void Call::aints_(const MPI_Aint* values, std::int64_t count) {
    push(count);
    for (std::int64_t i = 0; i < count; ++i) push(values[i]);
}

void Call::weights_(const int* values, std::int64_t count) {
    if (values == MPI_UNWEIGHTED) return push(1), push(unweighted);
    if (values == MPI_WEIGHTS_EMPTY) return push(1), push(weights_empty);
    ints_(values, count);
}

void Call::logicals_(const int* values, std::int64_t count) {
    push(count);
    for (std::int64_t i = 0; i < count; ++i) push(values[i] != 0);
}

void Call::distribs_(const int* values, std::int64_t count) {
    push(count);
    for (std::int64_t i = 0; i < count; ++i)
        push(values[i] == MPI_DISTRIBUTE_BLOCK ? 0 : values[i] == MPI_DISTRIBUTE_CYCLIC ? 1 : 2);
}

void Call::dargs_(const int* values, std::int64_t count) {
    push(count);
    for (std::int64_t i = 0; i < count; ++i)
        push(values[i] == MPI_DISTRIBUTE_DFLT_DARG ? distribution_default : values[i]);
}

void Call::types_(const MPI_Datatype* values, std::int64_t count) {
    push(count);
    for (std::int64_t i = 0; i < count; ++i) type_(values[i]);
}

// ---- handles

void Call::comm_(MPI_Comm comm) {
    push(comm == MPI_COMM_NULL ? null_handle : comm_entry_.number);
    push(comm_entry_.me);
    push(comm_entry_.size);
    if (event_.function == Function::Cart_sub_) {
        int count = 0;
        PMPI_Cartdim_get(comm, &count);
        indices_.assign(1, count);
    }
}

void Call::freecomm_(const MPI_Comm* comm) {
    comm_(*comm);
    if (comm_entry_.number >= 2) freed_ = key_of(*comm);
}

void Call::peercomm_(MPI_Comm comm) {
    // Just before stands the rank of the leader.
    const bool counts = event_.values.back() == comm_entry_.me;
    const auto found = process->comms.find(key_of(comm));
    push(!counts                         ? null_handle
         : found == process->comms.end() ? unknown_handle
                                         : found->second.number);
}

void Call::freegroup_(const MPI_Group* group) {
    group_(*group);
    if (process->groups.find(key_of(*group)) > 0) freed_ = key_of(*group);
}

void Call::freetype_(const MPI_Datatype* type) {
    type_(*type);
    if (process->types.find(key_of(*type)) >= derived_type) freed_ = key_of(*type);
}

void Call::freeop_(const MPI_Op* op) {
    op_(*op);
    if (process->ops.find(key_of(*op)) >= user_op) freed_ = key_of(*op);
}

void Call::errhandler_(MPI_Errhandler handler) {
    push(handler == MPI_ERRORS_ARE_FATAL ? errors_are_fatal
         : handler == MPI_ERRORS_RETURN  ? errors_return
                                         : errors_own);
}

void Call::message_(const MPI_Message* message) {
    push(*message == MPI_MESSAGE_NO_PROC ? null_handle : process->messages.find(key_of(*message)));
    process->messages.remove(key_of(*message));
}

void Call::newmessage_(const MPI_Message* message) {
    push(!flag_ || *message == MPI_MESSAGE_NO_PROC || *message == MPI_MESSAGE_NULL
             ? null_handle
             : process->messages.add(key_of(*message)));
}

void Call::newcomm_(const MPI_Comm* comm) {
    if (*comm == MPI_COMM_NULL) {
        push(null_handle), push(rank_none), push(0);
        return;
    }
    const std::int64_t number = process->comm_numbers.take();
    CommEntry& entry = process->comms[key_of(*comm)];
    if (event_.function == Function::Comm_idup_) {
        // Nobody may ask it anything yet, but it is as its model.
        entry = comm_entry_;
        entry.number = number;
    } else {
        entry = entry_of(*comm, number);
    }
    push(entry.number), push(entry.me), push(entry.size);
}

void Call::newtype_(const MPI_Datatype* type) {
    process->type_extents.erase(key_of(*type));
    push(process->types.add(key_of(*type)));
}

// ---- requests

void Call::newrequest_(const MPI_Request* request, const void* variable) {
    if (*request == MPI_REQUEST_NULL) return push(null_handle);
    auto& added = process->recorder.requests.add(
        key_of(*request), reinterpret_cast<std::uintptr_t>(variable ? variable : request));
    push(added.number);
    added.collective = !has_tag_;
    for (std::int64_t& slot : added.slots) {
        if (slots_.empty()) break;
        slot = slots_.back();
        slots_.pop_back();
    }
}

void Call::newreceive_(const MPI_Request* request, const void* variable) {
    newrequest_(request, variable);
    const std::int64_t number = event_.values.back();
    const std::size_t position = event_.values.size();
    push(rank_none), push(0);
    if (auto* added = process->recorder.requests.by_number(number)) {
        added->receives = true;
        added->collective = false;
        if (wildcard_) added->wildcard = process->recorder.open_wildcard(position);
    }
}

void Call::newpersistent_(const MPI_Request* request, const void* variable) {
    newrequest_(request, variable);
    if (auto* added = process->recorder.requests.by_number(event_.values.back())) {
        added->receives = event_.function == Function::Recv_init_;
        added->persistent = true;
        added->active = false;
    }
}

void Call::start_(const MPI_Request* request, const void* variable) {
    wait_(request, variable);
    if (auto* started = process->recorder.requests.by_number(event_.values.back()))
        started->active = true;
}

void Call::starts_(const MPI_Request* requests, const MPI_Fint* variables, int count) {
    push(count);
    for (int i = 0; i < count; ++i)
        start_(requests + i,
               variables != nullptr ? static_cast<const void*>(variables + i) : nullptr);
}

void Call::wait_(const MPI_Request* request, const void* variable) {
    std::int64_t number = null_handle;
    if (*request != MPI_REQUEST_NULL) {
        const auto* found = process->recorder.requests.find(
            key_of(*request), reinterpret_cast<std::uintptr_t>(variable ? variable : request));
        number = found == nullptr ? unknown_handle : found->number;
    }
    requests_.push_back(number);
    push(number);
}

void Call::waits_(const MPI_Request* requests, const MPI_Fint* variables, int count) {
    // Two live requests may have one value: the variables tell them apart.
    push(count);
    for (int i = 0; i < count; ++i)
        wait_(requests + i,
              variables != nullptr ? static_cast<const void*>(variables + i) : nullptr);
}

void Call::freerequest_(const MPI_Request* request, const void* variable) {
    wait_(request, variable);
    // Nobody knows when the buffer of an active one is free: it stays in use.
    const auto* const found = process->recorder.requests.by_number(requests_.back());
    if (found != nullptr && !found->active)
        for (const std::int64_t slot : found->slots) process->recorder.slots.release(slot);
    process->recorder.requests.remove(requests_.back());
}

void Call::push_completion(std::int64_t number, const MPI_Status& status) {
    auto* const request = process->recorder.requests.by_number(number);
    if (request == nullptr || !request->active) return push_unmatched();
    const bool was_cancelled = !request->collective && cancelled(status);
    push(request->receives && !was_cancelled ? bytes_of(status) : 0);
    push(was_cancelled);
    if (request->wildcard != 0)
        process->recorder.match_wildcard(
            request->wildcard, was_cancelled ? std::int64_t{rank_none} : source_of(status),
            was_cancelled ? 0 : status.MPI_TAG);
    if (request->persistent) {
        request->active = false;
        return;
    }
    for (const std::int64_t slot : request->slots) process->recorder.slots.release(slot);
    process->recorder.requests.remove(number);
}

void Call::oindex_(const int* value) {
    index_ = *value == MPI_UNDEFINED ? -1 : *value - (language_ == Language::fortran ? 1 : 0);
    push(index_);
}

void Call::oindices_(const int* values, int) {
    const int count = outcount_ == MPI_UNDEFINED ? 0 : outcount_;
    indices_.clear();
    push(count);
    for (int i = 0; i < count; ++i) {
        indices_.push_back(values[i] - (language_ == Language::fortran ? 1 : 0));
        push(indices_.back());
    }
}

void Call::status_(const MPI_Status* status) {
    if (has_comm_) {
        if (!flag_) {
            push(rank_none), push(0);
            return push_unmatched();
        }
        push(source_of(*status));
        push(status->MPI_TAG == MPI_ANY_TAG ? static_cast<std::int64_t>(tag_any) : status->MPI_TAG);
        push(bytes_of(*status));
        push(0);
        return;
    }
    if (event_.function == Function::Mrecv_) {
        push(bytes_of(*status)), push(0);
        return;
    }
    if (!flag_ || index_ < 0 || event_.function == Function::Request_get_status_)
        return push_unmatched();
    push_completion(requests_[static_cast<std::size_t>(index_)], *status);
}

void Call::statuses_(const MPI_Status* statuses) {
    const bool some =
        event_.function == Function::Waitsome_ || event_.function == Function::Testsome_;
    const std::size_t count = some ? indices_.size() : flag_ ? requests_.size() : 0;
    push(static_cast<std::int64_t>(count));
    for (std::size_t i = 0; i < count; ++i)
        push_completion(requests_[some ? static_cast<std::size_t>(indices_[i]) : i], statuses[i]);
}

// ---- functions that are recorded by name

ByName::ByName(const char* name, void* from) {
    const std::lock_guard lock(process->mutex);
    compute_ = process->clock.stop();
    event_.values = {process->recorder.text(name), process->recorder.text(site_of(from))};
    ++depth;
    entered_ = SystemClock::wall();
}

int ByName::end(int result) {
    const std::lock_guard lock(process->mutex);
    process->recorder.append(event_, compute_, SystemClock::wall() - entered_, counts());
    process->clock.resume();
    return result;
}

// ---- beginning and end

namespace {

void record(Function function, std::vector<std::int64_t> values, double compute, double seconds,
            const Counts& counts = {}) {
    process->recorder.append({function, std::move(values)}, compute, seconds, counts);
}

/// Wakes the interposer, if a folder is named.
void wake(Function function, std::vector<std::int64_t> values, bool multiple, double seconds) {
    const char* const folder = std::getenv("REFRAIN_PROXY_RUN");
    if (folder == nullptr || *folder == '\0' || process != nullptr) return;
    process = new Process;  // until the process ends: destructors may still call MPI
    process->folder = folder;
    process->multiple = multiple;
    const char* const metrics = std::getenv("REFRAIN_PROXY_METRICS");
    std::string problem;
    process->source = make_source(metrics != nullptr ? metrics : "", problem);
    if (!problem.empty() && process->rank == 0)
        std::fprintf(stderr, "refrain proxy: %s; only time is recorded\n", problem.c_str());
    record(function, std::move(values), 0, seconds);
    process->write(Ending::unfinished);
    if (process->source != nullptr) {
        measure_boundary();
        process->source->read(process->counts_resumed);
    }
    process->clock.start();
}

template <class Real>
int init_recorded(Real real) {
    const double began = SystemClock::wall();
    ++depth;
    const int result = real();
    --depth;
    if (result == MPI_SUCCESS) wake(Function::Init_, {0}, false, SystemClock::wall() - began);
    return result;
}

template <class Real>
int init_thread_recorded(Real real, int required, const int* provided) {
    const double began = SystemClock::wall();
    ++depth;
    const int result = real();
    --depth;
    if (result == MPI_SUCCESS)
        wake(Function::Init_thread_, {required, *provided, 0}, *provided == MPI_THREAD_MULTIPLE,
             SystemClock::wall() - began);
    return result;
}

template <class Real>
int finalize_recorded(Real real) {
    if (!awake()) return real();
    const Boundary boundary;
    const double compute = process->clock.stop();
    const double began = SystemClock::wall();
    ++depth;
    const int result = real();
    --depth;
    record(Function::Finalize_, {0}, compute, SystemClock::wall() - began, boundary.counts());
    if (process->recorder.held_back() != 0)
        process->recorder.note("a receive from any source was neither completed nor cancelled");
    process->write(process->recorder.held_back() == 0 ? Ending::complete : Ending::unfinished);
    process->failed = true;  // written: nothing follows
    return result;
}

template <class Real>
int abort_recorded(Real real, MPI_Comm, int errorcode) {
    if (awake()) {
        record(Function::Abort_, {0, process->rank, process->size, errorcode, 0},
               process->clock.stop(), 0);
        process->write(Ending::aborted);
        process->failed = true;
    }
    return real();
}

/// What was recorded by a process that ends without MPI_Finalize.
__attribute__((destructor)) void leave_process() {
    if (process != nullptr) process->write(Ending::unfinished);
}

}  // namespace
}  // namespace refrain::proxy

using namespace refrain::proxy;
#pragma GCC visibility push(default)
#include "interposer/wrappers.inc"
#pragma GCC visibility pop
