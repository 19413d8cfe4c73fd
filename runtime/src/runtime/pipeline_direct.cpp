// Launches that run inside of the call that launches them (direct_launch.hpp).

#include "base/assertion.hpp"
#include "runtime/direct_launch.hpp"
#include "runtime/pipeline.hpp"

namespace refrain::runtime {

template <bool is_told>
void Pipeline::serve_direct(DirectLaunch& launch, const trace::OperationMemo& memo,
                            const PlaceInLoop& place) {
    if (launch.number() % retire_interval == 0) make_room(launch.number());
    if constexpr (is_told) tell_begins(launch.number());
    issue_direct(launch);
    launch.note_uses();
    // Where its sources are need not be known: they have run (DirectLaunch, D1).
    static_cast<void>(tracer_.serve(launch.number(), launch.shapes(), launch.regions(), memo));
    sample_progress(launch.number());
    if constexpr (is_told) tell_direct(launch, memo, place);
    if (!may_use_rows_ || row_.rests(launch.number(), place.loop)) return;
    const LaunchRow::Place noted{
        .memo = &memo, .shapes = launch.checked().shapes, .links_max = launch.checked().links_max};
    pass_for_row(noted, {}, launch.number(), launch.regions(), place.loop);
    if (row_.may_open(launch.number(), regions_.has_views())) [[unlikely]]
        row_.open(next_issue_);
}

/// Nothing retires here, since that may end the row: dead regions are looked for once the launch has run.
template <bool is_told>
void Pipeline::serve_direct_in_row(const DirectLaunch& launch, const PlaceInLoop& place) {
    if (options_.progress_line != nullptr && launch.number() % retire_interval == 0) [[unlikely]]
        tell_progress_line();
    if constexpr (is_told) tell_begins(launch.number());
    issue_direct(launch);
    tracer_.serve_in_row();
    sample_progress(launch.number());
    if constexpr (is_told) tell_direct(launch, *row_.next().memo, place);
    ++in_rows_;
    row_.advance();
}

template void Pipeline::serve_direct<false>(DirectLaunch&, const trace::OperationMemo&,
                                            const PlaceInLoop&);
template void Pipeline::serve_direct<true>(DirectLaunch&, const trace::OperationMemo&,
                                           const PlaceInLoop&);
template void Pipeline::serve_direct_in_row<false>(const DirectLaunch&, const PlaceInLoop&);
template void Pipeline::serve_direct_in_row<true>(const DirectLaunch&, const PlaceInLoop&);

inline void Pipeline::issue_direct(const DirectLaunch& launch) {
    const graph::OperationNumber number = launch.number();
    REFRAIN_ASSERT(number == next_issue_, "operations are issued out of order");
    ++next_issue_;
    tasks_ += launch.points();
    ++direct_;
}

bool Pipeline::run_direct(DirectLaunch& launch, graph::TaskCost& cost) {
    const std::uint64_t failed =
        workers_.run_directly(cost, launch.points(), [&] { return launch.run(); });
    oldest_ = next_issue_;
    if (failed != 0) [[unlikely]] {
        interrupt_row();
        return false;
    }
    if (launch.launch().result != nullptr) launch.launch().result->retired = true;
    launch.give_up_closure();  // perhaps what keeps a region alive
    if (regions_.has_dead_before(oldest_)) [[unlikely]]
        reclaim_regions();
    return true;
}

/// Late, it takes its place among those that have not retired: if memory runs out here, what it owns is found
/// there (abandon).
void Pipeline::retire_failed_direct(Operation& operation, DirectLaunch& launch) {
    oldest_ = operation.number;
    launched(operation);
    prepare(operation);
    std::uint64_t failed = 0;
    for (; regions::Failure* const failure = launch.failure(); launch.failure_is_taken()) {
        failure->is_further = failed != 0;
        failed |= std::uint64_t{1} << failure->point;
        if (failure->is_further)
            run_context_.secondary_failures.add(failure);
        else
            operation.causes->store(failure, std::memory_order_relaxed);  // no worker reads it
    }
    REFRAIN_ASSERT(failed != 0, "a launch without failures retires as one that failed");
    graph::Bundle& bundle = operation.bundles[0];
    bundle.state.store(graph::all_points(bundle) | failed << 8, std::memory_order_relaxed);
    bundle.finished.store(1, std::memory_order_relaxed);
    retire_finished();
}

}  // namespace refrain::runtime
