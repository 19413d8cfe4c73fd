#include <gtest/gtest.h>
#include <numeric>

#include "sharing/comparison.hpp"

namespace sharing::simulator_test {
namespace {

Scenario independent_tasks(unsigned workers, std::size_t tasks, Ns ns) {
    return {"wide", "", {workers, 55, 55}, std::vector<Launch>(tasks, {.point_ns = ns})};
}

FixedPolicy::Settings all_share(unsigned workers) {
    return {.workers = workers, .hold = 1, .split = 0, .pauses = 0};
}

TEST(Simulator, runs_every_point_once_under_every_policy) {
    for (const Scenario& scenario : all_scenarios(true)) {
        std::uint64_t points = 0;
        for (const Launch& launch : scenario.launches) points += launch.points;
        const auto sum = [](const Outcome& outcome) {
            return std::accumulate(outcome.points.begin(), outcome.points.end(), std::uint64_t{0});
        };
        EXPECT_EQ(sum(simulate<PresentPolicy>(scenario)), points) << scenario.name;
        EXPECT_EQ(sum(simulate<FormerPolicy>(scenario)), points) << scenario.name;
    }
}

TEST(Simulator, two_workers_halve_long_independent_tasks) {
    const Scenario scenario = independent_tasks(2, 100, 1'000'000);
    const Ns one = simulate<FixedPolicy>(scenario, all_share(1)).ns;
    const Ns two = simulate<FixedPolicy>(scenario, all_share(2)).ns;
    EXPECT_NEAR(static_cast<double>(one), 100e6, 1e6);
    EXPECT_NEAR(static_cast<double>(two), 50e6, 1e6);
}

TEST(Simulator, a_chain_gains_nothing_from_a_second_worker_and_loses_where_cores_are_far) {
    Scenario scenario = independent_tasks(2, 500, 300);
    scenario.machine = {2, 280, 280};
    for (std::size_t t = 1; t < scenario.launches.size(); ++t)
        scenario.launches[t].after = static_cast<std::int64_t>(t) - 1;
    const Ns one = simulate<FixedPolicy>(scenario, all_share(1)).ns;
    const Ns two = simulate<FixedPolicy>(scenario, all_share(2)).ns;
    EXPECT_GT(two, 2 * one);
    EXPECT_LT(simulate<PresentPolicy>(scenario).ns, one + one / 10) << "the policy leaves it alone";
}

TEST(Simulator, is_deterministic) {
    const Scenario scenario = independent_tasks(4, 1'000, 700);
    EXPECT_EQ(simulate<PresentPolicy>(scenario).ns, simulate<PresentPolicy>(scenario).ns);
}

/// Where thieves looked at parts of each other's groups before the launches, 2.15 times as long as without
/// splitting: most of them met at the same few queues.
TEST(SharingPolicy, wide_launches_of_many_workers_are_not_held_up_by_parts_of_groups) {
    const Scenario scenario{"wide",
                            "",
                            {64, 80, 280, 32},
                            std::vector<Launch>(4'000, {.points = 8, .point_ns = 2'000})};
    const FixedPolicy::Settings whole{.workers = 64, .hold = 1, .split = Ns{1} << 40, .pauses = 0};
    EXPECT_LE(simulate<PresentPolicy>(scenario).ns,
              simulate<FixedPolicy>(scenario, whole).ns * 3 / 2);
}

/// Where a part of a group counted as its whole launch, far workers went on taking parts that were over
/// before their lines had come: 2.4 times as long.
TEST(SharingPolicy, chains_of_groups_are_left_to_the_workers_of_one_socket) {
    Scenario scenario{
        "chain", "", {16, 55, 280, 8}, std::vector<Launch>(400, {.points = 8, .point_ns = 250})};
    for (std::size_t t = 1; t < scenario.launches.size(); ++t)
        scenario.launches[t].after = static_cast<std::int64_t>(t) - 1;
    const Best best = best_fixed(scenario);
    EXPECT_LE(simulate<PresentPolicy>(scenario).ns, best.outcome.ns * 115 / 100);
}

/// The defect that the policy mends: these ran one per 64 µs on the second worker.
TEST(SharingPolicy, shares_independent_tasks_of_400_to_900_ns_between_far_cores) {
    for (const Ns ns : {Ns{400}, Ns{700}, Ns{900}}) {
        Scenario scenario = independent_tasks(2, 2'000, ns);
        scenario.machine = {2, 150, 150};
        const Best best = best_fixed(scenario);
        EXPECT_LE(simulate<PresentPolicy>(scenario).ns, best.outcome.ns * 115 / 100) << ns;
    }
}

}  // namespace
}  // namespace sharing::simulator_test
