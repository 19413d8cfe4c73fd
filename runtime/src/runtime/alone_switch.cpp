#include "runtime/alone_switch.hpp"

#include <algorithm>

namespace refrain::runtime {

void AloneSwitch::look(graph::OperationNumber next, std::uint64_t expected, std::uint64_t loop) {
    if (!host_.measures_alone()) return take_turns(next);
    if (loop_ != nullptr) {
        if (goes_on(next)) return;
        end_stretch(next, expected, loop);
    }
    loop_ = &choose(next, loop);
    begin_stretch(next, expected);
}

/// A folded loop has lasted a window, so a short one has gone round twice.
graph::LatestLoops::Loop& AloneSwitch::choose(graph::OperationNumber next, std::uint64_t loop) {
    if (loop != seen_) {
        seen_ = loop;
        seen_since_ = next;
    }
    const bool lasts = loop != 0 && (2 * loop <= window_ || next - seen_since_ >= 2 * loop);
    if (!lasts || irregular_.policy.is_trying()) return irregular_;
    return loops_.of(loop, irregular_.policy.decision());
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
    const bool is_left = loop != loop_->length || 2 * (expected - begin_expected_) < launches;
    if (loop_ != &irregular_ && is_left) return policy.left();
    if (!policy.is_trying()) {
        launch_ticks_ = (host_.ticks() - begin_ticks_) / launches;
        const bool may_last = loop != 0 && loop == seen_;
        if (loop_ != &irregular_ || !may_last) policy.rested();
        return;
    }
    if (launches < stretch_) return policy.gave_up();
    const std::uint64_t shared = host_.shared_when_alone() - begin_shared_;
    if (policy.is_alone() && policy.is_timed() && 2 * shared > launches)
        return policy.was_shared_anyway();
    host_.finish_all();
    policy.tried(host_.ticks() - begin_ticks_);
}

void AloneSwitch::begin_stretch(graph::OperationNumber next, std::uint64_t expected) {
    const graph::AlonePolicy& policy = loop_->policy;
    const bool is_trying = policy.is_trying();
    if (is_trying) host_.finish_all();
    host_.run_alone(policy.is_alone());
    const std::uint64_t length = std::max<std::uint64_t>(loop_->length, 1);
    const std::uint64_t usual = std::max(window_, 2 * length);
    const std::uint64_t least = is_trying ? host_.launches_to_try(launch_ticks_) : usual;
    // Irregular launches differ from each other: a whole window of them is timed.
    timed_ = loop_ == &irregular_ ? usual : (least + length - 1) / length * length;
    stretch_ = is_trying && !policy.is_timed() ? least : timed_;
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
