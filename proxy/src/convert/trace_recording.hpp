#pragma once

#include "merge/recording.hpp"

#include "convert/trace.hpp"

namespace refrain::proxy {

/// A recording of what a trace tells, and of what is invented where it tells nothing: datatypes, operations, how communicators are
/// made, buffers, who gets how much of an Alltoallv. `Recording::invented` lists that, and
/// `generate` prints it.
///
///     end_receive of 512 bytes from 3 in MPI_Waitany     MPI_Wait; the request was of an MPI_Irecv(512, MPI_BYTE, 3, ...)
///
/// Errors:     std::runtime_error if ranks disagree about their collective operations, or a message has more bytes than an int
/// Complexity: linear in the calls
[[nodiscard]] Recording recording_of(const Trace& trace);

}  // namespace refrain::proxy
