/// Compiles and runs scripts from C++.
///
///     refrain::script::RunOptions options;
///     options.workers = 4;
///     const auto result = refrain::script::run_file("ensemble.swift", options);
///     if (result.status != 0) std::cerr << result.messages;
///
/// Functions of C++ that the script calls are registered with refrain/script/leaf_functions.hpp.
#pragma once

#include "refrain/script/options.hpp"
#include "refrain/script/run_control.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace refrain::script {

struct RunResult {
    int status = 0;        // 0, or 1 if something failed or work was left waiting
    std::string warnings;  // of the compiler, unless on_warnings had them, and of the run's folders
    /// Failures with their places, then what did not run because of them, then why work waits.
    std::string messages;
    std::uint64_t tasks_done = 0;
    std::uint64_t tasks_failed = 0;
    std::uint64_t tasks_skipped = 0;
    std::uint64_t tasks_waiting = 0;
    std::uint64_t calls_cached = 0;   // results of earlier calls, taken instead of one
    std::uint64_t calls_retried = 0;  // further attempts after failures
    std::string run_folder;           // empty if none was made
    std::uint64_t messages_sent = 0;  // between workers
    /// Logical operations: tasks, creations, subscriptions, loads, stores, lookups, insertions, changes of counts.
    std::array<std::uint64_t, 8> operations{};
    std::uint64_t data_left = 0;  // data that were not freed: 0 unless work is left waiting
    std::uint32_t workers = 0;
    double seconds = 0;
    std::vector<CallRecord> calls;
    std::uint64_t calls_left_out = 0;  // beyond what is kept
    /// The variable that most tasks waited for at once, "'x' (ensemble.swift:3)", and how many these were.
    std::string hot_variable;
    std::uint64_t hot_waiters = 0;
};

/// The file is a script, or one that compile_file() made; then the options of the compiler say nothing.
///
/// Errors:  CompileFailure; refrain::UsageError if the file cannot be read, is damaged, or was compiled by another version;
///          all before anything runs.
/// Threads: one run at a time per process may change the environment; runs are otherwise independent.
[[nodiscard]] RunResult run_file(const std::string& path, const RunOptions& options = {});
/// The same for a text; `name` stands in messages.
[[nodiscard]] RunResult run_text(const std::string& text, const std::string& name,
                                 const RunOptions& options = {});

/// Which of the processes that mpirun has started this one is; empty if it was started otherwise.
[[nodiscard]] std::optional<std::uint32_t> mpi_rank();

/// The names of `operations`, in order.
[[nodiscard]] const std::array<std::string_view, 8>& operation_names();

/// The passes of the compiler, in the order in which they work.
[[nodiscard]] std::vector<PassInfo> compiler_passes();

struct CompileResult {
    std::string warnings;
    std::string compiled;           // to be kept in a file that run_file() takes
    std::string intermediate_code;  // IR-1, as text, after all passes
};
/// The text of a script as the compiler sees it: macros expanded, files included. Errors: CompileFailure.
[[nodiscard]] std::string preprocessed_text(const std::string& text, const std::string& name,
                                            const RunOptions& options = {});
/// Compiles a script to be run later. Errors: CompileFailure, refrain::UsageError.
[[nodiscard]] CompileResult compile_file(const std::string& path, const RunOptions& options = {});
[[nodiscard]] CompileResult compile_text(const std::string& text, const std::string& name,
                                         const RunOptions& options = {});

/// Per line of the script: the tasks that it becomes, what each waits for, and what the compiler did with it.
/// Errors: as above, and for a compiled file.
[[nodiscard]] std::string explain_file(const std::string& path, const RunOptions& options = {});
/// The data flow of a script, as DOT text. Errors: the same.
[[nodiscard]] std::string graph_file(const std::string& path, const RunOptions& options = {});

struct CheckResult {
    std::string warnings;
    std::vector<Message> messages;  // the same
    std::string intermediate_code;  // IR-1, as text, after all passes
    std::string dump;               // the same, after each run of the pass asked for
};
/// Compiles only. Errors: as above.
[[nodiscard]] CheckResult check_file(const std::string& path, const RunOptions& options = {},
                                     const std::string& dump_after = {});

}  // namespace refrain::script
