#include "workers/mpi_run.hpp"

#include "base/exchanged.hpp"
#include "engine/causal_order.hpp"
#include "leaves/leaf_table.hpp"
#include "passes/optimise.hpp"
#include "refrain/script/leaf_functions.hpp"
#include "tasks/lower.hpp"
#include "typing/front_end.hpp"
#include "workers/standard_services.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <random>
#include <thread>

#include "programs/random_program.hpp"
#include "run_script.hpp"
#include "tries.hpp"

/// Ranks as threads of this process, with links of which any may be slow.
namespace refrain::script::mpi_run_test {

struct Links {
    explicit Links(std::uint64_t seed) : random(seed) {}
    std::mutex mutex;
    std::mt19937_64 random;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<std::string>> all;  // from, to

    /// A team, which has met when all its ranks have come.
    struct Meeting {
        std::size_t came = 0;
        std::size_t met = 0;  // how often
        bool ready = true;
        bool all_ready = false;
    };
    std::condition_variable met;
    std::map<std::vector<std::uint32_t>, Meeting> meetings;
    std::vector<std::uint64_t> sent;  // to each rank, by all that are leaving
    std::size_t leaving = 0;
};

/// Whether a message says that the run has ended.
bool says_end(const std::string& bytes) {
    constexpr char end = 4;
    return engine::unpacked<engine::CausalOrder::Parcel>(bytes).kind == end;
}

/// Whether a message says that the sender is free for a team.
bool says_mustered(const std::string& bytes) {
    const auto parcel = engine::unpacked<engine::CausalOrder::Parcel>(bytes);
    return parcel.kind == 0 &&
           std::ranges::any_of(engine::unpacked<std::vector<engine::Message>>(parcel.text),
                               [](const engine::Message& each) {
                                   return std::holds_alternative<engine::Mustered>(each.is);
                               });
}

class SlowTransport : public MpiTransport {
  public:
    SlowTransport(Links& links, std::uint32_t rank, std::uint32_t ranks)
        : links_(links), rank_(rank), ranks_(ranks) {}
    [[nodiscard]] std::uint32_t rank() const override { return rank_; }
    [[nodiscard]] std::uint32_t ranks() const override { return ranks_; }
    void send(std::uint32_t to, std::string bytes) override {
        const std::lock_guard lock(links_.mutex);
        links_.all[{rank_, to}].push_back(std::move(bytes));
    }
    [[nodiscard]] std::optional<std::pair<std::uint32_t, std::string>> receive() override {
        const std::lock_guard lock(links_.mutex);
        const auto from = static_cast<std::uint32_t>(links_.random() % ranks_);
        std::deque<std::string>& link = links_.all[{from, rank_}];
        if (link.empty() || links_.random() % 2 == 0) return std::nullopt;
        std::pair<std::uint32_t, std::string> first(from, std::move(link.front()));
        link.pop_front();
        if (stops_when_mustered != nullptr && says_mustered(first.second))
            stops_when_mustered->stop();
        if (stops_at_end != nullptr && says_end(first.second)) stops_at_end->stop();
        return first;
    }
    [[nodiscard]] std::string broadcast(std::string text, std::uint32_t) override { return text; }
    [[nodiscard]] bool join_team(const std::vector<std::uint32_t>& ranks, bool ready) override {
        std::unique_lock lock(links_.mutex);
        Links::Meeting& team = links_.meetings[ranks];
        team.ready = team.ready && ready;
        if (++team.came == ranks.size()) {
            team = {0, team.met + 1, true, team.ready};
            links_.met.notify_all();
            return team.all_ready;
        }
        const auto has_met = [&, before = team.met] { return team.met != before; };
        if (links_.met.wait_for(lock, std::chrono::seconds(120), has_met)) return team.all_ready;
        ADD_FAILURE() << "rank " << rank_ << " waits for others of its team";
        return false;
    }
    [[nodiscard]] const void* team_communicator() const override { return nullptr; }
    void leave_team() override {}
    [[nodiscard]] std::uint64_t sent_here(std::vector<std::uint64_t> sent) override {
        std::unique_lock lock(links_.mutex);
        links_.sent.resize(ranks_);
        for (std::uint32_t i = 0; i < ranks_; ++i) links_.sent[i] += sent[i];
        if (++links_.leaving == ranks_) links_.met.notify_all();
        links_.met.wait(lock, [&] { return links_.leaving == ranks_; });
        return links_.sent[rank_];
    }
    void finish() override {}
    void abort() override { ADD_FAILURE() << "rank " << rank_ << " has failed"; }

