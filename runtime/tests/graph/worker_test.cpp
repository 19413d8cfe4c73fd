#include "graph/worker.hpp"

#include <gtest/gtest.h>

namespace refrain::graph::worker_test {
namespace {

// Measured steals must not count lines that had come before: with those among them, cores that are 300 ns apart
// seemed to be 50 ns apart.
TEST(Worker, sees_a_queue_anew_only_after_its_owner_has_pushed) {
    const StealCost cost;
    Worker thief(1, cost);
    WorkQueue queue;
    const auto push = [&queue] { queue.push(ReadyPoints(std::uint64_t{1} << 8)); };
    push();
    push();
    EXPECT_TRUE(thief.sees_anew(queue));
    EXPECT_TRUE(queue.steal());
    EXPECT_FALSE(thief.sees_anew(queue)) << "the second came with the first";
    EXPECT_TRUE(queue.steal());
    push();
    EXPECT_TRUE(thief.sees_anew(queue));
    WorkQueue another;
    EXPECT_TRUE(thief.sees_anew(another));
    EXPECT_TRUE(thief.sees_anew(queue)) << "it remembers the last queue only";
}

}  // namespace
}  // namespace refrain::graph::worker_test
