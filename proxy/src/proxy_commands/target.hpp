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
    std::string mpi;                  // "openmpi", "mpich" or "smpi"
    [[nodiscard]] bool is_simulated() const { return mpi == "smpi"; }
};

/// Errors: UsageError if no word is an MPI program, or there is no interposer for its MPI, or a simulated program was linked
/// without its recorder; the message says what is there. `mpi`: the name of an MPI, or empty to find it by the
/// program's libraries.
[[nodiscard]] Target find_target(const std::vector<std::string>& words, const std::string& mpi);

/// Where the word smpirun stands, which starts simulated programs.
[[nodiscard]] std::optional<std::size_t> find_smpirun(const std::vector<std::string>& words);
/// What links a simulated program with its recorder.
/// Errors: UsageError if that is not here
[[nodiscard]] std::string smpi_link_words();

/// Where interposers and the counts tool lie.
[[nodiscard]] std::filesystem::path library_folder();

}  // namespace refrain::proxy
