#include "engine/causal_order.hpp"
#include "engine/packed_message.hpp"
#include "leaves/leaf_table.hpp"
#include "refrain/script/leaf_functions.hpp"
#include "tasks/lower.hpp"
#include "typing/front_end.hpp"
#include "workers/standard_services.hpp"

#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <set>

#include "programs/random_program.hpp"
#include "run_script.hpp"
#include "tries.hpp"

/// Engines without threads: a seeded scheduler decides who handles a message and who runs a task. Output, counts and
/// the end must not depend on it.
namespace refrain::script::schedules_test {

/// The rank that makes a call.
std::int64_t calling_rank = 0;
std::int64_t rank_of_call(std::int64_t) {
    return calling_rank;
}
REFRAIN_SCRIPT_FUNCTION(rank_of_call)

class KeptOutput : public StandardServices {
  public:
    explicit KeptOutput(int ranks) : StandardServices({"test.swift"}, ranks) {}
    void print(const std::string& text) override {
        lines.push_back(text.substr(0, text.size() - 1));
    }
    [[nodiscard]] bool has_teams() const override { return true; }
    std::vector<std::string> lines;
};

struct Outcome {
    std::vector<std::string> lines;
    std::size_t failures = 0;
    std::size_t waiting = 0;
    std::size_t data = 0;
};

/// What lies between ranks: an inbox each, or a link from each to each, of which any may be slow.
enum class Network { inboxes, links };

class Scheduler {
  public:
    Scheduler(const std::string& text, engine::Rank ranks, std::uint64_t seed,
              Network network = Network::inboxes, std::vector<std::string> hosts = {})
        : services_(static_cast<int>(ranks)), random_(seed), network_(network) {
        services_.set_hosts(std::move(hosts));
        Sources sources;
        sources.add("test.swift", text);
        program_ = compile_to_ir(sources).program;
        leaves_ = std::make_unique<LeafTable>(program_, std::vector<std::string>{}, host_);
        tasks_ = tasks::lower_to_tasks(program_, *leaves_);
        for (engine::Rank rank = 0; rank < ranks; ++rank)
            engines_.push_back(std::make_unique<engine::Engine>(tasks_, rank, ranks, services_));
        for (engine::Rank rank = 0; rank < ranks; ++rank) orders_.emplace_back(rank);
        inboxes_.resize(ranks);
        in_team_.resize(ranks);
    }

    [[nodiscard]] engine::Engine& engine(engine::Rank rank) { return *engines_[rank]; }

    Outcome run() {
        engines_[0]->start();
        for (std::size_t steps = 0; steps < 2000000; ++steps) {
            std::vector<engine::Rank> open;
            for (engine::Rank rank = 0; rank < engines_.size(); ++rank)
                if (!engines_[rank]->stopped()) open.push_back(rank);
            if (open.empty()) return outcome();
            step(open[random_() % open.size()]);
        }
        ADD_FAILURE() << "the run does not end";
        return outcome();
    }

