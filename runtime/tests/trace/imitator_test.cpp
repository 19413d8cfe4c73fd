/// Operations that are served wait for what the oracle says, whatever came before.
#include "trace/traced_analyser.hpp"

#include <gtest/gtest.h>

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

/// Memos are kept wherever something has occurred before, so that the rules have to carry.
TracedAnalyser::Options imitating(std::uint32_t window, std::size_t bytes = 1U << 20) {
    TracedAnalyser::Options options;
    options.window = window;
    options.imitation = Imitator::Options{{10, bytes, window}, 1};
    return options;
}

class Imitation {
  public:
    explicit Imitation(std::uint32_t window = 64)
        : analyser_(std::vector<Extents>(6), imitating(window)) {}

    /// The operation waits for what it must.
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

TEST(Imitator, serves_a_loop_from_the_third_round_on) {
    Imitation i;
    i.repeat(3, {{writes(a, {low, high})}, {reads(a, {all}), updates(b, {all})}});
    const std::uint64_t before = i.served();
    i.repeat(10, {{writes(a, {low, high})}, {reads(a, {all}), updates(b, {all})}});
    EXPECT_EQ(i.served(), before + 20);
}

/// The second operation has no edge: it looked at the read and found nothing in common with it. The
/// third has the same description, and waits for the second.
TEST(Imitator, what_was_looked_at_in_vain_belongs_to_the_context) {
    Imitation i;
    for (int round = 0; round < 20; ++round) {
        i.launch({reads(d, {low})});
        for (int times = 0; times <= round % 4; ++times) i.launch({updates(d, {high})});
    }
    EXPECT_GT(i.served(), 10U);
}

/// Twice the same names: the head of a chain inside the context says nothing of what lies before.
TEST(Imitator, the_first_access_of_a_region_is_not_like_the_second) {
    Imitation i;
    for (int round = 0; round < 20; ++round) {
        if (round % 3 == 0) i.analyser().make_anew(a);
        i.launch({updates(a, {all})});
        i.launch({updates(a, {all})});
    }
    EXPECT_GT(i.served(), 10U);
}

TEST(Imitator, a_region_that_is_new_and_one_used_just_within_the_window_are_told_apart) {
    constexpr std::uint32_t window = 8;
    for (const std::uint32_t between : {5U, 6U, 7U, 8U, 9U}) {
        Imitation i(window);
        for (int round = 0; round < 12; ++round) {
            i.launch({writes(a, {all})});
            for (std::uint32_t k = 0; k < between; ++k) i.launch({updates(b, {all})});
            if (round % 2 == 0) i.analyser().make_anew(a);
            i.launch({reads(a, {all})});
        }
        EXPECT_GT(i.served(), 20U);
    }
}

TEST(Imitator, a_record_that_is_used_for_a_new_region_keeps_nothing_of_the_old_one) {
    Imitation i;
    for (int round = 0; round < 30; ++round) {
        i.launch({writes(c, {all})});
        if (round % 5 != 4) i.analyser().make_anew(c);
        i.launch({writes(c, {all})});
        i.launch({writes(c, {all})});
    }
    EXPECT_GT(i.served(), 30U);
}

TEST(Imitator, points_that_change_places_wait_for_one_another) {
    Imitation i;
    i.repeat(10, {{writes(c, {high, low})}});
    EXPECT_GT(i.served(), 5U);
    i.repeat(1, {{writes(c, {low, high})}});
    i.repeat(10, {{writes(c, {high, low})}, {writes(c, {low, high})}});
}

TEST(Imitator, reads_of_two_regions_whose_writers_changed_places) {
    Imitation i;
    i.repeat(10, {{writes(a, {all})}, {writes(b, {all})}, {reads(a, {all})}, {reads(b, {all})}});
    const std::uint64_t before = i.served();
    i.repeat(10, {{writes(a, {all})}, {writes(b, {all})}, {reads(b, {all})}, {reads(a, {all})}});
    EXPECT_GT(i.served(), before + 20);
}

TEST(Imitator, each_write_is_a_source_of_the_next) {
    Imitation i;
    i.repeat(20, {{writes(d, {all})}});
    EXPECT_GE(i.served(), 17U);
}

TEST(Imitator, requirements_of_one_operation_that_share_a_region_and_those_that_do_not) {
    Imitation i;
    for (int round = 0; round < 60; ++round)
        i.launch({updates(round % 7 < 3 ? a : b, {low}), reduces(a, {high})});
    EXPECT_GT(i.served(), 10U);
}

/// One point writes what another one of the same operation reads: a later writer waits for both.
TEST(Imitator, an_operation_that_covers_what_another_of_its_points_reads) {
    Imitation i;
    i.repeat(20, {{reads(a, {0, low}), writes(a, {high, 0})}, {writes(a, {all, 0})}});
    EXPECT_GT(i.served(), 30U);
}

/// What everybody only reads was written before the loop: lists that come from there are inherited.
TEST(Imitator, what_was_written_before_the_loop_is_inherited_and_not_the_loops_own) {
    Imitation i;
    for (int phase = 0; phase < 3; ++phase) {
        i.launch({writes(a, {low})});
        if (phase == 1) i.launch({writes(a, {high})});
        i.repeat(12, {{reads(a, {all}), updates(b, {low, high})}, {reads(b, {all})}});
    }
    EXPECT_GT(i.served(), 50U);
}

TEST(Imitator, contributions_pile_up_until_they_are_read) {
    Imitation i;
    for (int round = 0; round < 60; ++round) {
        i.launch({reduces(a, {all}, 1)});
        i.launch({updates(b, {low, high})});
        if (round % 7 == 6) i.launch({reads(a, {all}), updates(b, {all})});
        if (round % 20 == 19) i.launch({reduces(a, {all}, 2)});
    }
    EXPECT_GT(i.served(), 60U);
}

TEST(Imitator, that_is_verified_notices_memos_that_are_wrong) {
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

/// All dependences of random programs, by the oracle.
void run_random_programs(std::uint64_t seeds, std::size_t steps, std::size_t bytes) {
    std::uint64_t served = 0;
    std::uint64_t launched = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        analysis::testing::Random random(seed);
        const AccessProgram program = ProgramMaker(seed).make(steps);
        const std::uint32_t window = 4U << random() % 5;
        TracedAnalyser analyser(program.regions, imitating(window, bytes));
        for (const auto& step : program.steps) {
            for (const std::size_t region : step.made_before) analyser.make_anew(region);
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

TEST(ImitatorProperty, so_do_they_with_hardly_any_room_for_memos) {
    run_random_programs(500, 60, 1U << 10);
}

TEST(ImitatorPropertySlow, so_do_many) {
    run_random_programs(40'000, 60, 1U << 20);
}

}  // namespace
}  // namespace refrain::trace::imitator_test
