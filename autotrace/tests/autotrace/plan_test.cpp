#include "autotrace/plan.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace refrain::autotrace::plan_test {
namespace {

/// The same rules on a list that every query scans completely.
struct PlainPlan {
    std::vector<PlannedMatch> matches;

    [[nodiscard]] bool is_beaten_by(Position begin, Score score) const {
        Score sum = 0;
        Score largest = 0;
        bool any = false;
        bool cut = false;
        for (const PlannedMatch& match : matches) {
            if (match.end <= begin) continue;
            any = true;
            sum += match.score;
            largest = std::max(largest, match.score);
            cut |= match.begin < begin;
        }
        return !any || score > (cut ? sum : largest);
    }
    void consider(const PlannedMatch& match) {
        if (!is_beaten_by(match.begin, match.score)) return;
        std::erase_if(matches, [&](const PlannedMatch& m) { return m.end > match.begin; });
        matches.push_back(match);
    }
};

TEST(Plan, a_match_that_covers_others_must_beat_each_of_them) {
    Plan plan;
    plan.consider({0, 5, 0, 50});
    plan.consider({5, 10, 1, 60});
    EXPECT_FALSE(plan.is_beaten_by(0, 60));
    EXPECT_TRUE(plan.is_beaten_by(0, 61));
}

TEST(Plan, a_match_that_cuts_into_another_must_beat_their_sum) {
    Plan plan;
    plan.consider({0, 5, 0, 50});
    plan.consider({5, 10, 1, 60});
    EXPECT_FALSE(plan.is_beaten_by(3, 110));
    EXPECT_TRUE(plan.is_beaten_by(3, 111));
    EXPECT_TRUE(plan.is_beaten_by(10, 1));
}

TEST(Plan, agrees_with_a_list_that_is_scanned_completely) {
    for (unsigned seed = 1; seed <= 50; ++seed) {
        std::mt19937 random(seed);
        Plan plan;
        PlainPlan plain;
        Position settled = 0;
        for (Position now = 1; now < 600; ++now) {
            if (random() % 3 == 0) {
                const std::uint64_t length = 1 + random() % 15;
                const Position begin = now > settled + length ? now - length : settled;
                const PlannedMatch match{begin, now, static_cast<CandidateIndex>(now.value()),
                                         static_cast<Score>(random() % 200)};
                plan.consider(match);
                plain.consider(match);
            }
            if (random() % 5 == 0 && !plan.empty()) {
                settled = plan.front().end;
                plan.pop_front();
                plain.matches.erase(plain.matches.begin());
            }
            ASSERT_EQ(plan.empty(), plain.matches.empty()) << "seed " << seed;
            if (!plan.empty()) {
                ASSERT_EQ(plan.front().candidate, plain.matches.front().candidate);
                ASSERT_EQ(plan.end(), plain.matches.back().end);
            }
            for (Position begin = settled; begin <= now; ++begin) {
                const auto score = static_cast<Score>(random() % 600);
                ASSERT_EQ(plan.is_beaten_by(begin, score), plain.is_beaten_by(begin, score))
                    << "seed " << seed << " at " << now.value();
            }
        }
    }
}

}  // namespace
}  // namespace refrain::autotrace::plan_test
