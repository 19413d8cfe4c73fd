#include "observe/critical_path.hpp"

#include "observe/dependence_log.hpp"

#include <gtest/gtest.h>

namespace refrain::critical_path_test {
namespace {

using observe::TimedOperation;
using Path = std::vector<std::uint32_t>;

TimedOperation taking(double ticks, std::vector<std::uint32_t> sources) {
    return {.site = 0, .ticks = ticks, .is_fence = false, .sources = std::move(sources)};
}

TEST(CriticalPath, is_the_chain_that_takes_longest) {
    //   0 (5) ── 2 (1) ──┐
    //   1 (1) ── 3 (9) ──┴ 4 (2)
    const std::vector<TimedOperation> block = {taking(5, {}), taking(1, {}), taking(1, {0}),
                                               taking(9, {1}), taking(2, {2, 3})};
    EXPECT_EQ(observe::critical_path(block), (Path{1, 3, 4}));
}

TEST(CriticalPath, may_end_anywhere_and_be_one_operation) {
    const std::vector<TimedOperation> block = {taking(1, {}), taking(20, {}), taking(3, {0})};
    EXPECT_EQ(observe::critical_path(block), (Path{1}));
    EXPECT_TRUE(observe::critical_path({}).empty());
}

TEST(DependenceLog, reaches_the_end_of_a_run_with_many_pairs) {
    observe::DependenceLog log;
    constexpr std::uint64_t operations = 4000;
    for (std::uint64_t number = 1; number < operations; ++number)
        log.add({.number = number,
                 .is_fence = false,
                 .edges = {{.source = number - 1,
                            .carries_data = true,
                            .pairs = std::vector<observe::DependenceLog::Pair>(2500)}}});
    EXPECT_EQ(log.level(), 0U);
    EXPECT_EQ(log.operations().back().number, operations - 1);
    EXPECT_TRUE(log.operations().back().edges[0].pairs.empty());
}

TEST(CriticalPath, passes_fences) {
    std::vector<TimedOperation> block = {taking(4, {}), taking(7, {}), taking(0, {}), taking(2, {}),
                                         taking(5, {0})};
    block[2].is_fence = true;
    EXPECT_EQ(observe::critical_path(block), (Path{1, 2, 4}));
}

}  // namespace
}  // namespace refrain::critical_path_test