    RunControl* stops_when_mustered = nullptr;
    RunControl* stops_at_end = nullptr;  // of another rank

  private:
    Links& links_;
    std::uint32_t rank_;
    std::uint32_t ranks_;
};

class Lines : public StandardServices {
  public:
    explicit Lines(std::uint32_t ranks)
        : StandardServices({"test.swift"}, static_cast<int>(ranks)) {}
    void print(const std::string& text) override {
        const std::lock_guard lock(mutex_);
        all.push_back(text.substr(0, text.size() - 1));
    }
    [[nodiscard]] std::uint32_t worker() const override { return worker_of_this_thread(); }
    std::vector<std::string> all;

  private:
    std::mutex mutex_;
};

struct Outcome {
    std::vector<std::string> lines;
    RunOutcome run;
};

thread_local RunControl* control_of_this_rank = nullptr;

/// The second rank of the team kills the run, and its call does not end well.
std::int64_t kills(std::int64_t i) {
    if (team().rank == 0) return i;
    control_of_this_rank->kill();
    throw std::runtime_error("killed");
}
REFRAIN_SCRIPT_FUNCTION(kills)

Outcome ran(const std::string& text, std::uint32_t ranks, std::uint64_t seed,
            FailurePolicy failures = FailurePolicy::independent, bool stops_when_mustered = false,
            int level = 0, bool stops_at_end = false) {
    Sources sources;
    sources.add("test.swift", text);
    const ir::Program program =
        passes::optimise(compile_to_ir(sources).program, passes::PassSet(level));
    RunControl control;
    LeafHost host({}, control);
    const LeafTable leaves(program, {}, host);
    const tasks::TaskProgram tasks = tasks::lower_to_tasks(program, leaves);
    Lines services(ranks);
    Links links(seed);
    std::vector<RunOutcome> outcomes(ranks);
    std::vector<std::thread> threads;
    std::deque<RunControl> controls(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
        threads.emplace_back([&, rank] {
            RunControl& own = controls[rank];
            control_of_this_rank = &own;
            ThreadRunOptions options;
            options.workers = ranks;
            options.control = &own;
            options.failures = failures;
            options.tally_of_calls = [rank] {
                return engine::CallTally{rank, 10, "WARN rank " + std::to_string(rank / 2) + "\n"};
            };
            SlowTransport transport(links, rank, ranks);
            if (stops_when_mustered && rank == 0) transport.stops_when_mustered = &own;
            if (stops_at_end) transport.stops_at_end = &controls[(rank + 1) % ranks];
            outcomes[rank] = run_over_mpi(tasks, sources, services, options, transport);
        });
    for (std::thread& each : threads) each.join();
    for (const auto& [link, messages] : links.all)
        EXPECT_TRUE(messages.empty())
            << "rank " << link.second << " left before it knew what rank " << link.first << " said";
    std::sort(services.all.begin(), services.all.end());
    return {std::move(services.all), std::move(outcomes[0])};
}

TEST(MpiRun, random_programs_give_the_results_of_the_interpreter_over_slow_links) {
    for (std::uint64_t seed = 1; seed <= tries(12); ++seed) {
        const std::string text = make_random_program(seed).text();
        const Ran right = run_script(text, 1, true);
        const Outcome made = ran(text, 3, seed);
        ASSERT_EQ(made.lines, right.lines) << "seed " << seed << "\n" << text;
        ASSERT_EQ(!made.run.waiting.empty(), right.result.tasks_waiting != 0) << text;
        ASSERT_TRUE(!made.run.waiting.empty() || made.run.live_data == 0) << text;
    }
}

std::mutex noted_mutex;
std::string noted;
std::int64_t notes(std::int64_t i) {
    const std::lock_guard lock(noted_mutex);
    noted += std::to_string(i);
    return i;
}
REFRAIN_SCRIPT_FUNCTION(notes)

TEST(MpiRun, a_priority_that_is_computed_orders_the_calls_of_a_rank) {
    const std::string text = R"((int o) notes(int i) "native" "1" "notes";
(int o) rank_of(int i) { o = (i * 7) %% 10 - 3; }
foreach i in [0:9] { trace(@prio=rank_of(i) notes(i)); })";
    noted.clear();
    EXPECT_EQ(ran(text, 1, 1).lines.size(), 10U);
    EXPECT_EQ(noted, "7418529630");
    noted.clear();
    for (std::uint64_t seed = 1; seed <= tries(5); ++seed)
        EXPECT_EQ(ran(text, 3, seed).lines, ran(text, 1, 1).lines);
}

/// Each rank writes elements of which others have been faster, and reads them.
TEST(MpiRun, after_a_second_write_all_ranks_see_the_one_that_the_owner_has_accepted) {
    const std::string text = R"(int n = 6 + argc() - argc();
int A[];
foreach i in [0:n-1] { A[i %% 2] = i; trace(i %% 2, A[i %% 2]); }
int x;
if (n > 1) { x = n; trace("x", x); }
if (n > 2) { x = n + 1; trace("x", x); })";
    for (const int level : {0, 3}) {
        for (std::uint64_t seed = 1; seed <= tries(5); ++seed) {
            const Outcome made =
                ran("import sys;\n" + text, 3, seed, FailurePolicy::independent, false, level);
            ASSERT_EQ(made.lines.size(), 8U);
            EXPECT_EQ(made.lines[0], made.lines[2]) << "level " << level << ", seed " << seed;
            EXPECT_EQ(made.lines[3], made.lines[5]) << "level " << level << ", seed " << seed;
            EXPECT_EQ(made.lines[6], made.lines[7]) << "level " << level << ", seed " << seed;
            EXPECT_EQ(made.run.failures.size(), 5U);
        }
    }
}

