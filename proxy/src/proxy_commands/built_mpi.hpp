#pragma once

#include "proxy_commands/target.hpp"

#include <string>
#include <vector>

/// Interposers for an MPI that was not there when Refrain was built.
namespace refrain::proxy {

/// Builds interposer and counter with the compiler wrapper of an MPI, from the installed sources, into `folder`.
///
/// `header`: says what differs in this MPI; empty: one of those that are installed, by the macros of its mpi.h.
/// Errors: UsageError that says which step failed, and what the compiler said
void build_interposer(const std::string& mpicc, const std::string& header,
                      const std::string& folder);

/// The target of a folder that build_interposer wrote: `--mpi FOLDER`.
/// Errors: UsageError if there is no interposer
[[nodiscard]] Target built_target(const std::vector<std::string>& words, const std::string& folder);

}  // namespace refrain::proxy
