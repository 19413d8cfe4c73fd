#include "sharing/trials.hpp"

#include <gtest/gtest.h>

namespace sharing::trials_test {
namespace {

double ratio(const TrialProgram& program) {
    return time_tried(program, {}) / time_of_better_way(program);
}

TEST(Trials, cost_little_where_sharing_is_faster_by_however_much) {
    for (const double turn : {1.0 / 64, 1.0 / 16, 0.5})
        for (double alone = 1; alone <= 128; alone *= 1.1) {
            EXPECT_EQ(ratio({.alone = alone, .turn = turn, .stretches = 1}), 1);
            EXPECT_LE(ratio({.alone = alone, .turn = turn, .stretches = 64}), 1.13) << alone;
            EXPECT_LE(ratio({.alone = alone, .turn = turn, .stretches = 4096}), 1.01) << alone;
        }
}

/// Also where it is faster by less than moving the data costs once.
TEST(Trials, find_out_that_being_alone_is_faster_by_however_little) {
    for (const double turn : {1.0 / 64, 1.0 / 16, 0.5})
        for (double alone = 0.99; alone >= 1.0 / 16; alone *= 0.9)
            EXPECT_LE(ratio({.alone = alone, .turn = turn, .stretches = 4096}), 1.03) << alone;
}

TEST(Trials, notice_changes_after_about_as_long_as_nothing_had_changed) {
    for (const double period : {64.0, 512.0, 4096.0}) {
        const TrialProgram program{
            .alone = 0.5, .alone_later = 2, .period = period, .stretches = 32768};
        EXPECT_LE(time_tried(program, {}), 1.25 * least_time(program)) << period;
        EXPECT_LE(time_tried(program, {}), 1.01 * time_of_better_way(program)) << period;
    }
}

}  // namespace
}  // namespace sharing::trials_test
