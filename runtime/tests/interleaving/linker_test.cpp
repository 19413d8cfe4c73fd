#include "graph/linker.hpp"

#include "base/mutex.hpp"
#include "graph/watched_run.hpp"
#include "interleaving/schedules.hpp"

#include <gtest/gtest.h>

namespace refrain::graph::testing::linker_test {
namespace {

using refrain::testing::Bodies;
using refrain::testing::Report;
using refrain::testing::require;
using refrain::testing::try_schedules;

/// A race between the launching thread and workers. The first `launched_before` launches are
/// published beforehand and their ready points divided among the workers; the launching thread then
/// publishes the others while the workers run and finish points.
class Race {
  public:
    Race(const Program& program, std::size_t launched_before, std::size_t workers, Linking linking)
        : program_(program),
          launched_before_(launched_before),
          linking_(linking),
          shares_(workers + 1) {}

    /// A new run. Runs differ in which worker gets which points.
    Bodies start() {
        random_.seed(++runs_);
        run_ = std::make_unique<WatchedRun>(program_, linking_);
        for (Share& share : shares_) share = {{}, Random(random_())};
        for (std::size_t i = 0; i < launched_before_; ++i)
            run_->launch([&](ReadyPoints points) { deal(points); });
        Bodies bodies{[this] { launch_the_rest(shares_[0]); }};
        for (std::size_t worker = 1; worker < shares_.size(); ++worker)
            bodies.emplace_back([this, worker] { execute_all(shares_[worker]); });
        return bodies;
    }
    [[nodiscard]] bool is_correct() {
        run_->retire();
        require(run_->verdict().empty(), run_->verdict());
        require(run_->all_retired(), "every node finishes");
        return true;
    }

  private:
    /// The points that one thread is to run, and how it divides them.
    struct Share {
        std::vector<ReadyPoints> items;
        Random random;
    };

    void deal(ReadyPoints item) {
        for (std::uint32_t left = item.points(); left != 0; left &= left - 1)
            give(shares_[1 + random_() % (shares_.size() - 1)], {&item.bundle(), left & -left});
    }
    /// Every other time, combines the item with the last one if both are of one bundle.
    static void give(Share& share, ReadyPoints item) {
        if (!share.items.empty() && &share.items.back().bundle() == &item.bundle() &&
            share.random() % 2 == 0) {
            const std::uint32_t points = share.items.back().points() | item.points();
            share.items.back() = {&item.bundle(), points};
            return;
        }
        share.items.push_back(item);
    }
    static void execute_all(Share& share) {
        while (!share.items.empty()) {
            const ReadyPoints item = share.items.back();
            share.items.pop_back();
            WatchedRun::execute(item, [&](ReadyPoints ready) { share.items.push_back(ready); });
        }
    }
    void launch_the_rest(Share& share) {
        while (!run_->all_launched()) {
            run_->launch([&](ReadyPoints ready) { share.items.push_back(ready); });
            if (share.random() % 2 == 0) {  // the program waits
                run_->publish_batch([&](ReadyPoints ready) { share.items.push_back(ready); });
                execute_all(share);
            }
            run_->retire();
        }
        execute_all(share);
        run_->retire();
    }

