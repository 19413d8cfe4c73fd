#include "graph/linker.hpp"

#include "base/mutex.hpp"
#include "graph/watched_run.hpp"

#include <gtest/gtest.h>

#include "interleaving/schedules.hpp"

namespace refrain::graph::testing::linker_test {
namespace {

using refrain::testing::Bodies;
using refrain::testing::Report;
using refrain::testing::require;
using refrain::testing::try_schedules;

/// A program of which the first launches have been published, with their ready points dealt to
/// workers, when the launching thread publishes the rest while the workers finish.
class Race {
  public:
    Race(const Program& program, std::size_t launched_before, std::size_t workers, Tying tying)
        : program_(program),
          launched_before_(launched_before),
          tying_(tying),
          hands_(workers + 1) {}

    /// A fresh run; each differs from the one before in who gets which points.
    Bodies start() {
        random_.seed(++runs_);
        run_ = std::make_unique<WatchedRun>(program_, tying_);
        for (Hand& hand : hands_) hand = {{}, Random(random_())};
        for (std::size_t i = 0; i < launched_before_; ++i)
            run_->launch([&](ReadyPoints points) { deal(points); });
        Bodies bodies{[this] { launch_the_rest(hands_[0]); }};
        for (std::size_t worker = 1; worker < hands_.size(); ++worker)
            bodies.emplace_back([this, worker] { execute_all(hands_[worker]); });
        return bodies;
    }
    [[nodiscard]] bool ended_well() {
        run_->retire();
        require(run_->verdict().empty(), run_->verdict());
        require(run_->all_retired(), "every node finishes");
        return true;
    }

  private:
    /// What one party has to do, and how it divides it.
    struct Hand {
        std::vector<ReadyPoints> items;
        Random random;
    };

    void deal(ReadyPoints item) {
        for (std::uint32_t left = item.points(); left != 0; left &= left - 1)
            give(hands_[1 + random_() % (hands_.size() - 1)], {&item.bundle(), left & -left});
    }
    /// Points of one bundle are done together now and then.
    static void give(Hand& hand, ReadyPoints item) {
        if (!hand.items.empty() && &hand.items.back().bundle() == &item.bundle() &&
            hand.random() % 2 == 0) {
            const std::uint32_t points = hand.items.back().points() | item.points();
            hand.items.back() = {&item.bundle(), points};
            return;
        }
        hand.items.push_back(item);
    }
    static void execute_all(Hand& hand) {
        while (!hand.items.empty()) {
            const ReadyPoints item = hand.items.back();
            hand.items.pop_back();
            WatchedRun::execute(item, [&](ReadyPoints ready) { hand.items.push_back(ready); });
        }
    }
    void launch_the_rest(Hand& hand) {
        while (!run_->all_launched()) {
            run_->launch([&](ReadyPoints ready) { hand.items.push_back(ready); });
            if (hand.random() % 2 == 0) {  // as a program that waits, or launches on
                run_->publish_batch([&](ReadyPoints ready) { hand.items.push_back(ready); });
                execute_all(hand);
            }
            run_->retire();
        }
        execute_all(hand);
        run_->retire();
    }

