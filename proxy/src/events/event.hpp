#pragma once

#include "events/function_table.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace refrain::proxy {

/// One call of an MPI function: all its arguments, and what came out, as numbers.
///
///     MPI_Send(buf, 100, MPI_DOUBLE, 3, 7, MPI_COMM_WORLD) of rank 2 of 4
///         function Send_, values {0 (slot), 100, 16 (MPI_DOUBLE), 3, 7, 0 2 4 (communicator), 0 (error class)}
///
/// Values follow the parameters of the table: first those that go in, then those that come out, then
/// the class of the error. An array begins with its length.
struct Event {
    Function function = Function::by_name;
    std::vector<std::int64_t> values;
    std::uint32_t site =
        0;  // where it is called: index in the sites of the recording, from 1; 0: not recorded
    /// Which thread of the process calls, by the order of their first calls; told apart with MPI_THREAD_MULTIPLE only,
    /// since at lower levels one thread may make all calls of a process as well.
    std::uint32_t thread = 0;

    friend bool operator==(const Event&, const Event&) = default;
};
/// An order of events, for maps: the same in every run.
struct EventOrder {
    bool operator()(const Event& a, const Event& b) const {
        return std::tie(a.function, a.site, a.thread, a.values) <
               std::tie(b.function, b.site, b.thread, b.values);
    }
};

/// Threads that call at once take their numbers in an order that chance decides. So each has numbers of its own: those of
/// thread t begin at t times this.
inline constexpr int thread_shift = 32;
[[nodiscard]] constexpr std::int64_t first_number_of(std::uint32_t thread) {
    return std::int64_t{thread} << thread_shift;
}
/// Whose number this is; of a code below 0, the first thread's.
[[nodiscard]] constexpr std::uint32_t thread_of(std::int64_t number) {
    return number < 0 ? 0 : static_cast<std::uint32_t>(number >> thread_shift);
}

/// What a value stands for.
enum class Role : std::uint8_t {
    plain,
    length,     // of the array that follows
    buffer,     // a slot of the arena, or one of the Buffer codes
    tag,        // or tag_any
    rank,       // or one of the Rank codes; in a merged recording see RankCode
    comm,       // number of a communicator
    me,         // rank of the caller in that communicator
    size,       // size of that communicator
    made_size,  // size of a communicator that is made
    group,
    type,
    op,
    request,
    message,
    errhandler,
    info,
    keyval,
    memory,  // that MPI allocated for the program
    window,
    made_window,
    file,
    index,  // of a request that was completed
    bytes,  // of a message
    flag,
    error,
    text,  // index in the texts of the recording
};
/// Numbers that functions make and free; error handlers have none of their own.
[[nodiscard]] bool is_handle(Role role);

inline constexpr std::int64_t null_handle = -1;
inline constexpr std::int64_t unknown_handle = -2;  // made by a function that is recorded by name
inline constexpr std::int64_t unrecorded_handle =
    -3;  // begun where the user chose to record nothing
inline constexpr std::int64_t tag_any = -1;
inline constexpr std::int64_t no_index = -1;              // MPI_UNDEFINED
inline constexpr std::int64_t distribution_default = -1;  // MPI_DISTRIBUTE_DFLT_DARG
/// How the dimension of an array is dealt out: MPI_DISTRIBUTE_BLOCK, ...
enum DistributionCode : std::int64_t {
    distribution_block = 0,
    distribution_cyclic = 1,
    distribution_none = 2
};
inline constexpr std::int64_t unweighted = -1;     // MPI_UNWEIGHTED, an array of this alone
inline constexpr std::int64_t weights_empty = -2;  // MPI_WEIGHTS_EMPTY, likewise
/// Bits of the modes of files and of what programs assert of windows, by the lowest bit first.
inline constexpr std::array file_modes = {
    "MPI_MODE_CREATE", "MPI_MODE_RDONLY",          "MPI_MODE_WRONLY",
    "MPI_MODE_RDWR",   "MPI_MODE_DELETE_ON_CLOSE", "MPI_MODE_UNIQUE_OPEN",
    "MPI_MODE_EXCL",   "MPI_MODE_APPEND",          "MPI_MODE_SEQUENTIAL"};
