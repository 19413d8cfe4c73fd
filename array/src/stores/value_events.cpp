#include "stores/value_events.hpp"

#include <algorithm>

namespace refrain::array {

void ValueEvents::add(const ValueEvent& event) {
    const std::lock_guard lock(lock_);
    Kept* found = nullptr;
    // The latest ones are the likeliest.
    for (auto kept = kept_.rbegin(); kept != kept_.rend() && found == nullptr; ++kept) {
        const ValueEvent& known = kept->event;
        const bool same_line = known.site == event.site && known.function == event.function &&
                               known.tag == event.tag && kept->told == 0;
        if (known.order == event.order || (same_line && kept_.size() >= kept_max)) found = &*kept;
    }
    if (found == nullptr) {
        forget_told();
        kept_.push_back({event});
        found = &kept_.back();
    }
    found->event.flags |= event.flags;
    if ((found->event.flags & ~found->told) != 0) any_.store(true, std::memory_order_release);
}

void ValueEvents::forget_told() {
    if (kept_.size() < kept_max) return;
    const auto half = kept_.begin() + kept_max / 2;
    kept_.erase(
        std::remove_if(kept_.begin(), half, [](const Kept& kept) { return kept.told != 0; }), half);
}

std::vector<ValueEvent> ValueEvents::take() {
    std::vector<ValueEvent> taken;
    {
        const std::lock_guard lock(lock_);
        for (Kept& kept : kept_) {
            const unsigned fresh = kept.event.flags & ~kept.told;
            if (fresh == 0) continue;
            taken.push_back(kept.event);
            taken.back().flags = fresh;
            kept.told |= fresh;
        }
        any_.store(false, std::memory_order_relaxed);
    }
    std::sort(taken.begin(), taken.end(),
              [](const ValueEvent& a, const ValueEvent& b) { return a.order < b.order; });
    return taken;
}

}  // namespace refrain::array