    const Program& program_;
    std::size_t launched_before_;
    Linking linking_;
    std::vector<Share> shares_;
    std::unique_ptr<WatchedRun> run_;
    Random random_;
    std::uint64_t runs_ = 0;
};

Report race(const Program& program, std::uint64_t schedules, std::size_t launched_before = 1,
            std::size_t workers = 2, Linking linking = Linking::singly) {
    Race parties(program, launched_before, workers, linking);
    return try_schedules(
        schedules, [&] { return parties.start(); }, [&] { return parties.is_correct(); });
}

std::vector<bool> every(std::uint32_t n, std::uint32_t points) {
    std::vector<bool> chosen(points);
    for (std::uint32_t p = 0; p < points; ++p) chosen[p] = p % n == 0;
    return chosen;
}

TEST(LinkerRace, a_launch_published_while_its_source_finishes_runs_once_after_it) {
    const Report report = race({{4, {}, {}}, {4, {{0, neighbours(4, 4)}}, {}}}, 3000);
    EXPECT_TRUE(report.passed()) << report;
}

TEST(LinkerRace, every_schedule_of_two_points_and_their_common_successor_is_correct) {
    if (!refrain::testing::scheduled) GTEST_SKIP() << "needs the preset interleaving";
    const Program program = {{2, {}, {}}, {1, {{0, all_to_all(2, 1)}}, {}}};
    Race parties(program, 1, 1, Linking::singly);
    const Report report = interleaving::explore_all([&] { return parties.start(); },
                                                    [&] { return parties.is_correct(); });
    EXPECT_TRUE(report.passed()) << report;
    EXPECT_TRUE(report.exhaustive) << report;
    EXPECT_GT(report.runs, 1000U);
}

TEST(LinkerRace, several_launches_link_to_one_source_while_it_finishes) {
    const Program program = {{8, {}, {}},
                             {8, {{0, neighbours(8, 8)}}, {}},
                             {3, {{0, all_to_all(8, 3)}}, {}},
                             {8, {{0, each_to_its_own(8)}, {1, neighbours(8, 8)}}, {}}};
    const Report report = race(program, 2000);
    EXPECT_TRUE(report.passed()) << report;
}

TEST(LinkerRace, launches_of_several_bundles_count_down_each_target_bundle) {
    const Program program = {{20, {}, {}},
                             {20, {{0, neighbours(20, 20)}}, {}},
                             {11, {{0, neighbours(20, 11)}, {1, neighbours(20, 11)}}, {}}};
    const Report report = race(program, 1000);
    EXPECT_TRUE(report.passed()) << report;
}

TEST(LinkerRace, with_from_all_the_last_source_point_counts_down_once) {
    const Program program = {{18, {}, {}},
                             {10, {{0, all_to_all(18, 10)}}, {}},
                             {1, {{0, all_to_all(18, 1)}, {1, all_to_all(10, 1)}}, {}}};
    ASSERT_TRUE(EdgePattern(18, 10, program[1].waits_for[0].pairs).from_all());
    const Report report = race(program, 2000);
    EXPECT_TRUE(report.passed()) << report;
}

/// Some targets wait for all source points, others for their neighbours; one source has two edges.
std::vector<Pair> some_after_all(std::uint32_t sources, std::uint32_t targets) {
    std::vector<Pair> pairs = neighbours(sources, targets);
    for (const Pair& pair : all_to_all(sources, targets))
        if (pair.target % 3 == 1) pairs.push_back(pair);
    return pairs;
}

TEST(LinkerRace, targets_of_all_points_and_of_some_are_counted_down_once_each) {
    const Program program = {{18, {}, {}},
                             {11, {{0, some_after_all(18, 11)}}, {}},
                             {9, {{0, all_to_all(18, 9)}, {1, some_after_all(11, 9)}}, {}},
                             {3, {{2, some_after_all(9, 3)}, {2, all_to_all(9, 3)}}, {}}};
    const EdgePattern mixed(18, 11, program[1].waits_for[0].pairs);
    ASSERT_FALSE(mixed.all().empty());
    ASSERT_FALSE(mixed.slices().empty());
    const Report report = race(program, 2000);
    EXPECT_TRUE(report.passed()) << report;
}

TEST(LinkerRace, more_than_120_predecessors_use_wide_counts) {
    const std::uint32_t sources = packed_in_degree_max + 5;
    const Program program = {{sources, {}, {}},
                             {9, {{0, almost_all_to_all(sources, 9)}}, {}},
                             {2, {{1, neighbours(9, 2)}, {0, almost_all_to_all(sources, 2)}}, {}}};
    ASSERT_GT(EdgePattern(sources, 9, program[1].waits_for[0].pairs).in_degree_max(),
              packed_in_degree_max);
    const Report report = race(program, 100);
    EXPECT_TRUE(report.passed()) << report;
}

/// A launch with failing points, a successor that needs its data, one that does not, and one that
/// depends on both.
Program failing_program(std::uint32_t sources, std::uint32_t targets, std::vector<Pair> pairs) {
    const Launch data{targets, {{0, pairs, true}}, {}};
    const Launch order{targets, {{0, pairs, false}}, {}};
    const Launch both{
        targets, {{1, each_to_its_own(targets), true}, {2, each_to_its_own(targets), false}}, {}};
    return {{sources, {}, every(3, sources)}, data, order, both};
}

TEST(LinkerRace, a_failure_poisons_exactly_the_launches_that_need_the_data) {
    const std::uint32_t wide = packed_in_degree_max + 4;
    const struct {
        const char* claim;
        Program program;
        std::uint64_t schedules;
    } cases[] = {
        {"one bundle", failing_program(4, 4, neighbours(4, 4)), 2000},
        {"several bundles", failing_program(18, 17, neighbours(18, 17)), 700},
        {"from all", failing_program(18, 10, all_to_all(18, 10)), 700},
        {"from all to some", failing_program(18, 10, some_after_all(18, 10)), 700},
        {"wide counts", failing_program(wide, 3, almost_all_to_all(wide, 3)), 60},
    };
    for (const auto& [claim, program, schedules] : cases) {
        const Report report = race(program, schedules);
        EXPECT_TRUE(report.passed()) << claim << ": " << report;
    }
}

TEST(LinkerRace, a_skipped_launch_still_waits_for_its_other_predecessors) {
    // Launch 0 reads x slowly, 1 throws, 2 writes x and needs the data of 1. 2 is skipped, but 3,
    // which depends on 2, must still run after 0.
    const Program program = {{1, {}, {}},
                             {1, {}, {true}},
                             {1, {{0, {{0, 0}}, false}, {1, {{0, 0}}, true}}, {}},
                             {1, {{2, {{0, 0}}, false}, {0, {{0, 0}}, false}}, {}}};
    const Report report = race(program, 2000, 2);
    EXPECT_TRUE(report.passed()) << report;
}

TEST(LinkerRace, no_worker_touches_a_retired_node) {
    // Two workers share each bundle. After each launch the launching thread retires finished nodes,
    // whose memory is poisoned or reused at once.
    Program program{{2, {}, {}}};
    for (std::size_t i = 1; i < 12; ++i) program.push_back({2, {{i - 1, all_to_all(2, 2)}}, {}});
    const Report report = race(program, 2000);
    EXPECT_TRUE(report.passed()) << report;
}

TEST(LinkerRace, random_programs_match_sequential_execution) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        Random random(seed);
        const Program program = random_program(random, 8, 20, random() % 2 == 0 ? 0 : 6);
        const Report report = race(program, 12, 1 + random() % program.size());
        ASSERT_TRUE(report.passed()) << "program of seed " << seed << ": " << report;
    }
}

