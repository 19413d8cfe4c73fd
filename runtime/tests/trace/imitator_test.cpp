/// Operations served from memos wait for what the oracle says, whatever came before.
#include "trace/traced_analyser.hpp"

#include <gtest/gtest.h>

#include "tries.hpp"

namespace refrain::trace::imitator_test {
namespace {

using namespace testing;
using analysis::testing::ProgramMaker;
using analysis::testing::reads;
using analysis::testing::reduces;
using analysis::testing::span;
using analysis::testing::updates;
using analysis::testing::writes;

constexpr auto low = span(0, 4);
constexpr auto high = span(4, 8);
constexpr auto all = span(0, 8);
constexpr std::size_t a = 0, b = 1, c = 2, d = 3;

/// Keeps a memo in every context, so that only the lookback rules prevent wrong results.
TracedAnalyser::Options imitating(std::uint32_t window, std::size_t bytes = 1U << 20) {
    TracedAnalyser::Options options;
    options.window = window;
    options.imitation = Imitator::Options{
        .memos = {.capacity_log2 = 10, .bytes_max = bytes, .window = window}, .context_min = 1};
    return options;
}

class Imitation {
  public:
    explicit Imitation(std::uint32_t window = 64)
        : analyser_(std::vector<Extents>(6), imitating(window)) {}

    /// Launches and compares with the oracle.
    void launch(std::vector<Use> uses) {
        const auto found = analyser_.launch_looked_at({0, std::move(uses)});
        EXPECT_EQ(found, analyser_.expected()) << "operation " << analyser_.launched();
    }
    void repeat(int rounds, const std::vector<std::vector<Use>>& body) {
        for (int i = 0; i < rounds; ++i)
            for (const std::vector<Use>& uses : body) launch(uses);
    }
    [[nodiscard]] std::uint64_t served() const { return analyser_.counters().replayed; }
    [[nodiscard]] TracedAnalyser& analyser() { return analyser_; }

