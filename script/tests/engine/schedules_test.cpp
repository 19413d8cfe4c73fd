#include "engine/scheduler.hpp"
#include "refrain/script/leaf_functions.hpp"

#include <gtest/gtest.h>

#include "programs/random_program.hpp"
#include "run_script.hpp"
#include "tries.hpp"

namespace refrain::script::schedules_test {

// Code without counts is another type, from which there is one way to what engines take.
static_assert(!std::is_default_constructible_v<tasks::TaskProgram> &&
              !std::is_constructible_v<tasks::TaskProgram, tasks::UncountedTasks> &&
              !std::is_constructible_v<engine::Engine, const tasks::UncountedTasks&, engine::Rank,
                                       engine::Rank, Services&>);

std::int64_t rank_of_call(std::int64_t) {
    return calling_rank;
}
REFRAIN_SCRIPT_FUNCTION(rank_of_call)

TEST(Schedules, no_order_of_messages_and_tasks_changes_the_output_or_leaves_data) {
    for (std::uint64_t seed = 1; seed <= tries(40); ++seed) {
        const std::string text = make_random_program(seed).text();
        const Ran right = run_script(text, 1, true);
        const auto program = std::make_shared<Scheduled>(text);
        for (const auto& [ranks, network] :
             {std::pair(1U, Network::inboxes), {3U, Network::inboxes}, {3U, Network::links}}) {
            for (std::uint64_t schedule = 1; schedule <= 4; ++schedule) {
                const Outcome outcome = Scheduler(program, ranks, schedule, network).run();
                ASSERT_EQ(outcome.lines, right.lines)
                    << "seed " << seed << ", schedule " << schedule << "\n"
                    << text;
                ASSERT_TRUE(outcome.waiting != 0 || outcome.data == 0)
                    << "seed " << seed << ", schedule " << schedule << "\n"
                    << text;
                ASSERT_EQ(outcome.waiting != 0, right.result.tasks_waiting != 0)
                    << "seed " << seed << "\n"
                    << text;
            }
        }
    }
}

/// The task fails by an element that is not there. What else it waits for is never assigned, before or after that: its count is
/// returned once in every order, by the answer or without one.
TEST(Schedules, a_skipped_task_gives_back_the_counts_of_all_that_it_has_asked_for) {
    const std::string late = "float2int(itof(argc() + 1)) + argc()";
    const std::string programs[] = {
        "int x; if (argc() > 5) { x = 1; } int y = none[\"k\"] + x; trace(y);",
        "int x = " + late + "; int y = none[\"k\"] + x; trace(y);",
        "int z = " + late + "; int x = z + 1; int y = none[\"k\"] + x; trace(y);",
        "type pair { int a; int b; } pair p; p.a = argc(); if (argc() > 5) { p.b = 1; }\n"
        "int y = none[\"k\"] + p.b; trace(y);",
        "int A[string]; A[\"a\"] = " + late + "; int y = none[\"k\"] + A[\"a\"]; trace(y);",
        "int A[string][]; int B[string][]; A[\"a\"][0] = " + late +
            "; trace(both(A[\"a\"], B[\"k\"]));"};
    for (const std::string& each : programs) {
        const auto program = std::make_shared<Scheduled>(
            "(int o) both(int a[], int b[]) { o = size(a) + size(b); }\nint none[string];\n" +
            each);
        for (const engine::Rank ranks : {1U, 3U})
            for (const Network network : {Network::inboxes, Network::links})
                for (std::uint64_t schedule = 1; schedule <= tries(60); ++schedule) {
                    const Outcome outcome = Scheduler(program, ranks, schedule, network).run();
                    ASSERT_EQ(outcome.failures, 1U) << each;
                    ASSERT_EQ(outcome.waiting, 0U) << each;
                    ASSERT_EQ(outcome.data, 0U) << each << ", schedule " << schedule;
                    ASSERT_EQ(outcome.lines, std::vector<std::string>{});
                }
    }
}

constexpr const char* placed = R"(import location;
@dispatch=WORKER (int o) rank_of_call(int i) "native" "1" "rank_of_call";
(int o) later(int i) { int x = i + 1; o = x - 1; }
int A[];
foreach i in [0:59] {
  A[i] = @location=location(later($RANK), $STRICT, $BY) rank_of_call(i);
  int near = A[i] + 0;
  $CHECK
})";
std::string placed_script(const std::string& rank, const std::string& strictness,
                          const std::string& by, const std::string& check) {
    std::string text = placed;
    for (const auto& [name, value] :
         {std::pair("$RANK", rank), {"$STRICT", strictness}, {"$BY", by}, {"$CHECK", check}})
        text.replace(text.find(name), std::string(name).size(), value);
    return text;
}

