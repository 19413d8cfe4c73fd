#include "runtime/alone_switch.hpp"

#include <algorithm>

namespace refrain::runtime {

void AloneSwitch::look(graph::OperationNumber next, std::uint64_t expected, std::uint64_t loop) {
    if (!host_.measures_alone()) return take_turns(next);
    if (loop_ != nullptr) {
        if (goes_on(next)) return;
        end_stretch(next, expected, loop);
    }
    loop_ = loop == 0 ? nullptr : &loops_.of(loop);
    begin_stretch(next, expected);
}

void AloneSwitch::leave() {
    if (!host_.may_alternate()) return;
    if (loop_ != nullptr) loop_->policy.left();
    loop_ = nullptr;
    host_.run_alone(false);
}

bool AloneSwitch::goes_on(graph::OperationNumber next) {
    graph::AlonePolicy& policy = loop_->policy;
    const std::uint64_t launches = next - begin_;
    if (!policy.is_trying() || launches >= stretch_) return false;
    if (policy.is_hopeless({host_.ticks() - begin_ticks_, launches, loop_->length, timed_}))
        return false;
    next_look_ = next + std::min(std::max<std::uint64_t>(stretch_ / parts, 1), stretch_ - launches);
    return true;
}

void AloneSwitch::end_stretch(graph::OperationNumber next, std::uint64_t expected,
                              std::uint64_t loop) {
    graph::AlonePolicy& policy = loop_->policy;
    const std::uint64_t launches = next - begin_;
    if (loop != loop_->length || 2 * (expected - begin_expected_) < launches) return policy.left();
    if (!policy.is_trying()) {
        launch_ticks_ = (host_.ticks() - begin_ticks_) / launches;
        return policy.rested();
    }
    if (launches < stretch_) return policy.gave_up();
    const std::uint64_t shared = host_.shared_when_alone() - begin_shared_;
    if (policy.is_alone() && policy.is_timed() && 2 * shared > launches)
        return policy.was_shared_anyway();
    host_.finish_all();
    policy.tried(host_.ticks() - begin_ticks_);
}

void AloneSwitch::begin_stretch(graph::OperationNumber next, std::uint64_t expected) {
    const bool is_trying = loop_ != nullptr && loop_->policy.is_trying();
    const bool is_alone = loop_ != nullptr && loop_->policy.is_alone();
    if (is_trying) host_.finish_all();
    host_.run_alone(is_alone);
    const std::uint64_t length = loop_ == nullptr ? 1 : loop_->length;
    const std::uint64_t least =
        is_trying ? host_.launches_to_try(launch_ticks_) : std::max(window_, 2 * length);
    timed_ = (least + length - 1) / length * length;
    stretch_ = is_trying && !loop_->policy.is_timed() ? least : timed_;
    next_look_ = next + (is_trying ? std::max<std::uint64_t>(stretch_ / parts, 1) : stretch_);
    begin_ = next;
    begin_expected_ = expected;
    begin_shared_ = host_.shared_when_alone();
    begin_ticks_ = host_.ticks();
}

/// Of ever other lengths, so that rows and lanes begin and end at all places.
void AloneSwitch::take_turns(graph::OperationNumber next) {
    host_.run_alone(!host_.runs_alone());
    next_look_ = next + 50 + next.value() * 0x9fb21c651e98df25U % 451;
}

}  // namespace refrain::runtime
