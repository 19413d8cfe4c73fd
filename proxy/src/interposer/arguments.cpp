/// Arguments as numbers: memory, numbers, handles.

#include "interposer/call.h"

#include <dlfcn.h>

namespace refrain::proxy {

namespace {

/// MPI_NO_OP needs no memory of the caller.
bool may_lack_origin(Function function) {
    return function == Function::Fetch_and_op_ || function == Function::Get_accumulate_ ||
           function == Function::Rget_accumulate_;
}

/// Whether this is MPI's function of attributes with such an end of its name ("dup_fn"), which `own` says in C. Fortran has
/// one for each kind of object, and so has MPICH's module mpi_f08.
bool is_function(const void* function, const char* name, std::initializer_list<const void*> own) {
    for (const void* const each : own)
        if (function == each) return true;
    for (const char* const object : {"mpi_comm_", "mpi_type_", "mpi_win_"})
        for (const auto& [before, behind] :
             {std::pair("", "_"), std::pair("__mpi_f08_callbacks_MOD_", "")})
            if (const void* const found =
                    dlsym(RTLD_DEFAULT, (std::string(before) + object + name + behind).c_str());
                found != nullptr && function == found)
                return true;
    return false;
}

/// The datatype of a fixed size that a Fortran type of chosen range is on every MPI, by its number; null_handle: none.
std::int64_t sized_fortran_type(Function function, MPI_Datatype type) {
    int bytes = 0;
    PMPI_Type_size(type, &bytes);
    const char* const kind = function == Function::Type_create_f90_integer_ ? "MPI_INTEGER"
                             : function == Function::Type_create_f90_real_  ? "MPI_REAL"
                                                                            : "MPI_COMPLEX";
    const auto names = predefined_types();
    const auto found = std::find(names.begin(), names.end(), kind + std::to_string(bytes));
    return found == names.end() ? null_handle : found - names.begin();
}

/// The members of a communicator.
std::vector<int> world_ranks(MPI_Comm comm) {
    MPI_Group members = MPI_GROUP_NULL, everybody = MPI_GROUP_NULL;
    int size = 0;
    PMPI_Comm_size(comm, &size);
    std::vector<int> mine(static_cast<std::size_t>(size)), world(mine.size());
    std::iota(mine.begin(), mine.end(), 0);
    PMPI_Comm_group(comm, &members);
    PMPI_Comm_group(MPI_COMM_WORLD, &everybody);
    PMPI_Group_translate_ranks(members, size, mine.data(), everybody, world.data());
    PMPI_Group_free(&members);
    PMPI_Group_free(&everybody);
    return world;
}

/// Which of these bits are set, by their place in the list.
template <std::size_t N>
std::int64_t bits_of(int value, const int (&bits)[N]) {
    std::int64_t found = 0;
    for (std::size_t i = 0; i < N; ++i)
        if ((value & bits[i]) != 0) found |= std::int64_t{1} << i;
    return found;
}

}  // namespace

// ---- memory

const Process::LatestType& Call::less_lately(MPI_Datatype type, std::size_t place) {
    Process::LatestType& first = process->latest_types[place];
    Process::LatestType& second = process->latest_types[place ^ 1];
    if (type == second.type) return second;
    second = first;
    return first = look_up(type);
}

Process::LatestType Call::look_up(MPI_Datatype type) {
    const std::int64_t number = process->types.find(key_of(type));
    TypeEntry& entry = process->type_extents[key_of(type)];
    // Of a datatype that MPI does not know it must not be asked.
    if (!entry.measured && number != unknown_handle && type != MPI_DATATYPE_NULL) {
        entry.measured = true;
        MPI_Aint lb = 0, true_extent = 0;
        PMPI_Type_get_extent(type, &lb, &entry.extent);
        PMPI_Type_get_true_extent(type, &entry.true_lb, &true_extent);
        entry.true_ub = entry.true_lb + true_extent;
    }
    return {type, number, entry};
}

Call::Span Call::span(std::int64_t count, MPI_Datatype type) {
    const Process::LatestType& known = latest(type);
    if (count <= 0 || known.number == unknown_handle) return {};
    const std::int64_t last = (count - 1) * known.extent.extent;  // where the last element begins
    return {std::max<std::int64_t>(0, -known.extent.true_lb - std::min<std::int64_t>(0, last)),
            std::max<std::int64_t>(0, known.extent.true_ub + std::max<std::int64_t>(0, last))};
}

void Call::memory(const void* at, const Span& span) {
    if (at == MPI_IN_PLACE) return push(buffer_in_place);
    if (at == nullptr)
        return push((span.behind > 0 || span.before > 0) && !may_lack_origin(call_.function)
                        ? buffer_bottom
                        : buffer_null);
    if (at == MPI_BOTTOM) return push(buffer_bottom);
    if (!wanted_) return push(buffer_unused);  // takes no number
    const std::int64_t slot =
        process->recorder.slot(reinterpret_cast<std::uintptr_t>(at), span.before, span.behind);
    slots_[slot_count_++] = slot;
    push(slot);
}

[[gnu::flatten]] void Call::elements(const void* at, std::int64_t count, MPI_Datatype type) {
    memory(at, span(count, type));
}

/// Others name this memory by its address, so that this one does, too, until all recordings are there.
void Call::wbase_(const void* at, MPI_Aint bytes) {
    if (at == nullptr) return push(buffer_null), push(0);
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    // Nothing has a place, too, by which it is detached.
    if (call_.function == Function::Win_attach_)
        process->recorder.attach(
            {address, static_cast<std::uint64_t>(std::max<MPI_Aint>(bytes, 1))});
    push(buffer_of_rank(process->rank)), push(static_cast<std::int64_t>(address));
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

/// Addresses change from run to run: whose memory this is will be known when the recordings of all ranks are there.
void Call::disp_(MPI_Aint value) {
    const HeldEntry* const known = holder_ == nullptr ? nullptr : holder_->find(holder_key_);
    if (known == nullptr || known->world.empty()) return push(buffer_unused), push(value);
    if (target_ < 0 || static_cast<std::size_t>(target_) >= known->world.size())
        return push(buffer_unused), push(0);
    push(buffer_of_rank(known->world[static_cast<std::size_t>(target_)]));
    push(value);
}

void Call::ints_(const int* values, std::int64_t count) {
    begin_array(count);
    for (std::int64_t i = 0; i < count; ++i) push(values[i]);
}

void Call::aints_(const MPI_Aint* values, std::int64_t count) {
    begin_array(count);
    for (std::int64_t i = 0; i < count; ++i) push(values[i]);
}

void Call::weights_(const int* values, std::int64_t count) {
    if (values == MPI_UNWEIGHTED) return push(1), push(unweighted);
    if (values == MPI_WEIGHTS_EMPTY) return push(1), push(weights_empty);
    ints_(values, count);
}

void Call::logicals_(const int* values, std::int64_t count) {
    begin_array(count);
    for (std::int64_t i = 0; i < count; ++i) push(values[i] != 0);
}

void Call::distribs_(const int* values, std::int64_t count) {
    begin_array(count);
    for (std::int64_t i = 0; i < count; ++i)
        push(values[i] == MPI_DISTRIBUTE_BLOCK    ? distribution_block
             : values[i] == MPI_DISTRIBUTE_CYCLIC ? distribution_cyclic
                                                  : distribution_none);
}

void Call::dargs_(const int* values, std::int64_t count) {
    begin_array(count);
    for (std::int64_t i = 0; i < count; ++i)
        push(values[i] == MPI_DISTRIBUTE_DFLT_DARG ? distribution_default : values[i]);
}

void Call::types_(const MPI_Datatype* values, std::int64_t count) {
    begin_array(count);
    for (std::int64_t i = 0; i < count; ++i) type_(values[i]);
}

// In the order of file_modes and window_modes.

void Call::amode_(int value) {
    push(bits_of(value, {MPI_MODE_CREATE, MPI_MODE_RDONLY, MPI_MODE_WRONLY, MPI_MODE_RDWR,
                         MPI_MODE_DELETE_ON_CLOSE, MPI_MODE_UNIQUE_OPEN, MPI_MODE_EXCL,
                         MPI_MODE_APPEND, MPI_MODE_SEQUENTIAL}));
}

void Call::assert_(int value) {
    push(bits_of(value, {MPI_MODE_NOCHECK, MPI_MODE_NOSTORE, MPI_MODE_NOPUT, MPI_MODE_NOPRECEDE,
                         MPI_MODE_NOSUCCEED}));
}

// ---- handles

void Call::freecomm_(const MPI_Comm* comm) {
    comm_(*comm);
    if (comm_entry_->number >= 2) begin_freeing(key_of(*comm));
}

void Call::peercomm_(MPI_Comm comm) {
    // Just before stands the rank of the leader.
    const bool counts = at_[-1] == comm_entry_->me;
    const CommEntry* const found = process->comms.find(key_of(comm));
    push(!counts ? null_handle : found == nullptr ? unknown_handle : found->number);
}

void Call::freegroup_(const MPI_Group* group) {
    group_(*group);
    if (process->groups.find(key_of(*group)) > 0) begin_freeing(key_of(*group));
}

void Call::freetype_(const MPI_Datatype* type) {
    type_(*type);
    if (number_of(*type) >= derived_type) begin_freeing(key_of(*type));
}

void Call::freeop_(const MPI_Op* op) {
    op_(*op);
    if (process->ops.find(key_of(*op)) >= user_op) begin_freeing(key_of(*op));
}

void Call::errhandler_(MPI_Errhandler handler) {
    push(handler == MPI_ERRORS_ARE_FATAL ? errors_are_fatal
         : handler == MPI_ERRORS_RETURN  ? errors_return
                                         : errors_own);
}

void Call::message_(const MPI_Message* message) {
    const std::int64_t number =
        *message == MPI_MESSAGE_NO_PROC ? null_handle : process->messages.find(key_of(*message));
    push(number);
    wanted_ = number >= 0 || process->selection.is_on();  // if its probe is recorded, it is, too
    if (number < 0) return;
    --process->recorded_messages;
    process->messages.remove(key_of(*message), thread());
}

void Call::newmessage_(const MPI_Message* message) {
    const bool none = failed_ || !flag_ || *message == MPI_MESSAGE_NO_PROC ||
                      *message == MPI_MESSAGE_NULL || !wanted_;
    if (!none) ++process->recorded_messages;
    push(none ? null_handle : process->messages.add(key_of(*message), thread()));
}

void Call::newcomm_(const MPI_Comm* comm) {
    if (failed_ || *comm == MPI_COMM_NULL) {
        push(null_handle), push(rank_none), push(0);
        return;
    }
    const std::int64_t number = process->comm_numbers.take(thread());
    CommEntry& entry = process->comms[key_of(*comm)];
    process->forget_latest_comm();  // MPI may have given a value again
    if (call_.function == Function::Comm_idup_) {
        // Nobody may ask it anything yet, but it is as its model.
        entry = *comm_entry_;
        entry.number = number;
    } else {
        entry = entry_of(*comm, number);
    }
    push(entry.number), push(entry.me), push(entry.size);
}

void Call::copyfn_(const void* function) {
    const auto c = [](auto own) { return reinterpret_cast<const void*>(own); };
    const bool none =
        is_function(function, "null_copy_fn",
                    {c(MPI_COMM_NULL_COPY_FN), c(MPI_TYPE_NULL_COPY_FN), c(MPI_WIN_NULL_COPY_FN)});
    const bool dup = is_function(function, "dup_fn",
                                 {c(MPI_COMM_DUP_FN), c(MPI_TYPE_DUP_FN), c(MPI_WIN_DUP_FN)});
    push(none ? attribute_nobody : dup ? attribute_dup : attribute_own);
}

void Call::deletefn_(const void* function) {
    const auto c = [](auto own) { return reinterpret_cast<const void*>(own); };
    const bool none = is_function(
        function, "null_delete_fn",
        {c(MPI_COMM_NULL_DELETE_FN), c(MPI_TYPE_NULL_DELETE_FN), c(MPI_WIN_NULL_DELETE_FN)});
    push(none ? attribute_nobody : attribute_own);
}

/// The window or file of the call, if it is known.
const HeldEntry* Call::hold_for(KeyMap<HeldEntry>& table, std::uintptr_t key) {
    const HeldEntry* const known = table.find(key);
    holder_ = known == nullptr ? nullptr : &table;
    holder_key_ = key;
    return known;
}

void Call::win_(MPI_Win window) {
    const HeldEntry* const known = hold_for(process->windows, key_of(window));
    push(known == nullptr ? unknown_handle : known->number);
    push(known == nullptr ? 0 : known->me);
    push(known == nullptr ? 0 : known->size);
}

void Call::freewin_(const MPI_Win* window) {
    win_(*window);
    if (holder_ != nullptr) begin_freeing(key_of(*window));
}

void Call::newwin_(const MPI_Win* window) {
    if (failed_) return push(null_handle);
    HeldEntry& entry = process->windows[key_of(*window)];
    entry = {process->window_numbers.take(thread()),
             comm_entry_->me,
             comm_entry_->size,
             {slots_, slots_ + slot_count_},
             {},
             {}};
    slot_count_ = 0;
    if (call_.function == Function::Win_create_dynamic_) entry.world = world_ranks(comm_handle_);
    push(entry.number);
}

void Call::file_(MPI_File file) {
    if (file == MPI_FILE_NULL) return push(null_handle);
    const HeldEntry* const known = hold_for(process->files, key_of(file));
    push(known == nullptr ? unknown_handle : known->number);
}

void Call::freefile_(const MPI_File* file) {
    file_(*file);
    if (holder_ != nullptr) begin_freeing(key_of(*file));
}

/// Its size, too: the program may read what it did not write.
void Call::newfile_(const MPI_File* file) {
    MPI_Offset size = 0;
    if (failed_ || *file == MPI_FILE_NULL) return push(null_handle), push(0);
    PMPI_File_get_size(*file, &size);
    HeldEntry& entry = process->files[key_of(*file)];
    entry = {process->file_numbers.take(thread()), 0, 0, {}, {}, {}};
    push(entry.number), push(size);
}

void Call::newtype_(const MPI_Datatype* type) {
    if (failed_) return push(null_handle);
    process->forget_latest_type();
    process->type_extents.erase(key_of(*type));
    if (call_.function == Function::Type_create_f90_integer_ ||
        call_.function == Function::Type_create_f90_real_ ||
        call_.function == Function::Type_create_f90_complex_)
        // Some MPIs make one, the same each time, and others have it: it has one number.
        if (const std::int64_t known = sized_fortran_type(call_.function, *type); known >= 0)
            process->types.predefine(key_of(*type), known);
    push(process->types.add(key_of(*type), thread()));
}

}  // namespace refrain::proxy
