/// Random programs compared with the oracle: no edge is missing, none is false, and data edges are
/// told from order edges.

#include "analysis/access_program.hpp"
#include "analysis/analyser.hpp"
#include "analysis/oracle_comparison.hpp"

#include <gtest/gtest.h>

#include "tries.hpp"

namespace refrain::analysis::testing::dependence_property_test {
namespace {

/// How often regions were divided and merged.
struct Divisions {
    std::uint64_t splits = 0;
    std::uint64_t merges = 0;
};

/// Limits so small that regions of a few elements are divided after a few accesses.
DependenceWalk::Limits hasty_limits(Random& random) {
    return {.usual_misses = static_cast<std::uint32_t>(random() % 2),
            .long_walks = 1 + static_cast<std::uint32_t>(random() % 4),
            .pieces = 2 + static_cast<std::int64_t>(random() % 3),
            .coarse_rounds = random() % 2};
}

/// Analyses a program and returns the first difference from the oracle; empty if there is none.
std::string first_difference(Tables& tables, const AccessProgram& program, std::uint32_t window,
                             const DependenceWalk::Limits& limits, Divisions& divisions) {
    Analyser analyser(tables, program, window, limits);
    const std::string difference = difference_from_oracle(analyser, program, window);
    divisions.splits += analyser.walk().splits();
    divisions.merges += analyser.walk().merges();
    return difference;
}

enum class Regions { whole, divided };

Divisions expect_agreement(std::uint64_t first_seed, std::uint64_t programs, std::size_t steps_max,
                           Regions regions) {
    std::unique_ptr<Tables> tables;
    Divisions divisions;
    for (std::uint64_t seed = first_seed; seed < first_seed + tries(programs); ++seed) {
        if (regions == Regions::divided || seed % 64 == 0 || tables == nullptr)
            tables = std::make_unique<Tables>();
        Random random(seed);
        const std::uint32_t window = 2U << random() % 7;
        const AccessProgram program = ProgramMaker(seed).make(steps_max);
        const DependenceWalk::Limits limits =
            regions == Regions::whole ? DependenceWalk::Limits{} : hasty_limits(random);
        const std::string difference =
            first_difference(*tables, program, window, limits, divisions);
        EXPECT_EQ(difference, "") << "seed " << seed << ", window " << window;
        if (!difference.empty()) break;
    }
    return divisions;
}

TEST(DependenceProperty, random_programs_have_the_dependences_of_the_oracle) {
    expect_agreement(0, 12'000, 24, Regions::whole);
}

TEST(DependenceProperty, random_programs_on_divided_regions_have_the_dependences_of_the_oracle) {
    const Divisions divisions = expect_agreement(500'000, 12'000, 30, Regions::divided);
    EXPECT_GT(divisions.splits, tries(1000));
    EXPECT_GT(divisions.merges, tries(300));
}

TEST(DependenceProperty, long_random_programs_have_the_dependences_of_the_oracle) {
    expect_agreement(1'000'000, 300, 120, Regions::whole);
    expect_agreement(1'500'000, 300, 120, Regions::divided);
}

TEST(DependencePropertySlow, a_hundred_thousand_programs_have_the_dependences_of_the_oracle) {
    expect_agreement(2'000'000, 50'000, 24, Regions::whole);
    expect_agreement(3'000'000, 50'000, 30, Regions::divided);
}

TEST(DependenceProperty, the_host_waits_for_what_a_launch_would_wait_for) {
    Tables tables;
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        AccessProgram program = ProgramMaker(seed).make(16);
        AccessProgram with_host = program;
        Analyser analyser(tables, program, 256);
        for (std::size_t step = 0; step < program.steps.size(); ++step) {
            analyser.launch_next();
            Use use = step % 2 == 0 ? reads(0, {program.regions[0].all()})
                                    : writes(0, {program.regions[0].all()});
            with_host.steps.resize(step + 1);
            with_host.steps.push_back({{use}});
            const DependenceOracle oracle(with_host, 256);
            ASSERT_EQ(analyser.ask_for_host(use), oracle.direct_conflicts(step + 1))
                << "seed " << seed << " after step " << step;
            with_host = program;
        }
    }
}

}  // namespace
}  // namespace refrain::analysis::testing::dependence_property_test
