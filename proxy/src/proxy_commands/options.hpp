#pragma once

#include "cli/command_line.hpp"
#include "proxy_commands/run.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/// What the commands of `refrain proxy` share: their options, their exit status, and how they are added.
namespace refrain::proxy {

inline constexpr int exit_different = 1;
inline constexpr int exit_incomplete = 3;
inline constexpr int exit_no_verdict = 3;

/// The options of all commands; each command has those that it adds.
struct Options {
    std::vector<std::string> words;
    std::vector<std::string> inputs;
    std::string output, mpi, launcher, mpicc, header, metrics, machine, phase, iterations, format,
        cc = "cc", blocks;
    RecordSettings recording;
    std::vector<int> sizes;  // of the problem, by recording
    int rounds = 0;          // of tuning
    int times = 0;           // how often a program and its proxy are run for their times
    std::int64_t size = 0;   // of the problem, for a proxy that takes one
    double speed = 1e9;
    std::uint32_t rank = 0;
    bool json = false, csv = false, folded = false, force = false, anonymous = false,
         round_sizes = false, free = false, quiet = false;
};

/// Adds a command; its options have defaults that the caller may change.
cli::CommandLine& add_command(cli::CommandLine& program, const char* name, const char* what,
                              const char* example, std::shared_ptr<Options>& options,
                              const std::function<void(const Options&)>& run);
/// What the program exits with, unless it fails.
void set_exit_status(int status);
/// Errors: std::runtime_error, with the name of the file.
void write_output(const std::string& name, const std::string& content);

// By file: record, exec and build; merge; info, dump and report; calibrate and generate; convert; verify and diff.
void add_recording_commands(cli::CommandLine& program);
void add_merge_command(cli::CommandLine& program);
void add_telling_commands(cli::CommandLine& program);
void add_writing_commands(cli::CommandLine& program);
void add_convert_command(cli::CommandLine& program);
void add_comparing_commands(cli::CommandLine& program);

}  // namespace refrain::proxy