    const Program& program_;
    std::size_t launched_before_;
    Tying tying_;
    std::vector<Hand> hands_;
    std::unique_ptr<WatchedRun> run_;
    Random random_;
    std::uint64_t runs_ = 0;
};

Report race(const Program& program, std::uint64_t schedules, std::size_t launched_before = 1,
            std::size_t workers = 2, Tying tying = Tying::singly) {
    Race parties(program, launched_before, workers, tying);
    return try_schedules(
        schedules, [&] { return parties.start(); }, [&] { return parties.ended_well(); });
}

std::vector<bool> every(std::uint32_t n, std::uint32_t points) {
    std::vector<bool> chosen(points);
    for (std::uint32_t p = 0; p < points; ++p) chosen[p] = p % n == 0;
    return chosen;
}

TEST(LinkerRace, a_launch_published_while_its_source_finishes_runs_once_and_after_it) {
    const Report report = race({{4, {}, {}}, {4, {{0, neighbours(4, 4)}}, {}}}, 3000);
    EXPECT_TRUE(report.passed()) << report;
}

TEST(LinkerRace, every_schedule_of_two_points_and_a_launch_that_waits_for_both_ends_well) {
    if (!refrain::testing::scheduled) GTEST_SKIP() << "needs the preset interleaving";
    const Program program = {{2, {}, {}}, {1, {{0, all_to_all(2, 1)}}, {}}};
    Race parties(program, 1, 1, Tying::singly);
    const Report report = interleaving::explore_all([&] { return parties.start(); },
                                                    [&] { return parties.ended_well(); });
    EXPECT_TRUE(report.passed()) << report;
    EXPECT_TRUE(report.exhaustive) << report;
    EXPECT_GT(report.runs, 1000U);
}

TEST(LinkerRace, several_launches_tie_in_to_one_source_while_it_finishes) {
    const Program program = {{8, {}, {}},
                             {8, {{0, neighbours(8, 8)}}, {}},
                             {3, {{0, all_to_all(8, 3)}}, {}},
                             {8, {{0, each_to_its_own(8)}, {1, neighbours(8, 8)}}, {}}};
    const Report report = race(program, 2000);
    EXPECT_TRUE(report.passed()) << report;
}

TEST(LinkerRace, launches_of_several_bundles_count_down_each_bundle_they_reach) {
    const Program program = {{20, {}, {}},
                             {20, {{0, neighbours(20, 20)}}, {}},
                             {11, {{0, neighbours(20, 11)}, {1, neighbours(20, 11)}}, {}}};
    const Report report = race(program, 1000);
    EXPECT_TRUE(report.passed()) << report;
}

TEST(LinkerRace, the_last_of_many_points_counts_down_for_all_exactly_once) {
    const Program program = {{18, {}, {}},
                             {10, {{0, all_to_all(18, 10)}}, {}},
                             {1, {{0, all_to_all(18, 1)}, {1, all_to_all(10, 1)}}, {}}};
    ASSERT_TRUE(EdgePattern(18, 10, program[1].waits_for[0].pairs).from_all());
    const Report report = race(program, 2000);
    EXPECT_TRUE(report.passed()) << report;
}

TEST(LinkerRace, more_than_120_predecessors_are_counted_in_words) {
    const std::uint32_t sources = packed_in_degree_max + 5;
    const Program program = {{sources, {}, {}},
                             {9, {{0, almost_all_to_all(sources, 9)}}, {}},
                             {2, {{1, neighbours(9, 2)}, {0, almost_all_to_all(sources, 2)}}, {}}};
    ASSERT_GT(EdgePattern(sources, 9, program[1].waits_for[0].pairs).in_degree_max(),
              packed_in_degree_max);
    const Report report = race(program, 100);
    EXPECT_TRUE(report.passed()) << report;
}

/// A launch that fails in places and two that wait for it, one of them for its data.
Program failing_program(std::uint32_t sources, std::uint32_t targets, std::vector<Pair> pairs) {
    const Launch data{targets, {{0, pairs, true}}, {}};
    const Launch order{targets, {{0, pairs, false}}, {}};
    const Launch both{
        targets, {{1, each_to_its_own(targets), true}, {2, each_to_its_own(targets), false}}, {}};
    return {{sources, {}, every(3, sources)}, data, order, both};
}

TEST(LinkerRace, failure_reaches_those_who_need_the_data_and_nobody_else) {
    const std::uint32_t wide = packed_in_degree_max + 4;
    const struct {
        const char* claim;
        Program program;
        std::uint64_t schedules;
    } cases[] = {
        {"one bundle", failing_program(4, 4, neighbours(4, 4)), 2000},
        {"several bundles", failing_program(18, 17, neighbours(18, 17)), 700},
        {"from all", failing_program(18, 10, all_to_all(18, 10)), 700},
        {"wide counts", failing_program(wide, 3, almost_all_to_all(wide, 3)), 60},
    };
    for (const auto& [claim, program, schedules] : cases) {
        const Report report = race(program, schedules);
        EXPECT_TRUE(report.passed()) << claim << ": " << report;
    }
}

TEST(LinkerRace, a_launch_that_was_skipped_still_waits_for_its_other_predecessors) {
    // a reads x slowly, b throws, w writes x and needs b's data: w is skipped, yet n must not
    // overtake a, because w stands between them.
    const Program program = {{1, {}, {}},
                             {1, {}, {true}},
                             {1, {{0, {{0, 0}}, false}, {1, {{0, 0}}, true}}, {}},
                             {1, {{2, {{0, 0}}, false}, {0, {{0, 0}}, false}}, {}}};
    const Report report = race(program, 2000, 2);
    EXPECT_TRUE(report.passed()) << report;
}

TEST(LinkerRace, nobody_touches_a_node_that_has_retired) {
    // Two workers share each bundle; the launching thread retires what has finished after each
    // launch, and its memory is poisoned or used again at once.
    Program program{{2, {}, {}}};
    for (std::size_t i = 1; i < 12; ++i) program.push_back({2, {{i - 1, all_to_all(2, 2)}}, {}});
    const Report report = race(program, 2000);
    EXPECT_TRUE(report.passed()) << report;
}

TEST(LinkerRace, random_programs_do_what_they_do_in_sequence) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        Random random(seed);
        const Program program = random_program(random, 8, 20, random() % 2 == 0 ? 0 : 6);
        const Report report = race(program, 12, 1 + random() % program.size());
        ASSERT_TRUE(report.passed()) << "program of seed " << seed << ": " << report;
    }
}