TEST(Schedules, a_call_runs_on_the_rank_that_its_location_names_in_every_order) {
    const std::string text = placed_script("i %% 3", "HARD", "RANK", "trace(i, near - i %% 3);");
    std::vector<std::string> right;
    for (int i = 0; i < 60; ++i) right.push_back("trace: " + std::to_string(i) + ",0");
    std::ranges::sort(right);
    for (const Network network : {Network::inboxes, Network::links})
        for (std::uint64_t schedule = 1; schedule <= 30; ++schedule) {
            const Outcome outcome = Scheduler(text, 3, schedule, network).run();
            ASSERT_EQ(outcome.lines, right) << "schedule " << schedule;
            ASSERT_EQ(outcome.data, 0U);
        }
}

TEST(Schedules, a_call_by_node_runs_on_a_rank_of_the_node_and_a_soft_one_anywhere) {
    std::set<std::string> by_node, soft;
    for (std::uint64_t schedule = 1; schedule <= 30; ++schedule)
        for (const std::string& each :
             Scheduler(placed_script("i %% 3", "HARD", "NODE", "trace(i %% 3, near);"), 3, schedule,
                       Network::inboxes, {"one", "one", "two"})
                 .run()
                 .lines)
            by_node.insert(each);
    // One call of a thousand is taken from the rank that it names: there must be many.
    for (std::uint64_t schedule = 1; schedule <= 150; ++schedule)
        for (const std::string& each :
             Scheduler(placed_script("0 * i", "SOFT", "RANK", "trace(near);"), 3, schedule)
                 .run()
                 .lines)
            soft.insert(each);
    EXPECT_EQ(by_node, (std::set<std::string>{"trace: 0,0", "trace: 0,1", "trace: 1,0",
                                              "trace: 1,1", "trace: 2,2"}));
    EXPECT_EQ(soft, (std::set<std::string>{"trace: 0", "trace: 1", "trace: 2"}));
}

TEST(Schedules, a_work_type_has_its_ranks_and_they_run_nothing_else) {
    ASSERT_EQ(setenv("TURBINE_GPU_WORKERS", "1", 1), 0);
    for (std::uint64_t schedule = 1; schedule <= 20; ++schedule) {
        const Outcome outcome = Scheduler(R"(pragma worktypedef GPU;
@dispatch=gpu (int o) on_gpu(int i) "native" "1" "rank_of_call";
(int o) anywhere(int i) "native" "1" "rank_of_call";
foreach i in [1:20] { trace(on_gpu(i), anywhere(i) < 2); })",
                                          3, schedule)
                                    .run();
        ASSERT_EQ(outcome.lines, std::vector<std::string>(20, "trace: 2,1"));
    }
    EXPECT_THROW(
        Scheduler("pragma worktypedef GPU;\n@dispatch=GPU app (void o) f() { \"true\" }\nf();", 1,
                  1),
        ScriptError);
    unsetenv("TURBINE_GPU_WORKERS");
}

