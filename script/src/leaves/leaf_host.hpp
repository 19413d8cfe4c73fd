#pragma once

#include "leaves/interpreters.hpp"
#include "leaves/isolated_leaf.hpp"
#include "leaves/resource_gate.hpp"
#include "leaves/tcl_leaf.hpp"
#include "memo/memo.hpp"
#include "memo/run_folder.hpp"
#include "processes/process.hpp"
#include "refrain/script/options.hpp"
#include "refrain/script/run_control.hpp"
#include "values/position.hpp"
#include "values/script_error.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace refrain::script {

/// A call that was not made, because the run ends.
class RunStopped : public ScriptError {
  public:
    RunStopped() : ScriptError("the run was stopped before it began") {}
};

/// What all leaf functions of a run share: how they are tried, what is remembered of them, and what runs now.
///
/// Threads: any, once the run has begun.
class LeafHost {
  public:
    /// `options` are those of the run; `capacity` is what calls share.
    LeafHost(RunOptions options, RunControl& control, ResourceGate::Amount capacity = {1, 0});
    LeafHost(const LeafHost&) = delete;
    LeafHost& operator=(const LeafHost&) = delete;

    [[nodiscard]] const RunOptions& options() const { return options_; }
    /// Functions of C, C++ and Tcl run in processes of the workers.
    [[nodiscard]] bool isolates() const { return options_.processes && !options_.dry_run; }
    [[nodiscard]] const RunControl& control() const { return control_; }
    /// A call has failed; if that ends the run, no other begins.
    void stop_at_failure() {
        if (options_.failures != FailurePolicy::independent) control_.stop();
    }
    /// False if the run was stopped meanwhile.
    [[nodiscard]] bool sleep(double seconds);
    /// How long calls of this thread have waited for an attempt or for their share, since it was last set to 0.
    static inline thread_local double held_up_s = 0;
    static void count_held_up(std::chrono::steady_clock::time_point since);
    /// A line for the user, on standard error.
    static void warn(const std::string& text);

    processes::ProcessTable processes;
    processes::HelperSource helpers{processes};
    Interpreters interpreters{helpers};
    std::unique_ptr<TclEvaluator> tcl;  // once a leaf needs it
    WorkerProcesses workers{helpers};
    ResourceGate gate;
    ContentHashes hashes;
    std::string run_folder;  // of the run that is resumed; empty: a new one, at the first record
    RunRecord run;           // what the record says of the run
    std::function<std::string(Position)> place_of;
    bool resumed = false;    // results of the folder are used again
    bool begins_run = true;  // else another process of the run writes down its beginning and end

    /// What the run's checkpoint file holds, then those that are reloaded. Opened when the run begins.
    std::vector<std::unique_ptr<Memo>> checkpoints;
    /// Null if there is none.
    [[nodiscard]] Memo* cache();
    [[nodiscard]] Memo* run_memo();
    [[nodiscard]] RunFolder* record();
    /// The folder of this run's record; empty if none was made.
    [[nodiscard]] std::string record_path();
    /// Ends the run's record, and if all went well, results that only resuming needs are deleted.
    void end_record(const RunEnd& end);
    /// What went wrong with the folders, and what was cut from them.
    [[nodiscard]] std::string folder_messages();

    // Relaxed: shown as progress, and read when all threads have ended.
    std::atomic<std::uint64_t> cached{0};
    std::atomic<std::uint64_t> retried{0};

  private:
    void open_run_folder_assume_locked();
    void note_assume_locked(const std::string& text);

    RunOptions options_;
    RunControl& control_;
    std::mutex sleep_mutex_;
    std::condition_variable woken_;
    RunControl::Listener listener_;
    std::mutex folders_mutex_;
    std::unique_ptr<Memo> cache_;
    std::unique_ptr<Memo> run_memo_;
    std::unique_ptr<RunFolder> record_;
    bool folders_failed_ = false;
    bool cache_failed_ = false;
    std::string messages_;
};

}  // namespace refrain::script
