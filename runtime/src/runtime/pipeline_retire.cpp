// The end of operations: those that have finished retire, oldest first.

#include "base/assertion.hpp"
#include "base/prefetch.hpp"
#include "regions/region_table.hpp"
#include "runtime/observed.hpp"
#include "runtime/operation_failure.hpp"
#include "runtime/pipeline.hpp"

namespace refrain::runtime {
namespace {

constexpr std::uint64_t look_ahead =
    8;  // operations whose flags are on their way from workers' caches

}  // namespace

void Pipeline::retire() {
    end_row();
    close_batch();  // what it waits for must not retire before
    retire_finished();
}

/// Hot: with one worker, after each launch.
[[gnu::always_inline]] inline void Pipeline::look_at_finished_below(graph::OperationNumber end) {
    const graph::Bundle* finished = nullptr;  // members of a batch finish together
    for (; oldest_ < end; ++oldest_) {
        Operation& operation = ring_[oldest_];
        if (operation.bundles != finished) {
            if (!operation.is_finished()) break;
            finished = operation.bundles;
            if (oldest_ + look_ahead < end)
                base::prefetch_for_read(ring_[oldest_ + look_ahead].bundles);
        }
        if (operation.needs_cleanup || operation.failure_cause() != nullptr) retire(operation);
    }
}

void Pipeline::retire_finished_below(graph::OperationNumber end) {
    look_at_finished_below(end);
}

void Pipeline::retire_finished() {
    REFRAIN_ASSERT(!batch_linker_.is_open(),
                   "an operation retires that an open batch may wait for");
    settle();
    const graph::OperationNumber before = oldest_;
    look_at_finished_below(next_issue_);
    if (oldest_ != before) {
        records_.retire_below(oldest_.value());
        edges_.retire_below(oldest_.value());
    }
    if (regions_.has_dead_before(oldest_)) reclaim_regions();
    if (options_.progress_line != nullptr) [[unlikely]]
        tell_progress_line();
}

void Pipeline::reclaim_regions() {
    interrupt_row();  // LaunchRow, R1
    regions_.reclaim(oldest_);
}

void Pipeline::retire(Operation& operation) {
    if (operation.failure_cause() != nullptr) retire_failed(operation);
    if (operation.needs_cleanup) clean_up(operation);
}

void Pipeline::retire_failed(Operation& operation) {
    row_.interrupt(next_issue_);  // LaunchRow, R1
    regions::Failure* failure = runtime::failure_of(operation);
    if (failure->operation == operation.number) failures_.add(failure);
    failures_.add(run_context_.secondary_failures);
    regions::FailureLog::note_use(*failure, operation.number);
    if (options_.observer != nullptr)
        options_.observer->failed(observed_failure(operation, failures_));
    analysis_.note_failed(operation.number, next_issue_);
    record_taints(taints_, operation, next_issue_ - 1);
    if (operation.result != nullptr) {
        operation.result->failure = failure;
        ++failure->references;
    }
    failures_.purge(oldest_, options_.window);
}

void Pipeline::clean_up(Operation& operation) {
    if (operation.result != nullptr) operation.result->retired = true;
    operation.release_owned();
}

/// An operation that is tied in halfway, or a batch that it was to join, holds a count that never
/// becomes zero.
void Pipeline::abandon(graph::OperationNumber end) noexcept {
    workers_.stop_threads();
    if (is_in_row() && !has_direct_rows()) mark_unfinished_of_row();
    for (auto number = oldest_; number < end; ++number) {
        Operation& operation = ring_[number];
        const bool is_tied_in = operation.causes != nullptr;
        regions::Failure* failure = is_tied_in ? runtime::failure_of(operation) : nullptr;
        try {
            if (failure != nullptr && failure->operation == number && !failures_.owns(*failure))
                failures_.add(failure);
        } catch (const std::bad_alloc&) {  // it is not freed
        }
        operation.release_owned();
    }
    try {
        failures_.add(run_context_.secondary_failures);
    } catch (const std::bad_alloc&) {  // these failures are not reported
    }
}

regions::Failure* Pipeline::failure_of(graph::OperationNumber number) const {
    return runtime::failure_of(ring_[number]);
}

}  // namespace refrain::runtime
