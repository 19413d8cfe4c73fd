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
    // A thread that has been joined, of a test before, may be there for some time.
    const bool are_right = comes_true([&] {
        names.clear();
        for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
            std::string name;
            std::getline(std::ifstream(thread.path() / "comm"), name);
            if (name.starts_with("refrain-")) names.push_back(name);
        }
        std::sort(names.begin(), names.end());
        return names == std::vector<std::string>{"refrain-1", "refrain-2"};
    });
    EXPECT_TRUE(are_right) << names.size() << " threads";
}

/// Launches tiny nodes, one after the other and again and again, until other threads have made the condition
/// true. They need a core meanwhile, so this must not take long for each, even on a machine of one core.
template <class Condition>
[[nodiscard]] bool comes_true_while_launching(Workers& workers, Condition&& condition) {
    struct Tiny : Node {
        Bundle own;
    };
    constexpr std::size_t in_flight = 4096;
    TaskCost cost;
    std::vector<Tiny> nodes(in_flight);
    for (Tiny& node : nodes) {
        node.run = [](Node&, std::uint32_t, std::uint64_t, std::uint32_t) noexcept {
            return std::uint64_t{0};
        };
        node.cost = &cost;
        node.point_count = 1;
    }
    const auto end = std::chrono::steady_clock::now() + 2min;
    std::size_t launched = 0;
    bool is_true = condition();
    for (; !is_true && (launched % 1024 != 0 || std::chrono::steady_clock::now() < end);
         ++launched, is_true = condition()) {
        Tiny& node = nodes[launched % in_flight];
        if (launched >= in_flight && !node.is_finished())
            workers.help_until([&] { return node.is_finished(); });
        prepare_bundles(node, &node.own);
        workers.begin_launch();
        workers.ready({&node.own, 1});
        workers.launched(node);
        workers.end_launch();
    }
    workers.help_until([&] {
        return std::all_of(nodes.begin(), nodes.begin() + std::min(launched, in_flight),
                           [](const Tiny& node) { return node.is_finished(); });
    });
    return is_true;
}

TEST(Workers, measure_the_latency_of_steals) {
    Workers workers(2);
    EXPECT_TRUE(
        comes_true_while_launching(workers, [&] { return workers.steal_cost().is_measured(); }));
    EXPECT_LE(workers.steal_cost().ticks(), base::ns_to_ticks(StealCost::steal_ns_max));
}

TEST(Workers, on_far_cores_leave_tiny_work_to_a_busy_launching_thread) {
    Workers workers(2, very_far_ns);
    EXPECT_TRUE(
        comes_true_while_launching(workers, [&] { return workers.counters(1).waits != 0; }));
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

/// The worker is in a job when a long chain is published and another job is submitted: so it goes from the one
/// to the chain, and in it to the other.
TEST(Workers, run_a_job_soon_even_if_there_is_always_work) {
    constexpr std::uint64_t soon = 513;  // points
    Workers workers(2);
    struct Jobs {
        const Workers& workers;
        std::atomic<bool> has_begun{false};
        std::atomic<bool> may_end{false};
        std::atomic<bool> has_run{false};
        std::uint64_t points = 0;  // that had run before the second job
    } jobs{workers};
    workers.submit({[](void* context) {
                        auto& in = *static_cast<Jobs*>(context);
                        in.has_begun = true;
                        EXPECT_TRUE(comes_true([&] { return in.may_end.load(); }));
                    },
                    &jobs});
    ASSERT_TRUE(comes_true([&] { return jobs.has_begun.load(); }));
    const Program chain = chain_of(20 * soon);
    WatchedRun run(chain);
    while (!run.all_launched()) launch_next(workers, run);
    publish(workers);
    workers.submit({[](void* context) {
                        auto& in = *static_cast<Jobs*>(context);
                        in.points = in.workers.counters(1).points;
                        in.has_run = true;
                    },
                    &jobs});
    jobs.may_end = true;
    EXPECT_TRUE(comes_true([&] { return jobs.has_run.load(); }));
    EXPECT_LE(jobs.points, soon);
    workers.help_until([&] {
        run.retire();
        return run.all_retired();
    });
    EXPECT_EQ(run.verdict(), "");
}

/// Asking for what is unpublished is a barrier on all cores, and it made the worker forget how long it had
/// been idle, and with that to look for lanes that nobody runs.
TEST(Workers, with_nothing_to_do_do_not_try_to_sleep_while_a_launch_in_lanes_runs) {
    struct Launch : Node {
        std::atomic<bool> is_inside{false};
        std::atomic<bool> may_end{false};
        static std::uint64_t run_some(Node& node, std::uint32_t, std::uint64_t points,
                                      std::uint32_t) noexcept {
            auto& own = static_cast<Launch&>(node);
            if ((points & 1) == 0) return 0;
            own.is_inside = true;
            EXPECT_TRUE(comes_true([&] { return own.may_end.load(); }));
            return 0;
        }
    } launch;
    constexpr unsigned count = 3;
    TaskCost cost;
    Bundle bundle;
    launch.run = Launch::run_some;
    launch.cost = &cost;
    launch.point_count = count;
    prepare_bundles(launch, &bundle);
    const LanePlan plan({}, count, count);
    std::atomic<int> asked{0};
    Workers workers(count,
                    {[](void* context) { ++*static_cast<std::atomic<int>*>(context); }, &asked});
    workers.open_lanes();
    workers.publish_in_lanes(launch, plan, sizeof(Node));
    // Lane 0 is the launching thread's, which is away: one worker runs it, and the other has nothing to do.
    ASSERT_TRUE(comes_true([&] {
        return launch.is_inside && workers.lanes().done(1) == 1 && workers.lanes().done(2) == 1;
    }));
    const int before = asked;
    std::this_thread::sleep_for(20ms);  // hundreds of times as long as before a worker sleeps
    EXPECT_LE(asked, before + 2) << "each may have been about to sleep before the launch came";
    launch.may_end = true;
    EXPECT_TRUE(comes_true([&] { return workers.lanes().done() == 1; }));
    workers.lanes().settle();
    workers.close_lanes();
    EXPECT_TRUE(launch.is_finished());
}

/// Each point was short until now. So the launching thread keeps them, but not once the first has turned out long.
TEST(Workers, share_what_turns_out_long_also_if_the_launching_thread_runs_alone) {
    struct Surprise : Node {
        std::atomic<std::uint32_t> by_other{0};
        bool gave_up = false;  // the launching thread's
        static std::uint64_t run_some(Node& node, std::uint32_t, std::uint64_t points,
                                      std::uint32_t worker) noexcept {
            auto& own = static_cast<Surprise&>(node);
            if ((points & 1) != 0) {
                std::this_thread::sleep_for(20ms);  // thousands of times as long as before
            } else if (worker == 1) {
                own.by_other.fetch_add(1);
            } else if (!own.gave_up) {
                own.gave_up = !comes_true([&] { return own.by_other.load() != 0; });
            }
            return 0;
        }
    } node;
    TaskCost cost;
    for (int i = 0; i < 20; ++i) cost.measured(100);
    node.run = Surprise::run_some;
    node.cost = &cost;
    node.point_count = points_per_bundle;
    Bundle bundle;
    prepare_bundles(node, &bundle);
    Workers workers(2);
    ASSERT_TRUE(comes_true([&] { return workers.counters(1).sleeps != 0; }));
    {
        const auto right = workers.right_to_publish();
        workers.ready({&bundle, (1U << points_per_bundle) - 1});
        workers.run_unpublished();
    }
    workers.help_until([&] { return node.is_finished(); });
    EXPECT_GT(node.by_other.load(), 0U);
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