  private:
    void step(engine::Rank rank) {
        engine::Engine& engine = *engines_[rank];
        if (network_ == Network::links) hear_a_link(rank);
        if (in_team_[rank] && inboxes_[rank].empty()) return end_in_team(rank);
        const bool message = !inboxes_[rank].empty();
        if (message && (in_team_[rank] || !engine.has_ready() || random_() % 2 == 0)) {
            engine.handle(std::move(inboxes_[rank].front()));
            inboxes_[rank].pop_front();
        } else if (auto task = engine.next()) {
            run(engine, std::move(*task));
        } else {
            engine.idle();
        }
        send_outgoing(rank);
    }
    /// A team's function may wait for all its members: it ends when all have begun.
    void end_in_team(engine::Rank rank) {
        engine::Engine& engine = *engines_[rank];
        const std::vector<engine::Rank> team = engine.team();
        if (began_.contains(rank)) {
            for (const engine::Rank each : team)
                if (each != rank && !began_.contains(each)) return;
            for (const engine::Rank each : team) began_.erase(each);
            teams.insert(team);
        }
        if (random_() % 2 == 0) return;
        engine::Task task = *std::exchange(in_team_[rank], std::nullopt);
        std::vector<Value> results{Value(static_cast<std::int64_t>(team.size()))};
        engine.finish(task, results, nullptr);
        send_outgoing(rank);
    }
    void send_outgoing(engine::Rank rank) {
        engine::Engine& engine = *engines_[rank];
        if (network_ == Network::links) return send_by_links(rank, engine.take_outgoing());
        for (auto& [to, batch] : engine.take_outgoing())
            for (engine::Message& each : batch) inboxes_[to].push_back(std::move(each));
    }
    void send_by_links(engine::Rank rank, engine::Batches batches) {
        std::vector<engine::Rank> to;
        for (const auto& [each, batch] : batches) to.push_back(each);
        orders_[rank].send(to);
        for (auto& [each, batch] : batches)
            links_[{rank, each}].push_back(
                {orders_[rank].stamp(each), 0, engine::packed(std::move(batch))});
    }
    /// One message of one link arrives, and what may be handled then goes into the inbox.
    void hear_a_link(engine::Rank rank) {
        std::vector<engine::Rank> from;
        for (const auto& [link, parcels] : links_)
            if (link.second == rank && !parcels.empty()) from.push_back(link.first);
        if (from.empty()) return;
        const engine::Rank sender = from[random_() % from.size()];
        auto& parcels = links_[{sender, rank}];
        orders_[rank].arrive(sender, std::move(parcels.front()));
        parcels.pop_front();
        while (auto next = orders_[rank].take())
            for (auto& each : engine::unpacked<std::vector<engine::Message>>(next->second.text))
                inboxes_[rank].push_back(std::move(each));
    }
    void run(engine::Engine& engine, engine::Task task) {
        if (!engine.team().empty()) {
            const auto rank =
                std::ranges::find(engines_, &engine, &EnginePointer::get) - engines_.begin();
            began_.insert(static_cast<engine::Rank>(rank));
            in_team_[static_cast<std::size_t>(rank)] = std::move(task);
            return;
        }
        std::vector<Value> arguments, results;
        engine::FailurePointer failure;
        if (const tasks::Call* call = engine.call_of(task)) {
            results.resize(call->results.size());
            engine::Engine::results_of(*call, task, results);
            engine.arguments_of(task, arguments);
            calling_rank =
                std::ranges::find(engines_, &engine, &EnginePointer::get) - engines_.begin();
            try {
                call->leaf->call(arguments, results, services_);
            } catch (const std::exception& error) {
                failure =
                    std::make_shared<const engine::Failure>(engine::Failure{{}, error.what()});
            }
        }
        engine.finish(task, results, failure);
    }
    Outcome outcome() {
        Outcome made;
        made.lines = services_.lines;
        std::sort(made.lines.begin(), made.lines.end());
        for (const auto& each : engines_) {
            made.failures += each->take_errors().size();
            made.waiting += each->waiting_tasks().size();
            made.data += each->store().size();
        }
        return made;
    }

  public:
    std::set<std::vector<engine::Rank>> teams;  // that have made a call

  private:
    std::vector<std::optional<engine::Task>> in_team_;  // by rank: its call by a team
    std::set<engine::Rank> began_;                      // calls by a team that others may wait for
    KeptOutput services_;
    std::mt19937_64 random_;
    Network network_;
    ir::Program program_;
    RunControl control_;
    LeafHost host_{{}, control_};
    std::unique_ptr<LeafTable> leaves_;
    tasks::TaskProgram tasks_;
    using EnginePointer = std::unique_ptr<engine::Engine>;
    std::vector<EnginePointer> engines_;
    std::vector<std::deque<engine::Message>> inboxes_;
    std::vector<engine::CausalOrder> orders_;
    std::map<std::pair<engine::Rank, engine::Rank>, std::deque<engine::CausalOrder::Parcel>> links_;
};

TEST(Schedules, no_order_of_messages_and_tasks_changes_the_output_or_leaves_data) {
    for (std::uint64_t seed = 1; seed <= tries(40); ++seed) {
        const std::string text = make_random_program(seed).text();
        const Ran right = run_script(text, 1, true);
        for (const auto& [ranks, network] :
             {std::pair(1U, Network::inboxes), {3U, Network::inboxes}, {3U, Network::links}}) {
            for (std::uint64_t schedule = 1; schedule <= 4; ++schedule) {
                const Outcome outcome = Scheduler(text, ranks, schedule, network).run();
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
