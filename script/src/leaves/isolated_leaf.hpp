#pragma once

#include "leaves/leaf.hpp"
#include "processes/helper_process.hpp"

#include <deque>
#include <memory>

namespace refrain::script {

/// A process per worker in which leaves are called, so that a crash ends one call, and a call can be killed.
///
/// The processes are copies of this one as it was before the run: so is what leaves have in memory, and what they change stays
/// in their process. Threads: any, once started.
class WorkerProcesses {
  public:
    explicit WorkerProcesses(processes::HelperSource& source) : source_(source) {}

    /// All leaves and the services must be there already. Errors: ScriptError.
    void start(std::uint32_t workers);
    /// Calls it in the process of the calling worker. Errors: ScriptError, also if the process dies; the next call has a new
    /// one.
    void call(const Leaf& leaf, Arguments arguments, Results results, Services& services);

  private:
    processes::HelperSource& source_;
    std::deque<processes::HelperSlot> slots_;  // by worker
};

/// A leaf that is called in a process of the worker.
class IsolatedLeaf : public Leaf {
  public:
    IsolatedLeaf(std::unique_ptr<Leaf> leaf, WorkerProcesses& workers)
        : leaf_(std::move(leaf)), workers_(workers) {}
    void call(Arguments arguments, Results results, Services& services) const override {
        workers_.call(*leaf_, arguments, results, services);
    }
    [[nodiscard]] std::string describe(Arguments arguments,
                                       std::span<const Value> results) const override {
        return leaf_->describe(arguments, results);
    }

  private:
    std::unique_ptr<Leaf> leaf_;
    WorkerProcesses& workers_;
};

}  // namespace refrain::script
