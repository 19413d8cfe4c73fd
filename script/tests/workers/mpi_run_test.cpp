#include "workers/mpi_run.hpp"

#include "leaves/leaf_table.hpp"
#include "tasks/lower.hpp"
#include "typing/front_end.hpp"
#include "workers/standard_services.hpp"

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
};

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
        return first;
    }
    [[nodiscard]] std::string broadcast(std::string text, std::uint32_t) override { return text; }
    [[nodiscard]] bool join_team(const std::vector<std::uint32_t>& /*ranks*/, bool ready) override {
        return ready;
    }
    [[nodiscard]] const void* team_communicator() const override { return nullptr; }
    void leave_team() override {}
    void finish() override {}
    void abort() override { ADD_FAILURE() << "rank " << rank_ << " has failed"; }

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

Outcome ran(const std::string& text, std::uint32_t ranks, std::uint64_t seed,
            FailurePolicy failures = FailurePolicy::independent) {
    Sources sources;
    sources.add("test.swift", text);
    const ir::Program program = compile_to_ir(sources).program;
    RunControl control;
    LeafHost host({}, control);
    const LeafTable leaves(program, {}, host);
    const tasks::TaskProgram tasks = tasks::lower_to_tasks(program, leaves);
    Lines services(ranks);
    Links links(seed);
    std::vector<RunOutcome> outcomes(ranks);
    std::vector<std::thread> threads;
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
        threads.emplace_back([&, rank] {
            RunControl own;
            ThreadRunOptions options;
            options.workers = ranks;
            options.control = &own;
            options.failures = failures;
            options.tally_of_calls = [rank] {
                return engine::CallTally{rank, 10, "WARN rank " + std::to_string(rank / 2) + "\n"};
            };
            SlowTransport transport(links, rank, ranks);
            outcomes[rank] = run_over_mpi(tasks, sources, services, options, transport);
        });
    for (std::thread& each : threads) each.join();
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

TEST(MpiRun, calls_that_were_cached_and_retried_and_warnings_are_those_of_all_ranks) {
    const engine::CallTally all = ran("trace(1);", 4, 1).run.tally_of_calls;
    EXPECT_EQ(all.cached, 0U + 1 + 2 + 3);
    EXPECT_EQ(all.retried, 40U);
    EXPECT_EQ(all.warnings, "WARN rank 0\nWARN rank 1\n");
}

TEST(MpiRun, the_calling_thread_is_afterwards_the_worker_that_it_was) {
    const AsWorker before(7);
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

}  // namespace refrain::script::mpi_run_test