/// A row of single tasks, and rows of which each task waits for its neighbours in the row before.
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

TEST(BatchLinkerRace, a_batch_that_waits_for_another_and_for_itself_runs_in_order) {
    const Report report = race(rows_of_singles(3, 6), 3000, 4, 2, Tying::in_batches);
    EXPECT_TRUE(report.passed()) << report;
}

TEST(BatchLinkerRace, every_schedule_of_two_members_that_wait_for_a_launch_ends_well) {
    if (!refrain::testing::scheduled) GTEST_SKIP() << "needs the preset interleaving";
    const Program program = {{2, {}, {}}, {1, {{0, {{0, 0}}}}, {}}, {1, {{1, {{0, 0}}}}, {}}};
    Race parties(program, 1, 1, Tying::in_batches);
    const Report report = interleaving::explore_all([&] { return parties.start(); },
                                                    [&] { return parties.ended_well(); });
    EXPECT_TRUE(report.passed()) << report;
    EXPECT_TRUE(report.exhaustive) << report;
    EXPECT_GT(report.runs, 100U);
}

TEST(BatchLinkerRace, a_member_passes_its_own_failure_on_and_no_other) {
    // Two members throw; of those that wait for one of them, in the batch and behind it, some need
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
        const Report report = race(program, 1000, launched_before, 2, Tying::in_batches);
        EXPECT_TRUE(report.passed()) << report;
    }
}

TEST(BatchLinkerRace, random_programs_of_single_tasks_do_what_they_do_in_sequence) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        Random random(seed);
        const unsigned throws_one_in = random() % 2 == 0 ? 0 : 6;
        const Program program = random_program(random, 24, 12, throws_one_in, 5);
        const std::size_t launched_before = 1 + random() % program.size();
        const Report report = race(program, 12, launched_before, 2, Tying::in_batches);
        ASSERT_TRUE(report.passed()) << "program of seed " << seed << ": " << report;
    }
}

}  // namespace
}  // namespace refrain::graph::testing::linker_test