  private:
    TracedAnalyser analyser_;
};

TEST(Imitator, serves_a_loop_from_the_third_iteration_on) {
    Imitation i;
    i.repeat(3, {{writes(a, {low, high})}, {reads(a, {all}), updates(b, {all})}});
    const std::uint64_t before = i.served();
    i.repeat(10, {{writes(a, {low, high})}, {reads(a, {all}), updates(b, {all})}});
    EXPECT_EQ(i.served(), before + 20);
}

/// The second operation has no edge: its walk visited the read, which shares no element. The third
/// has the same description and waits for the second.
TEST(Imitator, an_operation_visited_without_conflict_belongs_to_the_context) {
    Imitation i;
    for (int round = 0; round < 20; ++round) {
        i.launch({reads(d, {low})});
        for (int times = 0; times <= round % 4; ++times) i.launch({updates(d, {high})});
    }
    EXPECT_GT(i.served(), 10U);
}

/// Two equal launches: a chain that begins inside the context tells nothing about what lies before.
TEST(Imitator, the_first_access_to_a_region_differs_from_the_second) {
    Imitation i;
    for (int round = 0; round < 20; ++round) {
        if (round % 3 == 0) i.analyser().renew(a);
        i.launch({updates(a, {all})});
        i.launch({updates(a, {all})});
    }
    EXPECT_GT(i.served(), 10U);
}

TEST(Imitator, a_new_region_differs_from_one_used_just_within_the_window) {
    constexpr std::uint32_t window = 8;
    for (const std::uint32_t between : {5U, 6U, 7U, 8U, 9U}) {
        Imitation i(window);
        for (int round = 0; round < 12; ++round) {
            i.launch({writes(a, {all})});
            for (std::uint32_t k = 0; k < between; ++k) i.launch({updates(b, {all})});
            if (round % 2 == 0) i.analyser().renew(a);
            i.launch({reads(a, {all})});
        }
        EXPECT_GT(i.served(), 20U);
    }
}

TEST(Imitator, a_reused_region_record_keeps_nothing_of_the_old_region) {
    Imitation i;
    for (int round = 0; round < 30; ++round) {
        i.launch({writes(c, {all})});
        if (round % 5 != 4) i.analyser().renew(c);
        i.launch({writes(c, {all})});
        i.launch({writes(c, {all})});
    }
    EXPECT_GT(i.served(), 30U);
}

TEST(Imitator, points_that_swap_subsets_wait_for_each_other) {
    Imitation i;
    i.repeat(10, {{writes(c, {high, low})}});
    EXPECT_GT(i.served(), 5U);
    i.repeat(1, {{writes(c, {low, high})}});
    i.repeat(10, {{writes(c, {high, low})}, {writes(c, {low, high})}});
}

TEST(Imitator, reads_follow_their_writers_when_these_swap) {
    Imitation i;
    i.repeat(10, {{writes(a, {all})}, {writes(b, {all})}, {reads(a, {all})}, {reads(b, {all})}});
    const std::uint64_t before = i.served();
    i.repeat(10, {{writes(a, {all})}, {writes(b, {all})}, {reads(b, {all})}, {reads(a, {all})}});
    EXPECT_GT(i.served(), before + 20);
}

TEST(Imitator, each_of_several_equal_writes_waits_for_the_previous_one) {
    Imitation i;
    i.repeat(20, {{writes(d, {all})}});
    EXPECT_GE(i.served(), 17U);
}

TEST(Imitator, requirements_on_one_region_differ_from_those_on_two) {
    Imitation i;
    for (int round = 0; round < 60; ++round)
        i.launch({updates(round % 7 < 3 ? a : b, {low}), reduces(a, {high})});
    EXPECT_GT(i.served(), 10U);
}

/// One point writes and another point of the same operation reads: a later writer waits for both.
TEST(Imitator, a_write_waits_for_all_points_of_an_operation_that_reads_and_writes) {
    Imitation i;
    i.repeat(20, {{reads(a, {0, low}), writes(a, {high, 0})}, {writes(a, {all, 0})}});
    EXPECT_GT(i.served(), 30U);
}

/// The loop only reads what was written before it; sources from there are inherited, not its own.
TEST(Imitator, sources_before_the_loop_are_inherited_again_in_each_phase) {
    Imitation i;
    for (int phase = 0; phase < 3; ++phase) {
        i.launch({writes(a, {low})});
        if (phase == 1) i.launch({writes(a, {high})});
        i.repeat(12, {{reads(a, {all}), updates(b, {low, high})}, {reads(b, {all})}});
    }
    EXPECT_GT(i.served(), 50U);
}

TEST(Imitator, a_read_waits_for_all_reductions_since_the_last_read) {
    Imitation i;
    for (int round = 0; round < 60; ++round) {
        i.launch({reduces(a, {all}, 1)});
        i.launch({updates(b, {low, high})});
        if (round % 7 == 6) i.launch({reads(a, {all}), updates(b, {all})});
        if (round % 20 == 19) i.launch({reduces(a, {all}, 2)});
    }
    EXPECT_GT(i.served(), 60U);
}

TEST(Imitator, verification_detects_wrong_memos) {
    auto options = imitating(64);
    options.verify_interval = 1;
    TracedAnalyser analyser(std::vector<Extents>(6), options);
    const auto run = [&](const Use& write, const Use& read) {
        for (int i = 0; i < 10; ++i) {
            (void)analyser.launch_looked_at({0, {write}});
            (void)analyser.launch_looked_at({1, {read}});
        }
    };
    run(writes(a, {low, high}), reads(a, {high, low}));
    EXPECT_EQ(analyser.counters().verified, analyser.counters().replayed);
    EXPECT_EQ(analyser.counters().verify_failures, 0U);
    analyser.reuse_content_ids();
    run(writes(a, {low, low}), reads(a, {all, low}));
    EXPECT_GT(analyser.counters().verify_failures, 0U) << "ids are the same, contents are not";
}

/// Compares all dependences of random programs with the oracle.
void run_random_programs(std::uint64_t seeds, std::size_t steps, std::size_t bytes) {
    std::uint64_t served = 0;
    std::uint64_t launched = 0;
    for (std::uint64_t seed = 0; seed < tries(seeds); ++seed) {
        analysis::testing::Random random(seed);
        const AccessProgram program = ProgramMaker(seed).make(steps);
        const std::uint32_t window = 4U << random() % 5;
        TracedAnalyser analyser(program.regions, imitating(window, bytes));
        for (const auto& step : program.steps) {
            for (const std::size_t region : step.renewed_before) analyser.renew(region);
            const auto found = analyser.launch_looked_at({0, step.uses});
            ASSERT_EQ(found, analyser.expected())
                << "seed " << seed << ", operation " << analyser.launched();
        }
        served += analyser.counters().replayed;
        launched += analyser.launched();
    }
    EXPECT_GT(served, launched / 20);
}

TEST(ImitatorProperty, random_programs_wait_for_what_the_oracle_says) {
    run_random_programs(1500, 60, 1U << 20);
}

TEST(ImitatorProperty, random_programs_with_a_tiny_memo_budget_wait_for_what_the_oracle_says) {
    run_random_programs(500, 60, 1U << 10);
}

TEST(ImitatorPropertySlow, many_random_programs_wait_for_what_the_oracle_says) {
    run_random_programs(10'000, 60, 1U << 20);
}

}  // namespace
}  // namespace refrain::trace::imitator_test
