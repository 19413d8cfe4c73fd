#include "graph/workers.hpp"

#include "graph/watched_run.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace refrain::graph::testing::workers_test {
namespace {

using namespace std::chrono_literals;

WorkerCounters all_counters(const Workers& workers) {
    WorkerCounters sum;
    for (unsigned i = 0; i < workers.count(); ++i) {
        const WorkerCounters own = workers.counters(i);
        sum.points += own.points;
        sum.skipped += own.skipped;
        sum.sleeps += own.sleeps;
        sum.steals += own.steals;
        sum.background_jobs += own.background_jobs;
        sum.waits += own.waits;
    }
    return sum;
}

void launch_next(Workers& workers, WatchedRun& run) {
    workers.begin_launch();
    workers.launched(run.launch([&](ReadyPoints points) { workers.ready(points); }));
    workers.end_launch();
}
void publish(Workers& workers) {
    const auto right = workers.right_to_publish();
    workers.flush();
}

/// Makes all launches as the runtime does, retiring finished nodes, and waits for the end.
void run_on(Workers& workers, WatchedRun& run) {
    while (!run.all_launched()) {
        launch_next(workers, run);
        if (run.launched() % 4 == 0) run.retire();
    }
    workers.help_until([&] {
        run.retire();
        return run.all_retired();
    });
}

/// Waits for a condition that other threads make true; for minutes, if they do not.
template <class Condition>
[[nodiscard]] bool comes_true(Condition&& condition) {
    for (int i = 0; i < 120'000; ++i) {
        if (condition()) return true;
        std::this_thread::sleep_for(1ms);
    }
    return false;
}

/// Longer than any steal: no launch of the tests is worth stealing.
constexpr std::uint64_t very_far_ns = 900;

struct Machine {
    unsigned workers;
    std::uint64_t steal_ns;

    [[nodiscard]] std::string name() const {
        return std::to_string(workers) + (workers == 1 ? "_worker" : "_workers") +
               (steal_ns == 0 ? "" : "_far_apart");
    }
    friend void PrintTo(const Machine& machine, std::ostream* out) { *out << machine.name(); }
};

class WorkersOf : public ::testing::TestWithParam<Machine> {};

TEST_P(WorkersOf, random_programs_match_sequential_execution) {
    Workers workers(GetParam().workers, GetParam().steal_ns);
    std::uint64_t points = 0;
    std::uint64_t skipped = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Random random(seed);
        const Program program = random_program(random, 60, 40, seed % 3 == 0 ? 40 : 0);
        WatchedRun run(program);
        run_on(workers, run);
        ASSERT_EQ(run.verdict(), "") << "seed " << seed;
        for (const auto& outcomes : run_sequentially(program)) {
            points += outcomes.size();
            skipped += static_cast<std::uint64_t>(
                std::count(outcomes.begin(), outcomes.end(), Outcome::skipped));
        }
    }
    EXPECT_EQ(all_counters(workers).points, points);
    EXPECT_EQ(all_counters(workers).skipped, skipped);
    EXPECT_GT(skipped, 100U) << "failures were too rare";
}

TEST_P(WorkersOf, each_job_runs_once_whether_the_launching_thread_waits_or_not) {
    std::atomic<int> runs{0};
    const BackgroundJobs::Job job{
        [](void* context) { static_cast<std::atomic<int>*>(context)->fetch_add(1); }, &runs};
    {
        Workers workers(GetParam().workers, GetParam().steal_ns);
        for (int i = 0; i < 10; ++i) workers.submit(job);
        if (GetParam().workers > 1) {
            EXPECT_TRUE(comes_true([&] { return runs.load() == 10; }));
        }
        workers.help_until([&] { return runs.load() == 10; });
        for (int i = 0; i < 10; ++i) workers.submit(job);
    }
    EXPECT_EQ(runs.load(), 20) << "the destructor runs the remaining jobs";
}

INSTANTIATE_TEST_SUITE_P(Machines, WorkersOf,
                         ::testing::Values(Machine{1, 0}, Machine{2, 0}, Machine{4, 0},
                                           Machine{2, very_far_ns}, Machine{4, very_far_ns}),
                         [](const auto& machine) { return machine.param.name(); });

/// Launches of one point, each dependent on the previous one.
Program chain_of(std::size_t launches) {
    Program chain{{1, {}, {}}};
    while (chain.size() < launches) chain.push_back({1, {{chain.size() - 1, {{0, 0}}}}, {}});
    return chain;
}

/// Debuggers, profilers and `top -H` show the names.
TEST(Workers, have_threads_with_names) {
    const Workers workers(3);
    std::vector<std::string> names;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
        std::string name;
        std::getline(std::ifstream(thread.path() / "comm"), name);
        if (name.starts_with("refrain-")) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"refrain-1", "refrain-2"}));
}