TEST(Schedules, teams_never_wait_for_one_another) {
    const std::string text = R"(
@par (int o) rank_of_call(int i) "native" "1" "rank_of_call";
@dispatch=WORKER (int o) alone(int i) "native" "1" "rank_of_call";
int A[];
foreach i in [0:11] {
  A[i] = @par=(2 + i %% 3) rank_of_call(i);
  trace(i, A[i] - i %% 3, alone(i) < 4);
})";
    std::vector<std::string> right;
    for (int i = 0; i < 12; ++i) right.push_back("trace: " + std::to_string(i) + ",2,1");
    std::ranges::sort(right);
    std::set<std::size_t> sizes;
    std::set<std::vector<engine::Rank>> teams;
    for (const Network network : {Network::inboxes, Network::links})
        for (std::uint64_t schedule = 1; schedule <= tries(40); ++schedule) {
            Scheduler scheduler(text, 4, schedule, network);
            const Outcome outcome = scheduler.run();
            ASSERT_EQ(outcome.lines, right) << "schedule " << schedule;
            ASSERT_EQ(outcome.failures, 0U);
            ASSERT_EQ(outcome.data, 0U);
            for (const auto& each : scheduler.teams) {
                sizes.insert(each.size());
                teams.insert(each);
            }
        }
    EXPECT_EQ(sizes, (std::set<std::size_t>{2, 3, 4}));
    EXPECT_GT(teams.size(), 5U) << "the ranks that are free first make the call";
}

TEST(Schedules, a_team_that_is_larger_than_the_run_fails_its_call) {
    const Outcome outcome = Scheduler(R"(
@par (int o) rank_of_call(int i) "native" "1" "rank_of_call";
trace(@par=4 rank_of_call(1));
trace(@par=3 rank_of_call(1));)",
                                      3, 1)
                                .run();
    EXPECT_EQ(outcome.lines, std::vector<std::string>{"trace: 3"});
    EXPECT_EQ(outcome.failures, 1U);
    EXPECT_EQ(outcome.data, 0U);
}

/// Rank 0 alone does what the script says; rank 1 joins each team.
TEST(Schedules, of_calls_by_teams_the_most_urgent_is_made_first) {
    for (const std::string priority : {"((i * 7) %% 10 - 3)", "(i * 0 + 1)"}) {
        Scheduler scheduler(
            "@par (int o) rank_of_call(int i) \"native\" \"1\" \"rank_of_call\";\n"
            "foreach i in [0:9] { @prio=" +
                priority + " @par=2 rank_of_call(i); }",
            2, 1);
        engine::Engine& engine = scheduler.engine(0);
        std::vector<int> order;
        const auto hear = [&] {
            for (auto& [to, batch] : engine.take_outgoing())
                for (engine::Message& each : batch)
                    if (const auto* team = std::get_if<engine::Muster>(&each.is))
                        engine.handle({1, 0, engine::Mustered{team->team}});
        };
        engine.start();
        for (int steps = 0; steps < 1000 && order.size() < 10; ++steps) {
            std::optional<engine::Task> task = engine.next();
            hear();
            if (!task) continue;
            if (engine.team().empty()) {
                scheduler.run(engine, std::move(*task));
            } else {
                order.push_back(task->priority);
                engine.handle({1, 0, engine::TeamEnd{}});
                std::vector<Value> results{Value(std::int64_t{2})};
                engine.finish(*task, results, nullptr);
            }
            hear();
        }
        ASSERT_EQ(order.size(), 10U);
        EXPECT_TRUE(std::ranges::is_sorted(order, std::greater()));
        EXPECT_EQ(order[0], priority.size() > 15 ? 6 : 1);
    }
}

TEST(Schedules, a_rank_that_no_team_needed_keeps_its_last_task) {
    Scheduler scheduler("trace(1);", 2, 1);
    engine::Engine& engine = scheduler.engine(0);
    engine.handle({0, 0, engine::Muster{7}});
    EXPECT_FALSE(engine.next());  // held
    engine.handle({0, 0, engine::Assemble{}});
    engine.start();
    engine.handle({1, 0, engine::Hungry{}});
    EXPECT_TRUE(engine.has_ready());
}

TEST(Schedules, a_second_write_is_an_error_in_every_order) {
    for (std::uint64_t schedule = 1; schedule <= 50; ++schedule) {
        const Outcome outcome =
            Scheduler("int A[]; foreach i in [0:3] { A[i %/ 2] = i; }", 2, schedule).run();
        EXPECT_EQ(outcome.failures, 2U);
        EXPECT_EQ(outcome.data, 0U);
    }
}

}  // namespace refrain::script::schedules_test
