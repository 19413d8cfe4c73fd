#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Which word of a command is the program that is recorded, and by what.
namespace refrain::proxy {

struct Target {
    std::size_t program = 0;          // words.size(): not found
    std::string interposer, counter;  // preloaded; empty if the program has its recorder
    std::string mpi;                  // "openmpi", "mpich", "smpi", or a folder that `build` wrote
    [[nodiscard]] bool is_simulated() const { return mpi == "smpi"; }
};

/// Errors: UsageError if no word is an MPI program, or there is no interposer for its MPI, or a simulated program was linked
/// without its recorder; the message says what is there. `mpi`: the name of an MPI, a folder that `build` wrote (with a slash),
/// or empty to find it by the program's libraries.
[[nodiscard]] Target find_target(const std::vector<std::string>& words, const std::string& mpi);

/// "openmpi", "mpich", "smpi" or nothing: by the libraries that the loader finds, also those of libraries.
[[nodiscard]] std::string mpi_of(const std::string& file);
/// Likewise of a Python interpreter, or a script that names one in its first line: by its module mpi4py; nothing without it.
[[nodiscard]] std::string mpi_of_python(const std::string& file);
/// Likewise of what mpirun starts, by what it says of itself; nothing of other launchers.
[[nodiscard]] std::string mpi_of_launcher(const std::string& word);

/// The file that a shell would run for a word; empty if there is none.
[[nodiscard]] std::string program_file(const std::string& word);

/// Where the word smpirun stands, which starts simulated programs.
[[nodiscard]] std::optional<std::size_t> find_smpirun(const std::vector<std::string>& words);
/// What links a simulated program with its recorder.
/// Errors: UsageError if that is not here
[[nodiscard]] std::string smpi_link_words();

/// Where interposers and the counts tool lie.
[[nodiscard]] std::filesystem::path library_folder();
/// Where the interposer's sources are installed.
[[nodiscard]] std::string source_folder();

}  // namespace refrain::proxy
