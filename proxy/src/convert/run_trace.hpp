#pragma once

#include "merge/communicators.hpp"
#include "merge/recording.hpp"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "convert/trace.hpp"

namespace refrain::proxy {

/// A recording as a trace: calls with times, messages and collective operations with bytes.
///
///     MPI_Waitall of two requests   MPI_Waitall 0.0131..0.0133: end_receive 512 bytes from 3, end_send
///
/// A recording knows the mean time of a call and of the work between two calls on a rank. So each rank's times are sums of
/// means from 0 on, and between ranks they are compared by nobody: a message may end before it began.
///
/// Bytes of collective operations follow Score-P: what a rank gives to all and gets from all, itself included.
class RunTrace {
  public:
    /// Errors: std::runtime_error if it has more calls than a disk has room for
    explicit RunTrace(const Recording& recording);

    /// MPI_COMM_WORLD, MPI_COMM_SELF, and those that calls made.
    [[nodiscard]] const std::vector<TraceCommunicator>& communicators() const { return listed_; }
    /// Calls `use` with each call of a rank. Functions that speak to other ranks and have no record are gathered in
    /// `without_record`: windows, neighbours, messages in communicators whose ranks nothing tells.
    void write(std::uint32_t rank, const std::function<void(const TraceCall&)>& use);

    std::set<std::string> without_record;

  private:
    const Recording& recording_;
    Communicators communicators_;
    std::vector<TraceCommunicator> listed_;
};

}  // namespace refrain::proxy
