#include "generate/generate.hpp"
#include "generate/rule_book.hpp"
#include "merge/anonymous.hpp"
#include "proxy_page/summary.hpp"
#include "verify/verify.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "sample_runs.hpp"

namespace refrain::proxy::call_sites_test {
namespace {

/// `exchange` sends and receives, `solve` calls it ten times and waits for all.
RankRecording solver(std::int64_t me, std::int64_t tag = 1) {
    testing::Rank rank(me, 2);
    const std::uint32_t sends = rank.recorder.site("./app+0x10"),
                        receives = rank.recorder.site("./app+0x20"),
                        waits = rank.recorder.site("./app+0x30");
    const auto call = [&](Function function, std::vector<std::int64_t> values, std::uint32_t site) {
        rank.recorder.append({function, std::move(values), site}, 1e-6, 1e-7);
    };
    for (int step = 0; step < 5; ++step) {
        for (int i = 0; i < 10; ++i) {
            const std::int64_t other = 1 - me;
            call(Function::Send_, {0, 8, 16, other, step < 4 ? 1 : tag, 0, me, 2, 0}, sends);
            call(Function::Recv_,
                 {0, 8, 16, other, step < 4 ? 1 : tag, 0, me, 2, other, step < 4 ? 1 : tag, 64, 0,
                  0},
                 receives);
        }
        call(Function::Barrier_, {0, me, 2, 0}, waits);
    }
    return rank.finish();
}

Recording named(std::int64_t tag = 1) {
    Recording recording = merge({solver(0, tag), solver(1, tag)}, {});
    for (Site& site : recording.sites) {
        site.function = site.place == "./app+0x30" ? "Solver::step(int)" : "exchange";
        site.place = site.place == "./app+0x10" ? "app.c:7" : "app.c:8";
    }
    return recording;
}

TEST(CallSites, rules_are_named_by_the_function_that_makes_their_calls) {
    const Recording recording = named();
    const RuleBook book(recording);
    std::vector<std::string> names;
    for (std::uint32_t rule = 0; rule < recording.rules.size(); ++rule)
        names.push_back(book.name(rule));
    EXPECT_NE(std::find(names.begin(), names.end(), "exchange_of_2"), names.end());
    EXPECT_NE(std::find(names.begin(), names.end(), "Solver_step_and_exchange_of_21"), names.end());
    EXPECT_NE(proxy_text(recording, "").find("static void exchange_of_2(void)"), std::string::npos);
}

TEST(CallSites, outlive_the_file_and_are_no_part_of_what_is_compared) {
    const Recording recording = named(), again = read_recording(write(recording), "run.rpx");
    EXPECT_EQ(again.events, recording.events);
    ASSERT_EQ(again.sites.size(), 3u);
    EXPECT_EQ(describe(again.sites[0]), "exchange (app.c:7)");
    Recording without = recording;
    make_anonymous(without);
    EXPECT_EQ(write(without).find("exchange"), std::string::npos);
    EXPECT_FALSE(compare(recording, merge({solver(0), solver(1)}, {}), Equality::same).difference);
}

TEST(CallSites, the_first_difference_is_named_with_its_place) {
    const Comparison result = compare(named(), named(9), Equality::same);
    ASSERT_TRUE(result.difference);
    EXPECT_EQ(result.difference->place, "exchange (app.c:7)");
}

TEST(CallSites, info_counts_calls_by_place) {
    const Summary summary = summarise(named());
    ASSERT_EQ(summary.places.size(), 3u);
    EXPECT_EQ(summary.places[0].place, "exchange (app.c:7)");
    EXPECT_EQ(summary.places[0].calls, 100u);
    EXPECT_EQ(summary.places[2].calls, 10u);
}

TEST(CallSites, a_place_that_is_not_in_the_file_is_refused) {
    RankRecording rank = solver(0);
    rank.sites.clear();
    EXPECT_THROW((void)read_rank(write(rank), "rank"), DamagedFile);
}

}  // namespace
}  // namespace refrain::proxy::call_sites_test
