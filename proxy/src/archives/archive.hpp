#pragma once

#include "merge/recording.hpp"

#include <string>
#include <vector>

#include "convert/trace.hpp"

/// Archives of the Open Trace Format 2, which Vampir, Score-P's tools and otf2-print read.
namespace refrain::proxy {

/// Writes a recording as an archive: one location per rank, events of all ranks. An archive that is in the folder under this name
/// is replaced.
///
/// Returns the functions that speak to other ranks and have no record in it but their times.
/// Errors: std::runtime_error if it cannot be written
std::vector<std::string> write_archive(const Recording& recording, const std::string& folder);
/// What its files are called: NAME.otf2 stands for the archive.
inline constexpr const char* archive_name = "traces";

/// Reads an archive by its anchor file (traces.otf2).
///
/// Errors: std::runtime_error if it is damaged, or has no ranks
[[nodiscard]] Trace read_archive(const std::string& anchor);

}  // namespace refrain::proxy
