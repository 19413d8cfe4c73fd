#pragma once

#include "events/function_table.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// Runs as most tools have them: when each call began and ended, and which messages it sent, by their sizes.
namespace refrain::proxy {

/// What a call tells of messages and collective operations. OTF2 has a record of each kind.
struct TraceRecord {
    enum class Kind : std::uint8_t {
        send,
        receive,
        begin_send,  // of `request`
        end_send,
        begin_receive,  // whose sender is told when it ends
        end_receive,
        test,  // of a request that was not done
        cancelled,
        collective,        // `bytes` sent and `received`
        begin_collective,  // of `request`
        end_collective,
        make_communicator,
        free_communicator,
    };

    Kind kind = Kind::send;
    std::uint32_t communicator = 0;  // in the trace's list
    std::int64_t peer = 0;  // rank in the communicator; of a collective operation its root, or -1
    std::int64_t tag = 0;
    std::uint64_t bytes = 0;
    std::uint64_t received = 0;
    std::uint64_t request = 0;               // told apart within a rank
    Function operation = Function::by_name;  // of a collective operation: the function that waits

    /// What only names a request has no communicator.
    [[nodiscard]] bool has_communicator() const {
        return kind != Kind::begin_receive && kind != Kind::end_send && kind != Kind::test &&
               kind != Kind::cancelled && kind != Kind::begin_collective;
    }
    friend bool operator==(const TraceRecord&, const TraceRecord&) = default;
};

struct TraceCall {
    std::string function;  // "MPI_Send"
    double begin = 0;      // seconds
    double end = 0;
    std::vector<TraceRecord> records;
};

/// Its members by their rank in it, as ranks of the run.
struct TraceCommunicator {
    std::string name;
    std::vector<std::uint32_t> members;
    bool self = false;  // one for each rank, which alone is in it
};

/// All of a run.
struct Trace {
    std::vector<TraceCommunicator> communicators;
    std::vector<std::vector<TraceCall>> ranks;
    std::vector<std::string> skipped;  // what was there and is not here, in words
};

}  // namespace refrain::proxy
