#include "graph/work_queue.hpp"

#include <array>
#include <gtest/gtest.h>

namespace refrain::graph::work_queue_test {
namespace {

ReadyPoints item(std::uint64_t n) {
    return ReadyPoints(n << 8);
}

TEST(WorkQueue, the_owner_pops_the_newest_and_a_thief_steals_the_oldest) {
    WorkQueue queue(4);
    for (std::uint64_t n = 1; n <= 3; ++n) queue.push(item(n));
    EXPECT_EQ(queue.pop().word(), item(3).word());
    EXPECT_EQ(queue.steal().word(), item(1).word());
    EXPECT_EQ(queue.pop().word(), item(2).word());
    EXPECT_FALSE(queue.pop());
    EXPECT_FALSE(queue.steal());
}

TEST(WorkQueue, a_thief_takes_several_of_the_oldest_in_order_and_no_more_than_there_are) {
    WorkQueue queue(2);
    for (std::uint64_t n = 1; n <= 5; ++n) queue.push(item(n));
    std::array<ReadyPoints, 3> taken;
    ASSERT_EQ(queue.steal_several(taken), 3U);
    for (std::uint64_t n = 0; n < 3; ++n) EXPECT_EQ(taken[n].word(), item(n + 1).word());
    ASSERT_EQ(queue.steal_several(taken), 2U);
    EXPECT_EQ(taken[1].word(), item(5).word());
    EXPECT_EQ(queue.steal_several(taken), 0U);
    EXPECT_FALSE(queue.steal());
}

TEST(WorkQueue, several_that_are_pushed_at_once_are_stolen_in_order_and_popped_in_the_other) {
    WorkQueue queue(2);
    queue.push(item(1));
    EXPECT_TRUE(queue.steal());
    queue.push(item(1));
    const std::array several{item(2), item(3), item(4), item(5), item(6), item(7)};
    queue.push_several(several);  // grows twice
    EXPECT_EQ(queue.size(), 7U);
    queue.push_several({});
    EXPECT_EQ(queue.pop().word(), item(7).word());
    for (std::uint64_t n = 1; n <= 6; ++n) EXPECT_EQ(queue.steal().word(), item(n).word());
    EXPECT_TRUE(queue.looks_empty());
}

TEST(WorkQueue, growing_keeps_all_items_in_order_at_any_offset) {
    for (std::uint64_t offset = 0; offset < 5; ++offset) {
        WorkQueue queue(2);
        for (std::uint64_t n = 0; n < offset; ++n) {
            queue.push(item(99));
            EXPECT_TRUE(queue.steal());
        }
        for (std::uint64_t n = 1; n <= 100; ++n) queue.push(item(n));
        for (std::uint64_t n = 1; n <= 50; ++n) {
            EXPECT_EQ(queue.steal().word(), item(n).word());
            EXPECT_EQ(queue.pop().word(), item(101 - n).word());
        }
        EXPECT_TRUE(queue.looks_empty());
        EXPECT_TRUE(queue.is_empty_ordered());
    }
}

}  // namespace
}  // namespace refrain::graph::work_queue_test
