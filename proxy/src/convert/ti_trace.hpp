#pragma once

#include "merge/recording.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace refrain::proxy {

/// Writes a rank's part of a recording as SMPI's time-independent trace, which `smpirun -replay` simulates.
///
///     3 isend 2 7 800 6       rank 3 sends 800 bytes (6: MPI_BYTE) to rank 2 with tag 7
///     3 compute 1200000       operations: seconds of work times a speed
///     3 wait 3 2 7            waits for the message from 3 to 2
///
/// Amounts are bytes. Receives from any source name their match. What the format has no word for is left out where
/// nothing is sent by it: probes, tests that were told no, messages to MPI_PROC_NULL, datatypes, what makes communicators.
class TiTrace {
  public:
    /// `speed`: operations per second of work.
    TiTrace(const Recording& recording, double speed) : recording_(recording), speed_(speed) {}

    /// Why there is no such trace, one reason per string, of the first rank that has any: calls recorded by name, messages
    /// between ranks that are not numbered as in MPI_COMM_WORLD, nonblocking collectives, cancelled messages.
    [[nodiscard]] std::vector<std::string> obstacles() const;

    /// Calls `use` with each line, without its end.
    void write(std::uint32_t rank, const std::function<void(const std::string&)>& use) const;

  private:
    const Recording& recording_;
    double speed_;
};

}  // namespace refrain::proxy
