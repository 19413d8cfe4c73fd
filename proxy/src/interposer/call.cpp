/// A call from its beginning to its end.

#include "interposer/call.h"

#include "interposer/by_name.h"
#include "interposer/teams.h"

#include <algorithm>

namespace refrain::proxy {
namespace {

// How often the clock is also read around the call itself, to know what the wrapper takes.
constexpr std::uint32_t samples_at_first = 16, calls_per_sample = 64;

constexpr bool is_sample(std::uint64_t call) {
    return call < samples_at_first || call % calls_per_sample == 0;
}

/// Transfers of windows, and the first halves of split calls of files.
bool holds_buffers(Function function) {
    switch (function) {
        case Function::Put_:
        case Function::Get_:
        case Function::Accumulate_:
        case Function::Get_accumulate_:
        case Function::Fetch_and_op_:
        case Function::Compare_and_swap_:
        case Function::File_read_all_begin_:
        case Function::File_read_at_all_begin_:
        case Function::File_read_ordered_begin_:
        case Function::File_write_all_begin_:
        case Function::File_write_at_all_begin_:
        case Function::File_write_ordered_begin_:
            return true;
        default:
            return false;
    }
}

/// After which they are free: those of one target, or all.
bool frees_buffers(Function function) {
    switch (function) {
        case Function::Win_fence_:
        case Function::Win_complete_:
        case Function::Win_unlock_:
        case Function::Win_unlock_all_:
        case Function::Win_flush_:
        case Function::Win_flush_all_:
        case Function::Win_flush_local_:
        case Function::Win_flush_local_all_:
        case Function::File_read_all_end_:
        case Function::File_read_at_all_end_:
        case Function::File_read_ordered_end_:
        case Function::File_write_all_end_:
        case Function::File_write_at_all_end_:
        case Function::File_write_ordered_end_:
            return true;
        default:
            return false;
    }
}

}  // namespace

CallMemory& make_call_memory() {
    struct Owner {
        ~Owner() { delete std::exchange(call_memory, nullptr); }
    };
    static thread_local const Owner owner;  // made here, so that it ends with the thread
    (void)owner;
    return *(call_memory = new CallMemory);
}

Call::Call(Function function, Language language, void* from)
    : memory_(call_memory != nullptr ? *call_memory : make_call_memory()),
      at_(memory_.values.data()),
      call_(function, 0, 0, {}),
      first_index_(language == Language::fortran ? 1 : 0),
      from_(from),
      lock_(process->mutex, std::defer_lock) {
    // Waiting for other threads' recording is no work of this one.
    computed_.seconds = stop_work();
    if (team_work.has_work()) [[unlikely]]
        computed_.team = team_work.take();
    if (process->source != nullptr) [[unlikely]]
        computed_.counts = counts(), computed_.team_counts = team_counts();
    memory_.requests.clear();
    if (process->careful) [[unlikely]]
        begin_carefully();
    else
        sampled_ = is_sample(process->calls++);
    ++depth;
}

/// Not all calls are recorded, or more of them.
void Call::begin_carefully() {
    Process& mine = *process;
    if (mine.multiple) lock_.lock();
    // Nobody knows when a thread began.
    if (mine.multiple && thread_number < 0) computed_.seconds = Recorder::no_work;
    const std::uint64_t number = mine.calls++;
    mine.selection.pass(number + 1, this_mpi::time_of_call(work_clock.stopped()) - mine.began);
    // What the program made before is known later; what a recorded probe found is received.
    wanted_ = mine.selection.is_on() || is_lasting(call_.function) ||
              (mine.recorded_messages != 0 &&
               (call_.function == Function::Mrecv_ || call_.function == Function::Imrecv_));
    if (mine.ended) wanted_ = false;  // another thread gave up
    // With several threads the time between the wrapper's readings has waits for the lock in it.
    sampled_ = this_mpi::simulated || mine.multiple || is_sample(number);
    if (mine.callers) call_.site = mine.site_of(from_);
    call_.thread = mine.enter_thread();
}

void Call::make_room(std::int64_t more) {
    const std::size_t used = position();
    memory_.values.resize(2 * (used + static_cast<std::size_t>(more)));
    at_ = memory_.values.data() + used;
}

/// An exception of the program passes through MPI and this call, from a handler of errors, say. What the call did is not
/// known: it is recorded by its name, and nothing is made of it.
void Call::note_exception() noexcept {
    --depth;
    if (!within_) return;  // the recorder's own: it lacks memory, and gives up
    try {
        record_exception();
    } catch (const std::bad_alloc&) {
        if (lock_.owns_lock()) lock_.unlock();
        give_up();
    }
}

void Call::record_exception() {
    if (!lock_.owns_lock() && process->multiple) lock_.lock();
    process->go_on_in_thread();
    if (process->multiple && freeing_) put_back_freed();
    release_slots();
    if (!wanted_) {  // outside of the part that was chosen
        process->left_something_out = true;
        ++process->left_out;
        (void)resume_work(false);
        return;
    }
    const std::int64_t values[] = {
        process->recorder.text(std::string("MPI_") + info(call_.function).name),
        process->recorder.text(words_of_place(from_) + ", which an exception left")};
    process->recorder.append({Function::by_name, call_.site, call_.thread, values},
                             Computed{Recorder::no_work, nullptr, {}}, 0);
    process->leave_thread();
    (void)resume_work(true);
}

void Call::lock_again() {
    lock_.lock();
    process->go_on_in_thread();
    if (process->ended) wanted_ = false;
}

/// Of a call that shows what a source counts in a call: nothing is recorded.
int Call::end_measuring(int result) {
    for (std::size_t i = 0; i < metric_count; ++i)
        process->counts_least[i] = std::min(process->counts_least[i], (*counts())[i]);
    release_slots();
    process->leave_thread();
    --depth;
    ended_ = true;
    return result;
}

/// Of one outside of the part that was chosen.
int Call::end_left_out(int result) {
    process->left_something_out = true;
    ++process->left_out;
    process->leave_thread();
    --depth;
    ended_ = true;
    (void)resume_work(false);
    return result;
}

// With what it calls inside: each call of the program comes through here.
[[gnu::flatten]] int Call::end(int result) {
    Process& mine = *process;
    if (mine.measuring) [[unlikely]]
        return end_measuring(result);
    int error = MPI_SUCCESS;
    if (result != MPI_SUCCESS) [[unlikely]]
        PMPI_Error_class(result, &error);
    push(error);
    // Buffers of a call stay in use as long as MPI may access them: until the request is completed, which has them
    // already; until the window is synchronised; until a split call of a file ends.
    if (holder_ != nullptr) [[unlikely]]
        hold_or_release(holder_->find(holder_key_));
    else
        release_slots();
    if (freeing_) [[unlikely]]
        end_freeing(result == MPI_SUCCESS);
    if (!wanted_) [[unlikely]]
        return end_left_out(result);
    if (mine.left_something_out || mine.careful) [[unlikely]] {
        if (mine.left_something_out || !mine.selection.is_on())
            computed_.seconds = Recorder::no_work;
        mine.left_something_out = false;
    }
    call_.values = {memory_.values.data(), at_};
    mine.recorder.append(call_, computed_, 0);
    mine.leave_thread();
    team_work.go_on();
    const bool wrote = mine.write_if_due();
    --depth;
    ended_ = true;
    const Recorder::Latest latest = mine.recorder.latest();
    const double away = resume_work(latest.expects_long_work);
    double seconds = wrote ? 0 : mine.call_seconds(away);
    if (sampled_) {
        seconds = std::max(left_ - entered_, 0.0);  // the clock may jump
        if (!wrote) mine.own_seconds.add(away - seconds);
    }
    if (latest.call_seconds != nullptr) *latest.call_seconds += seconds;
    return result;
}

void Call::hold_or_release(HeldEntry* holder) {
    if (holder != nullptr && holds_buffers(call_.function)) {
        for (std::size_t i = 0; i < slot_count_; ++i) holder->held.push_back({target_, slots_[i]});
        return;
    }
    release_slots();
    if (holder == nullptr || !frees_buffers(call_.function)) return;
    std::erase_if(holder->held, [&](const HeldEntry::Held& held) {
        if (target_ != rank_none && held.target != target_) return false;
        process->recorder.slots.release(held.slot);
        return true;
    });
}

void Call::find_comm(MPI_Comm comm) {
    const CommEntry* const found = process->comms.find(key_of(comm));
    memory_.comm_changes = 0;
    memory_.comm_entry = found != nullptr ? *found : entry_of(comm, unknown_handle);
    memory_.comm = comm;
    if (memory_.comm_entry.number != unknown_handle) memory_.comm_changes = process->comm_changes;
}

void Call::in_window(MPI_Win window) {
    (void)hold_for(process->windows, key_of(window));
}

/// How many neighbours this process receives from and sends to, in the topology of the communicator.
void Call::find_degrees() {
    if (comm_entry_->degree_in >= 0) return;
    int topology = MPI_UNDEFINED, in = 0, out = 0, weighted = 0;
    PMPI_Topo_test(comm_handle_, &topology);
    if (topology == MPI_CART) {
        PMPI_Cartdim_get(comm_handle_, &in);
        out = in *= 2;
    } else if (topology == MPI_GRAPH) {
        PMPI_Graph_neighbors_count(comm_handle_, static_cast<int>(comm_entry_->me), &in);
        out = in;
    } else if (topology == MPI_DIST_GRAPH) {
        PMPI_Dist_graph_neighbors_count(comm_handle_, &in, &out, &weighted);
    }
    memory_.comm_entry.degree_in = in;
    memory_.comm_entry.degree_out = out;
    if (CommEntry* const known = process->comms.find(key_of(comm_handle_)))
        *known = memory_.comm_entry;
}

}  // namespace refrain::proxy
