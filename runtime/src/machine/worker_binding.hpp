#pragma once

#include <optional>
#include <pthread.h>
#include <string>
#include <vector>

#include "machine/cores.hpp"

namespace refrain::machine {

enum class BindingWish {
    automatic,  ///< where the process owns the machine
    none,
    cores,  ///< always
};

/// The cores of one runtime's workers.
///
///     WorkerBinding binding(BindingWish::automatic, 4);
///     binding.bind(1, thread);            // worker 1 runs on the second core from now on
///     binding.description()               // "cores", or "none: " and why
///
/// The launching thread, worker 0, is not bound: it is the program's, and what the program starts from
/// it, threads and processes, would inherit that. It has the core on which the runtime was made to
/// itself, as far as the other workers go. The system takes memory from the node of the core that
/// touches it first, so a bound worker has its data nearby.
///
///   all members    launching thread
/// I1  At most one runtime of a process binds unless it is told to: `bound_runtimes` counts them.
class WorkerBinding {
  public:
    /// Errors:      UsageError if `cores` is wished, and the cores are not known.
    WorkerBinding(BindingWish wish, unsigned workers);
    ~WorkerBinding();
    WorkerBinding(const WorkerBinding&) = delete;
    WorkerBinding& operator=(const WorkerBinding&) = delete;
    WorkerBinding(WorkerBinding&&) = delete;
    WorkerBinding& operator=(WorkerBinding&&) = delete;

    /// Binds the thread of `worker`, which is not 0; leaves it as it is if no worker is to be bound.
    void bind(unsigned worker, pthread_t thread) noexcept;
    /// In the child of a fork(): its workers are not bound if nobody wished it, since those of the
    /// parent are.
    void leave_to_parent() noexcept;

    [[nodiscard]] const std::string& description() const { return description_; }
    /// The core that the worker is bound to, or null.
    [[nodiscard]] const Core* core_of(unsigned worker) const;

  private:
    void decide(unsigned workers);
    void give_up(const std::string& reason);

    const BindingWish wish_;
    std::vector<Core> cores_;  // in the order of the workers; empty: none is bound
    std::vector<bool> is_bound_;
    std::string description_;
    bool is_counted_ = false;
};

}  // namespace refrain::machine
