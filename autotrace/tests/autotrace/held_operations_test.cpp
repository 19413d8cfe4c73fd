#include "autotrace/held_operations.hpp"

#include <gtest/gtest.h>

#include "recording_host.hpp"

namespace refrain::autotrace::testing::held_operations_test {
namespace {

/// Holds a b . c . . d; the carried operations are 2, 4 and 5.
struct Held {
    Held() : operations(64, host, window) {
        for (const OperationHandle handle : {0, 1, 3, 6}) {
            host.tokens.emplace(handle, Token{0, handle});
        }
        operations.push(0);
        operations.push(1);
        operations.carry(2);
        operations.push(3);
        operations.carry(4);
        operations.carry(5);
        operations.push(6);
    }
    RecordingHost host;
    detail::HeldWindow window;
    HeldOperations operations;
};

using Kind = Event::Kind;

TEST(HeldOperations, carried_operations_are_issued_in_launch_order) {
    Held held;
    EXPECT_EQ(held.operations.size(), 7U);
    held.operations.issue_until(2);
    EXPECT_EQ(held.host.issued, (std::vector<OperationHandle>{0, 1}));
    EXPECT_EQ(held.window.oldest, 2U);
    EXPECT_EQ(held.operations.carried_before_base(), 1U);
    held.operations.issue_until(4);
    EXPECT_EQ(held.host.issued, (std::vector<OperationHandle>{0, 1, 2, 3, 4, 5, 6}));
    EXPECT_TRUE(held.operations.empty());
    EXPECT_GT(held.window.oldest, held.window.newest);
}

TEST(HeldOperations, carried_operations_at_the_ends_of_a_trace_stay_outside) {
    Held held;
    held.operations.issue_until(2);
    held.operations.issue_trace(TraceId{1}, 3);
    const std::vector<Event> expected = {{Kind::issue, 0},    {Kind::issue, 1}, {Kind::issue, 2},
                                         {Kind::begin, 1, 1}, {Kind::issue, 3}, {Kind::end, 1}};
    EXPECT_TRUE(held.host.events == expected);
    EXPECT_EQ(held.window.oldest, 4U);
}

TEST(HeldOperations, carried_operations_inside_a_trace_are_issued_inside) {
    Held held;
    held.operations.issue_trace(TraceId{1}, 4);
    const std::vector<Event> expected = {{Kind::begin, 1, 4}, {Kind::issue, 0}, {Kind::issue, 1},
                                         {Kind::issue, 2},    {Kind::issue, 3}, {Kind::issue, 4},
                                         {Kind::issue, 5},    {Kind::issue, 6}, {Kind::end, 1}};
    EXPECT_TRUE(held.host.events == expected);
}

TEST(HeldOperations, operations_carried_after_the_last_traceable_one_are_issued_with_it) {
    Held held;
    held.operations.carry(7);
    held.operations.issue_trace(TraceId{1}, 4);
    EXPECT_TRUE(held.operations.empty());
    EXPECT_TRUE(held.host.events.back() == (Event{Kind::issue, 7}));
}

TEST(HeldOperations, report_when_either_ring_is_full) {
    RecordingHost host;
    host.keep_events = false;
    detail::HeldWindow window;
    HeldOperations traceable(10, host, window);
    HeldOperations carried(10, host, window);
    int pushed = 0;
    while (!traceable.full()) traceable.push(static_cast<OperationHandle>(pushed++));
    EXPECT_GE(pushed, 10);
    pushed = 0;
    while (!carried.full()) carried.carry(static_cast<OperationHandle>(pushed++));
    EXPECT_GE(pushed, 10);
    traceable.issue_until(traceable.end());
    EXPECT_FALSE(traceable.full());
}

}  // namespace
}  // namespace refrain::autotrace::testing::held_operations_test
