/// Lanes in the loop of the workers: places, borrowed lanes, sleeping, failures and what follows them.
#include "graph/lanes.hpp"

#include "graph/watched_run.hpp"
#include "graph/workers.hpp"
#include "interleaving/schedules.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

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

/// Which launches are in a row (runtime/launch_row.hpp): their nodes say that they are finished from the
/// first, until the row ends. Then those that have not settled are made nodes that have not run.
struct RowOf {
    std::size_t first = 0;
    std::size_t end = 0;
};

/// A launching thread and workers that run a program in lanes, up to its first failure, and the rest
/// by the graph; then the threads end.
class Shift {
  public:
    Shift(const Program& program, unsigned workers, Then then, RowOf row = {})
        : program_(program), count_(workers), then_(then), row_(row) {}

    Bodies start() {
        run_ = std::make_unique<WatchedRun>(program_);
        in_row_.clear();
        is_in_row_ = false;
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
            const std::size_t launch = run_->launched();
            if (is_in_row_ && (launch == row_.end || lanes.has_failures())) end_row();
            if (launch == row_.first && row_.end > launch && !is_in_row_) {
                is_in_row_ = true;
                first_in_row_ = lanes.published() + 1;
            }
            while (lanes.unsettled() >= Lanes::reach - 1) help();
            if (!is_in_row_) run_->retire();
            settle();  // between launches, too
            if (lanes.has_failures()) break;
            const WatchedRun::InLanes next = run_->launch_in_lanes(count_);
            if (is_in_row_) {
                next.node.bundles[0].finished.store(1, std::memory_order_relaxed);
                in_row_.push_back(&next.node);
            }
            workers_->publish_in_lanes(next.node, next.plan, sizeof(WatchedNode));
            if (lanes.published() > Lanes::lag)
                workers_->run_own_lane(lanes.published() - Lanes::lag);
        }
        if (is_in_row_) end_row();
        while (lanes.unsettled() != 0) then_ == Then::helps ? help() : stay_away();
        run_->retire();
        lanes.forget_failures();
        workers_->close_lanes();
        launch_rest();
        workers_->stop_threads();
    }
    void settle() {
        if (is_in_row_)
            workers_->lanes().settle_unmarked_from(first_in_row_);
        else
            workers_->lanes().settle();
    }
    void end_row() {
        is_in_row_ = false;
        const std::uint64_t unsettled =
            std::min<std::uint64_t>(in_row_.size(), workers_->lanes().unsettled());
        for (auto at = in_row_.size() - unsettled; at < in_row_.size(); ++at)
            rearm_bundles(*in_row_[at]);
    }
    void help() {
        static_cast<void>(workers_->help_lanes());
        settle();
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
    RowOf row_;
    std::vector<WatchedNode*> in_row_;
    bool is_in_row_ = false;
    std::uint64_t first_in_row_ = 0;  // its number in lanes
    std::unique_ptr<WatchedRun> run_;
    std::unique_ptr<Workers> workers_;
};

Report shift(const Program& program, unsigned workers, Then then, std::uint64_t schedules,
             RowOf row = {}) {
    Shift parties(program, workers, then, row);
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

TEST(LanesLoop, launches_in_a_row_settle_as_others_do) {
    for (const RowOf row : {RowOf{0, 14}, RowOf{3, 10}, RowOf{12, 13}})
        for (const unsigned workers : {2U, 3U}) {
            const Report report = shift(loop(14, 5), workers, Then::helps, schedules / 2, row);
            EXPECT_TRUE(report.passed())
                << "from " << row.first << ", " << workers << " workers: " << report;
        }
}

TEST(LanesLoop, a_failure_in_a_row_reaches_what_needs_its_points) {
    for (const std::size_t failing : {0U, 4U, 6U, 9U}) {
        Program program = loop(14, 4);
        program[failing].throws = {false, true, false, false};
        for (const unsigned workers : {2U, 3U}) {
            const Report report =
                shift(program, workers, Then::helps, schedules / 2, {.first = 3, .end = 11});
            EXPECT_TRUE(report.passed())
                << "launch " << failing << ", " << workers << " workers: " << report;
        }
    }
}

}  // namespace
}  // namespace refrain::graph::testing::lanes_loop_test
