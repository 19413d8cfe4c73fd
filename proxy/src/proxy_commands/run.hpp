#pragma once

#include "merge/recording.hpp"
#include "proxy_commands/target.hpp"

#include <string>
#include <vector>

#include "fit/machine.hpp"

/// Running programs under the interposer, and what lies in the folders that this leaves.
namespace refrain::proxy {

/// What is recorded, and how.
struct RecordSettings {
    std::string metrics = "time";   // counts (under the Valgrind tool), perf, papi
    std::string checkpoint = "10";  // seconds
    std::string memory = "64M";     // of the recorder, per rank
    std::string start, stop;        // read_run_point; empty: from the beginning, to the end
    bool callers = false;           // places of calls are recorded
};

/// Runs the command with the interposer; returns its status. What it did lies in `folder`.
///
/// Errors: UsageError if the source of metrics is not here
int record(const std::vector<std::string>& words, const Target& target, const std::string& folder,
           const RecordSettings& settings);
/// Measures the blocks of a kind here: compiles them with `cc`, counts them under the tool, and times them.
/// Errors: UsageError if compiler or tool are not here
[[nodiscard]] Machine calibrate(const std::string& cc, BlockKind kind);
/// Becomes the program, with the interposer; for launchers that drop the environment.
[[noreturn]] void become(const std::vector<std::string>& words, const Target& target,
                         const std::string& folder, const RecordSettings& settings);

/// Why a folder's recording is incomplete, in words; empty if it is complete.
[[nodiscard]] std::string incomplete(const std::string& folder);

/// Merges what lies in a folder.
[[nodiscard]] Recording merge_folder(const std::string& folder);
/// A merged recording, or a folder that is merged now.
[[nodiscard]] Recording load(const std::string& name);

}  // namespace refrain::proxy
