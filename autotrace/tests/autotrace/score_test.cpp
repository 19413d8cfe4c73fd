#include "autotrace/score.hpp"

#include <gtest/gtest.h>

namespace refrain::autotrace::score_test {
namespace {

double value(Score score) {
    return static_cast<double>(score) / score_one;
}

TEST(Score, is_length_times_visits) {
    const ScoreRule rule(Options{});
    Visits visits;
    EXPECT_EQ(rule.score(visits, 10, 0), 0);
    rule.visit(visits, 10, 100);
    EXPECT_DOUBLE_EQ(value(rule.score(visits, 10, 100)), 10);
    EXPECT_DOUBLE_EQ(value(rule.score(visits, 7, 100)), 7);
}

TEST(Score, counts_a_visit_at_most_once_per_trace_length) {
    const ScoreRule rule(Options{});
    Visits visits;
    rule.visit(visits, 10, 100);
    for (Position end = 101; end < 110; ++end) rule.visit(visits, 10, end);
    EXPECT_DOUBLE_EQ(visits.count, 1);
    rule.visit(visits, 10, 110);
    EXPECT_DOUBLE_EQ(visits.count, 1.99);
}

TEST(Score, decays_per_trace_length) {
    Options options;
    options.visit_decay = 0.5;
    const ScoreRule rule(options);
    Visits visits;
    visits.count = 8;
    visits.last = 100;
    EXPECT_DOUBLE_EQ(value(rule.score(visits, 10, 109)), 80);
    EXPECT_DOUBLE_EQ(value(rule.score(visits, 10, 110)), 50);  // 8 / 2 + the visit
    EXPECT_DOUBLE_EQ(value(rule.score(visits, 10, 139)), 20);  // 8 / 8 + the visit
    EXPECT_DOUBLE_EQ(value(rule.score(visits, 10, 100'000)), 10);
}

TEST(Score, is_capped_and_increased_for_replays_and_back_to_back_visits) {
    Options options;
    options.visit_decay = 1;
    const ScoreRule rule(options);
    Visits visits;
    for (Position end = 10; end <= 1000; end += 11) rule.visit(visits, 10, end);
    EXPECT_DOUBLE_EQ(value(rule.score(visits, 10, 1000)), 100);
    visits.replayed = true;
    EXPECT_NEAR(value(rule.score(visits, 10, 1000)), 110, 0.01);
    for (Position end = visits.last + 10; end < 2000; end += 10) rule.visit(visits, 10, end);
    EXPECT_NEAR(value(rule.score(visits, 10, 2000)), 220, 0.01);
}

}  // namespace
}  // namespace refrain::autotrace::score_test
