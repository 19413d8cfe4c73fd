// Rows (launch_row.hpp): launches of which next to nothing is written at first.

#include "base/assertion.hpp"
#include "runtime/pipeline.hpp"

#include <algorithm>

namespace refrain::runtime {

void Pipeline::count_for_row(Operation& operation, LaunchRecords* records,
                             const graph::LanePlan* plan, const trace::OperationMemo& memo,
                             std::uint64_t loop) {
    if (row_.rests(operation.number, loop)) return;
    LaunchRow::Place place;
    LaunchRow::Record record;
    if (plan != nullptr && operation.is_kept) {
        place = {&memo, operation.shapes().data(), records->links_max};
        record = {.operation = &operation,
                  .closure = operation.closure,
                  .plan = plan,
                  .records = records,
                  .next = records->next,
                  .bytes = record_bytes_of(operation)};
    }
    pass_for_row(place, record, operation.number, operation.regions(), loop);
    if (plan != nullptr && row_.may_open(operation.number, regions_.has_views())) [[unlikely]]
        row_.open(next_issue_);
}

void Pipeline::pass_for_row(const LaunchRow::Place& place, const LaunchRow::Record& record,
                            graph::OperationNumber number,
                            std::span<analysis::RegionHistory* const> regions, std::uint64_t loop) {
    const auto is_in_one_chain = [](const analysis::RegionHistory* region) {
        return region->cells == nullptr;
    };
    const bool fits = place.memo != nullptr && std::ranges::all_of(regions, is_in_one_chain);  // R3
    if (!fits && row_.is_idle(number)) return row_.interrupt(next_issue_);
    const std::size_t width = row_.width();
    row_.passed(fits ? place : LaunchRow::Place{}, record, regions, number, loop);
    // note_late may write down a window of launches at any time. Launches of more regions take memory as they come:
    // few of a loop are so wide.
    constexpr std::size_t width_max = 16;
    if (row_.width() > width && width < width_max) [[unlikely]]
        history_.reserve(std::min(row_.width(), width_max) * history_.window());
}

/// The same looks as before any launch in lanes (goes_into_lanes); what cannot change in a row is not asked.
Operation* Pipeline::next_in_row() {
    if (next_issue_ % retire_interval == 0) retire_in_row();
    if (!row_.is_open()) return nullptr;
    if (row_.next().memo == nullptr) {
        end_row();
        return nullptr;
    }
    Operation& operation = *row_.next_record().operation;
    const graph::Lanes& lanes = workers_.lanes();
    const std::uint64_t ticks = operation.cost->ticks() * operation.point_count;
    if (lanes.unsettled() >= lanes_ahead_max &&
        !wait_for_lanes(lanes_ahead_max / 2, lanes_ahead_max * ticks)) {
        lane_policy_.stalled();
        close_lanes();
        return nullptr;
    }
    const bool is_wanted = takes_all_ || lane_policy_.wants(ticks, row_.next_record().plan->waits(),
                                                            workers_.steal_cost().limits());
    if (is_wanted && !lanes.has_failures()) [[likely]] {
        REFRAIN_ASSERT(operation.number < oldest_, "a record in use is written again");  // R5
        return &operation;
    }
    end_row();
    return nullptr;
}

void Pipeline::issue_in_row() {
    const LaunchRow::Record& record = row_.next_record();
    const graph::OperationNumber number = next_issue_++;
    REFRAIN_ASSERT(record.operation->number == number, "a launch in a row has another's record");
    tracer_.serve_in_row();
    tasks_ += record.operation->point_count;
    ++in_rows_;
    ++kept_;
    row_.advance();
    workers_.publish_in_lanes(*record.operation, *record.plan, record.bytes);
    run_own_lane();
    sample_progress(number);
}

/// As make_room, without a look at what retires of the row: it is kept, owns nothing and had no failures.
void Pipeline::retire_in_row() {
    graph::Lanes& lanes = workers_.lanes();
    lanes.settle_unmarked_from(row_first_in_lanes());
    retire_finished_below(row_.first());
    if (oldest_ >= row_.first()) oldest_ = std::max(oldest_, next_issue_ - lanes.unsettled());
    records_.retire_below(oldest_.value());
    edges_.retire_below(oldest_.value());
    if (next_issue_ >= next_reserve_) [[unlikely]]
        reserve_records(next_issue_);
    if (regions_.has_dead_before(oldest_)) {
        interrupt_row();  // the history names them
        regions_.reclaim(oldest_);
    }
    if (options_.progress_line != nullptr) [[unlikely]]
        tell_progress_line();
}

/// Runs tasks until all launches have finished: a program that only waits asks nothing else, so the row stays
/// open. False if there is no row, or none any more, or if that takes long: then wait as ever.
bool Pipeline::finish_in_row() {
    if (!row_.is_open()) return false;
    if (oldest_ == next_issue_) {  // of direct launches, or all have retired
        if (regions_.has_dead_before(oldest_)) reclaim_regions();
        return true;
    }
    tell_wait_begins();  // as help_until; with time-phases there are no rows
    const std::uint64_t end = after_some_time();
    const graph::Lanes& lanes = workers_.lanes();
    workers_.help_until([&] {
        while (workers_.help_lanes()) {
        }
        retire_in_row();
        return oldest_ == next_issue_ || !row_.is_open() || lanes.has_failures() ||
               base::ticks() > end;
    });
    tell_wait_ended();
    return row_.is_open() && oldest_ == next_issue_;  // so there was no failure: R4
}

void Pipeline::note_late() {
    if (!has_direct_rows()) mark_unfinished_of_row();
    const graph::OperationNumber first = row_.first();
    row_.close(next_issue_);
    const std::uint64_t window = history_.window();
    std::uint64_t ago = std::min(next_issue_ - first, 2 * window);
    for (; ago > window; --ago)
        analysis::AccessHistory::append_forgotten(next_issue_ - ago, row_.regions_before(ago));
    for (; ago != 0; --ago) {
        const graph::OperationNumber number = next_issue_ - ago;
        const LaunchRow::Place& place = row_.before(ago);
        const auto regions = row_.regions_before(ago);
        tracer_.note_late(number, {place.shapes, regions.size()}, regions, *place.memo);
        for (analysis::RegionHistory* region : regions)
            static_cast<regions::RegionRoot*>(region)->last_use = number;
    }
}

/// So that those that have not retired are found as ever, and later launches use the next records.
void Pipeline::mark_unfinished_of_row() noexcept {
    const std::uint64_t unsettled = workers_.lanes().unsettled();
    const std::uint64_t count = next_issue_ - row_.first();
    for (std::uint64_t ago = std::min(count, next_issue_ - oldest_); ago != 0; --ago) {
        Operation& operation = *row_.record_before(ago).operation;
        REFRAIN_ASSERT(operation.number == next_issue_ - ago,
                       "a record was used again before its operation retired");  // LaunchRow, R5
        ring_.push(operation, oldest_);
        if (ago <= unsettled) graph::rearm_bundles(operation);
    }
    for (std::uint64_t ago = std::min<std::uint64_t>(count, row_.size()); ago != 0; --ago) {
        const LaunchRow::Record& record = row_.record_before(ago);
        record.records->next = record.next;
    }
    if (count != 0) row_.record_before(1).records->memory->used_by(next_issue_ - 1);
}

}  // namespace refrain::runtime
