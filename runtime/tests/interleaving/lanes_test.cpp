/// Lanes in the loop of the workers: places, borrowed lanes, sleeping, failures and what follows them.
#include "graph/lanes.hpp"

#include "graph/watched_run.hpp"
#include "graph/workers.hpp"
#include "interleaving/schedules.hpp"

#include <gtest/gtest.h>

namespace refrain::graph::testing::lanes_loop_test {
namespace {

using refrain::testing::Bodies;
using refrain::testing::let_others_run;
using refrain::testing::Report;
using refrain::testing::require;
using refrain::testing::try_schedules;

/// What the launching thread does when it has made its launches.
enum class Then {
    helps,   // waits for them, and runs lanes meanwhile
    is_away  // never calls again: others run its lane
};

/// A launching thread and workers that run a program in lanes, up to its first failure, and the rest
/// by the graph; then the threads end.
class Shift {
  public:
    Shift(const Program& program, unsigned workers, Then then)
        : program_(program), count_(workers), then_(then) {}

    Bodies start() {
        run_ = std::make_unique<WatchedRun>(program_);
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
        Lanes& lanes = workers_->lanes();
        workers_->open_lanes();
        while (!run_->all_launched()) {
            while (lanes.unsettled() >= Lanes::reach - 1) help();
            run_->retire();
            if (lanes.has_failures()) break;
            const WatchedRun::InLanes next = run_->launch_in_lanes(count_);
            workers_->publish_in_lanes(next.node, next.plan, sizeof(WatchedNode));
            if (lanes.published() > Lanes::lag)
                workers_->run_own_lane(lanes.published() - Lanes::lag);
        }
        while (lanes.unsettled() != 0) then_ == Then::helps ? help() : stay_away();
        run_->retire();
        lanes.forget_failures();
        workers_->close_lanes();
        launch_rest();
        workers_->stop_threads();
    }
    void help() {
        static_cast<void>(workers_->help_lanes());
        workers_->lanes().settle();
    }
    void stay_away() {
        let_others_run();
        workers_->lanes().settle();
    }
    void launch_rest() {
        while (!run_->all_launched()) {
            const auto right = workers_->right_to_publish();
            workers_->launched(run_->launch([&](ReadyPoints ready) { workers_->ready(ready); }));
        }
        workers_->help_until([this] {
            run_->retire();
            return run_->all_retired();
        });
    }

    const Program& program_;
    unsigned count_;
    Then then_;
    std::unique_ptr<WatchedRun> run_;
    std::unique_ptr<Workers> workers_;
};

Report shift(const Program& program, unsigned workers, Then then, std::uint64_t schedules) {
    Shift parties(program, workers, then);
    return try_schedules(
        schedules, [&] { return parties.start(); }, [&] { return parties.is_correct(); });
}

/// A loop of three patterns, `launches` long: neighbours, all, and the launch before the last.
Program loop(std::size_t launches, std::uint32_t points) {
    Program program;
    for (std::size_t i = 0; i < launches; ++i) {
        Launch launch{points, {}, {}};
        if (i > 0)
            launch.waits_for.push_back(
                {i - 1, i % 3 == 1 ? all_to_all(points, points) : neighbours(points, points)});
        if (i > 1 && i % 3 == 2)
            launch.waits_for.push_back({i - 2, each_to_its_own(points), false});
        program.push_back(std::move(launch));
    }
    return program;
}

constexpr std::uint64_t schedules = 40;

TEST(LanesLoop, each_point_runs_once_after_its_predecessors) {
    for (const unsigned workers : {2U, 3U}) {
        const Report report = shift(loop(14, 5), workers, Then::helps, schedules);
        EXPECT_TRUE(report.passed()) << workers << " workers: " << report;
    }
}

TEST(LanesLoop, workers_run_the_lane_of_a_launching_thread_that_is_away) {
    for (const unsigned workers : {2U, 3U}) {
        const Report report = shift(loop(10, 4), workers, Then::is_away, schedules);
        EXPECT_TRUE(report.passed()) << workers << " workers: " << report;
    }
}

TEST(LanesLoop, entries_are_used_again) {
    const Report report = shift(loop(2 * Lanes::capacity + 5, 2), 2, Then::helps, 5);
    EXPECT_TRUE(report.passed()) << report;
}

TEST(LanesLoop, what_needs_failed_points_is_skipped_in_lanes_and_after_them) {
    for (const std::size_t failing : {0U, 3U, 9U}) {
        Program program = loop(14, 4);
        program[failing].throws = {false, true, false, false};
        for (const unsigned workers : {2U, 3U}) {
            const Report report = shift(program, workers, Then::helps, schedules / 2);
            EXPECT_TRUE(report.passed())
                << "launch " << failing << ", " << workers << " workers: " << report;
        }
    }
}

}  // namespace
}  // namespace refrain::graph::testing::lanes_loop_test
