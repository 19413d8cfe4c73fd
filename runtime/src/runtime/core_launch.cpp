// Launches: each passes here, so this is a hot path; and the tables that they fill.

#include "refrain/error.hpp"
#include "runtime/core.hpp"
#include "runtime/direct_launch.hpp"
#include "runtime/launch_errors.hpp"
#include "runtime/observed.hpp"
#include "runtime/token.hpp"

#include <string>

namespace refrain::runtime {

regions::FutureState* Core::make_future(const LaunchSite& site, const data::Box& domain, int rank,
                                        std::size_t value_bytes) {
    check_thread("launch");
    const std::uint32_t count = checked_points(site, domain, rank);
    ++futures_made_;
    return futures_.make(value_bytes, count);
}

void Core::launch(const LaunchDescription& launch) {
    guarded(launch.site, [&] {
        check_thread("launch");
        if (launch.kind->domain_rank != 0 && launch.domain->empty()) return;
        if (observer_ != nullptr) [[unlikely]]
            return launch_observed(launch);
        launch_checked<false>(launch);
    });
}

void Core::launch_observed(const LaunchDescription& launch) {
    // Only where a loop goes on: so there is no manual trace, and the recogniser is the one that looks at each launch.
    if (observer_->only_counts(next_operation_.value())) {
        if (launch_expected<false>(launch))
            return observer_->passed(
                launch.site, [&] { return static_cast<std::uint32_t>(launch.domain->volume()); });
    }
    launch_told(launch);
}

void Core::launch_told(const LaunchDescription& launch) {
    observer_->launch_begins(next_operation_.value());
    const auto launching =
        observer_->launching(next_operation_.value(), &launch, [](const void* description) {
            return tile_of(*static_cast<const LaunchDescription*>(description));
        });
    launch_checked<true>(launch);
    observer_->launch_ended(launch.site);
}

// A hot path with two callers, launch and launch_told: inlined into both.
template <bool is_told>
inline void Core::launch_checked(const LaunchDescription& launch) {
    if (!manual_trace_) {
        if (inline_) return launch_in_stream<is_told>(launch);
        if (!auto_ && next_operation_ >= alone_switch_.next_look()) [[unlikely]]
            alone_switch_.look(next_operation_, 0, 0);  // no loop is known
    }
    hand_on(builder_.build(launch, next_operation_));
}

inline Operation& Core::build_expected(const LaunchDescription& launch,
                                       const CheckedLaunch& expected) {
    if (pipeline_.is_in_lanes())
        if (Operation* known =
                builder_.build_again(launch, expected, next_operation_, pipeline_.frontier()))
            return *known;
    Operation& built = builder_.build(launch, expected, next_operation_);
    if (pipeline_.may_use_rows() && expected.records != nullptr)
        expected.records->advance();  // LaunchRow, R5
    return built;
}

/// Of launch_in_row, where rows are of direct launches.
template <bool is_told>
inline bool Core::launch_directly_in_row(const LaunchDescription& launch) {
    const CheckedLaunch* const expected = inline_->expected_in_row(launch);
    graph::TaskCost* const cost =
        expected == nullptr ? nullptr : &builder_.cost_of(launch, expected->cost);
    if (cost == nullptr || !pipeline_.is_next_in_direct_row(*expected, launch.requirements) ||
        !pipeline_.may_be_direct_now(*cost, expected->points)) {
        pipeline_.end_row();
        return false;
    }
    DirectLaunch direct(launch, *expected, next_operation_);
    if constexpr (is_told) tell_launched(*observer_, direct);
    pipeline_.serve_direct_in_row<is_told>(direct, inline_->advance());
    ++next_operation_;
    if (!pipeline_.run_direct(direct, *cost)) [[unlikely]]
        retire_failed(direct);
    return true;
}

/// Whether the launch is one of the row (launch_row.hpp). If not, there is no row any more.
template <bool is_told>
inline bool Core::launch_in_row(const LaunchDescription& launch) {
    if (pipeline_.has_direct_rows()) return launch_directly_in_row<is_told>(launch);
    if constexpr (is_told) {
        pipeline_.end_row();  // its record must say that tasks are timed
        return false;
    }
    Operation* const record = pipeline_.next_in_row();
    if (record == nullptr) return false;
    const CheckedLaunch* const expected = inline_->expected_in_row(launch);
    if (expected == nullptr || !pipeline_.is_next_in_row(expected->records) ||
        !builder_.repeat(*record, launch, *expected, next_operation_)) {
        pipeline_.end_row();
        return false;
    }
    ++next_operation_;
    inline_->issue_in_row();
    return true;
}

/// Whether the launch has run, without an operation (direct_launch.hpp); if not, nothing has changed.
template <bool is_told>
inline bool Core::launch_directly(const LaunchDescription& launch, const CheckedLaunch& expected) {
    graph::TaskCost& cost = builder_.cost_of(launch, expected.cost);
    if (!pipeline_.may_be_direct(cost, expected.points)) return false;
    const trace::OperationMemo* const memo = inline_->memo_of_expected();
    if (memo == nullptr) return false;
    DirectLaunch direct(launch, expected, next_operation_);
    if constexpr (is_told) tell_launched(*observer_, direct);
    pipeline_.serve_direct<is_told>(direct, *memo, inline_->advance());
    ++next_operation_;
    if (!pipeline_.run_direct(direct, cost)) [[unlikely]]
        retire_failed(direct);
    return true;
}

void Core::retire_failed(DirectLaunch& direct) {
    LaunchDescription launch = direct.launch();
    LaunchKind kind = *launch.kind;
    kind.closure = {};  // it has been called
    launch.kind = &kind;
    pipeline_.retire_failed_direct(builder_.build(launch, direct.checked(), direct.number()),
                                   direct);
}

/// Whether the launch was the expected one of a loop that goes on: it is looked at before anything is made of it.
template <bool is_told>
inline bool Core::launch_expected(const LaunchDescription& launch) {
    if (next_operation_ >= alone_switch_.next_look()) [[unlikely]]
        alone_switch_.look(next_operation_, inline_->expected_launches(), inline_->loop_length());
    if (pipeline_.is_in_row() && launch_in_row<is_told>(launch)) return true;
    return inline_->loop_length() != 0 && launch_outside_of_row<is_told>(launch);
}

/// Not inlined: in a row nothing is saved for it.
template <bool is_told>
bool Core::launch_outside_of_row(const LaunchDescription& launch) {
    const CheckedLaunch* expected = inline_->expected(launch, next_operation_);
    if (expected == nullptr) return false;
    if (expected->shapes != nullptr && launch_directly<is_told>(launch, *expected)) return true;
    Operation& operation = build_expected(launch, *expected);
    pipeline_.launched(operation);
    ++next_operation_;
    inline_->issue_expected<is_told>(operation, expected->records);  // it fills no table
    return true;
}

template <bool is_told>
inline void Core::launch_in_stream(const LaunchDescription& launch) {
    if (launch_expected<is_told>(launch)) return;
    Operation& operation = builder_.build(launch, next_operation_);
    pipeline_.launched(operation);
    ++next_operation_;
    inline_->operation(operation, launch, builder_.checked());
    check_tables();
}

void Core::fence(const LaunchSite& site) {
    guarded(site, [&] {
        check_thread("fence");
        hand_on(builder_.build_fence(site, next_operation_));
    });
}

void Core::hand_on(Operation& operation) {
    pipeline_.launched(operation);
    ++next_operation_;
    const graph::OperationNumber number = operation.number;
    if (inline_ && !manual_trace_) {
        inline_->operation(operation);
    } else if (auto_ && !manual_trace_) {
        auto_->operation(operation);
    } else {
        if (observer_ != nullptr) [[unlikely]]
            tell_observer(operation);
        pipeline_.issue(number);
    }
    check_tables();
}

std::size_t Core::table_bytes() const {
    return pipeline_.table_bytes() + builder_.table_bytes();
}

/// After each operation that may fill tables. But a program waits at most once per 32 operations,
/// however small the limit is.
inline void Core::check_tables() {
    constexpr std::uint64_t reset_interval = 32;
    if (table_bytes() <= options_.limits.analysis_bytes) [[likely]]
        return;
    if (!manual_trace_ && next_operation_ - reset_before_ >= reset_interval) reset_tables();
}

void Core::tell_observer(Operation& operation) {
    if (!manual_trace_)
        return tell_launched(*observer_, operation,
                             [&] { return token_of(operation, options_.checks.token_bits); });
    time_tasks_if_sampled(*observer_, operation);
    observer_->launched_in_manual_trace(observed(operation));
}

}  // namespace refrain::runtime
