/// What a call frees leaves its table before MPI can give the value again, or when MPI is done with it.

#include "interposer/call.h"

namespace refrain::proxy {
namespace {

void release(const HeldEntry& entry) {
    for (const auto& held : entry.held) process->recorder.slots.release(held.slot);
    for (const std::int64_t slot : entry.own) process->recorder.slots.release(slot);
}

}  // namespace

/// Where several threads call, what is freed leaves its table before MPI has the call: MPI may give another thread the same value
/// before this one is back.
void Call::begin_freeing(std::uintptr_t key) {
    freed_ = key;
    freeing_ = true;
    if (process->multiple) take_out_freed();
}

void Call::end_freeing(bool success) {
    if (process->multiple) return success ? give_up_freed() : put_back_freed();
    if (!success) return;
    take_out_freed();
    give_up_freed();
}

/// The table of what the call frees, if it is one of these.
HandleMap* Call::freed_handles() const {
    switch (call_.function) {
        case Function::Group_free_:
            return &process->groups;
        case Function::Type_free_:
            return &process->types;
        case Function::Op_free_:
            return &process->ops;
        case Function::Info_free_:
            return &process->infos;
        case Function::Comm_free_keyval_:
        case Function::Type_free_keyval_:
        case Function::Win_free_keyval_:
            return &process->keyvals;
        case Function::Free_mem_:
            return &process->memories;
        default:
            return nullptr;
    }
}

KeyMap<HeldEntry>* Call::freed_holders() const {
    if (call_.function == Function::Win_free_) return &process->windows;
    return call_.function == Function::File_close_ ? &process->files : nullptr;
}

void Call::take_out_freed() {
    Freed& freed = memory_.freed;
    if (HandleMap* const handles = freed_handles()) {
        freed.number = handles->take_out(freed_);
    } else if (KeyMap<HeldEntry>* const holders = freed_holders()) {
        freed.held = std::move((*holders)[freed_]);
        holders->erase(freed_);
    } else {
        freed.comm = process->comms[freed_];
        process->comms.erase(freed_);
        process->forget_latest_comm();
    }
    if (call_.function != Function::Type_free_) return;
    process->type_extents.erase(freed_);
    process->forget_latest_type();
}

/// MPI has not freed it.
void Call::put_back_freed() {
    if (HandleMap* const handles = freed_handles()) {
        handles->put_back(freed_, memory_.freed.number);
        if (handles == &process->types) process->forget_latest_type();
    } else if (KeyMap<HeldEntry>* const holders = freed_holders()) {
        (*holders)[freed_] = std::move(memory_.freed.held);
    } else {
        process->comms[freed_] = memory_.freed.comm;
        process->forget_latest_comm();
    }
}

/// The numbers of what was freed may be given out again.
void Call::give_up_freed() {
    const Freed& freed = memory_.freed;
    if (HandleMap* const handles = freed_handles())
        return handles->give_back(freed.number, thread());
    if (freed_holders() == nullptr)
        return process->comm_numbers.give_back(freed.comm.number, thread());
    release(freed.held);
    ThreadNumbers& numbers =
        call_.function == Function::Win_free_ ? process->window_numbers : process->file_numbers;
    numbers.give_back(freed.held.number, thread());
}

}  // namespace refrain::proxy
