#include "base/text.hpp"
#include "proxy_commands/built_mpi.hpp"
#include "proxy_commands/options.hpp"
#include "proxy_commands/run.hpp"
#include "refrain/error.hpp"

#include <cstdlib>
#include <iostream>

namespace refrain::proxy {
namespace {

void run_record(const Options& options) {
    const Target target = find_target(options.words, options.mpi);
    const int ended = record(options.words, target, options.output, options.recording);
    set_exit_status(ended);
    const std::string problem = incomplete(options.output);
    if (!problem.empty()) {
        std::cerr << "refrain proxy: the recording in " << options.output
                  << " is incomplete: " << problem << '\n';
        if (ended == 0) set_exit_status(exit_incomplete);
    }
}

void run_build(const Options& options) {
    build_interposer(options.mpicc, options.header, options.output);
    const std::string folder =
        options.output.find('/') == std::string::npos ? "./" + options.output : options.output;
    std::cout << "refrain proxy: wrote " << options.output << "/librefrain-proxy.so; record --mpi "
              << folder << " uses it\n";
}

void run_exec(const Options& options) {
    const char* const folder = std::getenv("REFRAIN_PROXY_RUN");
    const std::string output = !options.output.empty() ? options.output
                               : folder != nullptr     ? folder
                                                       : "proxy-run";
    become(options.words, find_target(options.words, options.mpi), output, options.recording);
}

/// What record and exec have in common.
void add_options(cli::CommandLine& command, Options& options) {
    // Within a recording, exec goes on as record was told.
    options.recording.metrics = base::setting("REFRAIN_PROXY_METRICS", "time");
    options.recording.checkpoint = base::setting("REFRAIN_PROXY_CHECKPOINT", "10");
    options.recording.memory = base::setting("REFRAIN_PROXY_MEMORY", "64M");
    options.recording.start = base::setting("REFRAIN_PROXY_START");
    options.recording.stop = base::setting("REFRAIN_PROXY_STOP");
    options.recording.callers = base::setting("REFRAIN_PROXY_CALLERS") == "1";
    command.add_option(
        "--mpi", options.mpi,
        "openmpi, mpich or smpi, or a folder that build wrote (./my-mpi); default: the MPI whose "
        "library the program uses");
    command
        .add_option("--checkpoint", options.recording.checkpoint,
                    "Seconds after which what is known is saved, for runs that do not end")
        .show_default();
    command
        .add_option("--memory", options.recording.memory,
                    "What the recorder of each rank may take: beyond it a part of the recording is "
                    "written and another one begun, which costs size and no calls")
        .show_default();
    command.add_option(
        "--start", options.recording.start,
        "Where recording begins: seconds after MPI_Init (2.5s), the number of a call "
        "of each rank (1000), or pcontrol: at MPI_Pcontrol(1)");
    command.add_option(
        "--stop", options.recording.stop,
        "Where it ends: seconds or a number of a call; MPI_Pcontrol(0) always pauses "
        "it");
    command.add_flag(
        "--callers", options.recording.callers,
        "Keep where the program makes each call; functions are named in proxies, info, "
        "and what verify finds");
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
        .add_option(
            "--metrics", options->recording.metrics,
            "What is measured between calls: time; counts (under Valgrind: instructions, "
            "loads, stores, branches, ...); perf (hardware counters by the kernel); papi (by "
            "PAPI's library, with more of them). Example: --metrics papi")
        .show_default();

    cli::CommandLine& exec =
        add_command(program, "exec", "Become a program that is recorded, within a launcher",
                    "exec: mpirun -n 4 refrain proxy exec -o run -- ./app", options, run_exec);
    exec.add_option("-o,--output", options->output, "The folder of the recording");
    add_options(exec, *options);

    cli::CommandLine& build =
        add_command(program, "build", "Build the recorder for an MPI that Refrain does not know",
                    "build --mpicc /opt/mpi/bin/mpicc -o my-mpi", options, run_build);
    build.add_option("--mpicc", options->mpicc, "The compiler wrapper of the MPI").required();
    build.add_option("-o,--output", options->output, "The folder to write").required();
    build.add_option(
        "--header", options->header,
        "A header that says what differs in this MPI; default: by its mpi.h, Open MPI's, "
        "MPICH's, or interposer/other.h of the installed sources, which is to be copied");
}

}  // namespace refrain::proxy
