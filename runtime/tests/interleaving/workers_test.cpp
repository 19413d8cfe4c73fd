/// The loop of the workers itself: stealing, splitting, resting, sleeping, publishing and stopping.
#include "graph/workers.hpp"

#include "graph/watched_run.hpp"
#include "interleaving/schedules.hpp"

#include <gtest/gtest.h>

namespace refrain::graph::testing::workers_loop_test {
namespace {

using refrain::testing::Bodies;
using refrain::testing::let_others_run;
using refrain::testing::Report;
using refrain::testing::require;
using refrain::testing::try_schedules;

/// What the launching thread does when it has made its launches.
enum class Then {
    helps,   // waits for them, and runs points meanwhile
    is_away  // never calls again
};

/// A launching thread and workers that run a program; then the threads end.
class Shift {
  public:
    Shift(const Program& program, unsigned workers, Then then)
        : program_(program), count_(workers), then_(then) {}

    Bodies start() {
        run_ = std::make_unique<WatchedRun>(program_);
        if (++runs_ % 2 == 0) run_->cost().measured(1);  // tiny: launches are held for a while
        workers_ =
            std::make_unique<Workers>(count_, Workers::Held{}, steal_ns, Workers::Threads::callers);
        Bodies bodies{[this] { launch(); }};
        for (unsigned i = 1; i < count_; ++i)
            bodies.emplace_back([this, i] { workers_->run_worker(i); });
        return bodies;
    }
    [[nodiscard]] bool is_correct() {
        require(run_->verdict().empty(), run_->verdict());
        require(run_->all_retired(), "every launch finishes");
        return true;
    }

  private:
    static constexpr std::uint64_t steal_ns = 1;  // rests are short

    void launch() {
        while (!run_->all_launched()) {
            const auto right = workers_->right_to_publish();
            workers_->launched(run_->launch([&](ReadyPoints ready) { workers_->ready(ready); }));
        }
        if (then_ == Then::helps)
            workers_->help_until([this] { return is_over(); });
        else
            while (!is_over()) let_others_run();
        workers_->stop_threads();
    }
    bool is_over() {
        run_->retire();
        return run_->all_retired();
    }

    const Program& program_;
    unsigned count_;
    Then then_;
    std::uint64_t runs_ = 0;
    std::unique_ptr<WatchedRun> run_;
    std::unique_ptr<Workers> workers_;
};

Report shift(const Program& program, unsigned workers, Then then, std::uint64_t schedules) {
    Shift parties(program, workers, then);
    return try_schedules(
        schedules, [&] { return parties.start(); }, [&] { return parties.is_correct(); });
}

/// Wide, a chain, and wide again.
Program some_of_each() {
    return {{4, {}, {}},
            {1, {{0, all_to_all(4, 1)}}, {}},
            {1, {{1, {{0, 0}}}}, {}},
            {4, {{2, all_to_all(1, 4)}}, {}}};
}

TEST(WorkersLoop, all_that_is_launched_runs_while_the_launching_thread_helps) {
    for (const unsigned workers : {1U, 2U, 3U}) {
        const Report report = shift(some_of_each(), workers, Then::helps, 300);
        EXPECT_TRUE(report.passed()) << workers << " workers: " << report;
    }
}

TEST(WorkersLoop, all_that_is_launched_runs_though_the_launching_thread_is_away) {
    for (const unsigned workers : {2U, 3U}) {
        const Report report = shift(some_of_each(), workers, Then::is_away, 300);
        EXPECT_TRUE(report.passed()) << workers << " workers: " << report;
    }
}

TEST(WorkersLoop, that_never_had_work_ends) {
    const Report report = shift({}, 3, Then::is_away, 300);
    EXPECT_TRUE(report.passed()) << report;
}

}  // namespace
}  // namespace refrain::graph::testing::workers_loop_test