TEST(Workers, measure_the_latency_of_steals) {
    const Program many(2'000, Launch{4, {}, {}});
    Workers workers(2);
    for (int round = 0; round < 1'000 && !workers.steal_cost().is_measured(); ++round) {
        WatchedRun run(many);
        run_on(workers, run);
    }
    EXPECT_TRUE(workers.steal_cost().is_measured());
    EXPECT_LE(workers.steal_cost().ticks(), base::ns_to_ticks(StealCost::steal_ns_max));
}

TEST(Workers, on_far_cores_leave_tiny_work_to_a_busy_launching_thread) {
    const Program chain = chain_of(5'000);
    Workers workers(2, very_far_ns);
    for (int round = 0; round < 100 && all_counters(workers).waits == 0; ++round) {
        WatchedRun run(chain);
        run_on(workers, run);
        ASSERT_EQ(run.verdict(), "");
    }
    EXPECT_GT(workers.counters(1).waits, 0U);
}

TEST(Workers, on_far_cores_run_tiny_work_while_the_launching_thread_is_away) {
    const Program chain = chain_of(2'000);
    Workers workers(2, very_far_ns);
    WatchedRun run(chain);
    while (!run.all_launched()) launch_next(workers, run);
    publish(workers);
    const std::uint64_t waits = workers.counters(1).waits;
    EXPECT_TRUE(comes_true([&] { return workers.counters(1).points == 2'000; }));
    EXPECT_LE(workers.counters(1).waits, waits + 2)
        << "one wait had been decided, one is due to the launches so far";
    workers.help_until([&] {
        run.retire();
        return run.all_retired();
    });
    EXPECT_EQ(run.verdict(), "");
}

TEST(Workers, one_worker_starts_no_thread) {
    const Workers workers(1);
    EXPECT_EQ(workers.count(), 1U);
    EXPECT_EQ(Workers(0).count(), 1U);
}

TEST(Workers, help_until_returns_at_once_if_done) {
    Workers workers(1);
    int asked = 0;
    workers.help_until([&] { return ++asked == 1; });
    EXPECT_EQ(asked, 1);
}

TEST(Workers, run_published_work_while_the_launching_thread_is_away) {
    const Program program(20, Launch{3, {}, {}});
    Workers workers(2);
    WatchedRun run(program);
    while (!run.all_launched()) launch_next(workers, run);
    publish(workers);
    EXPECT_TRUE(comes_true([&] { return all_counters(workers).points == 60; }));
    workers.help_until([&] {
        run.retire();
        return run.all_retired();
    });
    EXPECT_EQ(workers.counters(0).points, 0U);
    EXPECT_EQ(run.verdict(), "");
}

TEST(Workers, asleep_are_woken_by_work_and_by_jobs) {
    Workers workers(3);
    const auto both_sleep_again = [&](std::uint64_t times_woken) {
        return comes_true([&] { return all_counters(workers).sleeps >= 2 + times_woken; });
    };
    for (std::uint64_t round = 0; round < 5; ++round) {
        ASSERT_TRUE(both_sleep_again(round)) << "there is nothing to do";
        const Program program = {{16, {}, {}}, {16, {{0, all_to_all(16, 16)}}, {}}};
        WatchedRun run(program);
        while (!run.all_launched()) launch_next(workers, run);
        publish(workers);
        ASSERT_TRUE(comes_true([&] { return all_counters(workers).points == 32 * (round + 1); }));
        workers.help_until([&] {
            run.retire();
            return run.all_retired();
        });
    }
    ASSERT_TRUE(both_sleep_again(5));
    std::atomic<bool> ran{false};
    workers.submit(
        {[](void* context) { static_cast<std::atomic<bool>*>(context)->store(true); }, &ran});
    EXPECT_TRUE(comes_true([&] { return ran.load(); }));
}

TEST(Workers, run_a_job_soon_even_if_there_is_always_work) {
    Workers workers(2);
    std::atomic<bool> ran{false};
    workers.submit(
        {[](void* context) { static_cast<std::atomic<bool>*>(context)->store(true); }, &ran});
    const Program chain = chain_of(20'000);
    WatchedRun run(chain);
    run_on(workers, run);
    EXPECT_TRUE(ran.load());
    EXPECT_EQ(run.verdict(), "");
}

TEST(Workers, measure_the_cost_of_a_task) {
    struct Slow : Node {
        static std::uint64_t run_slowly(Node&, std::uint32_t, std::uint64_t,
                                        std::uint32_t) noexcept {
            std::this_thread::sleep_for(2ms);
            return 0;
        }
    } node;
    TaskCost cost;
    node.run = Slow::run_slowly;
    node.cost = &cost;
    node.point_count = 1;
    Bundle bundle;
    prepare_bundles(node, &bundle);
    Workers workers(1);
    {
        const auto right = workers.right_to_publish();
        workers.ready({&bundle, 1});
    }
    workers.help_until([&] { return node.is_finished(); });
    EXPECT_GT(cost.ticks(), 1'000'000U) << "2 ms are millions of ticks of any fast clock";
}

}  // namespace
}  // namespace refrain::graph::testing::workers_test
