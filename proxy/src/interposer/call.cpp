/// A call from its beginning to its end.

#include "interposer/runtime.h"

#include <algorithm>

namespace refrain::proxy {
namespace {

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

CommEntry entry_of(MPI_Comm comm, std::int64_t number) {
    int me = 0, size = 0, reach = 0, between_groups = 0;
    PMPI_Comm_rank(comm, &me);
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_test_inter(comm, &between_groups);
    reach = size;
    if (between_groups != 0) PMPI_Comm_remote_size(comm, &reach);
    return {number, me, size, reach, between_groups != 0};
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

}  // namespace refrain::proxy
