#include "autotrace/mining_pace.hpp"

#include <gtest/gtest.h>

namespace refrain::autotrace::mining_pace_test {
namespace {

/// A program with ten steps per round.
class Program {
  public:
    /// Runs rounds and returns the number of slices mined.
    int run(std::uint64_t rounds, std::uint64_t uncovered_per_step, bool repeats = true) {
        int mined = 0;
        for (std::uint64_t i = 0; i < rounds * 10; ++i) {
            counts_.uncovered += uncovered_per_step;
            if (!pace_.should_mine(++step_, counts_)) continue;
            ++mined;
            counts_.slices_searched += repeats ? 1 : 0;
        }
        return mined;
    }
    void find_candidate() { ++counts_.candidates_taken; }

  private:
    static Options options() {
        Options options;
        options.history_tokens = 1000;
        options.multi_scale_factor = 100;
        return options;
    }
    MiningPace pace_{options()};
    MiningPace::Counts counts_;
    std::uint64_t step_ = 0;
};

TEST(MiningPace, pauses_after_fruitless_rounds) {
    Program program;
    EXPECT_EQ(program.run(3, 10), 30);
    EXPECT_EQ(program.run(4, 10), 0);
    EXPECT_EQ(program.run(1, 10), 10);
    EXPECT_EQ(program.run(8, 10), 0);
    EXPECT_EQ(program.run(1 + 3 * 17, 10), 40) << "one round in seventeen in the end";
}

TEST(MiningPace, does_not_pause_while_candidates_are_found) {
    Program program;
    for (int round = 0; round < 30; ++round) {
        EXPECT_EQ(program.run(1, 10), 10);
        if (round % 2 == 0) program.find_candidate();
    }
}

TEST(MiningPace, ends_a_pause_when_the_program_enters_another_phase) {
    Program program;
    program.run(3, 10);
    EXPECT_EQ(program.run(1, 10), 0);
    EXPECT_GE(program.run(1, 60), 5) << "after a hundred operations more than usual";
    EXPECT_EQ(program.run(2, 60), 20);
}

TEST(MiningPace, never_pauses_if_the_filter_excludes_all_slices) {
    Program program;
    EXPECT_EQ(program.run(100, 100, false), 1000);
}

}  // namespace
}  // namespace refrain::autotrace::mining_pace_test
