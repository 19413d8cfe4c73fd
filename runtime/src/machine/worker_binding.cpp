#include "machine/worker_binding.hpp"

#include "refrain/error.hpp"

#include <atomic>
#include <sched.h>

#include "machine/ownership.hpp"
#include "machine/places.hpp"

namespace refrain::machine {
namespace {

/// Relaxed: it guards nothing but the choice of I1.
std::atomic<unsigned> bound_runtimes{0};

[[nodiscard]] bool bind_thread(pthread_t thread, const std::vector<unsigned>& processors) noexcept {
    const unsigned count = processors.back() + 1;
    cpu_set_t* const set = CPU_ALLOC(count);
    if (set == nullptr) return false;
    const std::size_t bytes = CPU_ALLOC_SIZE(count);
    CPU_ZERO_S(bytes, set);
    for (const unsigned processor : processors) CPU_SET_S(processor, bytes, set);
    const bool is_bound = pthread_setaffinity_np(thread, bytes, set) == 0;
    CPU_FREE(set);
    return is_bound;
}

[[nodiscard]] unsigned current_processor() {
    const int processor = sched_getcpu();
    return processor < 0 ? 0 : static_cast<unsigned>(processor);
}

/// Counts one more runtime that binds; of those that nobody told to, only the first.
[[nodiscard]] bool count_runtime(BindingWish wish) {
    if (wish == BindingWish::cores) {
        bound_runtimes.fetch_add(1, std::memory_order_relaxed);
        return true;
    }
    unsigned none = 0;
    return bound_runtimes.compare_exchange_strong(none, 1, std::memory_order_relaxed,
                                                  std::memory_order_relaxed);
}

}  // namespace

WorkerBinding::WorkerBinding(BindingWish wish, unsigned workers)
    : wish_(wish), is_bound_(workers, false) {
    if (wish == BindingWish::none)
        give_up("option bind = none");
    else
        decide(workers);
}

WorkerBinding::~WorkerBinding() {
    if (is_counted_) bound_runtimes.fetch_sub(1, std::memory_order_relaxed);
}

void WorkerBinding::decide(unsigned workers) {
    const bool is_told = wish_ == BindingWish::cores;
    if (!is_told) {
        const std::string reason = reason_not_owner(Surroundings::of_this_process(), workers);
        if (!reason.empty()) return give_up(reason);
    }
    const Cores& cores = cores_of_this_machine();
    if (!cores.problem.empty()) {
        if (is_told)
            throw UsageError("option bind = cores: the cores of the machine are not known: " +
                             cores.problem + ", or choose bind = auto or none");
        return give_up(cores.problem);
    }
    if (!is_told) {
        const std::string reason = reason_not_owner(cores.all, workers);
        if (!reason.empty()) return give_up(reason);
    }
    std::vector<Core> usable = restrict_to(cores.all, allowed_processors());
    if (usable.empty()) return give_up("the system does not tell which processors may be used");
    if (!count_runtime(wish_))
        return give_up("another runtime of the process has bound its workers");
    is_counted_ = true;
    cores_ = starting_at(std::move(usable), current_processor());
    description_ = "cores";
}

void WorkerBinding::give_up(const std::string& reason) {
    cores_.clear();
    is_bound_.assign(is_bound_.size(), false);
    description_ = "none: " + reason;
}

void WorkerBinding::bind(unsigned worker, pthread_t thread) noexcept {
    if (cores_.empty()) return;
    is_bound_[worker] = bind_thread(thread, core_of_worker(cores_, worker).processors);
}

void WorkerBinding::leave_to_parent() noexcept {
    if (wish_ != BindingWish::automatic || cores_.empty()) return;
    try {
        give_up("the workers of the parent process are bound");
    } catch (...) {  // without memory for the words
        cores_.clear();
    }
}

const Core* WorkerBinding::core_of(unsigned worker) const {
    return is_bound_[worker] ? &core_of_worker(cores_, worker) : nullptr;
}

}  // namespace refrain::machine