inline constexpr std::int64_t file_mode_exclusive = 64;  // the bit of MPI_MODE_EXCL
inline constexpr std::array window_modes = {"MPI_MODE_NOCHECK", "MPI_MODE_NOSTORE",
                                            "MPI_MODE_NOPUT", "MPI_MODE_NOPRECEDE",
                                            "MPI_MODE_NOSUCCEED"};
/// What Comm_split_type splits by; null_handle: MPI_UNDEFINED, unknown_handle: something of one MPI alone.
inline constexpr std::int64_t split_shared = 0;
/// Handlers of errors; a handler of the program's own is never called where no call returns an error.
enum ErrhandlerCode : std::int64_t { errors_are_fatal = 0, errors_return = 1, errors_own = 2 };
inline constexpr std::int64_t derived_type = 256;  // number of the first datatype of the program
inline constexpr std::int64_t user_op = 64;        // number of the first operation of the program

enum RankCode : std::int64_t { rank_any = -1, rank_null = -2, rank_root = -3, rank_none = -4 };
enum BufferCode : std::int64_t {
    buffer_in_place = -1,
    buffer_null = -2,
    buffer_bottom = -3,
    buffer_unused = -4,      // not significant at this rank
    buffer_unattached = -5,  // of a dynamic window: memory that nobody attached
};

/// Memory that a rank attached to a dynamic window, by its address there: a slot once the recordings are merged.
/// `world`: its rank in MPI_COMM_WORLD.
[[nodiscard]] constexpr std::int64_t buffer_of_rank(std::int64_t world) {
    return -16 - world;
}
/// Negative if the buffer is none of another rank.
[[nodiscard]] constexpr std::int64_t rank_of_buffer(std::int64_t buffer) {
    return -16 - buffer;
}
/// Who copies and deletes attributes.
enum AttributeCode : std::int64_t { attribute_nobody = 0, attribute_dup = 1, attribute_own = 2 };

/// The values of one parameter within an event.
struct Argument {
    const Parameter* parameter;  // null: the class of the error
    std::size_t begin = 0;
    std::size_t count = 0;
};

/// Splits the values by parameter, in the order of recording: in, out, error.
///
/// Returns nothing if the values do not fit the function, as in a damaged file.
[[nodiscard]] std::optional<std::vector<Argument>> split(const Event& event);

/// The same for an event that is known to fit its function.
[[nodiscard]] std::vector<Argument> arguments_of(const Event& event);

/// The role of each value; empty if the values do not fit the function.
[[nodiscard]] std::vector<Role> roles(const Event& event);

/// How a rank is written in a merged recording, so that many ranks share one event.
///
///     absolute  the rank itself               relative  (rank - caller) modulo the size
///     exclusive rank xor caller
enum class RankMode : std::uint8_t { absolute, relative, exclusive };
[[nodiscard]] std::int64_t encode_rank(std::int64_t rank, RankMode mode, std::int64_t me,
                                       std::int64_t size);
/// Codes (rank_any, ...) stay what they are. `encoded` is a result of encode_rank.
[[nodiscard]] std::int64_t decode_rank(std::int64_t encoded, std::int64_t me, std::int64_t size);
[[nodiscard]] RankMode mode_of(std::int64_t encoded);
[[nodiscard]] std::int64_t value_of(std::int64_t encoded);

/// MPI_Send(slot 0, 100, MPI_DOUBLE, 3, 7, comm0); `merged`: ranks are encoded.
[[nodiscard]] std::string describe(const Event& event, std::span<const std::string> texts,
                                   bool merged);

}  // namespace refrain::proxy
