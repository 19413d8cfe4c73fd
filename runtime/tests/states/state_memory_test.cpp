/// What region states remember is bounded, and counted.

#include "analysis/access_program.hpp"

#include <gtest/gtest.h>

#include "states/state_analyser.hpp"

namespace refrain::states::testing::state_memory_test {
namespace {

using analysis::testing::ProgramMaker;

/// Launches programs that never repeat; calls after(analyser) behind each.
template <class After>
void run_programs(StateAnalyser& analyser, std::uint64_t count, After&& after) {
    for (std::uint64_t seed = 0; seed < count; ++seed) {
        const AccessProgram program = ProgramMaker(seed).make(24);
        analyser.begin(program);
        for (std::size_t step = 0; step < program.steps.size(); ++step) analyser.launch_next();
        after(analyser);
    }
}

TEST(StateMemory, full_tables_are_freed_after_a_window) {
    constexpr std::size_t limit = 200'000;
    StateAnalyser analyser(16, {.bytes = limit});
    std::size_t most = 0;
    run_programs(analyser, 300,
                 [&](const StateAnalyser& all) { most = std::max(most, all.states().bytes()); });
    EXPECT_GT(analyser.states().counters().forgotten, 3U);
    // One program may add to a full table before the next look, and a chunk of records is held.
    EXPECT_LT(most, 2 * limit);
}

TEST(StateMemory, what_regions_keep_is_counted_until_they_forget) {
    StateAnalyser analyser(64, {.looked_at = 2, .private_max = 1U << 16});
    run_programs(analyser, 40, [](const StateAnalyser&) {});
    EXPECT_GT(analyser.states().counters().privately, 100U);
    EXPECT_GT(analyser.states().bytes_of_regions(), 1'000U);
    analyser.clear();
    EXPECT_EQ(analyser.states().bytes_of_regions(), 0U);
}

}  // namespace
}  // namespace refrain::states::testing::state_memory_test
