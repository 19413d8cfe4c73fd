/// One call of the program.
#pragma once

#include "interposer/boundary.h"
#include "interposer/call_memory.h"
#include "interposer/process.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <numeric>

namespace refrain::proxy {

/// Of Group_range_incl: the first rank, the last one, the stride.
using RankRange = int[3];

enum class Language : std::uint8_t { c, fortran };

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
        if (!process->multiple) [[likely]]
            process->recorder.read_ahead();
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
    /// Other than C and Fortran do.
    void count_from(int first) { first_index_ = first; }
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
    CallView call_;    // its values are set at the end
    int first_index_;  // from which indices of requests count
    void* from_;
    MPI_Comm comm_handle_ = MPI_COMM_NULL;
    const CommEntry* comm_entry_ = &no_comm;  // of the communicator that the call names
    bool has_comm_ = false;
    bool wildcard_ = false;
    bool has_tag_ = false;
    bool flag_ = true;
    int index_ = 0, outcount_ = 0;
    int dimensions_ = 0;        // of the grid of the communicator
    std::uintptr_t freed_ = 0;  // any value may be one of a handle
    bool freeing_ = false;
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

}  // namespace refrain::proxy
