/// Requests and statuses: what is begun and completed.

#include "interposer/call.h"

namespace refrain::proxy {
namespace {

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

std::int64_t source_of(const MPI_Status& status) {
    return status.MPI_SOURCE == MPI_PROC_NULL ? std::int64_t{rank_null} : status.MPI_SOURCE;
}

}  // namespace

/// Null if there is none; its name is pushed.
[[gnu::flatten]] Requests::Request* Call::make_request(const MPI_Request* request,
                                                       const void* variable) {
    if (failed_ || *request == MPI_REQUEST_NULL) return push(null_handle), nullptr;
    auto& added = process->recorder.requests.add(
        key_of(*request), reinterpret_cast<std::uintptr_t>(variable ? variable : request), wanted_);
    push(Requests::name_of(added));
    added.collective = !has_tag_;
    // Of a file, the status says how much was read or written.
    added.receives = holder_ != nullptr && target_ == rank_none;
    for (std::int64_t& slot : added.slots)
        if (slot_count_ != 0) slot = slots_[--slot_count_];
    return &added;
}

void Call::newrequest_(const MPI_Request* request, const void* variable) {
    (void)make_request(request, variable);
}

void Call::newreceive_(const MPI_Request* request, const void* variable) {
    auto* const added = make_request(request, variable);
    const std::size_t match = position();
    push(rank_none), push(0);
    if (added == nullptr) return;
    added->receives = true;
    added->collective = false;
    if (wildcard_ && wanted_) added->wildcard = process->recorder.open_wildcard(match);
}

void Call::newpersistent_(const MPI_Request* request, const void* variable) {
    if (auto* const added = make_request(request, variable)) {
        added->receives = call_.function == Function::Recv_init_;
        added->persistent = true;
        added->active = false;
    }
}

void Call::start_(const MPI_Request* request, const void* variable) {
    wait_(request, variable);
    wanted_ = process->selection.is_on();
    if (auto* started = process->recorder.requests.by_name(memory_.requests.back())) {
        started->active = true;
        started->recorded = wanted_;
    }
}

void Call::starts_(const MPI_Request* requests, const MPI_Fint* variables, int count) {
    begin_array(count);
    for (int i = 0; i < count; ++i)
        start_(requests + i,
               variables != nullptr ? static_cast<const void*>(variables + i) : nullptr);
}

[[gnu::always_inline]] inline void Call::wait_for(const MPI_Request* request,
                                                  const void* variable) {
    std::int64_t number = null_handle;
    if (*request != MPI_REQUEST_NULL) {
        const auto* found = process->recorder.requests.find(
            key_of(*request), reinterpret_cast<std::uintptr_t>(variable ? variable : request));
        number = found == nullptr ? unknown_handle : Requests::name_of(*found);
        if (found != nullptr && !found->recorded) {
            // It was begun where nothing is recorded: there is nothing to wait for here.
            memory_.requests.push_back(number);
            return push(null_handle);
        }
        // What was begun within the recording ends within it.
        if (found != nullptr && found->active) wanted_ = true;
    }
    memory_.requests.push_back(number);
    push(number);
}

[[gnu::flatten]] void Call::wait_(const MPI_Request* request, const void* variable) {
    wait_for(request, variable);
}

[[gnu::flatten]] void Call::waits_(const MPI_Request* requests, const MPI_Fint* variables,
                                   int count) {
    // Two live requests may have one value: the variables tell them apart.
    begin_array(count);
    list_position_ = position();
    for (int i = 0; i < count; ++i)
        wait_for(requests + i,
                 variables != nullptr ? static_cast<const void*>(variables + i) : nullptr);
}

void Call::freerequest_(const MPI_Request* request, const void* variable) {
    wait_(request, variable);
    // Nobody knows when the buffer of an active one is free: it stays in use.
    auto* const found = process->recorder.requests.by_name(memory_.requests.back());
    wanted_ = found == nullptr ? process->selection.is_on() : !found->unnumbered;
    if (wanted_ && found != nullptr) at_[-1] = memory_.requests.back();
    if (found == nullptr) return;
    if (!found->active)
        for (const std::int64_t slot : found->slots) process->recorder.slots.release(slot);
    process->recorder.requests.remove(*found);
}

[[gnu::always_inline]] inline void Call::push_completion(std::int64_t number,
                                                         const MPI_Status& status) {
    auto* const request = process->recorder.requests.by_name(number);
    if (request == nullptr || !request->active) return push_unmatched();
    if (!request->recorded) {
        push_unmatched();
        request->active = false;
        request->recorded = !request->unnumbered;
        if (!request->persistent) process->recorder.requests.remove(*request);
        return;
    }
    const bool was_cancelled = process->may_cancel && !request->collective && cancelled(status);
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
    for (const std::int64_t slot : request->slots) {
        if (slot < 0) break;
        process->recorder.slots.release(slot);
    }
    process->recorder.requests.remove(*request);
}

// A call that fails because of its arguments leaves these variables as they were; one that fails because of a message sets
// them. So of a call that failed what is no place of a request counts for nothing.

/// How many requests are completed.
void Call::oint_(const int* value) {
    outcount_ = *value;
    if (failed_ && (outcount_ < 0 || (outcount_ > 0 && !is_request(outcount_ - 1))))
        outcount_ = MPI_UNDEFINED;
    push(outcount_);
}

void Call::oindex_(const int* value) {
    index_ = *value == MPI_UNDEFINED ? -1 : *value - first_index_;
    if (!is_request(index_)) index_ = -1;
    push(index_);
    if (index_ >= 0) name_unrecorded(index_);
}

/// Which of several requests is completed depends on one that was begun where nothing is recorded.
void Call::name_unrecorded(int index) {
    const auto at = static_cast<std::size_t>(index);
    const auto* const request = process->recorder.requests.by_name(memory_.requests[at]);
    if (request != nullptr && !request->recorded)
        memory_.values[list_position_ + at] = unrecorded_handle;
}

void Call::oindices_(const int* values, int) {
    int count = outcount_ == MPI_UNDEFINED ? 0 : outcount_;
    for (int i = 0; i < count; ++i)
        if (!is_request(values[i] - first_index_)) count = i;
    memory_.indices.clear();
    begin_array(count);
    for (int i = 0; i < count; ++i) {
        memory_.indices.push_back(values[i] - first_index_);
        push(memory_.indices.back());
        name_unrecorded(memory_.indices.back());
    }
}

[[gnu::flatten]] void Call::status_(const MPI_Status* status) {
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
    if (call_.function == Function::Mrecv_) {
        push(bytes_of(*status)), push(0);
        return;
    }
    if (!flag_ || index_ < 0 || call_.function == Function::Request_get_status_)
        return push_unmatched();
    push_completion(memory_.requests[static_cast<std::size_t>(index_)], *status);
}

/// What was read or written, in bytes.
void Call::iostatus_(const MPI_Status* status) {
    push(failed_ ? 0 : bytes_of(*status));
}

[[gnu::flatten]] void Call::statuses_(const MPI_Status* statuses) {
    const bool some =
        call_.function == Function::Waitsome_ || call_.function == Function::Testsome_;
    const std::size_t count = some ? memory_.indices.size() : flag_ ? memory_.requests.size() : 0;
    begin_array(static_cast<std::int64_t>(count), 2);
    for (std::size_t i = 0; i < count; ++i)
        push_completion(memory_.requests[some ? static_cast<std::size_t>(memory_.indices[i]) : i],
                        statuses[i]);
}

}  // namespace refrain::proxy
