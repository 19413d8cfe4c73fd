#pragma once

#include "merge/recording.hpp"

#include <string>
#include <vector>

#include "fit/machine.hpp"

/// Running programs under the interposer, and what lies in the folders that this leaves.
namespace refrain::proxy {

/// Which word of a command is the MPI program, and the interposer for its MPI.
struct Target {
    std::size_t program = 0;  // words.size(): not found
    std::string interposer, counter;
    std::string mpi;  // "openmpi" or "mpich"
};

/// Errors: UsageError if no word is an MPI program, or there is no interposer for its MPI; the message
/// says what is there. `mpi`: the name of an MPI, a folder that `build` wrote (with a slash), or empty to find it by the program's
/// libraries.
[[nodiscard]] Target find_target(const std::vector<std::string>& words, const std::string& mpi);

/// What is recorded, and how.
struct RecordSettings {
    std::string metrics = "time";   // or counts (the program runs under the Valgrind tool), or perf
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
/// Measures the blocks here: compiles them with `cc`, counts them under the tool, and times them.
/// Errors: UsageError if compiler or tool are not here
[[nodiscard]] Machine calibrate(const std::string& cc);
/// Becomes the program, with the interposer; for launchers that drop the environment.
[[noreturn]] void become(const std::vector<std::string>& words, const Target& target,
                         const std::string& folder, const RecordSettings& settings);

/// Why a folder's recording is incomplete, in words; empty if it is complete.
[[nodiscard]] std::string incomplete(const std::string& folder);

/// Merges what lies in a folder.
[[nodiscard]] Recording merge_folder(const std::string& folder);
/// A merged recording, or a folder that is merged now.
[[nodiscard]] Recording load(const std::string& name);

/// Runs a program and waits; returns its status.
int run_program(const std::vector<std::string>& words);
/// The same; what it says becomes the content of a file.
int run_program_into(const std::vector<std::string>& words, const std::string& file);
/// What a program prints; empty if it fails.
[[nodiscard]] std::string output_of(const std::vector<std::string>& words);
/// The file that a shell would run for a word; empty if there is none.
[[nodiscard]] std::string program_file(const std::string& word);
/// Where the interposer's sources are installed.
[[nodiscard]] std::string source_folder();

}  // namespace refrain::proxy
