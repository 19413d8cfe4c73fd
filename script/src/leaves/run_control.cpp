#include "refrain/script/run_control.hpp"

namespace refrain::script {

RunControl::Listener::Listener(RunControl& control, std::function<void()> on_change)
    : control_(control) {
    const std::lock_guard lock(control_.mutex_);
    number_ = control_.next_++;
    control_.listeners_.emplace(number_, std::move(on_change));
}

RunControl::Listener::~Listener() {
    const std::lock_guard lock(control_.mutex_);
    control_.listeners_.erase(number_);
}

void RunControl::raise(int level) {
    const std::lock_guard lock(mutex_);
    if (level_.load(std::memory_order_relaxed) >= level) return;  // written under the mutex only
    level_.store(level, std::memory_order_release);  // pairs with stopped() and killed()
    for (const auto& [number, each] : listeners_) each();
}

}  // namespace refrain::script