/// Rows of single tasks; each task depends on its neighbours in the previous row.
Program rows_of_singles(std::size_t width, std::size_t rows) {
    Program program;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < width; ++column) {
            Launch launch;
            for (std::size_t c = column == 0 ? 0 : column - 1; row > 0 && c < width; ++c)
                if (c <= column + 1) launch.waits_for.push_back({(row - 1) * width + c, {{0, 0}}});
            program.push_back(launch);
        }
    return program;
}

TEST(BatchLinkerRace, dependences_between_and_within_batches_are_respected) {
    const Report report = race(rows_of_singles(3, 6), 3000, 4, 2, Linking::in_batches);
    EXPECT_TRUE(report.passed()) << report;
}

TEST(BatchLinkerRace, every_schedule_of_two_members_and_their_predecessor_is_correct) {
    if (!refrain::testing::scheduled) GTEST_SKIP() << "needs the preset interleaving";
    const Program program = {{2, {}, {}}, {1, {{0, {{0, 0}}}}, {}}, {1, {{1, {{0, 0}}}}, {}}};
    Race parties(program, 1, 1, Linking::in_batches);
    const Report report = interleaving::explore_all([&] { return parties.start(); },
                                                    [&] { return parties.is_correct(); });
    EXPECT_TRUE(report.passed()) << report;
    EXPECT_TRUE(report.exhaustive) << report;
    EXPECT_GT(report.runs, 100U);
}

TEST(BatchLinkerRace, a_member_propagates_only_its_own_failure) {
    // Launches 0 and 2 throw. Some of their successors, in their batch and after it, need their
    // data.
    const Program program = {{1, {}, {true}},
                             {1, {}, {}},
                             {1, {}, {true}},
                             {1, {{0, {{0, 0}}, true}, {1, {{0, 0}}, true}}, {}},
                             {1, {{2, {{0, 0}}, false}, {1, {{0, 0}}, true}}, {}},
                             {3, {{1, all_to_all(1, 3), true}, {2, {{0, 1}}, true}}, {}},
                             {1, {{5, {{1, 0}}, true}}, {}},
                             {1, {{5, {{0, 0}}, true}, {4, {{0, 0}}, true}}, {}}};
    for (const std::size_t launched_before : {1U, 3U, 5U}) {
        const Report report = race(program, 1000, launched_before, 2, Linking::in_batches);
        EXPECT_TRUE(report.passed()) << report;
    }
}

TEST(BatchLinkerRace, random_programs_of_single_tasks_match_sequential_execution) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        Random random(seed);
        const unsigned throws_one_in = random() % 2 == 0 ? 0 : 6;
        const Program program = random_program(random, 24, 12, throws_one_in, 5);
        const std::size_t launched_before = 1 + random() % program.size();
        const Report report = race(program, 12, launched_before, 2, Linking::in_batches);
        ASSERT_TRUE(report.passed()) << "program of seed " << seed << ": " << report;
    }
}

}  // namespace
}  // namespace refrain::graph::testing::linker_test
