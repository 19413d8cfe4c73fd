#include "graphs/sweep.hpp"

#include <gtest/gtest.h>
#include <stdexcept>

namespace graphs::sweep_test {
namespace {

TEST(Metg, it_is_interpolated_between_the_points_around_the_threshold) {
    EXPECT_NEAR(metg_ns({{30, 1000, 0.8}, {20, 500, 0.6}, {10, 300, 0.4}}).value(), 387.3, 0.1);
}

TEST(Metg, it_is_the_last_crossing_of_the_threshold) {
    const std::vector<SweepPoint> points = {
        {4, 4000, 0.9}, {3, 3000, 0.4}, {2, 2000, 0.7}, {1, 1000, 0.3}};
    EXPECT_NEAR(metg_ns(points).value(), 1414.2, 0.1);
}

TEST(Metg, it_is_a_bound_if_all_tasks_are_efficient_and_nothing_if_none_are) {
    EXPECT_EQ(metg_ns({{2, 200, 0.9}, {1, 100, 0.8}}), 100);
    EXPECT_EQ(metg_ns({{2, 200, 0.4}, {1, 100, 0.2}}), std::nullopt);
    EXPECT_EQ(metg_ns({}), std::nullopt);
}

/// Runs the tasks in order, on a simulated clock: an iteration of the kernel takes a nanosecond,
/// and the system adds `overhead_ns` per task.
class Serial : public System {
  public:
    Serial(int width, double overhead_ns) : rows_(width), overhead_ns_(overhead_ns) {}
    void run(const Work& work) override {
        for (int step = 0; step < work.graph->shape().steps; ++step) {
            const Columns active = work.graph->columns(step);
            for (int c = active.first; c < active.first + active.count; ++c)
                execute({work.graph, 0, work.ledger}, step, c, rows_);
        }
        const double task_ns = overhead_ns_ + static_cast<double>(work.iterations);
        now_ += 1e-9 * task_ns * static_cast<double>(work.graph->task_count());
    }
    SweepConfig config() {
        SweepConfig config;
        config.threads = 1;
        config.seconds_now = [this] { return now_; };
        config.peak = [](unsigned) { return flops_per_iteration * 1e9; };
        return config;
    }

  private:
    OutputRows rows_;
    double overhead_ns_;
    double now_ = 0;
};

TEST(Sweep, it_measures_the_overhead_of_a_system) {
    const TaskGraph graph({Pattern::stencil_1d, 4, 50});
    for (const double overhead_ns : {40.0, 2'000.0, 90'000.0}) {
        Serial system(4, overhead_ns);
        const Sweep result = sweep(system, graph, system.config());
        // Efficiency is one half where tasks are as long as the overhead.
        EXPECT_NEAR(metg_ns(result.points).value(), 2 * overhead_ns, 0.02 * overhead_ns);
        for (std::size_t i = 1; i < result.points.size(); ++i)
            EXPECT_LT(result.points[i].iterations, result.points[i - 1].iterations);
        EXPECT_GE(result.points.front().efficiency, 0.6);
        EXPECT_LT(result.points.back().efficiency, 0.3);
    }
}

/// Omits one task of each run.
class Forgetful : public Serial {
  public:
    using Serial::Serial;
    void run(const Work& work) override {
        OutputRows rows(work.graph->shape().width);
        for (int step = 0; step + 1 < work.graph->shape().steps; ++step)
            for (int c = 0; c < work.graph->shape().width; ++c) execute(work, step, c, rows);
    }
};

TEST(Sweep, it_ends_when_a_run_is_wrong) {
    const TaskGraph graph({Pattern::no_comm, 2, 5});
    Forgetful system(2, 0);
    EXPECT_THROW((void)sweep(system, graph, system.config()), std::runtime_error);
}

}  // namespace
}  // namespace graphs::sweep_test
