#include "runtime/analysis_switch.hpp"

#include "base/assertion.hpp"

#include <algorithm>

namespace refrain::runtime {

void AnalysisSwitch::make_states() {
    states_.emplace(options_.window, parts_.footprints, parts_.patterns,
                    states::RegionStates::Limits{.bytes = options_.state_bytes});
}

void AnalysisSwitch::change_to_states() {
    parts_.tracer.analyse_by(*states_);
    by_ = By::states;
}

void AnalysisSwitch::begin_with_states() {
    make_states();
    change_to_states();
}

void AnalysisSwitch::end_states() {
    states_.reset();
    by_ = By::walks;
    parts_.tracer.analyse_by_walks();
}

void AnalysisSwitch::begin_dormancy() {
    REFRAIN_ASSERT(by_ == By::walks, "dormancy begins twice");
    if (!states_) make_states();
    states_next_ = 0;
    by_ = By::walks_at_first;
}

/// Oldest first. What they find is known from the walks already. What they knew before must have
/// finished: they missed what came after it.
void AnalysisSwitch::learn_pending(const Pending& pending) {
    constexpr int learned_per_launch = 16;  // so that no launch waits for all
    if (pending.oldest < states_end_) return;
    if (states_next_ == 0) states_->resume(pending.oldest);
    states_next_ = std::max(states_next_, pending.oldest);
    for (int i = 0; i < learned_per_launch && states_next_ < pending.end; ++i, ++states_next_) {
        const Operation& operation = parts_.operations[states_next_];
        if (operation.point_count > options_.window) return;  // as in InlineHost::sleeps_through
        static_cast<void>(
            states_->dependences(states_next_, operation.shapes(), operation.regions()));
    }
    if (states_next_ < pending.end) return;
    caught_up_ = pending.end - 1;
    change_to_states();
}

/// Walks find what is pending, and nothing older: that has finished. Nor do they inherit from it what
/// nobody asked for.
void AnalysisSwitch::end_dormancy(const Pending& pending) {
    if (by_ != By::states) {
        states_end_ = std::max(states_end_, states_next_);
    } else {
        states_end_ = pending.end;
        catch_up_history(pending.oldest - 1, pending.end);
        parts_.history.forget_before(pending.oldest);
        parts_.history.walks_begin_at(pending.end);
        parts_.tracer.analyse_by_walks();
    }
    by_ = By::walks;
}

void AnalysisSwitch::catch_up_history(graph::OperationNumber number, graph::OperationNumber end) {
    for (auto next = std::max(caught_up_, number) + 1; next < end; ++next) {
        const Operation& later = parts_.operations[next];
        parts_.history.append(next, later.shapes(), later.regions(), parts_.footprints);
    }
    caught_up_ = end - 1;
}

std::span<const analysis::Source> AnalysisSwitch::sources_of_host(
    graph::OperationNumber next, const analysis::RequirementShape& shape,
    analysis::RegionHistory& region) {
    return is_by_states() ? states_->dependences_of_host(next, shape, region)
                          : parts_.walk.walk_for_host(next, shape, region);
}

}  // namespace refrain::runtime
