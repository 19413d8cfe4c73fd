#pragma once

#include "memo/record_log.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace refrain::script {

/// What is kept of a task. Times are seconds; `began` since 1970.
struct TaskRecord {
    std::string function;
    std::string place;   // "ensemble.swift:12"
    std::string state;   // done, cached, failed, interrupted
    std::string text;    // of an app: its command; of a failure: what it said
    std::string why;     // why it ran although results are kept; empty if nothing is
    std::string errors;  // of a failed app: the file with its standard error
    std::uint32_t worker = 0;
    std::uint32_t attempts = 1;
    double began = 0;
    double seconds = 0;
};

/// What is kept of a run.
struct RunRecord {
    std::string script;  // as an absolute path
    std::vector<std::string> arguments;
    double began = 0;
};
struct RunEnd {
    int status = 0;
    double seconds = 0;
    std::string messages;
};

/// All that a folder says; a run that was resumed is there several times.
struct RunHistory {
    std::vector<RunRecord> runs;
    std::vector<TaskRecord> tasks;
    std::optional<RunEnd> end;  // of the last run; none if it was killed, or goes on
    std::uint64_t torn_bytes = 0;
};

/// The folder of one run, RUNS/20261123-101500-4711: `tasks.log`, and `failed/` with what failed programs said.
///
/// Errors:  ScriptError. Threads: any.
class RunFolder {
  public:
    using Entry = std::variant<RunRecord, TaskRecord, RunEnd>;

    /// Begins a run in the folder, which may have earlier ones; null: another process has begun it.
    RunFolder(std::string folder, const RunRecord* run);

    void add(const Entry& entry);
    /// A name for the standard error of a call that failed.
    [[nodiscard]] std::string error_path(const std::string& function);
    [[nodiscard]] const std::string& path() const { return folder_; }
    [[nodiscard]] std::uint64_t cut_bytes() const { return log_->cut_bytes(); }

  private:
    std::string folder_;
    std::unique_ptr<RecordLog> log_;
    std::mutex mutex_;
    std::uint64_t failures_ = 0;
};

/// A folder below `runs` that is not there yet.
[[nodiscard]] std::string new_run_folder(const std::string& runs);
/// The folders below `runs`, the one that was written last at the end: a run that was resumed may have an older name.
[[nodiscard]] std::vector<std::string> run_folders(const std::string& runs);
/// The latest run of the script below `runs`; empty if there is none.
[[nodiscard]] std::optional<std::string> latest_run(const std::string& runs,
                                                    const std::string& script);
[[nodiscard]] RunHistory read_run(const std::string& folder);

}  // namespace refrain::script
