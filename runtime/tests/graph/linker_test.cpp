#include "graph/linker.hpp"

#include "graph/watched_run.hpp"

#include <gtest/gtest.h>

namespace refrain::graph::testing::linker_test {
namespace {

/// Runs launches on one thread; ready points are kept until run_all or run_some.
class Launcher {
  public:
    explicit Launcher(const Program& program) : run_(program) {}

    /// Makes the next launch; returns the masks of points that it made ready.
    std::vector<std::uint32_t> launch() {
        const std::size_t before = ready_.size();
        run_.launch([&](ReadyPoints item) { ready_.push_back(item); });
        std::vector<std::uint32_t> points;
        for (std::size_t i = before; i < ready_.size(); ++i) points.push_back(ready_[i].points());
        return points;
    }
    void run_all() {
        while (!ready_.empty()) {
            const ReadyPoints item = ready_.back();
            ready_.pop_back();
            WatchedRun::execute(item, [&](ReadyPoints next) { ready_.push_back(next); });
        }
    }
    /// Runs those of `points` that belong to the oldest item.
    void run_some(std::uint32_t points) {
        const ReadyPoints item = ready_.front();
        ready_.front() = {&item.bundle(), item.points() & ~points};
        WatchedRun::execute({&item.bundle(), item.points() & points},
                            [&](ReadyPoints next) { ready_.push_back(next); });
    }
    WatchedRun& run() { return run_; }

  private:
    WatchedRun run_;
    std::vector<ReadyPoints> ready_;
};

TEST(Linker, a_launch_without_predecessors_is_ready_at_once) {
    const Program program = {{11, {}, {}}};
    EXPECT_EQ(Launcher(program).launch(), (std::vector<std::uint32_t>{0xff, 0b111}));
}

TEST(Linker, a_launch_waits_only_for_points_that_are_not_done) {
    const Program program = {{3, {}, {}}, {3, {{0, each_to_its_own(3)}}, {}}};
    Launcher launcher(program);
    launcher.launch();
    launcher.run_some(0b101);
    EXPECT_EQ(launcher.launch(), std::vector<std::uint32_t>{0b101});
    EXPECT_FALSE(launcher.run().node(1).is_finished());
    launcher.run_all();
    EXPECT_EQ(launcher.run().verdict(), "");
    EXPECT_TRUE(launcher.run().node(1).is_finished());
}

TEST(Linker, a_launch_whose_predecessors_have_finished_is_ready_at_once) {
    const Program program = {{20, {}, {}}, {20, {{0, neighbours(20, 20)}}, {}}};
    Launcher launcher(program);
    launcher.launch();
    launcher.run_all();
    EXPECT_EQ(launcher.launch(), (std::vector<std::uint32_t>{0xff, 0xff, 0b1111}));
}

TEST(Linker, a_failure_before_the_launch_poisons_it) {
    for (const std::uint32_t points : {4U, 20U, packed_in_degree_max + 4}) {
        const std::vector<bool> first_throws{true};
        Program program = {{points, {}, std::vector<bool>(points)},
                           {points, {{0, neighbours(points, points)}}, {}},
                           {2, {{0, almost_all_to_all(points, 2)}}, {}},
                           {3, {{0, all_to_all(points, 3)}}, {}}};
        program[0].throws[0] = true;
        Launcher launcher(program);
        launcher.launch();
        launcher.run_all();
        while (!launcher.run().all_launched()) launcher.launch();
        launcher.run_all();
        EXPECT_EQ(launcher.run().verdict(), "") << points;
    }
}

TEST(Linker, a_failed_point_poisons_only_its_own_successors) {
    const Program program = {{8, {}, {false, true, false, false, false, false, false, false}},
                             {8, {{0, neighbours(8, 8)}}, {}}};
    const Outcomes expected = run_sequentially(program);
    EXPECT_EQ(std::count(expected[1].begin(), expected[1].end(), Outcome::skipped), 3);
    Launcher launcher(program);
    launcher.launch();
    launcher.launch();
    launcher.run_all();
    EXPECT_EQ(launcher.run().verdict(), "");
}

TEST(Linker, random_programs_on_one_thread_match_sequential_execution) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        Random random(seed);
        const Program program = random_program(random, 20, 30, seed % 2 == 0 ? 0 : 10);
        Launcher launcher(program);
        while (!launcher.run().all_launched()) {
            launcher.launch();
            if (random() % 4 == 0) launcher.run_all();
            launcher.run().retire();
        }
        launcher.run_all();
        launcher.run().retire();
        ASSERT_EQ(launcher.run().verdict(), "") << "seed " << seed;
        ASSERT_TRUE(launcher.run().all_retired()) << "seed " << seed;
    }
}

}  // namespace
}  // namespace refrain::graph::testing::linker_test
