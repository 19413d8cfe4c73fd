/// Random programs analysed by region states and compared with the oracle, edge by edge and by
/// closure.

#include "analysis/oracle_comparison.hpp"

#include <gtest/gtest.h>
#include <memory>

#include "states/state_analyser.hpp"
#include "tries.hpp"

namespace refrain::states::testing::state_property_test {
namespace {

using analysis::testing::difference_from_oracle;
using analysis::testing::ProgramMaker;
using analysis::testing::Random;

/// Programs on the same tables, one after the other; half of them run twice.
RegionStates::Counters expect_agreement(std::uint64_t first_seed, std::uint64_t programs,
                                        std::size_t steps_max, const RegionStates::Limits& limits) {
    std::unique_ptr<StateAnalyser> analyser;
    RegionStates::Counters all;
    std::uint32_t window = 0;
    const auto end = first_seed + tries(programs);
    for (std::uint64_t seed = first_seed; seed < end; ++seed) {
        if (seed % 64 == 0 || analyser == nullptr) {
            window = 2U << Random(seed)() % 7;
            analyser = std::make_unique<StateAnalyser>(window, limits);
        }
        const AccessProgram program = ProgramMaker(seed).make(steps_max);
        for (std::uint64_t run = 0; run < 1 + seed % 2; ++run) {
            analyser->begin(program);
            const std::string difference = difference_from_oracle(*analyser, program, window);
            EXPECT_EQ(difference, "") << "seed " << seed << ", window " << window;
            if (!difference.empty()) return all;
        }
        if (seed % 16 == 15) analyser->clear();
        if (seed % 64 == 63 || seed + 1 == end) {
            const RegionStates::Counters& counters = analyser->states().counters();
            all.known += counters.known;
            all.found += counters.found;
            all.privately += counters.privately;
            all.forgotten += counters.forgotten;
            all.divided += counters.divided;
            all.joined += counters.joined;
        }
    }
    return all;
}

TEST(StateProperty, random_programs_have_the_dependences_of_the_oracle) {
    const auto counters = expect_agreement(0, 1'500, 24, {});
    EXPECT_GT(counters.known, tries(5'000));
    EXPECT_GT(counters.found, tries(3'000));
}

TEST(StateProperty, programs_that_go_private_and_back_have_the_dependences_of_the_oracle) {
    const auto counters = expect_agreement(500'000, 1'500, 30, {.looked_at = 4, .private_max = 8});
    EXPECT_GT(counters.known, tries(100));
    EXPECT_GT(counters.privately, tries(3'000));
}

TEST(StateProperty, programs_whose_regions_are_divided_have_the_dependences_of_the_oracle) {
    const auto counters = expect_agreement(600'000, 500, 30, {.looked_at = 4, .pieces = 2});
    EXPECT_GT(counters.divided, tries(150));
    const auto rejoining = expect_agreement(
        700'000, 600, 40,
        {.looked_at = 4, .private_max = 4, .pieces = 1, .coarse_rounds = 0, .coarse_share = 0});
    EXPECT_GT(rejoining.divided, tries(400));
    EXPECT_GT(rejoining.joined, tries(100));
    EXPECT_GT(rejoining.privately, tries(100));
}

TEST(StateProperty, programs_whose_states_are_forgotten_have_the_dependences_of_the_oracle) {
    const auto counters = expect_agreement(1'000'000, 600, 30, {.bytes = 1});
    EXPECT_GT(counters.forgotten, tries(300));
    const auto rarely =
        expect_agreement(1'200'000, 600, 30, {.bytes = 20'000, .looked_at = 4, .private_max = 8});
    EXPECT_GT(rarely.forgotten, tries(10));
    const auto divided = expect_agreement(
        1'400'000, 300, 30,
        {.bytes = 1, .looked_at = 4, .private_max = 4, .pieces = 1, .coarse_rounds = 0});
    EXPECT_GT(divided.forgotten, tries(50));
    EXPECT_GT(divided.divided, tries(150));
}

TEST(StateProperty, long_random_programs_have_the_dependences_of_the_oracle) {
    expect_agreement(1'500'000, 40, 120, {});
    expect_agreement(1'600'000, 40, 120, {.bytes = 30'000, .looked_at = 4, .private_max = 16});
}

TEST(StatePropertySlow, a_hundred_thousand_programs_have_the_dependences_of_the_oracle) {
    expect_agreement(2'000'000, 50'000, 24, {});
    expect_agreement(3'000'000, 25'000, 30, {.looked_at = 4, .private_max = 8});
    expect_agreement(4'000'000, 25'000, 30, {.bytes = 5'000, .looked_at = 4, .private_max = 8});
    expect_agreement(5'000'000, 25'000, 30,
                     {.looked_at = 4, .private_max = 4, .pieces = 1, .coarse_rounds = 0});
}

TEST(StateProperty, the_host_waits_for_what_a_launch_would_wait_for) {
    StateAnalyser analyser(256, {.bytes = 20'000, .looked_at = 4, .private_max = 8, .pieces = 4});
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const AccessProgram program = ProgramMaker(seed).make(16);
        analyser.begin(program);
        for (std::size_t step = 0; step < program.steps.size(); ++step) {
            analyser.launch_next();
            const auto use = step % 2 == 0
                                 ? analysis::testing::reads(0, {program.regions[0].all()})
                                 : analysis::testing::writes(0, {program.regions[0].all()});
            AccessProgram with_host = program;
            with_host.steps.resize(step + 1);
            with_host.steps.push_back({{use}});
            const analysis::testing::DependenceOracle oracle(with_host, 256);
            ASSERT_EQ(analyser.ask_for_host(use), oracle.direct_conflicts(step + 1))
                << "seed " << seed << " after step " << step;
        }
    }
}

}  // namespace
}  // namespace refrain::states::testing::state_property_test
