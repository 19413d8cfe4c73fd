#include "runtime/fork_guard.hpp"

#include <mutex>
#include <pthread.h>
#include <vector>

namespace refrain::runtime {

/// All guards of the process. A fork holds the mutex from before it to after it: the child has it as
/// the parent does.
struct ForkGuards {
    std::mutex mutex;
    std::vector<ForkGuard*> guards;

    static ForkGuards& of_process() {
        static auto* all = [] {
            auto* made = new ForkGuards;  // never destroyed: a process may fork to the very end
            pthread_atfork(&before, &in_parent, &in_child);
            return made;
        }();
        return *all;
    }
    static void before() {
        ForkGuards& all = of_process();
        all.mutex.lock();
        for (ForkGuard* guard : all.guards) guard->is_prepared_ = guard->prepare_for_fork();
    }
    static void after(bool is_child) {
        ForkGuards& all = of_process();
        for (ForkGuard* guard : all.guards)
            if (guard->is_prepared_) guard->forked(is_child);
        all.mutex.unlock();
    }
    static void in_parent() { after(false); }
    static void in_child() { after(true); }
};

void ForkGuard::begin() {
    ForkGuards& all = ForkGuards::of_process();
    const std::lock_guard lock(all.mutex);
    all.guards.push_back(this);
}

void ForkGuard::end() noexcept {
    ForkGuards& all = ForkGuards::of_process();
    const std::lock_guard lock(all.mutex);
    std::erase(all.guards, this);
}

}  // namespace refrain::runtime
