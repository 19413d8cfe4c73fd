/// What scripts are compiled and run with.
#pragma once

#include "refrain/error.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace refrain::script {

class RunControl;

/// What a failure ends.
enum class FailurePolicy : std::uint8_t {
    independent,  // what needs the result
    drain,        // the run, once the calls that run have ended
    stop          // the run, at once: programs that run are killed
};

/// A switch of the compiler, by the original's name where it has one.
struct PassInfo {
    std::string_view name;
    int level;   // on from this level on
    bool built;  // else it is accepted and does nothing yet
    std::string_view what;
};

/// What the compiler says of one mistake, for editors.
struct Message {
    /// Part of a line; columns count bytes, from 1, and end_column is behind the part. Line 0: in the library.
    struct Range {
        std::string file;
        std::uint32_t line = 0, column = 0, end_column = 0;
    };
    struct Note {
        Range at;
        std::string text;
    };
    Range at;
    std::string text;
    bool warning = false;  // else an error
    std::string code{};    // the kind of mistake: docs/editors.md
    std::string help{};    // the way out; empty: none
    std::vector<Note> related{};
    std::vector<Note> fixes{};  // the way out as edits, none or one: a text for the range
};

/// The script cannot be compiled. what(): each message with file, line, column, the line and a caret.
class CompileFailure : public Error {
  public:
    CompileFailure(const std::string& text, bool is_syntax, std::vector<Message> messages)
        : Error(text), is_syntax_(is_syntax), messages_(std::move(messages)) {}
    [[nodiscard]] bool is_syntax() const noexcept { return is_syntax_; }
    [[nodiscard]] const std::vector<Message>& messages() const noexcept { return messages_; }

  private:
    bool is_syntax_;
    std::vector<Message> messages_;
};

/// What a leaf function did, when spans are recorded. Times are seconds since the run began.
struct CallRecord {
    std::string function;
    std::string place;  // "ensemble.swift:12"
    std::uint32_t worker = 0;
    double created = 0, ready = 0, began = 0, ended = 0;
    bool failed = false;
    double paused = 0;  // of its time: between attempts, and for a share of @cpus and @memory
    /// The earlier ones in RunResult::calls whose results it needed. Known of sequential runs.
    std::vector<std::size_t> after{};
};

/// How far a run is.
struct Progress {
    std::uint64_t tasks_done = 0;
    std::uint64_t tasks_ready = 0;
    std::uint64_t tasks_waiting = 0;
    std::uint64_t tasks_failed = 0;
    std::uint64_t calls_cached = 0;
    std::uint32_t calls_running = 0;
    double seconds = 0;
};

struct RunOptions {
    std::uint32_t workers = 0;           // 0: as many as the machine has cores
    std::vector<std::string> arguments;  // of the script: "--steps=100"
    int servers = 1;                     // what adlb_servers() says
    std::vector<std::string> import_folders;
    std::vector<std::string> library_folders;  // of plug-ins, beside the script's own
    std::vector<std::string> modules;          // imported, as if the script did it
    /// Arguments that are given when the script is compiled; a run may not give them again.
    std::vector<std::string> compile_arguments;
    bool hash_comments = false;       // "#" begins a comment, and nothing is preprocessed
    std::vector<std::string> macros;  // for the preprocessor: "NAME", "NAME=text"
    bool sequential = false;  // by the reference interpreter: slow, in one thread, without tasks
    int level = 3;            // of optimisation, 0 to 3
    std::vector<std::string> passes_on;   // beyond those of the level, by name
    std::vector<std::string> passes_off;  // of those of the level
    FailurePolicy failures = FailurePolicy::independent;
    bool missing_outputs_warn =
        false;                   // a program that does not make its outputs: a warning, no failure
    std::int64_t retries = 0;    // of each program that fails, unless its @retries says otherwise
    double retry_delay_s = 0.1;  // before the first one; doubled, and varied, each time
    double app_delay_s = 0;      // before each program, a random part of it
    std::string wrap;            // around the commands of apps: "nice -n 5 {cmd}"
    bool dry_run = false;        // print the commands of apps, and call nothing
    /// Workers call functions of C, C++ and Tcl in processes of their own: one that crashes fails its call, not the run.
    bool processes = false;
    /// The run is that of all processes that mpirun has started, a worker each; all call the same function. Rank 0 gets the
    /// result, and the others an empty one.
    bool mpi = false;
    std::uint32_t server_ranks = 0;  // with mpi: the highest ranks, which run no calls
    std::int64_t memory_bytes = 0;   // what @memory shares out; 0: what there is
    bool cache_apps =
        false;  // results of all apps that make files, not only of functions with @cache
    std::string cache_folder = ".refrain/cache";  // made when a function first needs it
    /// A folder per run is made below it, with a record per task, when the first app ends; empty: none.
    std::string runs_folder;
    bool resume = false;  // results of the script's latest run below runs_folder are used again
    /// Results of functions with @checkpoint are kept in this file; empty: none.
    std::string checkpoint_file;
    std::vector<std::string> reloaded_files;  // results that such files hold are used
    RunControl* control = nullptr;  // ends the run from outside (refrain/script/run_control.hpp)
    bool record_spans = false;      // keep when each leaf function ran, for reports
    std::function<void(const Progress&)> on_progress;
    /// Gets what the compiler warns of before anything runs; else it is in the result.
    std::function<void(const std::string&)> on_warnings;
    /// Where output of the script goes; standard output if empty.
    std::function<void(const std::string&)> on_output;
    /// The same, with the worker that printed it; on_output is not called then.
    std::function<void(std::uint32_t worker, const std::string&)> on_worker_output;
};

}  // namespace refrain::script