TEST(MpiRun, calls_that_were_cached_and_retried_and_warnings_are_those_of_all_ranks) {
    const engine::CallTally all = ran("trace(1);", 4, 1).run.tally_of_calls;
    EXPECT_EQ(all.cached, 0U + 1 + 2 + 3);
    EXPECT_EQ(all.retried, 40U);
    EXPECT_EQ(all.warnings, "WARN rank 0\nWARN rank 1\n");
}

TEST(MpiRun, the_calling_thread_is_afterwards_the_worker_that_it_was) {
    const base::Exchanged before(worker_of_this_thread(), 7U);
    static_cast<void>(run_script("trace(1);", 2));
    EXPECT_EQ(worker_of_this_thread(), 7U);
}

TEST(MpiRun, a_failure_that_stops_the_run_stops_all_ranks) {
    const Outcome made =
        ran("import assert; import sys;\nforeach i in [1:6] { sleep(0.01) => assert(i != 3, "
            "\"three\"); }",
            3, 1, FailurePolicy::stop);
    EXPECT_TRUE(made.run.stopped);
    ASSERT_FALSE(made.run.failures.empty());
    EXPECT_NE(made.run.failures[0].text.find("three"), std::string::npos);
}

/// A rank that knows of the end has another one interrupted, which may not know of it yet, and tells all.
TEST(MpiRun, a_rank_that_is_interrupted_at_the_end_tells_nobody_who_has_left) {
    for (std::uint64_t seed = 1; seed <= tries(20); ++seed) {
        const Outcome made = ran("foreach i in [1:4] { trace(i); }", 4, seed,
                                 FailurePolicy::independent, false, 0, true);
        ASSERT_EQ(made.lines.size(), 4U);
        ASSERT_FALSE(made.run.stopped);
    }
}

constexpr const char* team_script = R"(
@par (int o) kills(int i) "native" "1" "kills";
trace(@par=2 kills(1));)";

TEST(MpiRun, a_team_that_is_complete_when_the_run_is_stopped_learns_it) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Outcome made = ran(team_script, 2, seed, FailurePolicy::independent, true);
        ASSERT_TRUE(made.run.stopped);
        ASSERT_TRUE(made.lines.empty());
    }
}

TEST(MpiRun, a_call_of_a_team_that_one_of_its_ranks_has_cut_off_did_not_run) {
    const Outcome made = ran(team_script, 2, 1);
    EXPECT_TRUE(made.run.stopped);
    EXPECT_TRUE(std::ranges::any_of(made.run.unfinished, [](const auto& each) {
        return each.first.text.find("kills") != std::string::npos;
    }));
}

}  // namespace refrain::script::mpi_run_test
