#pragma once

#include <string>
#include <string_view>

namespace refrain::proxy {

/// Name and version of an MPI, of the words in which it tells of itself.
///
///     "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, ..."         -> "Open MPI 4.1.4"
///     "MPICH Version:\t4.0.2\nMPICH Release date:\t..."                     -> "MPICH 4.0.2"
///     "SMPI Version 3.32. Copyright The SimGrid Team 2007-2022"             -> "SMPI 3.32"
///
/// Of words without a number, what stands before the first comma or the end of the line.
[[nodiscard]] std::string library_name(std::string_view words);

}  // namespace refrain::proxy
