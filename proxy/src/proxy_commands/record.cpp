#include "proxy_commands/options.hpp"
#include "proxy_commands/run.hpp"

#include <cstdlib>
#include <iostream>

namespace refrain::proxy {
namespace {

RecordSettings settings_of(const Options& options) {
    RecordSettings settings;
    settings.metrics = options.metrics;
    settings.checkpoint_seconds = options.checkpoint;
    return settings;
}

void run_record(const Options& options) {
    const Target target = find_target(options.words, options.mpi);
    const int ended = record(options.words, target, options.output, settings_of(options));
    set_exit_status(ended);
    const std::string problem = incomplete(options.output);
    if (!problem.empty()) {
        std::cerr << "refrain proxy: the recording in " << options.output
                  << " is incomplete: " << problem << '\n';
        if (ended == 0) set_exit_status(exit_incomplete);
    }
}

void run_exec(const Options& options) {
    const char* const folder = std::getenv("REFRAIN_PROXY_RUN");
    const std::string output = !options.output.empty() ? options.output
                               : folder != nullptr     ? folder
                                                       : "proxy-run";
    become(options.words, find_target(options.words, options.mpi), output, settings_of(options));
}

/// What record and exec have in common.
void add_options(cli::CommandLine& command, Options& options) {
    // Within a recording, exec goes on as record was told.
    const auto told = [](const char* name, const char* otherwise) -> std::string {
        const char* const value = std::getenv(name);
        return value != nullptr ? value : otherwise;
    };
    options.metrics = told("REFRAIN_PROXY_METRICS", "time");
    options.checkpoint = std::strtod(told("REFRAIN_PROXY_CHECKPOINT", "10").c_str(), nullptr);
    command.add_option("--mpi", options.mpi,
                       "openmpi or mpich; default: the one whose library the program uses");
    command
        .add_option("--checkpoint", options.checkpoint,
                    "Seconds after which what is known is saved, for runs that do not end")
        .between(0, 1e9)
        .show_default();
    command.add_option("COMMAND", options.words, "The command, after --").required();
}

}  // namespace

void add_recording_commands(cli::CommandLine& program) {
    std::shared_ptr<Options> options;
    cli::CommandLine& record =
        add_command(program, "record", "Run a program and record what it asks of MPI",
                    "record -o run -- mpirun -n 4 ./app --size 100", options, run_record);
    options->output = "proxy-run";
    record.add_option("-o,--output", options->output, "The folder of the recording").show_default();
    add_options(record, *options);
    record
        .add_option("--metrics", options->metrics,
                    "What is measured between calls: time; counts (under Valgrind: instructions, "
                    "loads, stores, branches, ...); perf (hardware counters)")
        .show_default();

    cli::CommandLine& exec =
        add_command(program, "exec", "Become a program that is recorded, within a launcher",
                    "exec: mpirun -n 4 refrain proxy exec -o run -- ./app", options, run_exec);
    exec.add_option("-o,--output", options->output, "The folder of the recording");
    add_options(exec, *options);
}

}  // namespace refrain::proxy
